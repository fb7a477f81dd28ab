//! How long a session holds an order, and how many open sessions an address may have.

use serde_json::{Value, json};

use super::draft;
use crate::harness::{Person, Store, TestServer};

const MINUTE_MS: i64 = 60_000;
const RELEASED: &str = "order.released";

/// Returns a server that delivers events and runs the jobs of flows, with a flow after the purchase.
async fn following() -> (TestServer, Store, Value) {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    server.work().await;
    // The audit scans everything on purpose.
    server.sql("update job set run_at = 4102444800000 where kind not like 'flows.re%'").await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    (server, store, flow)
}

/// Advances the clock and runs the resulting work; returns the number of released orders.
async fn after(server: &TestServer, minutes: i64) -> i64 {
    server.tell().await;
    server.clock.advance(minutes.saturating_mul(MINUTE_MS));
    while server.tell().await > 0 {
        server.work().await;
    }
    server.work().await;
    server.events_named(RELEASED).await
}

/// Starts a session after a new order.
async fn begun(server: &TestServer, store: &Store, flow: &Value) -> (Value, Value) {
    let (cart, order) = server.kept_order(store, "pm_card_visa").await;
    let begun = server.begin_after(flow, &cart, &order).await;
    (begun, order)
}

#[tokio::test]
async fn an_order_is_handed_on_once_when_its_session_has_ended() {
    let (server, store, flow) = following().await;
    let (begun, _order) = begun(&server, &store, &flow).await;
    assert_eq!(after(&server, 10).await, 0, "the session is open");

    let token = &begun["session"]["token"];
    let next = server.press("decline", token, &begun["entry_button"], json!({})).await.ok();
    assert_eq!(after(&server, 0).await, 0);
    let end = server.press("decline", token, &next["nextButton"], json!({})).await.ok();
    assert_eq!(end["isTerminal"], true);
    assert_eq!(after(&server, 0).await, 1);
    assert_eq!(after(&server, 120).await, 1);
}

#[tokio::test]
async fn an_order_is_held_for_the_window_at_most_also_over_a_restart() {
    let (server, store, flow) = following().await;
    begun(&server, &store, &flow).await;
    assert_eq!(after(&server, 58).await, 0, "the session is open");

    let restarted = server.twin(&[]).await;
    for server in [&server, &restarted] {
        assert_eq!(after(server, 3).await, 1);
    }
}

#[tokio::test]
async fn an_order_without_a_session_waits_for_its_page_and_without_a_flow_for_nothing() {
    let (server, store, flow) = following().await;
    server.kept_order(&store, "pm_card_visa").await;
    assert_eq!(after(&server, 1).await, 0);
    assert_eq!(after(&server, 2).await, 1);

    let path = format!("/admin/flows/{}", flow["id"].as_str().expect("an id"));
    server.delete(&Person::admin(), &path).await.ok();
    server.kept_order(&store, "pm_card_visa").await;
    assert_eq!(after(&server, 0).await, 2);
}

/// Whoever packs is informed of the line by `order.updated`.
#[tokio::test]
async fn a_session_after_its_order_was_handed_on_holds_nothing_and_sells_until_a_parcel_is_begun() {
    let (server, store, flow) = following().await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let (sent_cart, sent) = server.kept_order(&store, "pm_card_visa").await;
    assert_eq!(after(&server, 3).await, 2);
    let late = server.begin_after(&flow, &cart, &order).await;
    let too_late = server.begin_after(&flow, &sent_cart, &sent).await;
    let line = server.order_of(&sent).await["items"][0]["id"].clone();
    let parcel = json!({ "items": [{ "id": line, "quantity": 1 }], "location_id": store.location });
    let path = format!("/admin/orders/{}/fulfillments", sent["id"].as_str().expect("an id"));
    server.post(&Person::admin(), &path, parcel).await.ok();

    let accept = async |begun: &Value| {
        let token = &begun["session"]["token"];
        server.press("accept", token, &begun["entry_button"], json!({})).await.ok()
    };
    let sold = accept(&late).await;
    let closed = accept(&too_late).await;

    assert_eq!(sold["success"], true);
    assert_eq!(closed["nextButton"]["notice"], "offer_closed");
    assert_eq!(server.events_named("order.updated").await, 1);
    assert_eq!(server.number("select count(*) from payment").await, 3);
    assert_eq!(after(&server, 120).await, 2);
}

