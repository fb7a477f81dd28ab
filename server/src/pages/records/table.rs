//! Rows of the API as cells of a table.

use rust_decimal::Decimal;
use serde_json::Value;

use super::kinds::{Cell, Column, Kind};
use crate::pages::client::{segment, target};
use crate::pages::figures;
use crate::pages::listing::{Head, Sorting};
use crate::pages::visit::Visit;

/// A table.
#[derive(Debug)]
pub(in crate::pages) struct Table {
    pub(in crate::pages) heads: Vec<Head>,
    pub(in crate::pages) rows: Vec<Vec<CellView>>,
}

/// A cell as it is shown.
#[derive(Debug)]
pub(in crate::pages) struct CellView {
    pub(in crate::pages) label: &'static str,
    pub(in crate::pages) text: String,
    pub(in crate::pages) href: Option<String>,
    pub(in crate::pages) is_number: bool,
    /// The look of a chip, if it is one.
    pub(in crate::pages) chip: Option<&'static str>,
}

impl CellView {
    /// Returns whether it leads to another site.
    pub(in crate::pages) fn is_elsewhere(&self) -> bool {
        self.href.as_ref().is_some_and(|href| href.contains("://"))
    }
}

/// A fact of a record.
pub(super) type Fact = CellView;

pub(in crate::pages) fn table(visit: &Visit, columns: &'static [Column], rows: &[Value]) -> Table {
    let row = |row: &Value| seen(visit, columns).map(|column| cell(visit, column, row)).collect();
    let head = |own: &Column| Head::plain(own.label, own.cell.is_number());
    Table { heads: seen(visit, columns).map(head).collect(), rows: rows.iter().map(row).collect() }
}

/// Returns the table of a list, which the address sorts.
pub(super) fn list(visit: &Visit, kind: &'static Kind, rows: &[Value]) -> Table {
    let head = |own: &Column| {
        let head = Head::plain(own.label, own.cell.is_number());
        let Some(field) = kind.sorted_by(own) else { return head };
        let is_falling = own.cell.is_number() || matches!(own.cell, Cell::Moment);
        head.sorting(visit, Sorting { field, is_falling, default: kind.order })
    };
    let heads = seen(visit, kind.columns).map(head).collect();
    Table { heads, ..table(visit, kind.columns, rows) }
}

/// Returns the columns of a table; who may not use a form does not see its column.
fn seen(visit: &Visit, columns: &'static [Column]) -> impl Iterator<Item = &'static Column> {
    let is_admin = visit.runs_store();
    columns.iter().filter(move |column| is_admin || !matches!(column.cell, Cell::Form(_)))
}

/// Returns the facts of a record that it has.
pub(super) fn facts(visit: &Visit, columns: &'static [Column], record: &Value) -> Vec<Fact> {
    let all = columns.iter().map(|column| cell(visit, column, record));
    all.filter(|fact| !fact.text.is_empty() && fact.text != "–").collect()
}

fn cell(visit: &Visit, column: &'static Column, row: &Value) -> CellView {
    let value = row.pointer(column.pointer).unwrap_or(&Value::Null);
    let plain = text(value);
    let mut view = CellView {
        label: column.label,
        text: String::new(),
        href: None,
        is_number: column.cell.is_number(),
        chip: None,
    };
    match column.cell {
        Cell::Text => view.text = plain,
        Cell::Link(name, id) => {
            let id = text(row.pointer(id).unwrap_or(&Value::Null));
            view.href = (!id.is_empty()).then(|| format!("/app/{name}/{}", segment(&id)));
            view.text = if plain.is_empty() { id } else { plain };
        }
        Cell::Page(place) => {
            view.href = row.pointer(place).and_then(Value::as_str).map(str::to_owned);
            view.text = plain;
        }
        Cell::Narrowed(name, filter, id) => {
            let id = text(row.pointer(id).unwrap_or(&Value::Null));
            view.href = Some(target(&format!("/app/{name}"), &[(filter, &id)]));
            view.text = figures::count(value);
        }
        Cell::Form(link) if visit.runs_store() => {
            let own = |pointer: &str| text(row.pointer(pointer).unwrap_or(&Value::Null));
            let path = format!("/app/{}/{}/{}", link.kind, segment(&own(link.id)), link.form);
            view.href = Some(target(&path, &[("of", &own(link.of))]));
            link.text.clone_into(&mut view.text);
        }
        Cell::Form(_) => {}
        Cell::Prices => {
            let prices = value.as_array().into_iter().flatten();
            view.text = prices.map(|own| price(visit, own)).collect::<Vec<_>>().join(", ");
        }
        Cell::Address => {
            let is_elsewhere = plain.starts_with("https://") || plain.starts_with("http://");
            view.href = is_elsewhere.then(|| plain.clone());
            view.text = plain;
        }
        Cell::Money(currency) => {
            let code = text(row.pointer(currency).unwrap_or(&Value::Null));
            view.text = visit.store.money(&code, value);
        }
        Cell::Percent => view.text = figures::percent(value),
        Cell::Permille => {
            let share =
                figures::number(value).and_then(|own| own.checked_div(Decimal::ONE_THOUSAND));
            view.text =
                share.map_or_else(String::new, |own| figures::percent(&own.to_string().into()));
        }
        Cell::Count => view.text = figures::count(value),
        Cell::Moment => {
            view.text = if value.is_null() { String::new() } else { visit.store.moment(&plain) };
        }
        Cell::Chip => {
            view.chip = (!plain.is_empty()).then(|| look(&plain));
            view.text = plain.replace('_', " ");
        }
        Cell::Names(field) => {
            let names = value.as_array().into_iter().flatten();
            let names = names.map(|own| text(own.pointer(field).unwrap_or(own)));
            view.text = names.collect::<Vec<_>>().join(", ");
        }
    }
    view
}

/// Returns a price for people: `£5.00 from 10`.
fn price(visit: &Visit, price: &Value) -> String {
    let own = |name: &str| price.get(name).unwrap_or(&Value::Null);
    let amount = visit.store.money(&text(own("currency_code")), own("amount"));
    let least = text(own("min_quantity"));
    if least.is_empty() { amount } else { format!("{amount} from {least}") }
}

/// Returns a value as plain text; empty for null.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// Returns the look of a state.
pub(in crate::pages) fn look(state: &str) -> &'static str {
    match state {
        "active" | "captured" | "delivered" | "published" | "completed" | "handled" | "done"
        | "shipped" | "fulfilled" | "approved" | "paid" | "received" | "ok" => "good",
        "canceled"
        | "failed"
        | "dead"
        | "firing"
        | "error"
        | "past_due"
        | "rejected"
        | "reversed"
        | "requires_action"
        | "refunded"
        | "not_fulfilled"
        | "not_paid"
        | "partially_refunded"
        | "partially_fulfilled"
        | "partially_shipped" => "warn",
        _ => "",
    }
}
