//! The store that tests start with, created through the API.
//!
//! Britain pays in pounds with 20 % tax on top; America in dollars with 7.25 %. There are a mug at 12.99, a lamp at
//! 14.99 in two colours, ten rare prints, and shipping at 9.95.

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::people::PUBLISHABLE_ID;
use super::{Person, TestServer, template};

/// The ids of the store's resources.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    /// The sales channel of visitors.
    pub(crate) channel: String,
    /// Britain.
    pub(crate) britain: String,
    /// America.
    pub(crate) america: String,
    /// The location of the stock.
    pub(crate) location: String,
    /// The mug's product.
    pub(crate) mug_product: String,
    /// The mug: £12.99, $12.99, a thousand in stock.
    pub(crate) mug: String,
    /// The red lamp: £14.99, $14.99, a thousand in stock.
    pub(crate) lamp: String,
    /// The print: £25, ten in stock.
    pub(crate) print: String,
    /// The shipping option: 9.95 in both currencies.
    pub(crate) postage: String,
    /// 10 % off items: TENOFF.
    pub(crate) promotion: String,
}

static TEMPLATE: OnceCell<(Vec<u8>, Store)> = OnceCell::const_new();

impl TestServer {
    /// Creates another sales channel, which the visitors' key also has; returns its id.
    pub(crate) async fn second_channel(&self) -> String {
        let name = json!({ "name": "Second" });
        let channel = make_one(self, "/admin/sales-channels", name, "/sales_channel/id").await;
        let path = format!("/admin/api-keys/{PUBLISHABLE_ID}/sales-channels");
        self.post(&Person::admin(), &path, json!({ "add": [channel] })).await.ok();
        channel
    }
}

/// Returns a folder with a database of the store, which is created once per run.
pub(super) async fn copy() -> (TempDir, Store) {
    let (content, store) = TEMPLATE.get_or_init(make).await;
    (template::folder_with(content), store.clone())
}

async fn make() -> (Vec<u8>, Store) {
    let server = TestServer::empty().await;
    let store = furnish(&server).await;
    server.assert_sound().await;
    (template::bytes(&server).await, store)
}

async fn make_one(server: &TestServer, path: &str, body: Value, pointer: &str) -> String {
    let made = server.post(&Person::admin(), path, body).await.ok();
    let id = made.pointer(pointer).and_then(Value::as_str);
    id.unwrap_or_else(|| panic!("{path} gave no {pointer}: {made}")).to_owned()
}

async fn furnish(server: &TestServer) -> Store {
    let channel = json!({"name": "Web shop"});
    let channel = make_one(server, "/admin/sales-channels", channel, "/sales_channel/id").await;
    let mut store = Store { channel, ..Store::default() };
    let path = format!("/admin/api-keys/{PUBLISHABLE_ID}/sales-channels");
    server.post(&Person::admin(), &path, json!({"add": [store.channel]})).await.ok();
    places(server, &mut store).await;
    shipping(server, &mut store).await;
    products(server, &mut store).await;
    let promotion = json!({
        "code": "TENOFF", "type": "standard", "status": "active",
        "application_method": {"type": "percentage", "target_type": "items", "allocation": "across", "value": 10},
    });
    store.promotion = make_one(server, "/admin/promotions", promotion, "/promotion/id").await;
    store
}

