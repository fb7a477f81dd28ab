//! Payment sessions: their list, and their end at a shopper's request.

use serde_json::{Value, json};

use super::payments::{CONFIRM, keys_of, sessions};
use crate::harness::{Person, TestServer};

/// Asks for the end of a cart's payment sessions.
pub(super) async fn end_sessions(server: &TestServer, cart: &str) -> Value {
    let listed = sessions(server, cart).await;
    let ids = listed["sessions"].as_array().expect("sessions").iter();
    let ids: Vec<&Value> = ids.map(|session| &session["id"]).collect();
    let body = json!({ "collection_id": listed["collection_id"], "session_ids": ids });
    let body = Some(body.to_string().into_bytes());
    server.call(&Person::visitor(), "DELETE", "/store/payment-sessions", body).await.ok()
}

#[tokio::test]
async fn sessions_are_listed_filtered_and_ended() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let listed = sessions(&server, &cart).await;
    let session = listed["sessions"][0]["id"].clone();
    let id = listed["collection_id"].as_str().expect("a collection").to_owned();
    for (query, count) in
        [("status=pending", 1), ("status=captured", 0), ("provider_id=pp_sandbox", 1)]
    {
        let path = format!("/store/payment-sessions?collection_id={id}&{query}");
        assert_eq!(server.get(&visitor, &path).await.ok()["count"], count, "{query}");
    }
    let longest = format!("/store/payment-sessions?collection_id={id}&limit=200");
    server.get(&visitor, &longest).await.ok();
    for query in [
        "",
        "?collection_id=x",
        &format!("?collection_id={id}&status=paid"),
        &format!("?collection_id={id}&limit=201"),
        &format!("?collection_id={id}&include=foo"),
    ] {
        let reply = server.get(&visitor, &format!("/store/payment-sessions{query}")).await;
        assert_eq!((reply.status, keys_of(&reply.body)), (400, vec!["message"]), "{query}");
    }
    let delete = |collection: &str, ids: Value| {
        json!({ "collection_id": collection, "session_ids": ids }).to_string().into_bytes()
    };
    let path = "/store/payment-sessions";
    let other = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let foreign = sessions(&server, &other).await["sessions"][0]["id"].clone();
    let refused =
        server.call(&visitor, "DELETE", path, Some(delete(&id, json!([session, foreign])))).await;
    assert_eq!(refused.status, 400, "{refused:#?}");
    assert_eq!(sessions(&server, &cart).await["count"], 1);
    let empty = server.call(&visitor, "DELETE", path, Some(delete(&id, json!([])))).await;
    assert_eq!(empty.status, 400);
    let deleted =
        server.call(&visitor, "DELETE", path, Some(delete(&id, json!([session])))).await.ok();
    assert_eq!((&deleted["success"], &deleted["deleted"]), (&json!(true), &json!([session])));
    assert_eq!(sessions(&server, &cart).await["count"], 0);
}

#[tokio::test]
async fn sessions_named_in_the_query_are_ended_once_if_the_body_is_empty() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let listed = sessions(&server, &cart).await;
    let text = |value: &Value| value.as_str().expect("an id").to_owned();
    let (collection, session) =
        (text(&listed["collection_id"]), text(&listed["sessions"][0]["id"]));
    let path = "/store/payment-sessions";
    let refused = server.call(&visitor, "DELETE", path, None).await;
    assert_eq!((refused.status, keys_of(&refused.body)), (400, vec!["message"]));

    let path = format!(
        "{path}?collection_id={collection}&session_ids[]={session}&session_ids[]={session}"
    );
    let deleted = server.call(&visitor, "DELETE", &path, None).await.ok();

    assert_eq!(deleted["deleted"], json!([session]));
    assert_eq!(deleted["metadata"]["requested"], 1);
    assert_eq!(sessions(&server, &cart).await["count"], 0);
}

