//! Webhooks: the routes of senders, their effects, what administrators see, and outgoing events.

mod admin;
mod captures;
mod emails;
mod endpoints;
mod methods;
mod parcels;
mod payments;
mod senders;
mod shuffled;

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use quotient_server::database::Error;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::harness::{Person, Reply, Store, TestServer};

pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const PLATFORM_SECRET: &str = "a secret of the platform";

/// Settings with a secret for each sender that signs.
pub(crate) const SIGNED: [&str; 5] = [
    "--fulfillment-partner-webhook-secrets=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "--email-provider-webhook-secrets=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "--card-processor-webhook-secrets=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "--shipping-platform-webhook-secrets=a secret of the platform",
    "--warehouse-webhook-record-enabled=true",
];

const WAREHOUSE: &str = "/webhooks/warehouse-integration";
const PARTNER: &str = "/webhooks/fulfillment-partner";
const EMAIL: &str = "/webhooks/email-provider";
const TRACKING: &str = "/webhooks/shipping-platform/tracking";
const PROCESSOR: &str = "/webhooks/card-processor-tolerant";

pub(crate) type Headers = Vec<(&'static str, String)>;

/// Returns the HMAC-SHA256 of a text.
fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Signs according to Standard Webhooks.
pub(crate) fn standard(secret: &str, (id, at_s): (&str, i64), body: &str) -> Headers {
    let key = STANDARD.decode(secret.trim_start_matches("whsec_")).expect("base64");
    let signature = STANDARD.encode(mac(&key, &format!("{id}.{at_s}.{body}")));
    vec![
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", at_s.to_string()),
        ("webhook-signature", format!("v1,{signature}")),
    ]
}

/// Signs as the card processor does.
fn processor(secret: &str, at_s: i64, body: &str) -> Headers {
    let signature = hex::encode(mac(secret.as_bytes(), &format!("{at_s}.{body}")));
    vec![("stripe-signature", format!("t={at_s},v1={signature}"))]
}

/// Signs as the shipping platform does.
fn platform(secret: &str, body: &str) -> Headers {
    let signature = hex::encode(mac(secret.as_bytes(), body));
    vec![("x-hmac-signature", format!("hmac-sha256-hex={signature}"))]
}

pub(crate) fn now_s(server: &TestServer) -> i64 {
    server.clock.now().as_millis().div_euclid(1_000)
}

/// Sends a delivery unchanged.
pub(crate) async fn deliver(
    server: &TestServer,
    path: &str,
    headers: &Headers,
    body: &[u8],
) -> Reply {
    let mut request = Request::builder().method("POST").uri(path);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    server.send(request.body(Body::from(body.to_vec())).expect("a request")).await
}

/// Sends an event of the card processor, signed.
pub(crate) async fn charge(server: &TestServer, event: &Value) -> Reply {
    let body = event.to_string();
    let headers = processor(SECRET, now_s(server), &body);
    deliver(server, PROCESSOR, &headers, body.as_bytes()).await
}

/// Sends a report of the warehouse.
async fn update(server: &TestServer, body: &Value) -> Value {
    deliver(server, WAREHOUSE, &Vec::new(), body.to_string().as_bytes()).await.ok()
}

/// A server whose senders sign, with a store.
async fn signed_store() -> (TestServer, Store) {
    let (server, store) = TestServer::with_store_and(&SIGNED).await;
    server.follow().await;
    (server, store)
}

/// An order with its payment.
#[derive(Debug, Clone)]
struct Paid {
    order: String,
    number: i64,
    session: String,
    amount_minor: i64,
}

/// Places an order of two mugs with a test card.
async fn order_with(server: &TestServer, store: &Store, test_card: &str) -> Paid {
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, store, &store.mug, 2).await;
    server.ship(&visitor, store, &cart).await;
    server.pay(&visitor, &cart, test_card).await;
    let placed = server.complete(&visitor, &cart).await.ok();
    assert_eq!(placed["type"], "order", "{placed}");
    let order = placed["order"]["id"].as_str().expect("an order").to_owned();
    let number = placed["order"]["display_id"].as_i64().expect("a number");
    let (session, amount_minor) = session_of(server, &cart).await;
    Paid { order, number, session, amount_minor }
}

/// Returns the payment session of a cart, and its amount.
async fn session_of(server: &TestServer, cart: &str) -> (String, i64) {
    let cart = cart.to_owned();
    let found = server.beside().read::<_, Error>(move |tx| {
        let sql = "select s.id, s.amount_minor from payment_session s
                     join payment_collection c on c.id = s.payment_collection_id where c.cart_id = ?1";
        Ok(tx.query_row(sql, [cart], |row| Ok((row.get(0)?, row.get(1)?)))?)
    });
    found.await.expect("a session")
}

/// Returns an order as an administrator sees it.
async fn order(server: &TestServer, id: &str) -> Value {
    let fields = "+payment_status,+fulfillment_status,*fulfillments,*fulfillments.labels";
    let path = format!("/admin/orders/{id}?fields={fields}");
    server.get(&Person::program(), &path).await.ok()["order"].clone()
}

/// Returns an event about a payment.
fn intent(paid: &Paid, (event, kind): (&str, &str), created: i64, received_minor: i64) -> Value {
    json!({
        "id": event, "type": kind, "created": created, "livemode": false, "data": { "object": {
            "id": "pi_1", "amount": paid.amount_minor, "amount_received": received_minor, "currency": "gbp",
            "metadata": { "session_id": paid.session },
        } },
    })
}

/// Returns an event of a refund.
fn refund(paid: &Paid, event: &str, created: i64, refunded_minor: i64) -> Value {
    json!({
        "id": event, "type": "charge.refunded", "created": created, "livemode": false, "data": { "object": {
            "id": "ch_1", "amount": paid.amount_minor, "amount_captured": paid.amount_minor,
            "amount_refunded": refunded_minor, "currency": "gbp", "payment_intent": "pi_1",
            "metadata": { "session_id": paid.session },
        } },
    })
}

/// Puts off the hourly work of other domains, such as the audit, which reads everything on purpose.
async fn only_webhooks(server: &TestServer) {
    server.work().await;
    let other = server.other_process();
    let postponed = other.write::<_, Error>(|tx| {
        tx.execute_batch(
            "update job set run_at = 9000000000000000 where kind not like 'webhooks.%'",
        )?;
        Ok(())
    });
    postponed.await.expect("a write");
    other.close().await;
}

/// Returns the page of deliveries for a query.
async fn deliveries(server: &TestServer, query: &str) -> Vec<Value> {
    let path = format!("/admin/webhook-deliveries?{query}");
    let page = server.get(&Person::program(), &path).await.ok();
    page["deliveries"].as_array().expect("deliveries").clone()
}

/// Has a delivery delivered again.
async fn redeliver(server: &TestServer, row: &Value) -> Reply {
    let id = row["id"].as_str().expect("an id");
    let path = format!("/admin/webhook-deliveries/{id}/redeliver");
    server.post(&Person::program(), &path, json!({})).await
}

/// Returns the names of events in the outbox that begin with a text, oldest first.
async fn events(server: &TestServer, start: &'static str) -> Vec<String> {
    let found = server.beside().read::<_, Error>(move |tx| {
        let mut statement = tx.prepare("select name from event where name like ?1 order by seq")?;
        let names = statement.query_map([format!("{start}%")], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    });
    found.await.expect("events")
}
