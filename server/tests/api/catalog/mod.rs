//! Products for admins and shoppers.

mod admin;
mod groupings;
mod options;
mod prices;
mod store;

use serde_json::{Value, json};

use crate::harness::{PUBLISHABLE_ID, Person, TestServer};

/// A server with a sales channel for visitors and a region in dollars.
struct Shop {
    server: TestServer,
    channel: String,
    region: String,
}

impl Shop {
    async fn open() -> Self {
        let server = TestServer::empty().await;
        let (admin, name) = (Person::admin(), json!({"name": "Web shop"}));
        let channel =
            id(&server.post(&admin, "/admin/sales-channels", name).await.ok(), "/sales_channel/id");
        let path = format!("/admin/api-keys/{PUBLISHABLE_ID}/sales-channels");
        server.post(&admin, &path, json!({"add": [channel]})).await.ok();
        let region = json!({"name": "America", "currency_code": "usd", "countries": ["us"]});
        let region = id(&server.post(&admin, "/admin/regions", region).await.ok(), "/region/id");
        Self { server, channel, region }
    }

    /// Returns the request for a published shirt in two sizes, at 12.99 and 13.99.
    fn shirt(&self, title: &str) -> Value {
        let variant = |size: &str, amount: Value| {
            json!({"sku": format!("{title}-{size}"), "options": {"Size": size},
                   "prices": [{"currency_code": "usd", "amount": amount}]})
        };
        json!({
            "title": title, "status": "published", "sales_channels": [{"id": self.channel}],
            "options": [{"title": "Size", "values": ["S", "M"]}],
            "variants": [variant("S", json!(12.99)), variant("M", json!(13.99))],
        })
    }

    async fn make(&self, product: Value) -> Value {
        let made = self.server.post(&Person::admin(), "/admin/products", product).await.ok();
        made["product"].clone()
    }

    async fn visit(&self, path: &str) -> Value {
        self.server.get(&Person::visitor(), path).await.ok()
    }

    async fn manage(&self, path: &str, body: Value) -> Value {
        self.server.post(&Person::admin(), path, body).await.ok()
    }
}

fn id(body: &Value, pointer: &str) -> String {
    let id = body.pointer(pointer).and_then(Value::as_str);
    id.unwrap_or_else(|| panic!("no {pointer}: {body}")).to_owned()
}

/// Returns the field `name` of each row.
fn each<'a>(rows: &'a Value, name: &str) -> Vec<&'a str> {
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().filter_map(|row| row[name].as_str()).collect()
}
