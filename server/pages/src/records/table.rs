//! The API's rows as table cells.

use rust_decimal::Decimal;
use serde_json::Value;

use super::kinds::{self, Cell, Column, Kind};
use super::names::NAMES;
use crate::client::{segment, target};
use crate::decimal;
use crate::listing::{Head, Sorting};
use crate::regions::COUNTRIES;
use crate::visit::Visit;

/// Limit: names listed in a cell; the others are counted.
const MAX_NAMES: usize = 12;

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) heads: Vec<Head>,
    pub(crate) rows: Vec<Vec<CellView>>,
    /// The total if only the first rows are shown, and the URL of the list with all of them.
    pub(crate) more: Option<(String, Option<String>)>,
}

/// A cell as it is shown.
#[derive(Debug)]
pub(crate) struct CellView {
    pub(crate) label: &'static str,
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    pub(crate) is_number: bool,
    /// The length of the bar below it, out of 100.
    pub(crate) bar: Option<i64>,
    /// The style of a chip, if it is one.
    pub(crate) chip: Option<&'static str>,
}

impl CellView {
    /// Returns whether it links to another site.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.href.as_ref().is_some_and(|href| href.contains("://"))
    }
}

/// A fact of a record.
pub(super) type Fact = CellView;

pub(crate) fn table(visit: &Visit, columns: &'static [Column], rows: &[Value]) -> Table {
    let row = |row: &Value| {
        visible_columns(visit, columns).map(|column| cell(visit, column, row)).collect()
    };
    let head = |own: &Column| {
        let is_unseen = matches!(own.cell, Cell::Form(_));
        Head { is_unseen, ..Head::plain(own.label, own.cell.is_number()) }
    };
    let heads = visible_columns(visit, columns).map(head).collect();
    Table { heads, rows: rows.iter().map(row).collect(), more: None }
}

/// Returns the table of a list, sorted according to the URL.
pub(super) fn list(visit: &Visit, kind: &'static Kind, rows: &[Value]) -> Table {
    let head = |own: &Column| {
        let head = Head::plain(own.label, own.cell.is_number());
        let Some(field) = kind.sorted_by(own) else { return head };
        let is_falling = own.cell.is_number() || field.ends_with("_at");
        head.sorting(visit, Sorting { field, is_falling, default: kind.order })
    };
    let heads = visible_columns(visit, kind.columns).map(head).collect();
    Table { heads, ..table(visit, kind.columns, rows) }
}

/// Returns the visible columns of a table: users who may not use a form do not see its column.
fn visible_columns(
    visit: &Visit,
    columns: &'static [Column],
) -> impl Iterator<Item = &'static Column> {
    let is_admin = visit.runs_store();
    columns.iter().filter(move |column| is_admin || !matches!(column.cell, Cell::Form(_)))
}

/// Returns the facts that a record has.
pub(super) fn facts(visit: &Visit, columns: &'static [Column], record: &Value) -> Vec<Fact> {
    let all = columns.iter().map(|column| cell(visit, column, record));
    all.filter(|fact| !fact.text.is_empty() && fact.text != "–").collect()
}

fn cell(visit: &Visit, column: &'static Column, row: &Value) -> CellView {
    let value = row.pointer(column.pointer).unwrap_or(&Value::Null);
    let (text, href) = content(visit, column, value, row);
    let chip = matches!(column.cell, Cell::Chip).then(|| look(value.as_str().unwrap_or_default()));
    CellView {
        // The text of a link to a form says what it is for.
        label: if matches!(column.cell, Cell::Form(_)) { "" } else { column.label },
        href,
        is_number: column.cell.is_number(),
        bar: None,
        chip: chip.filter(|_| !text.is_empty()),
        text,
    }
}

