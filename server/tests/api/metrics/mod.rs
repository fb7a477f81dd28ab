//! Metrics: what administrators define, ask for and see of them.

mod alerts;
mod audit;
mod catalog;
mod dashboards;
mod registry;
mod reports;
mod returned;
mod templates;
mod values;
use serde_json::Value;

use crate::harness::{Person, Store, TestServer};

/// An order of so many of a variant; its id.
async fn order(server: &TestServer, store: &Store, variant: &str, quantity: i64) -> String {
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, store, variant, quantity).await;
    let done = server.complete(&visitor, &cart).await.ok();
    // What happens in this very instant does not count yet.
    server.clock.advance(1_000);
    done["order"]["id"].as_str().expect("an order").to_owned()
}

/// Minor units of an amount with two digits.
fn minor(value: &Value) -> i64 {
    let text = value.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{rest:0<2}").parse().unwrap_or_else(|_| panic!("{value}"))
}