async fn places(server: &TestServer, store: &mut Store) {
    let region = |name: &str, currency: &str, country: &str| {
        json!({"name": name, "currency_code": currency, "countries": [country],
               "payment_providers": ["pp_system_default", "pp_sandbox"]})
    };
    store.britain =
        make_one(server, "/admin/regions", region("Britain", "gbp", "gb"), "/region/id").await;
    store.america =
        make_one(server, "/admin/regions", region("America", "usd", "us"), "/region/id").await;
    for (country, rate, code) in [("gb", json!(20), "vat"), ("us", json!(7.25), "us-default")] {
        let tax = json!({"country_code": country, "provider_id": "tp_system",
                         "default_tax_rate": {"rate": rate, "code": code, "name": code}});
        make_one(server, "/admin/tax-regions", tax, "/tax_region/id").await;
    }
    let location =
        json!({"name": "Warehouse", "address": {"address_1": "1 Dock Road", "country_code": "gb"}});
    store.location =
        make_one(server, "/admin/stock-locations", location, "/stock_location/id").await;
    let path = format!("/admin/stock-locations/{}/sales-channels", store.location);
    server.post(&Person::admin(), &path, json!({"add": [store.channel]})).await.ok();
}

async fn shipping(server: &TestServer, store: &mut Store) {
    let profile = json!({"name": "Default", "type": "default"});
    let profile =
        make_one(server, "/admin/shipping-profiles", profile, "/shipping_profile/id").await;
    let path = format!("/admin/stock-locations/{}/fulfillment-providers", store.location);
    server.post(&Person::admin(), &path, json!({"add": ["manual_manual"]})).await.ok();
    let path = format!(
        "/admin/stock-locations/{}/fulfillment-sets?fields=*fulfillment_sets",
        store.location
    );
    let set = json!({"name": "Delivery", "type": "shipping"});
    let set = make_one(server, &path, set, "/stock_location/fulfillment_sets/0/id").await;
    let zone = json!({"name": "Everywhere", "geo_zones": [
        {"type": "country", "country_code": "gb"}, {"type": "country", "country_code": "us"}]});
    let path = format!("/admin/fulfillment-sets/{set}/service-zones");
    let zone = make_one(server, &path, zone, "/fulfillment_set/service_zones/0/id").await;
    let option = json!({
        "name": "Postage", "service_zone_id": zone, "shipping_profile_id": profile,
        "provider_id": "manual_manual", "price_type": "flat",
        "type": {"label": "Standard", "description": "Three days", "code": "standard"},
        "prices": [{"currency_code": "gbp", "amount": 9.95}, {"currency_code": "usd", "amount": 9.95}],
    });
    store.postage =
        make_one(server, "/admin/shipping-options", option, "/shipping_option/id").await;
}

async fn products(server: &TestServer, store: &mut Store) {
    let product = |title: &str, sku: &str, amount: Value| {
        json!({
            "title": title, "status": "published", "sales_channels": [{"id": store.channel}],
            "options": [{"title": "Kind", "values": ["One"]}],
            "variants": [{"title": "One", "sku": sku, "options": {"Kind": "One"}, "manage_inventory": true,
                          "prices": [{"currency_code": "gbp", "amount": amount}, {"currency_code": "usd", "amount": amount}]}],
        })
    };
    let mut made = Vec::new();
    for (title, sku, amount, stock) in [
        ("Mug", "MUG", json!(12.99), 1_000),
        ("Lamp", "LAMP", json!(14.99), 1_000),
        ("Print", "PRINT", json!(25), 10),
    ] {
        let body = product(title, sku, amount);
        let reply = server.post(&Person::admin(), "/admin/products", body).await.ok();
        let item =
            server.get(&Person::admin(), &format!("/admin/inventory-items?sku={sku}")).await.ok();
        let item = item["inventory_items"][0]["id"].as_str().expect("an inventory item").to_owned();
        let level = json!({"location_id": store.location, "stocked_quantity": stock});
        let path = format!("/admin/inventory-items/{item}/location-levels");
        server.post(&Person::admin(), &path, level).await.ok();
        let id = |value: &Value| value.as_str().expect("an id").to_owned();
        made.push((id(&reply["product"]["id"]), id(&reply["product"]["variants"][0]["id"])));
    }
    let mut made = made.into_iter();
    (store.mug_product, store.mug) = made.next().expect("a mug");
    store.lamp = made.next().expect("a lamp").1;
    store.print = made.next().expect("a print").1;
}