/// Returns the text of a cell, and the target of its link.
fn content(visit: &Visit, column: &Column, value: &Value, row: &Value) -> (String, Option<String>) {
    let of = |pointer: &str| text(row.pointer(pointer).unwrap_or(&Value::Null));
    let (plain, store, locale) = (text(value), &visit.store, visit.store.locale);
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    let written = match column.cell {
        Cell::Link(name, id) => {
            let id = of(id);
            let href = (!id.is_empty()).then(|| format!("/app/{name}/{}", segment(&id)));
            let text = match &*plain {
                "" => kinds::named(name).map_or(id, |kind| kind.noun.to_owned()),
                code if is_country(column.pointer) => country(code),
                other => store.moment(other),
            };
            return (text, href);
        }
        Cell::Record => {
            let named = row.get(NAMES).and_then(|names| names.get(&plain));
            let own = |name: &str| Some(named?.get(name)?.as_str()?.to_owned());
            return (own("name").unwrap_or(plain), own("page"));
        }
        Cell::Narrowed(name, filter, id) => {
            let href = target(&format!("/app/{name}"), &[(filter, &of(id))]);
            return (locale.count(value), Some(href));
        }
        Cell::Form(link) => {
            let path = format!("/app/{}/{}/{}", link.kind, segment(&of(link.id)), link.form);
            return (link.text.to_owned(), Some(target(&path, &[("of", &of(link.of))])));
        }
        Cell::Address => {
            let is_elsewhere = plain.starts_with("https://") || plain.starts_with("http://");
            return (plain.clone(), is_elsewhere.then_some(plain));
        }
        Cell::Prices => joined(prices(visit, all)),
        Cell::Money(currency) => store.money(&of(currency), value),
        Cell::Percent => locale.share(value),
        Cell::Permille => {
            let share = decimal::read(value);
            let share = share.and_then(|own| own.checked_div(Decimal::ONE_THOUSAND));
            share.map_or_else(String::new, |own| locale.share(&own.to_string().into()))
        }
        Cell::Count => locale.count(value),
        Cell::Moment if !value.is_null() => store.moment(&plain),
        Cell::Chip => plain.replace('_', " "),
        Cell::Word(words) => word(words, &plain),
        Cell::Words(field, words) => {
            joined(all.iter().map(|own| word(words, &text(own.pointer(field).unwrap_or(own)))))
        }
        Cell::Conditions => joined(all.iter().map(|own| condition(visit, own, row))),
        Cell::Code => plain.to_uppercase(),
        Cell::Country => country(&plain),
        Cell::Share(kind, currency) => match &*of(kind) {
            "" => String::new(),
            "fixed" => store.money(&of(currency), value),
            _ => locale.percent(&plain),
        },
        Cell::Names(field) => names_at(visit, field, all),
        Cell::Text | Cell::Moment => plain,
    };
    (written, None)
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the first names in a list, by their place in its members, and how many more there are.
fn names_at(visit: &Visit, field: &str, all: &[Value]) -> String {
    let name = |own: &Value| {
        let name = own.pointer(field).unwrap_or(own);
        if name.is_number() {
            visit.store.locale.count(name)
        } else if is_country(field) {
            country(&text(name))
        } else {
            text(name)
        }
    };
    let names = joined(all.iter().take(MAX_NAMES).map(name));
    match all.len().saturating_sub(MAX_NAMES) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// Returns the name of an API word, or the word itself if it is unknown.
pub(crate) fn word(all: &[(&str, &str)], word: &str) -> String {
    let own = all.iter().find(|(own, _)| *own == word);
    own.map_or(word, |(_, name)| *name).to_owned()
}

/// Returns whether a place holds a country code.
pub(super) fn is_country(pointer: &str) -> bool {
    pointer.ends_with("country_code")
}

/// Returns the name of a country, or its code if it is unknown.
pub(crate) fn country(code: &str) -> String {
    let known = COUNTRIES.iter().find(|own| own.iso_2.eq_ignore_ascii_case(code));
    known.map_or_else(|| code.to_uppercase(), |own| own.display_name.to_owned())
}

/// Returns a condition in words: `the items cost £50.00 or more`.
fn condition(visit: &Visit, condition: &Value, row: &Value) -> String {
    let of = |row: &Value, name: &str| text(row.get(name).unwrap_or(&Value::Null));
    if of(condition, "attribute") != "item_total" {
        return "in one region only".to_owned();
    }
    let amount = condition.get("value").unwrap_or(&Value::Null);
    let amount = visit.store.money(&of(row, "currency_code"), amount);
    match &*of(condition, "operator") {
        "gte" => format!("the items cost {amount} or more"),
        "gt" => format!("the items cost more than {amount}"),
        "lte" => format!("the items cost {amount} or less"),
        "lt" => format!("the items cost less than {amount}"),
        _ => format!("the items cost {amount}"),
    }
}

/// Returns formatted prices, those in the store's own currency first.
fn prices(visit: &Visit, all: &[Value]) -> impl Iterator<Item = String> {
    let is_other = |price: &&Value| {
        let code = price.get("currency_code").and_then(Value::as_str).unwrap_or_default();
        !code.eq_ignore_ascii_case(&visit.store.default_currency_code)
    };
    let mut all: Vec<&Value> = all.iter().collect();
    all.sort_by_key(is_other);
    all.into_iter().map(|own| price(visit, own))
}

/// Returns a formatted price: `£5.00 from 10`.
fn price(visit: &Visit, price: &Value) -> String {
    let own = |name: &str| price.get(name).unwrap_or(&Value::Null);
    let amount = visit.store.money(&text(own("currency_code")), own("amount"));
    let least = text(own("min_quantity"));
    let mut shown = if least.is_empty() { amount } else { format!("{amount} from {least}") };
    for rule in own("price_rules").as_array().into_iter().flatten() {
        shown.push_str(" if ");
        shown.push_str(&condition(visit, rule, price));
    }
    shown
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

/// Returns the style of a state.
pub(crate) fn look(state: &str) -> &'static str {
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
