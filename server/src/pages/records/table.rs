//! Rows of the API as cells of a table.

use serde_json::Value;

use super::kinds::{Cell, Column};
use crate::pages::client::segment;
use crate::pages::figures;
use crate::pages::visit::Visit;

/// A table.
#[derive(Debug)]
pub(in crate::pages) struct Table {
    pub(in crate::pages) heads: Vec<(&'static str, bool)>,
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

/// A fact of a record.
pub(super) type Fact = CellView;

pub(in crate::pages) fn table(visit: &Visit, columns: &'static [Column], rows: &[Value]) -> Table {
    let row = |row: &Value| columns.iter().map(|column| cell(visit, column, row)).collect();
    Table {
        heads: columns.iter().map(|column| (column.label, column.cell.is_number())).collect(),
        rows: rows.iter().map(row).collect(),
    }
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
        Cell::Money(currency) => {
            let code = text(row.pointer(currency).unwrap_or(&Value::Null));
            view.text = visit.store.money(&code, value);
        }
        Cell::Percent => view.text = figures::percent(value),
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
        "active" | "captured" | "delivered" | "published" | "completed" | "processed" | "done"
        | "shipped" | "fulfilled" => "good",
        "canceled"
        | "failed"
        | "dead"
        | "past_due"
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
