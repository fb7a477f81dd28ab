//! Subscription plans: their administration, their prices in carts, and offers.

mod admin;
mod carts;
mod figures;
mod offers;

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

const PLANS: &str = "/admin/subscription-plans";

impl TestServer {
    /// Creates a monthly plan of the mug with 10 % off, and with these fields; returns it.
    pub(super) async fn plan_with(&self, store: &Store, fields: Value) -> Value {
        let made = self.post(&Person::admin(), PLANS, monthly(store, fields)).await;
        made.ok()["subscription_plan"].clone()
    }

    /// Returns the number of events with a name.
    pub(super) async fn events_named(&self, name: &'static str) -> i64 {
        let count = self.beside().read::<_, quotient_server::database::Error>(move |tx| {
            let sql = "select count(*) from event where name = ?1";
            Ok(tx.query_row(sql, [name], |row| row.get(0))?)
        });
        count.await.expect("a number")
    }
}

/// Returns the body of a monthly plan of the mug with 10 % off, and with these fields.
fn monthly(store: &Store, fields: Value) -> Value {
    let mut body = json!({
        "name": "Monthly", "product_ids": [store.mug_product], "interval": "month",
        "discount": { "type": "percent", "value": 10 },
    });
    let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) else {
        panic!("fields are an object");
    };
    body.extend(fields);
    Value::Object(body.clone())
}

fn id_of(plan: &Value) -> &str {
    plan["id"].as_str().expect("an id")
}
