//! Rows and columns of a record as tables, with the types of the schema.

use std::collections::BTreeMap;

use super::record::{Record, RecordValue, plain_name};
use super::table::{Table, TableBuilder};
use crate::schema::{DataType, Schema, Source, SourceId};
use crate::types::Currency;

/// A value of a record that a table cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordMisfit {
    /// The name in the record: `orders`, `orders.total`.
    pub(crate) name: String,
    /// The message, in lower case and without a full stop.
    pub(crate) message: String,
}

impl RecordMisfit {
    fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), message: message.into() }
    }
}

/// A row of a record, by normalized field names.
type RecordRow<'r> = BTreeMap<&'r str, &'r RecordValue>;

/// Builds the tables of a record from rows, `"orders": [{…}]`, or columns, `"orders.total": […]`.
///
/// A source for which the record has single values, or nothing, has no table.
pub(crate) fn record_tables(schema: &Schema, record: &Record) -> Result<Vec<Table>, RecordMisfit> {
    let flattened = super::record_nested::flattened(schema, record);
    let record = flattened.as_ref().unwrap_or(record);
    let mut tables = Vec::new();
    for (index, source) in schema.sources.iter().enumerate() {
        let rows = match record.get(&source.name) {
            Some(RecordValue::List(rows)) => Some(listed(source, rows)?),
            Some(RecordValue::Fields(_)) => {
                return Err(RecordMisfit::new(&source.name, "its rows are a list: [{…}]"));
            }
            Some(_) | None => columns(source, record)?,
        };
        if let Some(rows) = rows {
            tables.push(table(schema, SourceId(index), source, &rows)?);
        }
    }
    Ok(tables)
}

fn listed<'r>(
    source: &Source,
    rows: &'r [RecordValue],
) -> Result<Vec<RecordRow<'r>>, RecordMisfit> {
    let row = |value: &'r RecordValue| {
        let RecordValue::Fields(fields) = value else {
            let message = "a row is an object with a value for each field";
            return Err(RecordMisfit::new(&source.name, message));
        };
        Ok(fields.iter().map(|(name, value)| (name.as_str(), value)).collect())
    };
    rows.iter().map(row).collect()
}

/// Turns columns of equal length into rows.
fn columns<'r>(
    source: &Source,
    record: &'r Record,
) -> Result<Option<Vec<RecordRow<'r>>>, RecordMisfit> {
    let prefix = plain_name(&format!("{}.", source.name));
    let mut rows: Option<Vec<RecordRow<'r>>> = None;
    for (name, value) in record.iter() {
        let (Some(field), RecordValue::List(values)) = (name.strip_prefix(&prefix), value) else {
            continue;
        };
        let rows = rows.get_or_insert_with(|| vec![RecordRow::new(); values.len()]);
        if rows.len() != values.len() {
            let message = format!(
                "{} values where another column of the source has {}",
                values.len(),
                rows.len()
            );
            return Err(RecordMisfit::new(name, message));
        }
        for (row, value) in rows.iter_mut().zip(values) {
            row.insert(field, value);
        }
    }
    Ok(rows)
}

fn table(
    schema: &Schema,
    id: SourceId,
    source: &Source,
    rows: &[RecordRow<'_>],
) -> Result<Table, RecordMisfit> {
    let names: Vec<String> = source.fields.iter().map(|field| plain_name(&field.name)).collect();
    let given =
        |name: &String| rows.is_empty() || rows.iter().any(|row| row.contains_key(name.as_str()));
    let mut fields: Vec<usize> = Vec::new();
    for (index, (name, field)) in names.iter().zip(&source.fields).enumerate() {
        if given(name) && (field.computed.is_none() || !rows.is_empty()) {
            fields.push(index);
        }
    }
    // An amount with its currency fills the currency column too.
    for (index, field) in source.fields.iter().enumerate() {
        if let DataType::MoneyBy { currency, .. } = &field.data_type
            && fields.contains(&index)
            && !fields.contains(&currency.0)
        {
            fields.push(currency.0);
        }
    }
    let mut builder =
        TableBuilder::with_fields(schema, id, fields.iter().copied().map(Some).collect());
    for row in rows {
        let cells: Result<Vec<String>, RecordMisfit> =
            fields.iter().map(|field| cell(schema, source, *field, &names, row)).collect();
        builder
            .push(&cells?)
            .map_err(|error| RecordMisfit::new(&source.name, error.to_string()))?;
    }
    Ok(builder.finish())
}

/// Returns the text of a cell; empty if the row lacks the field.
fn cell(
    schema: &Schema,
    source: &Source,
    index: usize,
    names: &[String],
    row: &RecordRow<'_>,
) -> Result<String, RecordMisfit> {
    let name = names.get(index).map_or("", String::as_str);
    let Some(value) = row.get(name) else {
        return Ok(currency_beside(source, index, names, row).unwrap_or_default());
    };
    let data_type = source.fields.get(index).map(|field| &field.data_type);
    // The times of a record's rows are in the store's time zone, like its other times.
    if let (Some(DataType::DateTime), RecordValue::Text(text)) = (data_type, *value)
        && let Some(at) = schema.store.calendar.read_instant(text, false)
    {
        return Ok(at.to_string());
    }
    let full = format!("{}.{name}", source.name);
    if let RecordValue::Money(_, given) = value {
        let store = schema.store.currency;
        fits(data_type, *given, store).map_err(|message| RecordMisfit::new(&full, message))?;
    }
    value.cell().ok_or_else(|| RecordMisfit::new(full, "one value for each row is expected"))
}

fn fits(data_type: Option<&DataType>, given: Currency, store: Currency) -> Result<(), String> {
    if matches!(data_type, Some(DataType::MoneyBy { .. })) {
        return Ok(());
    }
    let Some(DataType::Money(own)) = data_type else {
        return Err("an amount of money where the field holds something else".to_owned());
    };
    let own = own.unwrap_or(store);
    if own == given {
        return Ok(());
    }
    Err(format!("the amount is in {}, the field in {}", given.code(), own.code()))
}

/// Returns the currency of the amount whose currency column this is.
fn currency_beside(
    source: &Source,
    index: usize,
    names: &[String],
    row: &RecordRow<'_>,
) -> Option<String> {
    source.fields.iter().zip(names).find_map(|(field, name)| {
        match (&field.data_type, row.get(name.as_str())) {
            (DataType::MoneyBy { currency, .. }, Some(RecordValue::Money(_, code)))
                if currency.0 == index =>
            {
                Some(code.code().to_owned())
            }
            _ => None,
        }
    })
}
