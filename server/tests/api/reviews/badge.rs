//! The badge of a verified purchase.

use serde_json::{Value, json};

use super::{ADMIN, REVIEWS, id_of, of_mug};
use crate::harness::{Person, Store, TestServer};

/// Returns whether the mug's only review has the badge.
async fn has_badge(server: &TestServer, store: &Store) -> bool {
    server.shown(store, "").await["reviews"][0]["is_verified"] == json!(true)
}

#[tokio::test]
async fn a_buyer_has_the_badge_until_the_order_is_cancelled() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let customer = Person::customer_a();
    let order = server.bought(&customer, &store).await;
    let review = server.review(&customer, &store, json!({})).await;
    assert_eq!(review["is_verified"], false, "nothing is told before it is shown");
    server.approve(&review).await;
    assert!(has_badge(&server, &store).await);
    assert_eq!(server.shown(&store, "?verified=true").await["count"], 1);

    let second = server.bought(&customer, &store).await;
    let cancel = format!("/admin/orders/{order}/cancel");
    server.post(&Person::admin(), &cancel, json!({})).await.ok();
    server.tell().await;
    assert!(has_badge(&server, &store).await, "another order shows it");

    let cancel = format!("/admin/orders/{second}/cancel");
    server.post(&Person::admin(), &cancel, json!({})).await.ok();
    server.tell().await;
    assert!(!has_badge(&server, &store).await);
}

#[tokio::test]
async fn the_badge_goes_when_the_money_does() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let order = server.bought(&Person::customer_a(), &store).await;
    let review = server.review(&Person::customer_a(), &store, json!({})).await;
    server.approve(&review).await;

    server.refund(&order, Some(json!(1))).await;
    server.tell().await;
    assert!(has_badge(&server, &store).await, "some was refunded");

    server.refund(&order, None).await;
    server.tell().await;
    assert!(!has_badge(&server, &store).await, "all was refunded");
}

#[tokio::test]
async fn the_badge_goes_when_the_money_becomes_store_credit() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let order = server.bought(&Person::customer_a(), &store).await;
    let review = server.review(&Person::customer_a(), &store, json!({})).await;
    server.approve(&review).await;
    server.refund(&order, Some(json!(1))).await;

    server.refund_to_credit(&order).await;
    server.tell().await;
    assert!(!has_badge(&server, &store).await);

    let again = json!({ "content": "Still hot" });
    server.review(&Person::customer_a(), &store, again).await;
    server.approve(&review).await;
    assert!(!has_badge(&server, &store).await, "the order shows no purchase any more");
}

#[tokio::test]
async fn one_guests_order_gives_one_badge_for_a_product() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let order = server.bought(&Person::visitor(), &store).await;
    for author in [Person::customer_a(), Person::customer_b(), Person::visitor()] {
        server.review(&author, &store, json!({ "order_id": order })).await;
    }
    let verified = "select count(*) from review where verified_order_id is not null";
    assert_eq!(server.number(verified).await, 1);
    let again = json!({ "order_id": order, "content": "Still hot" });
    let first = server.review(&Person::customer_a(), &store, again).await;

    server.refund(&order, Some(json!(1))).await;
    server.tell().await;
    let path = format!("{ADMIN}/{}", id_of(&first));
    let kept = server.get(&Person::viewer(), &path).await.ok();
    assert_eq!(kept["review"]["verified_order_id"], order, "the first one keeps it");
    assert_eq!(server.number(verified).await, 1);
}

/// Returns the answer to a guest's review without what differs in every answer.
async fn answer(server: &TestServer, store: &Store, order: &str) -> Value {
    let body = of_mug(store, json!({ "order_id": order, "content": "Fine" }));
    let mut answer = server.post(&Person::visitor(), REVIEWS, body).await.ok();
    answer["review"]["id"].take();
    answer
}

#[tokio::test]
async fn a_guest_names_an_order_and_a_wrong_one_reveals_nothing() {
    let (server, store) = TestServer::with_store().await;
    let own = server.bought(&Person::visitor(), &store).await;
    let foreign = server.bought(&Person::customer_a(), &store).await;
    let right = answer(&server, &store, &own).await;

    for wrong in [foreign.as_str(), "order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ", "nothing"] {
        assert_eq!(answer(&server, &store, wrong).await, right, "{wrong}");
    }
    let list = server.get(&Person::viewer(), &format!("{ADMIN}?is_verified=true")).await.ok();
    assert_eq!(list["count"], 1);
    assert_eq!(list["reviews"][0]["verified_order_id"], own);
    assert_eq!(server.number("select count(*) from review").await, 4);
    let again = server
        .post(&Person::visitor(), REVIEWS, of_mug(&store, json!({ "order_id": own, "rating": 1 })))
        .await
        .ok();
    assert_eq!(again["review"]["id"], list["reviews"][0]["id"], "one review an order");
    assert_eq!(server.number("select count(*) from review").await, 4);
}

#[tokio::test]
async fn text_other_than_an_order_with_the_product_does_not_identify_a_review() {
    let (server, store) = TestServer::with_store().await;
    let cart = server.ready_cart(&Person::visitor(), &store, &store.lamp, 1).await;
    let of_lamp = server.complete(&Person::visitor(), &cart).await.ok()["order"]["id"].take();
    for named in [json!("A1"), of_lamp] {
        let first = server.review(&Person::visitor(), &store, json!({ "order_id": named })).await;
        server.approve(&first).await;
        let other = json!({ "order_id": named, "content": "Buy elsewhere", "rating": 1 });
        let second = server.review(&Person::visitor(), &store, other).await;
        assert_ne!(second["id"], first["id"], "{named}");
    }
    assert_eq!(server.shown(&store, "?rating=5").await["count"], 2, "both are still shown");

    let foreign = server.bought(&Person::customer_a(), &store).await;
    server.review(&Person::visitor(), &store, json!({ "order_id": foreign })).await;
    assert_eq!(server.number("select count(order_reference) from review").await, 0);
}

#[tokio::test]
async fn a_store_approves_buyers_by_itself_without_telling_them() {
    let (server, store) = TestServer::with_store_and(&["--review-auto-approve=verified"]).await;
    server.bought(&Person::customer_a(), &store).await;
    let mine = server.review(&Person::customer_a(), &store, json!({})).await;
    let guests = server.review(&Person::visitor(), &store, json!({})).await;
    assert_eq!((&mine["status"], &guests["status"]), (&json!("pending"), &json!("pending")));
    let page = server.shown(&store, "").await;
    assert_eq!(page["count"], 1);
    assert_eq!(page["reviews"][0]["id"], id_of(&mine));
    let suspicious = json!({ "content": "See www.cheap.example", "rating": 1 });
    server.review(&Person::customer_a(), &store, suspicious).await;
    assert_eq!(server.shown(&store, "").await["count"], 0, "flags wait for a moderator");
}

#[tokio::test]
async fn many_reviews_of_one_customer_at_once_are_one() {
    let (server, store) = TestServer::with_store().await;
    let customer = Person::customer_a();
    let write = async |number: i64| {
        let body = of_mug(&store, json!({ "content": format!("Text {number}") }));
        server.post(&customer, REVIEWS, body).await.status
    };
    let statuses = tokio::join!(write(0), write(1), write(2), write(3), write(4));
    let statuses: [u16; 5] = statuses.into();
    assert_eq!(statuses, [200; 5]);
    assert_eq!(server.number("select count(*) from review").await, 1);
    assert_eq!(server.number("select count(*) from review_version").await, 4);
}
