//! Names of records that the API refers to by id.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::kinds::{
    CUSTOMERS, Cell, Column, ENDPOINTS, KEYS, Kind, LOCATIONS, METRICS, ORDERS, PARTNERS, PEOPLE,
    PRODUCTS, VARIANTS,
};
use crate::client::{segment, target};
use crate::visit::Visit;

/// Limit: records of a kind whose names are read; the others are shown by id.
const MAX_NAMES: usize = 200;

/// The member of a row with the names of the records that it refers to.
pub(super) const NAMES: &str = "names";

/// A kind of record, and how to name its records.
#[derive(Debug)]
pub(crate) struct Named {
    /// The source in formulas that has these rows.
    pub(crate) source: &'static str,
    /// The prefix of their ids, without the underscore.
    prefix: &'static str,
    /// The kind whose page shows them, and their API route.
    kind: &'static Kind,
    /// The field with the name, and the text before it.
    name: (&'static str, &'static str),
    /// The field with the id of the page.
    page: &'static str,
}

const fn named(
    source: &'static str,
    prefix: &'static str,
    kind: &'static Kind,
    name: (&'static str, &'static str),
) -> Named {
    Named { source, prefix, kind, name, page: "id" }
}

static ALL: &[Named] = &[
    named("orders", "order", &ORDERS, ("display_id", "Order ")),
    named("customers", "cus", &CUSTOMERS, ("email", "")),
    named("products", "prod", &PRODUCTS, ("title", "")),
    Named { page: "product_id", ..named("variants", "variant", &VARIANTS, ("sku", "")) },
    Named { page: "key", ..named("metrics", "met", &METRICS, ("name", "")) },
    named("partners", "partner", &PARTNERS, ("name", "")),
    named("stock_locations", "sloc", &LOCATIONS, ("name", "")),
    named("webhook_endpoints", "whend", &ENDPOINTS, ("url", "")),
    named("users", "user", &PEOPLE, ("email", "")),
    named("api_keys", "apk", &KEYS, ("title", "")),
];

/// A record's name, and the URL of its page.
pub(crate) type Name = (String, String);

/// Returns the kind of the rows of a source, if they have pages.
pub(crate) fn of_source(source: &str) -> Option<&'static Named> {
    ALL.iter().find(|own| own.source == source)
}

/// Adds the names of the records to which columns refer by id.
pub(super) async fn add(visit: &Visit, columns: &[Column], rows: &mut [Value]) {
    let records = columns.iter().filter(|column| matches!(column.cell, Cell::Record));
    let places: Vec<&str> = records.map(|column| column.pointer).collect();
    let ids = rows.iter().flat_map(|row| ids_of(row, &places));
    let names = read(visit, &ids.map(str::to_owned).collect()).await;
    put(rows, &places, &names);
}

/// Reads the names of records of any kind by id; those without one are missing.
pub(crate) async fn read(visit: &Visit, ids: &BTreeSet<String>) -> BTreeMap<String, Name> {
    let mut names = BTreeMap::new();
    for kind in ALL {
        let own = ids.iter().map(String::as_str).filter(|id| kind.has(id));
        names.extend(kind.read(visit, &own.take(MAX_NAMES).collect()).await);
    }
    names
}

/// Adds the names of the order lines to which rows refer by id at a place.
pub(super) async fn add_lines(visit: &Visit, order: &Value, place: &str, rows: &mut [Value]) {
    let Some(order) = order.as_str().map(segment) else { return };
    let path = format!("/admin/orders/{order}");
    let answer = visit.api.get::<Value>(&path).await.unwrap_or_default();
    let lines = answer.pointer("/order/items").and_then(Value::as_array).into_iter().flatten();
    let name = |line: &Value| {
        let text = |name: &str| Some(line.get(name)?.as_str()?.to_owned());
        Some((text("id")?, (text("title")?, format!("/app/orders/{order}"))))
    };
    put(rows, &[place], &lines.filter_map(name).collect());
}

fn ids_of<'a>(row: &'a Value, places: &[&str]) -> Vec<&'a str> {
    places.iter().filter_map(|place| row.pointer(place)?.as_str()).collect()
}

fn put(rows: &mut [Value], places: &[&str], names: &BTreeMap<String, Name>) {
    for row in rows {
        let name = |id: &str| {
            let (name, page) = names.get(id)?;
            Some((id.to_owned(), json!({ "name": name, "page": page })))
        };
        let own: Map<String, Value> = ids_of(row, places).into_iter().filter_map(name).collect();
        if let Some(row) = row.as_object_mut().filter(|_| !own.is_empty()) {
            row.insert(NAMES.to_owned(), own.into());
        }
    }
}

impl Named {
    /// Returns what one of them is called.
    pub(crate) const fn label(&self) -> &'static str {
        self.kind.noun
    }

    fn has(&self, id: &str) -> bool {
        id.strip_prefix(self.prefix).is_some_and(|rest| rest.starts_with('_'))
    }

    /// Reads the names of records by id; missing records have none.
    pub(crate) async fn read(&self, visit: &Visit, ids: &BTreeSet<&str>) -> BTreeMap<String, Name> {
        if ids.is_empty() {
            return BTreeMap::new();
        }
        let fields = format!("id,{},{}", self.name.0, self.page);
        let limit = ids.len().to_string();
        let mut query = vec![("fields", &*fields), ("limit", &*limit)];
        query.extend(ids.iter().map(|id| ("id[]", *id)));
        let path = target(self.kind.api, &query);
        let answer = visit.api.get::<Value>(&path).await.unwrap_or_default();
        super::rows_of(&answer, self.kind.plural)
            .iter()
            .filter_map(|row| self.name_of(row))
            .collect()
    }

    fn name_of(&self, row: &Value) -> Option<(String, Name)> {
        let text = |field: &str| match row.get(field)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        };
        let id = text("id")?;
        let (field, before) = self.name;
        let name = text(field).map_or_else(|| id.clone(), |name| format!("{before}{name}"));
        let page = format!("/app/{}/{}", self.kind.name, segment(&text(self.page)?));
        Some((id, (name, page)))
    }
}
