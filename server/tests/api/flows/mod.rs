//! Flows: their definition, and sessions on pages and in storefronts, before and after a purchase.

mod charges;
mod conditions;
mod definition;
mod drafts;
mod figures;
mod holds;
mod insight;
mod late;
mod offers;
mod pages;
mod prices;
mod races;

use serde_json::{Value, json};

use crate::harness::{Person, Reply, Store, TestServer, address};

const FLOWS: &str = "/admin/flows";

/// A second, so that a press is not taken for a robot's.
const SECOND_MS: i64 = 1_000;

/// Returns the draft of a flow: a hat at 20 % off, and a question if it is declined.
fn draft(store: &Store) -> Value {
    json!({
        "entry": "lamp",
        "buttons": {
            "lamp": {
                "type": "offer", "title": "A lamp?", "body": "In the same parcel.",
                "offer": { "variant_id": store.lamp, "quantity": 1, "max_quantity": 3,
                           "price": { "type": "percent_off", "value": 20 } },
                "accept_next": [{ "when": "accepted_total > 20 GBP", "to": "thanks" }, { "to": "why" }],
                "decline_next": [{ "to": "why" }],
            },
            "why": {
                "type": "question", "title": "Why?", "fields": [
                    { "key": "size", "label": "Size", "type": "choice", "options": ["S", "L"], "required": true },
                    { "key": "mail", "label": "E-mail", "type": "email" },
                ],
                "accept_next": [{ "when": "answer_size = 'L'", "to": "print" }, { "to": "thanks" }],
                "decline_next": [{ "to": "thanks" }],
            },
            "print": {
                "type": "offer", "title": "A print?", "show_when": "not contains(skus, 'PRINT')",
                "offer": { "variant_id": store.print, "price": { "type": "fixed", "value": 10 } },
                "accept_next": [{ "to": "thanks" }], "decline_next": [{ "to": "thanks" }],
            },
            "thanks": { "type": "end", "title": "Thank you", "redirect_url": "/order/confirmed" },
        },
    })
}

impl TestServer {
    /// Creates a flow in pounds and publishes it; returns it.
    pub(crate) async fn flow(&self, kind: &str, draft: Value) -> Value {
        let body = json!({
            "name": "Lamps", "kind": kind, "currency_code": "gbp", "is_public": true,
            "allowed_origins": ["https://pages.example"], "draft": draft,
        });
        let made = self.post(&Person::admin(), FLOWS, body).await.ok();
        let path = format!("{FLOWS}/{}/publish", made["flow"]["id"].as_str().expect("an id"));
        self.post(&Person::admin(), &path, json!({})).await.ok()["flow"].clone()
    }

    /// Places an order of a mug, paid with a saved card; returns the cart and the order.
    pub(crate) async fn kept_order(&self, store: &Store, test_card: &str) -> (String, Value) {
        self.kept_order_to(store, test_card, address()).await
    }

    /// Does the same for another address.
    async fn kept_order_to(&self, store: &Store, test_card: &str, to: Value) -> (String, Value) {
        let visitor = Person::visitor();
        let cart = self.cart_with(&visitor, store, &store.mug, 1).await;
        self.ship_to(&visitor, store, &cart, to).await;
        let guest = json!({ "email": "ada@example.com" });
        let path = format!("/store/carts/{cart}/subscription-customer");
        self.post(&visitor, &path, guest).await.ok();
        let path = format!("/store/carts/{cart}/subscription-payment-session");
        let session = json!({
            "provider_id": "pp_sandbox", "setup_future_usage": "on_session",
            "data": { "payment_method": test_card },
        });
        self.post(&visitor, &path, session).await.ok();
        let placed = self.complete(&visitor, &cart).await.ok();
        (cart, placed["order"].clone())
    }

    /// Starts a session on a page after an order; returns the response.
    pub(crate) async fn begin_after(&self, flow: &Value, cart: &str, order: &Value) -> Value {
        let body = json!({ "flow_id": flow["id"], "cart_id": cart, "order_id": order["id"] });
        let begun = self.post(&Person::nobody(), "/flow-builder/init", body).await.ok();
        self.clock.advance(SECOND_MS);
        begun
    }

    /// Accepts or declines the button in a response.
    async fn press(&self, verb: &str, token: &Value, button: &Value, more: Value) -> Reply {
        let mut body = json!({ "session_token": token, "button_id": button["id"] });
        let (Value::Object(all), Value::Object(more)) = (&mut body, more) else {
            panic!("parts are objects");
        };
        all.extend(more);
        let reply = self.post(&Person::nobody(), &format!("/flow-builder/{verb}"), body).await;
        self.clock.advance(SECOND_MS);
        reply
    }

    /// Lets only this recurring job run from now on: the audit scans everything on purpose.
    async fn only_job(&self, kind: &'static str) {
        self.work().await;
        let other = self.other_process();
        let changed = other.write::<_, quotient_server::database::Error>(move |tx| {
            let sql = "update job set run_at = 4102444800000 where kind <> ?1";
            Ok(tx.execute(sql, [kind])?)
        });
        changed.await.expect("the statement runs");
    }

    /// Returns an order as admins see it.
    async fn order_of(&self, order: &Value) -> Value {
        let id = order["id"].as_str().expect("an id");
        let fields = "+metadata,*items,*payment_collections,+version";
        let path = format!("/admin/orders/{id}?fields={fields}");
        self.get(&Person::admin(), &path).await.ok()["order"].clone()
    }
}