#[tokio::test]
async fn another_customers_collection_is_not_found_just_as_an_unknown_one() {
    let (server, store) = TestServer::with_store().await;
    let owner = Person::customer_a();
    let cart = server.cart_with(&owner, &store, &store.mug, 1).await;
    server.post(&owner, &format!("/store/carts/{cart}/customer"), json!({})).await.ok();
    server.ship(&owner, &store, &cart).await;
    let own = server.pay(&owner, &cart, "pm_card_visa").await;
    let unknown = "pay_col_01JD2Q8Z5M6T3W9XKCV4B7N09Z";
    let begin = async |collection: &str| {
        let path = format!("/store/payment-collections/{collection}/payment-sessions");
        let body = json!({ "provider_id": "pp_sandbox" });
        let reply = server.post(&Person::visitor(), &path, body).await;
        (reply.status, reply.body["message"].as_str().map(|text| text.replace(collection, "")))
    };
    let expected = begin(unknown).await;
    assert_eq!(expected.0, 404);

    assert_eq!(begin(&own).await, expected);
    server.complete(&owner, &cart).await.ok();
    assert_eq!(begin(&own).await, expected);
}

#[tokio::test]
async fn a_payment_that_the_provider_does_not_cancel_is_canceled_by_a_job() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    // The audit is one of the jobs.
    server.scans_on_purpose();
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    server.ship(&visitor, &store, &cart).await;
    let token = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_authorize_only",
        "payment_provider_id": "pp_sandbox" });
    let held = server.post(&visitor, CONFIRM, token).await.ok();
    assert_eq!(held["paymentIntent"]["status"], "requires_capture");
    let listed = sessions(&server, &cart).await;
    let (collection, session) = (&listed["collection_id"], &listed["sessions"][0]["id"]);
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");

    let body = json!({ "collection_id": collection, "session_ids": [session] });
    let body = body.to_string().into_bytes();
    let reply = server.call(&visitor, "DELETE", "/store/payment-sessions", Some(body)).await.ok();

    assert_eq!((&reply["success"], &reply["deleted"]), (&json!(false), &json!([])));
    assert_eq!(reply["failed"], json!([session]));
    let error = &reply["errors"][0];
    assert_eq!((&error["id"], &error["code"]), (session, &json!("provider_unavailable")));
    assert_eq!((&error["retrying"], &reply["metadata"]["attempts"]), (&json!(true), &json!(3)));
    assert_eq!(sessions(&server, &cart).await["count"], 0);
    let kept = "select count(*) from payment_session where parked_at is not null";
    for _ in 0..3 {
        server.clock.advance(3 * 60 * 1_000);
        server.work().await;
        assert_eq!(server.number(kept).await, 1, "the provider still does not answer");
    }

    std::fs::remove_dir(&ledger).expect("the folder");
    server.clock.advance(60 * 60 * 1_000);
    server.work().await;
    assert_eq!(server.number("select count(*) from payment_session").await, 0);
    let moved = std::fs::read_to_string(&ledger).expect("the ledger");
    let expected = format!("cancel\t{}_cancel\t", session.as_str().expect("an id"));
    assert!(moved.starts_with(&expected) && moved.lines().count() == 1, "{moved}");
    assert_eq!(server.number("select count(*) from orders").await, 0);

    server.pay(&visitor, &cart, "pm_card_visa").await;
    assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");
    server.assert_sound().await;
}

#[tokio::test]
async fn the_payment_of_a_placed_order_is_not_ended() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_authorize_only").await;
    let placed = server.complete(&visitor, &cart).await.ok();
    assert_eq!(placed["order"]["payment_status"], "authorized");

    let kept = end_sessions(&server, &cart).await;

    assert_eq!(kept["errors"][0]["code"], "in_use", "{kept}");
    server.work().await;
    assert!(!ledger.exists(), "the hold is released");
    assert_eq!(sessions(&server, &cart).await["sessions"][0]["status"], "authorized");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_payment_is_not_ended_while_its_cart_is_being_completed() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");
    server.complete(&visitor, &cart).await.refused(409);
    // As until the provider's first answer.
    server.sql("update payment_session set status = 'pending'").await;

    let kept = end_sessions(&server, &cart).await;

    assert_eq!(kept["errors"][0]["code"], "in_use", "{kept}");
    std::fs::remove_dir(&ledger).expect("the folder");
    assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");
    server.work().await;
    let moved = std::fs::read_to_string(&ledger).expect("the ledger");
    assert!(moved.starts_with("capture") && moved.lines().count() == 1, "{moved}");
    server.assert_sound().await;
}
