//! Reviews: writing, moderation, erasure, the badge of a verified purchase, votes, and what shoppers are shown.

mod badge;
mod erasure;
mod moderation;
mod rating;
mod writing;

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

const REVIEWS: &str = "/store/reviews";
const ADMIN: &str = "/admin/reviews";

impl TestServer {
    /// Writes a review of the mug with these fields; returns it.
    pub(crate) async fn review(&self, person: &Person, store: &Store, fields: Value) -> Value {
        self.post(person, REVIEWS, of_mug(store, fields)).await.ok()["review"].clone()
    }

    /// Approves a review.
    pub(crate) async fn approve(&self, review: &Value) -> Value {
        let path = format!("{ADMIN}/{}/approve", id_of(review));
        self.post(&Person::admin(), &path, json!({})).await.ok()["review"].clone()
    }

    /// Returns the page of the mug's reviews, with a query.
    async fn shown(&self, store: &Store, query: &str) -> Value {
        let path = format!("/store/products/{}/reviews{query}", store.mug_product);
        self.get(&Person::visitor(), &path).await.ok()
    }

    /// Buys a mug; returns the order's id.
    async fn bought(&self, person: &Person, store: &Store) -> String {
        let cart = self.ready_cart(person, store, &store.mug, 1).await;
        let placed = self.complete(person, &cart).await.ok();
        placed["order"]["id"].as_str().expect("an order").to_owned()
    }
}

/// Returns the body of a review of the mug, with these fields.
fn of_mug(store: &Store, fields: Value) -> Value {
    let mut body = json!({
        "product_id": store.mug_product, "rating": 5, "title": "Keeps tea warm",
        "content": "Half an hour later the tea is still hot.", "first_name": "Ada", "last_name": "Shopper",
    });
    let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) else {
        panic!("fields are an object");
    };
    body.extend(fields);
    Value::Object(body.clone())
}

fn id_of(review: &Value) -> &str {
    review["id"].as_str().expect("an id")
}
