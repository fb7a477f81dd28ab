//! `/store/tracking/events`.

use quotient_storefront::visits;
use serde_json::json;

use super::{EVENTS, VISIT, reason};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn an_event_is_counted_with_its_visit() {
    let (server, store) =
        TestServer::with_store_and(&["--tracking-country-header=x-country"]).await;
    let body = json!({
        "name": "product_added_to_cart", "event_id": "one", "product_id": store.mug_product, "variant_id": store.mug,
        "banner_id": "ban_1", "properties": { "place": "list", "count": 2 },
        "context": { "referrer_host": "search.example", "utm_source": "news", "locale": "en-GB" },
    });
    let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
    let headers = [("x-session-id", VISIT), ("user-agent", agent), ("x-country", "GB")];
    let reply = server.track_with(&Person::customer_a(), &headers, &body).await;

    assert_eq!((reply.status, &reply.body), (202, &json!({ "accepted": true, "event_id": "one" })));
    let events = server.events("").await;
    assert_eq!(events.len(), 1);
    let event = &events[0];
    for (field, expected) in [
        ("name", json!("product_added_to_cart")),
        ("session_id", json!(VISIT)),
        ("customer_id", json!("cus_01JD2Q8Z5M6T3W9XKCV4B7N00A")),
        ("sales_channel_id", json!(store.channel)),
        ("product_id", json!(store.mug_product)),
        ("variant_id", json!(store.mug)),
        ("banner_id", json!("ban_1")),
        ("properties", json!({ "place": "list", "count": 2 })),
    ] {
        assert_eq!(event[field], expected, "{field}");
    }
    let visit = "select count(*) from visit where id = 'visit-0123456789abcdef' and device = 'mobile' and country = 'gb'
        and utm_source = 'news' and referrer_host = 'search.example' and locale = 'en-GB'";
    assert_eq!(server.number(visit).await, 1);
}

#[tokio::test]
async fn an_event_is_counted_once_whatever_comes_again() {
    let (server, _store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let first = json!({ "name": "page_viewed", "event_id": "one" });
    server.track(&visitor, first.clone()).await;
    for again in [
        first,
        json!({ "name": "search_submitted", "event_id": "one" }),
        json!({ "name": "order_placed", "event_id": "one" }),
        json!({ "event_id": "one", "name": "page_viewed", "occurred_at": "2020-01-01T00:00:00Z" }),
    ] {
        let reply = server.track(&visitor, again.clone()).await;
        assert_eq!((reply.status, &reply.body["event_id"]), (202, &json!("one")), "{again}");
    }
    assert_eq!(server.number("select count(*) from visit_event").await, 1);

    server.clock.advance(7 * 24 * 60 * 60 * 1_000 + 1);
    server.track(&visitor, json!({ "name": "page_viewed", "event_id": "one" })).await;
    assert_eq!(
        server.number("select count(*) from visit_event").await,
        2,
        "after seven days it is another"
    );
    let made = server.track(&visitor, json!({ "name": "page_viewed" })).await;
    assert!(made.body["event_id"].as_str().is_some_and(|id| id.starts_with("visev_")), "{made:#?}");
}

#[tokio::test]
async fn invalid_events_have_a_reason() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let raw = async |text: &str| {
        server.call(&visitor, "POST", EVENTS, Some(text.as_bytes().to_vec())).await
    };
    for (text, expected) in [
        ("", "invalid_json"),
        ("x", "invalid_json"),
        ("[]", "invalid_json"),
        (r#"{"name":"page_viewed","name":"page_viewed"}"#, "invalid_json"),
        (&*format!("{{\"name\":\"page_viewed\",\"x\":\"{}\"}}", "x".repeat(8 * 1024)), "too_large"),
    ] {
        assert_eq!(reason(&raw(text).await), expected, "{text}");
    }
    for (body, expected) in [
        (json!({}), "missing_name"),
        (json!({ "name": null }), "missing_name"),
        (json!({ "name": 1 }), "invalid_name"),
        (json!({ "name": "Page viewed" }), "invalid_name"),
        (json!({ "name": "order_placed" }), "reserved_name"),
        (json!({ "name": "payment_captured" }), "reserved_name"),
        (json!({ "name": "product_viewed" }), "reserved_name"),
        (json!({ "name": "page_viewed", "occurred_at": "2026-11-20T00:00:00Z" }), "too_old"),
        (json!({ "name": "page_viewed", "occurred_at": "2026-11-22T00:00:00Z" }), "in_future"),
        (json!({ "name": "page_viewed", "occurred_at": "yesterday" }), "invalid_field"),
        (json!({ "name": "page_viewed", "event_id": "x".repeat(65) }), "invalid_field"),
        (json!({ "name": "page_viewed", "product_id": "mug" }), "invalid_field"),
        (json!({ "name": "page_viewed", "customer_id": "cus_1" }), "invalid_field"),
        (json!({ "name": "page_viewed", "properties": { "a": { "b": {} } } }), "invalid_field"),
        (json!({ "name": "page_viewed", "properties": [] }), "invalid_field"),
        (json!({ "name": "page_viewed", "consent": true }), "invalid_field"),
        (json!({ "name": "wishlist_added" }), "invalid_field"),
    ] {
        assert_eq!(reason(&server.track(&visitor, body.clone()).await), expected, "{body}");
    }
    let body = json!({ "name": "page_viewed", "product_id": store.mug_product });
    let reply = server.track_with(&visitor, &[("x-session-id", "short")], &body).await;
    assert_eq!(reason(&reply), "invalid_field");
    assert_eq!(server.number("select count(*) from visit_event").await, 0);
    assert_eq!(server.track(&Person::nobody(), body).await.status, 401);
}

#[tokio::test]
async fn events_that_are_sent_together_are_taken_as_if_each_came_alone() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    server.track(&visitor, json!({ "name": "page_viewed", "event_id": "one" })).await;
    let reply = server.track(
        &visitor,
        json!({ "events": [
            { "name": "page_viewed", "event_id": "two" },
            { "name": "order_placed", "event_id": "one" },
            { "name": "order_placed", "event_id": "three" },
            { "name": "search_submitted", "event_id": "two" },
            {},
            { "name": "wishlist_added", "event_id": "four", "product_id": store.mug_product },
        ] }),
    );
    let reply = reply.await;

    let taken = |id: &str| json!({ "accepted": true, "event_id": id });
    let refused = |reason: &str| json!({ "accepted": false, "reason": reason });
    let events = json!([
        taken("two"),
        taken("one"),
        refused("reserved_name"),
        taken("two"),
        refused("missing_name"),
        taken("four"),
    ]);
    assert_eq!((reply.status, reply.body), (202, json!({ "accepted": false, "events": events })));
    let names: Vec<_> = server.events("").await.iter().map(|event| event["name"].clone()).collect();
    assert_eq!(names, ["wishlist_added", "page_viewed", "page_viewed"]);
    assert_eq!(server.number("select count(*) from wishlist_item").await, 1);

    let many = |count: usize| json!({ "events": vec![json!({ "name": "page_viewed" }); count] });
    let most = server.track(&visitor, many(50)).await;
    assert_eq!((most.status, &most.body["accepted"]), (202, &json!(true)));
    for (body, expected) in [
        (many(0), "invalid_field"),
        (many(51), "too_many_events"),
        (json!({ "events": 1 }), "missing_name"),
        (json!({ "events": ["page_viewed"] }), "invalid_field"),
        (json!({ "events": [], "name": "page_viewed" }), "invalid_field"),
    ] {
        assert_eq!(reason(&server.track(&visitor, body).await), expected);
    }
    assert_eq!(server.number("select count(*) from visit_event").await, 53);
}

