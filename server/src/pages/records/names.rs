//! What people call records that the API gives by their ids.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::pages::Pages;
use crate::pages::client::{segment, target};
use crate::pages::visit::Visit;

/// Limit: variants whose names are read; the others are shown by their ids.
const MAX_NAMES: usize = 200;

/// Where the API has records of a kind, and what they are called.
#[derive(Debug)]
pub(in crate::pages) struct Named {
    /// The source of formulas whose rows they are.
    pub(in crate::pages) source: &'static str,
    pub(in crate::pages) label: &'static str,
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
        api: "/admin/orders",
        plural: "orders",
        name: ("display_id", "Order "),
        page: ("id", "orders"),
    },
    Named {
        source: "customers",
        label: "Customer",
        api: "/admin/customers",
        plural: "customers",
        name: ("email", ""),
        page: ("id", "customers"),
    },
    Named {
        source: "products",
        label: "Product",
        api: "/admin/products",
        plural: "products",
        name: ("title", ""),
        page: ("id", "products"),
    },
    Named {
        source: "variants",
        label: "Variant",
        api: "/admin/product-variants",
        plural: "variants",
        name: ("sku", ""),
        page: ("product_id", "products"),
    },
];

/// A record's name, and the address of its page.
pub(in crate::pages) type Name = (String, String);

/// Returns the kind of the rows of a source, if they have pages.
pub(in crate::pages) fn of_source(source: &str) -> Option<&'static Named> {
    ALL.iter().find(|own| own.source == source)
}

/// Adds to rows the name and the page of the variant whose id they have.
pub(super) async fn add_variants(pages: &Pages, visit: &Visit, rows: &mut [Value]) {
    let Some(kind) = of_source("variants") else { return };
    let id = |row: &Value| row.get("variant_id").and_then(Value::as_str).map(str::to_owned);
    let ids: BTreeSet<String> = rows.iter().filter_map(id).collect();
    let ids = ids.iter().map(String::as_str).take(MAX_NAMES).collect();
    let names = kind.read(pages, visit, &ids).await;
    for row in rows {
        let own = id(row);
        let name = own.as_ref().and_then(|own| names.get(own)).cloned();
        let (name, page) = name.map_or((own, None), |(name, page)| (Some(name), Some(page)));
        if let Some(row) = row.as_object_mut() {
            row.insert("variant".to_owned(), json!({ "name": name, "page": page }));
        }
    }
}

impl Named {
    /// Reads the names of records by their ids; those that are not there have none.
    pub(in crate::pages) async fn read(
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
        let rows = super::rows_of(&answer, self.plural).iter();
        rows.filter_map(|row| self.name_of(row)).collect()
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
