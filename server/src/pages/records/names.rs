//! What people call records that the API gives by their ids.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::kinds::{Cell, Column};
use crate::pages::Pages;
use crate::pages::client::{segment, target};
use crate::pages::visit::Visit;

/// Limit: records of a kind whose names are read; the others are shown by their ids.
const MAX_NAMES: usize = 200;

/// The member of a row with the names of the records whose ids it has.
pub(super) const NAMES: &str = "names";

/// Where the API has records of a kind, and what they are called.
#[derive(Debug)]
pub(crate) struct Named {
    /// The source of formulas whose rows they are.
    pub(crate) source: &'static str,
    pub(crate) label: &'static str,
    /// What their ids begin with, before the underscore.
    prefix: &'static str,
    api: &'static str,
    plural: &'static str,
    /// The field with the name, and what is written before it.
    name: (&'static str, &'static str),
    /// The field with the id of the page, and the kind of record that the page shows.
    page: (&'static str, &'static str),
}

const ALL: &[Named] = &[
    Named {
        source: "orders",
        label: "Order",
        prefix: "order",
        api: "/admin/orders",
        plural: "orders",
        name: ("display_id", "Order "),
        page: ("id", "orders"),
    },
    Named {
        source: "customers",
        label: "Customer",
        prefix: "cus",
        api: "/admin/customers",
        plural: "customers",
        name: ("email", ""),
        page: ("id", "customers"),
    },
    Named {
        source: "products",
        label: "Product",
        prefix: "prod",
        api: "/admin/products",
        plural: "products",
        name: ("title", ""),
        page: ("id", "products"),
    },
    Named {
        source: "variants",
        label: "Variant",
        prefix: "variant",
        api: "/admin/product-variants",
        plural: "variants",
        name: ("sku", ""),
        page: ("product_id", "products"),
    },
    Named {
        source: "metrics",
        label: "Metric",
        prefix: "met",
        api: "/admin/metrics/definitions",
        plural: "metrics",
        name: ("name", ""),
        page: ("key", "metrics"),
    },
    Named {
        source: "partners",
        label: "Partner",
        prefix: "partner",
        api: "/admin/partners",
        plural: "partners",
        name: ("name", ""),
        page: ("id", "partners"),
    },
    Named {
        source: "stock_locations",
        label: "Location",
        prefix: "sloc",
        api: "/admin/stock-locations",
        plural: "stock_locations",
        name: ("name", ""),
        page: ("id", "locations"),
    },
    Named {
        source: "webhook_endpoints",
        label: "Endpoint",
        prefix: "whend",
        api: "/admin/webhook-endpoints",
        plural: "webhook_endpoints",
        name: ("url", ""),
        page: ("id", "endpoints"),
    },
    Named {
        source: "users",
        label: "Person",
        prefix: "user",
        api: "/admin/users",
        plural: "users",
        name: ("email", ""),
        page: ("id", "people"),
    },
    Named {
        source: "api_keys",
        label: "Key",
        prefix: "apk",
        api: "/admin/api-keys",
        plural: "api_keys",
        name: ("title", ""),
        page: ("id", "keys"),
    },
];

/// A record's name, and the address of its page.
pub(crate) type Name = (String, String);

/// Returns the kind of the rows of a source, if they have pages.
pub(crate) fn of_source(source: &str) -> Option<&'static Named> {
    ALL.iter().find(|own| own.source == source)
}

/// Adds to rows the names of the records that columns have by their ids.
pub(super) async fn add(pages: &Pages, visit: &Visit, columns: &[Column], rows: &mut [Value]) {
    let records = columns.iter().filter(|column| matches!(column.cell, Cell::Record));
    let places: Vec<&str> = records.map(|column| column.pointer).collect();
    let ids = rows.iter().flat_map(|row| ids_of(row, &places));
    let names = read(pages, visit, &ids.map(str::to_owned).collect()).await;
    put(rows, &places, &names);
}

/// Reads the names of records of any kind by their ids; those that have none are missing.
pub(crate) async fn read(
    pages: &Pages,
    visit: &Visit,
    ids: &BTreeSet<String>,
) -> BTreeMap<String, Name> {
    let mut names = BTreeMap::new();
    for kind in ALL {
        let own = ids.iter().map(String::as_str).filter(|id| kind.has(id));
        names.extend(kind.read(pages, visit, &own.take(MAX_NAMES).collect()).await);
    }
    names
}

/// Adds to rows the names of the lines of an order whose ids they have at a place.
pub(super) async fn add_lines(
    pages: &Pages,
    visit: &Visit,
    (order, place): (&Value, &str),
    rows: &mut [Value],
) {
    let Some(order) = order.as_str().map(segment) else { return };
    let path = format!("/admin/orders/{order}");
    let answer = pages.client.get::<Value>(&visit.origin, &path).await.unwrap_or_default();
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
    fn has(&self, id: &str) -> bool {
        id.strip_prefix(self.prefix).is_some_and(|rest| rest.starts_with('_'))
    }

    /// Reads the names of records by their ids; those that are not there have none.
    pub(crate) async fn read(
        &self,
        pages: &Pages,
        visit: &Visit,
        ids: &BTreeSet<&str>,
    ) -> BTreeMap<String, Name> {
        if ids.is_empty() {
            return BTreeMap::new();
        }
        let fields = format!("id,{},{}", self.name.0, self.page.0);
        let limit = ids.len().to_string();
        let mut query = vec![("fields", &*fields), ("limit", &*limit)];
        query.extend(ids.iter().map(|id| ("id[]", *id)));
        let path = target(self.api, &query);
        let answer = pages.client.get::<Value>(&visit.origin, &path).await.unwrap_or_default();
        super::rows_of(&answer, self.plural).iter().filter_map(|row| self.name_of(row)).collect()
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
        let (field, kind) = self.page;
        let page = format!("/app/{kind}/{}", segment(&text(field)?));
        Some((id, (name, page)))
    }
}
