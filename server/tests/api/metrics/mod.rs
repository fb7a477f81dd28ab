//! Metrics for administrators: definitions, values, alerts, dashboards and reports.

mod alerts;
mod audit;
mod audit_entries;
mod broken;
mod cached;
mod catalog;
mod dashboards;
mod formulas;
mod fresh;
mod guards;
mod known;
mod large;
mod limits;
mod poison;
mod private;
mod questions;
mod recount;
mod registry;
mod reports;
mod returned;
mod shapes;
mod stock;
mod sums_cache;
mod taxes;
mod templates;
mod uses;
mod values;
mod versions;

use quotient_server::database::Error;
use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

/// Places an order for a quantity of a variant; returns its id.
pub(crate) async fn order(
    server: &TestServer,
    store: &Store,
    variant: &str,
    quantity: i64,
) -> String {
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, store, variant, quantity).await;
    let done = server.complete(&visitor, &cart).await.ok();
    // The current millisecond does not count yet.
    server.clock.advance(1_000);
    done["order"]["id"].as_str().expect("an order").to_owned()
}

/// Does the same for an order of the day before.
async fn order_of_yesterday(server: &TestServer, store: &Store, variant: &str, quantity: i64) {
    let id = order(server, store, variant, quantity).await;
    age(server, id, 24).await;
}

/// Makes an order older by some hours.
async fn age(server: &TestServer, id: String, hours: i64) {
    let other = server.other_process();
    let aged = other.write::<_, Error>(move |tx| {
        let sql = "update orders set placed_at = placed_at - ?2 * 3600000 where id = ?1";
        Ok(tx.execute(sql, (id, hours))?)
    });
    aged.await.expect("an older order");
}

/// Converts an amount with two decimals to minor units.
fn minor(value: &Value) -> i64 {
    let text = value.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{rest:0<2}").parse().unwrap_or_else(|_| panic!("{value}"))
}

/// A deterministic pseudo-random number generator.
struct Chance(u64);

impl Chance {
    /// Returns a number below a limit.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).checked_rem(limit).expect("a limit above 0")
    }

    /// Returns one of several.
    fn of<'a, T>(&mut self, several: &'a [T]) -> &'a T {
        let count = u64::try_from(several.len()).expect("a count");
        &several[usize::try_from(self.below(count)).expect("an index")]
    }
}

/// Creates a metric and activates it.
async fn active(server: &TestServer, name: &str, formula: &str) {
    let made = registry::make(server, name, formula).await;
    let path = format!("/admin/metrics/catalog/{}/lifecycle", made["key"].as_str().expect("a key"));
    server.post(&Person::analyst(), &path, json!({"state": "active"})).await.ok();
}

/// Extends the credentials for tests that move the clock by days.
async fn keep_credentials(server: &TestServer) {
    let other = server.other_process();
    let updated = other.write::<_, Error>(|tx| {
        Ok(tx.execute("update token set expires_at = expires_at + 31536000000", [])?)
    });
    updated.await.expect("longer credentials");
}
