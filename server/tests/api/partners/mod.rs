//! Partners: their links, what they earn, and what they see.

mod clicks;
mod conversions;
mod figures;
mod offers;
mod payouts;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{PARTNER_ID, Person, Reply, Store, TestServer};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// Returns the fields of an offer with others in their place.
fn offer_with(changes: &Value) -> Value {
    let mut offer = json!({
        "code": "MOUNTAIN", "landing_url": "/spring?a=b#c", "currency_code": "gbp",
        "commission": { "type": "percent", "value": 7.5 },
    });
    for (name, value) in changes.as_object().expect("an object") {
        offer[name] = value.clone();
    }
    offer
}

impl TestServer {
    /// Creates an offer of the partner with these fields; returns its path.
    pub(crate) async fn offer(&self, changes: Value) -> String {
        // Some tests take months.
        self.sql("update token set expires_at = 4102444800000").await;
        let path = format!("/admin/partners/{PARTNER_ID}/offers");
        let made = self.post(&Person::admin(), &path, offer_with(&changes)).await.ok();
        format!("{path}/{}", made["partner_offer"]["id"].as_str().expect("an offer"))
    }

    /// Follows a link with headers, as a browser does.
    async fn follow_link(&self, code: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::builder().uri(format!("/track/partners/click/{code}"));
        if !headers.iter().any(|(name, _)| *name == "user-agent") {
            request = request.header("user-agent", FIREFOX);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).expect("a request")).await
    }

    /// Follows a link; returns the id of the click.
    pub(crate) async fn click(&self, code: &str) -> String {
        let reply = self.follow_link(code, &[]).await;
        let location = reply.headers["location"].to_str().expect("text");
        let id = location.split("pclid=").nth(1).expect("a click");
        id.split('#').next().expect("an id").to_owned()
    }

    /// Buys mugs with this metadata on the cart, a minute later; returns the order's id.
    pub(crate) async fn buy(&self, store: &Store, quantity: i64, metadata: Value) -> String {
        self.clock.advance(60_000);
        let visitor = Person::visitor();
        let cart = self.ready_cart(&visitor, store, &store.mug, quantity).await;
        let path = format!("/store/carts/{cart}");
        self.post(&visitor, &path, json!({ "metadata": metadata })).await.ok();
        let done = self.complete(&visitor, &cart).await.ok();
        done["order"]["id"].as_str().unwrap_or_else(|| panic!("{done:#}")).to_owned()
    }

    /// Reports an order, and has the report processed.
    async fn report(&self, order: &str) {
        let body = json!({ "order_id": order });
        let taken = self.post(&Person::nobody(), "/track/partners/conversion", body).await;
        assert_eq!(taken.status, 202, "{taken:?}");
        self.drain().await;
    }

    /// Returns the conversion of an order, or null.
    pub(crate) async fn conversion(&self, order: &str) -> Value {
        let path = format!("/admin/partner-conversions?order_id={order}");
        let found = self.get(&Person::admin(), &path).await.ok();
        found.pointer("/partner_conversions/0").cloned().unwrap_or_default()
    }

    /// Returns the amounts of the entries of the ledger, in minor units.
    async fn entries(&self) -> Vec<i64> {
        let other = self.other_process();
        let found = other.read::<_, quotient_server::database::Error>(|tx| {
            let mut statement =
                tx.prepare("select amount_minor from partner_entry order by rowid")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<Vec<i64>, _>>()?)
        });
        found.await.expect("entries")
    }
}
