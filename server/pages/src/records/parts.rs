//! The related records on a record's page.

use serde_json::Value;

use super::kinds::{self, RecordPart, Source};
use super::{OWNERS, Table, names, rows_of, table};
use crate::client::{Failure, segment, target};
use crate::visit::Visit;

pub(super) async fn read(
    visit: &Visit,
    (part, id): (&'static RecordPart, &str),
    record: &Value,
) -> Result<Table, Failure> {
    let answer = async |path: &str, id: &str| {
        let path = path.replace("{id}", &segment(id));
        visit.api.get::<Value>(&path).await
    };
    let mut more = None;
    let mut rows = match part.source {
        Source::Inside(path) => of_record(rows_of(record, path), record, id),
        Source::Lines(path, line) => {
            let mut rows = of_record(rows_of(record, path), record, id);
            let order = record.get("order_id").unwrap_or(&Value::Null);
            names::add_lines(visit, order, line, &mut rows).await;
            return Ok(table(visit, part.columns, &rows));
        }
        Source::Route(path, plural) => {
            let answer = answer(path, id).await?;
            let rows = rows_of(&answer, plural);
            more = beyond(visit, (&answer, rows.len()), (path, id));
            of_record(rows, record, id)
        }
        Source::Stock(path) => read_stock(visit, &rows_of(record, path)).await?,
        Source::Below(above, below) => {
            let mut all = Vec::new();
            for row in rows_of(&answer(above.0, id).await?, above.1) {
                let own = row.get("id").and_then(Value::as_str).unwrap_or_default();
                let rows = rows_of(&answer(below.0, own).await?, below.1);
                all.extend(of_record(rows, &row, own));
            }
            all
        }
    };
    names::add(visit, part.columns, &mut rows).await;
    Ok(Table { more, ..table(visit, part.columns, &rows) })
}

/// Returns the total number of rows if a part shows only the first ones, and the list that has all of
/// them.
fn beyond(
    visit: &Visit,
    (answer, shown): (&Value, usize),
    (path, id): (&str, &str),
) -> Option<(String, Option<String>)> {
    let count = answer.get("count").and_then(Value::as_u64)?;
    if count <= u64::try_from(shown).ok()? {
        return None;
    }
    let list = || {
        let (api, query) = path.split_once('?')?;
        let kind = kinds::ALL.iter().find(|kind| kind.api == api)?;
        let owner = OWNERS.iter().find(|own| query.starts_with(&format!("{own}={{id}}")))?;
        Some(target(&format!("/app/{}", kind.name), &[(owner, id)]))
    };
    Some((visit.store.locale.number(&count.to_string()), list()))
}

/// Reads the stock of variants at each location.
async fn read_stock(visit: &Visit, variants: &[Value]) -> Result<Vec<Value>, Failure> {
    let ids: Vec<&str> = variants.iter().filter_map(|own| own.get("id")?.as_str()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = vec![("limit", "200")];
    query.extend(ids.iter().map(|id| ("variant_id[]", *id)));
    let path = target("/admin/inventory-items", &query);
    let answer = visit.api.get::<Value>(&path).await?;
    let mut all = Vec::new();
    for item in rows_of(&answer, "inventory_items") {
        for mut level in rows_of(&item, "location_levels") {
            if let Some(members) = level.as_object_mut() {
                members.insert("sku".to_owned(), item.get("sku").cloned().unwrap_or_default());
            }
            all.push(level);
        }
    }
    Ok(all)
}

/// Returns rows with what is stated once for all of them: the id of their record, and its currency.
fn of_record(mut rows: Vec<Value>, record: &Value, id: &str) -> Vec<Value> {
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.insert("record_id".to_owned(), id.into());
        if let Some(currency) = record.get("currency_code") {
            row.entry("currency_code").or_insert_with(|| currency.clone());
        }
    }
    rows
}
