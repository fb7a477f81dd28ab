//! The tables of the store that sources of formulas read.

use std::collections::BTreeSet;

use quotient::Formula;
use quotient::schema::{Schema, SourceId};

/// The tables that the view of a source reads; sources without an entry read none, and have no rows.
const TABLES: &[(&str, &[&str])] = &[
    ("orders", &["orders", "order_promotion", "region", "sales_channel"]),
    ("items", &["orders", "order_line"]),
    ("refunds", &["orders", "order_transaction"]),
    ("payments", &["payment_session", "payment"]),
    ("fulfillments", &["orders", "fulfillment"]),
    ("carts", &["cart", "region", "sales_channel"]),
    ("customers", &["customer", "customer_address", "orders"]),
    (
        "products",
        &[
            "product",
            "product_collection",
            "product_type",
            "product_category_product",
            "product_category",
        ],
    ),
    ("variants", &["product_variant"]),
    ("inventory", &["inventory_snapshot"]),
    ("promotions", &["orders", "order_promotion"]),
    ("bundle_sales", &["orders", "order_bundle"]),
    ("tax_lines", &["orders", "order_line_tax", "order_shipping_tax"]),
    ("store_credit", &["credit_entry", "credit_account", "orders"]),
    ("webhook_deliveries", &["webhook_delivery"]),
    ("sessions", &["visit", "sales_channel"]),
    ("events", &["visit_event"]),
    ("product_views", &["visit_event"]),
    ("reviews", &["review"]),
    ("wishlist_items", &["wishlist_item"]),
    ("payment_confirmations", &["payment_confirmation", "orders"]),
    ("subscriptions", &["subscription", "subscription_item", "subscription_plan"]),
    ("mrr_movements", &["mrr_movement"]),
    ("subscription_cycles", &["subscription_cycle", "subscription"]),
    ("flow_sessions", &["flow_session", "flow", "flow_version"]),
    ("flow_submissions", &["flow_press", "flow_session", "flow"]),
    ("partner_clicks", &["partner_click", "partner", "partner_offer", "partner_conversion"]),
    ("partner_conversions", &["partner_conversion", "partner", "partner_offer"]),
];

pub(super) fn tables_of(source: &str) -> &'static [&'static str] {
    TABLES.iter().find(|(name, _)| *name == source).map_or(&[], |(_, tables)| tables)
}

pub(crate) fn sources() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(source, _)| *source)
}

pub(crate) fn sources_of(table: &str) -> impl Iterator<Item = &'static str> {
    let reads = move |(source, tables): &'static (&'static str, &'static [&'static str])| {
        tables.contains(&table).then_some(*source)
    };
    TABLES.iter().filter_map(reads)
}

/// Returns the tables that formulas can read: those of their sources, and of all sources these lead to.
pub(crate) fn tables(schema: &Schema, formulas: &[&Formula]) -> BTreeSet<&'static str> {
    let named = formulas.iter().flat_map(|formula| formula.sources());
    let mut open: Vec<SourceId> = named.filter_map(|name| schema.source(name)).collect();
    let mut seen = BTreeSet::new();
    let mut tables = BTreeSet::new();
    while let Some(id) = open.pop() {
        let Some(source) = schema.source_at(id).filter(|_| seen.insert(id.0)) else { continue };
        tables.extend(tables_of(&source.name));
        open.extend(source.links.iter().map(|link| link.target));
        open.extend(source.derived_from.map(|(from, _)| from));
    }
    tables
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

    use super::*;
    use crate::registry::schema::schema;

    fn database() -> rusqlite::Connection {
        let connection = rusqlite::Connection::open_in_memory().expect("a database");
        for migration in crate::database::MIGRATIONS {
            connection.execute_batch(migration).expect("a migration");
        }
        connection
    }

    #[test]
    fn every_source_reads_its_declared_tables() {
        let mut connection = database();
        let tables: BTreeSet<String> = {
            let mut names = connection
                .prepare("select name from sqlite_schema where type = 'table'")
                .expect("a statement");
            let names = names.query_map([], |row| row.get(0)).expect("names");
            names.collect::<Result<_, _>>().expect("names")
        };
        let schema = schema(quotient::types::Currency::USD, "UTC").expect("a zone");
        for source in &schema.sources {
            let read = Arc::new(Mutex::new(BTreeSet::new()));
            let tables_read = Arc::clone(&read);
            connection
                .authorizer(Some(move |context: AuthContext<'_>| {
                    if let AuthAction::Read { table_name, .. } = context.action {
                        tables_read.lock().expect("a lock").insert(table_name.to_owned());
                    }
                    Authorization::Allow
                }))
                .expect("an authorizer");
            connection.prepare(&format!("select * from metric_{}", source.name)).expect("a view");
            connection
                .authorizer(None::<fn(AuthContext<'_>) -> Authorization>)
                .expect("no authorizer");
            let read = read.lock().expect("a lock");
            let read: BTreeSet<&str> =
                read.iter().map(String::as_str).filter(|name| tables.contains(*name)).collect();
            let declared: BTreeSet<&str> = tables_of(&source.name).iter().copied().collect();
            assert_eq!(read, declared, "{}", source.name);
        }
    }

    #[test]
    fn a_formula_reads_the_tables_of_the_rows_aggregated_inside_its_rows() {
        let schema = schema(quotient::types::Currency::USD, "UTC").expect("a zone");
        let engine = quotient::Engine::new(schema);
        let formula = engine.compile("count(products where count(items) >= 2)").expect("a formula");

        let read = tables(engine.schema(), &[&formula]);

        assert!(read.contains("product") && read.contains("order_line"), "{read:?}");
    }

    /// Tables whose rows are only ever added together with their order, which then raises the version.
    const WITH_THEIR_ORDER: [&str; 4] =
        ["order_line", "order_promotion", "order_line_tax", "order_shipping_tax"];

    #[test]
    fn every_table_that_a_source_reads_is_numbered_at_every_write() {
        let connection = database();
        for table in TABLES.iter().flat_map(|(_, tables)| *tables) {
            let count = |text: &str| {
                let count: i64 =
                    connection.query_row(text, [table], |row| row.get(0)).expect("a count");
                count
            };
            let triggers = "select count(*) from sqlite_schema where type = 'trigger' and tbl_name = ?1
                 and sql like '%update metric_data_version set version = version + 1 where name = ''' || ?1 || '''%'";
            let is_added_with_its_order = WITH_THEIR_ORDER.contains(table);
            assert_eq!(count(triggers), if is_added_with_its_order { 2 } else { 3 }, "{table}");
            assert_eq!(
                count("select count(*) from metric_data_version where name = ?1"),
                1,
                "{table}"
            );
        }
    }
}