#[tokio::test]
async fn a_store_has_two_hundred_names_of_its_own() {
    let (server, _store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    for number in 0..200 {
        let reply = server.track(&visitor, json!({ "name": format!("own_{number}") })).await;
        assert_eq!(reply.status, 202, "{reply:#?}");
    }
    let more = server.track(&visitor, json!({ "name": "own_200" })).await;
    assert_eq!(reason(&more), "too_many_names");
    let names = "/admin/tracking-event-names";
    assert_eq!(server.get(&Person::viewer(), names).await.ok()["count"], 200);
    let own = format!("{names}/own_7");
    server.delete(&Person::viewer(), &own).await.refused(403);
    assert_eq!(server.delete(&Person::admin(), &own).await.ok()["deleted"], true);
    server.delete(&Person::admin(), &own).await.refused(404);
    assert_eq!(server.track(&visitor, json!({ "name": "own_7" })).await.status, 202);
    assert_eq!(server.track(&visitor, json!({ "name": "page_viewed" })).await.status, 202);
}

#[tokio::test]
async fn a_group_takes_as_many_statements_as_one_event() {
    let (server, _store) = TestServer::with_store().await;
    let body = |id: usize| json!({ "name": "page_viewed", "event_id": id.to_string() });
    let visitor = Person::visitor();
    server.track(&visitor, body(0)).await;
    let of_one = server.statements(server.track(&visitor, body(1))).await;
    let before = server.db.statement_count();
    let calls = (2..10).map(|id| server.track(&visitor, body(id)));
    let mut calls: Vec<_> = calls.map(Box::pin).collect();
    // All are sent before the first is answered.
    let mut replies = 0;
    std::future::poll_fn(|context| {
        calls.retain_mut(|call| match call.as_mut().poll(context) {
            std::task::Poll::Ready(reply) => {
                assert_eq!(reply.status, 202);
                replies += 1;
                false
            }
            std::task::Poll::Pending => true,
        });
        if calls.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    let of_eight = server.db.statement_count() - before;
    assert_eq!(replies, 8);
    assert!(of_eight <= 2 * of_one, "{of_eight} statements for eight, {of_one} for one");
}

#[tokio::test]
async fn events_are_found_by_visit_and_customer_and_forgotten_after_a_while() {
    let (server, _store) = TestServer::with_store().await;
    server.track(&Person::customer_a(), json!({ "name": "page_viewed" })).await;
    server.track(&Person::visitor(), json!({ "name": "search_submitted" })).await;
    for (query, count) in [
        ("?name=page_viewed", 1),
        ("?customer_id=cus_01JD2Q8Z5M6T3W9XKCV4B7N00A", 1),
        (&*format!("?session_id={VISIT}"), 2),
        ("?created_at[$gt]=2027-01-01", 0),
    ] {
        assert_eq!(server.events(query).await.len(), count, "{query}");
    }
    server.get(&Person::visitor(), "/admin/tracking-events").await.refused(401);

    for (days, is_left) in [(29, true), (2, false)] {
        server.clock.advance(days * 24 * 60 * 60 * 1_000);
        visits::forget_old(&server.db, 30).await.expect("rows are deleted");
        let count = "select (select count(*) from visit_event) + (select count(*) from visit)";
        assert_eq!(server.number(count).await > 0, is_left, "after {days} more days");
    }
    assert_eq!(server.number("select count(*) from visit_event_keys").await, 1, "the newest stays");
}
