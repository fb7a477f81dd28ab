//! Content of storefronts: sites, settings, banners, pages and sections of product pages; memberships and tiers.

mod banners;
mod bundle_slots;
mod bundles;
mod figures;
mod membership;
mod oauth;
mod pages;
mod sections;
mod settings;
mod sites;
mod tiers;
mod windows;

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

/// Returns a response header as text.
fn header<'r>(reply: &'r crate::harness::Reply, name: &str) -> &'r str {
    reply.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Places an order of mugs, which is authorized but not paid, from a cart with metadata; returns its id.
async fn order(
    server: &TestServer,
    person: &Person,
    store: &Store,
    (count, metadata): (i64, Value),
) -> String {
    let cart = server.cart_with(person, store, &store.mug, count).await;
    server.ship(person, store, &cart).await;
    let path = format!("/store/carts/{cart}");
    server.post(person, &path, json!({ "metadata": metadata })).await.ok();
    let collection =
        server.post(person, "/store/payment-collections", json!({ "cart_id": cart })).await;
    let collection = id_of(&collection.ok(), "payment_collection");
    let path = format!("/store/payment-collections/{collection}/payment-sessions");
    server.post(person, &path, json!({ "provider_id": "pp_system_default" })).await.ok();
    id_of(&server.complete(person, &cart).await.ok(), "order")
}

/// Returns the id of a resource in a body.
fn id_of(body: &Value, key: &str) -> String {
    body[key]["id"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
}