#[tokio::test]
async fn a_revoked_session_holds_nothing_and_a_canceled_order_is_not_handed_on() {
    let (server, store, flow) = following().await;
    begun(&server, &store, &flow).await;
    let (_, canceled) = begun(&server, &store, &flow).await;
    assert_eq!(after(&server, 3).await, 0);
    let id = canceled["id"].as_str().expect("an id");
    server.post(&Person::admin(), &format!("/admin/orders/{id}/cancel"), json!({})).await.ok();

    let path = format!("/admin/flows/{}?revoke=true", flow["id"].as_str().expect("an id"));
    server.delete(&Person::admin(), &path).await.ok();
    assert_eq!(after(&server, 0).await, 1);
}

#[tokio::test]
async fn a_revoked_flow_hands_on_no_order_that_waits_for_the_page_of_another() {
    let (server, store, _waited_for) = following().await;
    let other = server.flow("post_purchase", draft(&store)).await;
    begun(&server, &store, &other).await;
    assert_eq!(after(&server, 3).await, 0);
    server.kept_order(&store, "pm_card_visa").await;
    assert_eq!(after(&server, 0).await, 0);

    let path = format!("/admin/flows/{}?revoke=true", other["id"].as_str().expect("an id"));
    server.delete(&Person::admin(), &path).await.ok();

    assert_eq!(after(&server, 0).await, 1, "the one of the session");
    assert_eq!(after(&server, 2).await, 2);
}

#[tokio::test]
async fn an_address_has_so_many_open_sessions_and_is_forgotten_after_a_day() {
    let settings = ["--max-open-flow-sessions=2", "--trusted-proxies=127.0.0.1"];
    let (server, store) = TestServer::with_store_and(&settings).await;
    server.only_job("flows.recover").await;
    let flow = server.flow("pre_purchase", draft(&store)).await;
    let from = |address: &str| Person::visitor().with_header("x-forwarded-for", address);
    let (here, there) = (from("203.0.113.7"), from("203.0.113.8"));
    let mut carts = Vec::new();
    for _ in 0..5 {
        carts.push(server.cart_with(&Person::visitor(), &store, &store.mug, 1).await);
    }
    let init = async |person: &Person, path: &str, cart: usize| {
        let body = json!({ "flow_id": flow["id"], "cart_id": carts[cart] });
        server.post(person, path, body).await
    };
    let (page, shop) = ("/flow-builder/init", "/store/flow-builder/init");
    let first = init(&here, page, 0).await.ok();
    assert_eq!(init(&here, shop, 1).await.status, 201);
    for path in [page, shop] {
        let refused = init(&here, path, 2).await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (429, &json!("RATE_LIMITED")),
            "{path}"
        );
        assert_eq!(init(&here, path, 0).await.status, 200, "it was begun before: {path}");
    }
    assert_eq!(init(&there, page, 2).await.status, 200, "another address");

    server.clock.advance(1_000);
    let token = &first["session"]["token"];
    let next = server.press("decline", token, &first["entry_button"], json!({})).await.ok();
    server.press("decline", token, &next["nextButton"], json!({})).await.ok();
    assert_eq!(init(&here, page, 3).await.status, 200, "one has ended");
    assert_eq!(init(&here, page, 4).await.status, 429);

    let known = "select count(address_digest) from flow_session";
    assert_eq!(server.number(known).await, 4);
    server.clock.advance(25 * 60 * MINUTE_MS);
    server.work().await;
    assert_eq!(server.number(known).await, 0);
    assert_eq!(init(&here, page, 4).await.status, 200);
}
