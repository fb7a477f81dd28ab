//! The store's decisions about reviews.

use serde_json::{Value, json};

use super::{ADMIN, id_of};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_review_is_approved_rejected_and_approved_again() {
    let (server, store) = TestServer::with_store().await;
    let review = server.review(&Person::customer_a(), &store, json!({})).await;
    let path = |step: &str| format!("{ADMIN}/{}/{step}", id_of(&review));
    let admin = Person::admin();

    let approved = server.approve(&review).await;
    assert!(approved["decided_by"].as_str().is_some_and(|by| by.starts_with("user_")));
    let again = server.approve(&review).await;
    assert_eq!(again["decided_at"], approved["decided_at"]);
    assert_eq!(server.events_named("review.approved").await, 1, "the second one changed nothing");

    let rejected =
        server.post(&admin, &path("reject"), json!({ "reason": "off_topic" })).await.ok();
    assert_eq!(rejected["review"]["reject_reason"], "off_topic");
    assert_eq!(server.shown(&store, "").await["rating_counts"]["5"], 0);
    let approved = server.approve(&review).await;
    assert_eq!(approved["reject_reason"], Value::Null);
    assert_eq!(server.shown(&store, "").await["rating_counts"]["5"], 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_store_answers_below_a_review() {
    let (server, store) = TestServer::with_store().await;
    let review = server.review(&Person::customer_a(), &store, json!({})).await;
    server.approve(&review).await;
    let path = format!("{ADMIN}/{}/respond", id_of(&review));
    let answer = json!({ "content": "Thank you, Ada!" });
    server.post(&Person::admin(), &path, answer).await.ok();

    let shown = server.shown(&store, "").await["reviews"][0]["response"].clone();
    assert_eq!(shown["content"], "Thank you, Ada!");
    assert!(shown["created_at"].is_string());
    assert_eq!(server.events_named("review.responded").await, 1);
    server.post(&Person::admin(), &path, json!({ "content": null })).await.ok();
    assert_eq!(server.shown(&store, "").await["reviews"][0]["response"], Value::Null);
    let long = json!({ "content": "x".repeat(2_001) });
    server.post(&Person::admin(), &path, long).await.refused(400);
}

#[tokio::test]
async fn several_reviews_are_decided_together_or_not_at_all() {
    let (server, store) = TestServer::with_store().await;
    let mut ids = Vec::new();
    for number in 0..3 {
        let fields = json!({ "content": format!("Text {number}") });
        ids.push(id_of(&server.review(&Person::visitor(), &store, fields).await).to_owned());
    }
    let (admin, path) = (Person::admin(), format!("{ADMIN}/batch"));
    let unknown = json!({ "action": "approve", "ids": [ids[0], "rev_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"] });
    server.post(&admin, &path, unknown).await.refused(404);
    assert_eq!(server.shown(&store, "").await["count"], 0);

    let approve = json!({ "action": "approve", "ids": [ids[0], ids[1], ids[0]] });
    assert_eq!(server.post(&admin, &path, approve).await.ok()["count"], 2);
    assert_eq!(server.shown(&store, "").await["count"], 2);
    let reject = json!({ "action": "reject", "ids": ids, "reason": "spam" });
    assert_eq!(server.post(&admin, &path, reject).await.ok()["count"], 3);
    for body in [
        json!({ "action": "reject", "ids": ids }),
        json!({ "action": "approve", "ids": ids, "reason": "spam" }),
        json!({ "action": "reject", "ids": ids, "reason": "bad_rating" }),
        json!({ "action": "approve", "ids": [] }),
        json!({ "action": "approve", "ids": vec![&ids[0]; 101] }),
        json!({ "action": "reject", "rating": 1, "reason": "spam" }),
    ] {
        server.post(&admin, &path, body).await.refused(400);
    }
}

#[tokio::test]
async fn moderators_find_suspicious_reviews() {
    let (server, store) = TestServer::with_store().await;
    for (content, rating) in [
        ("Buy at https://cheap.example", 1),
        ("Ask ada@example.com or 020 7946 0018", 3),
        ("Just fine", 4),
        ("Just  FINE", 4),
        ("just fine", 4),
    ] {
        let fields = json!({ "content": content, "rating": rating });
        server.review(&Person::visitor(), &store, fields).await;
    }
    for (query, expected) in [
        ("flags=url", 1),
        ("flags=email", 1),
        ("flags=phone", 1),
        ("flags=url&flags=phone", 2),
        ("flags=repeated", 1),
        ("status=pending", 5),
        ("status=approved", 0),
        ("rating[$lte]=3", 2),
        ("q=cheap", 1),
        ("is_verified=true", 0),
    ] {
        let list = server.get(&Person::viewer(), &format!("{ADMIN}?{query}")).await.ok();
        assert_eq!(list["count"], expected, "{query}");
    }
    for (query, words) in [
        ("flags=zzz", "url, email, phone, repeated"),
        ("flags[$gt]=url", "$eq, $in, $ne, $nin"),
        ("status=zz", "pending, approved, rejected"),
    ] {
        let refused = server.get(&Person::viewer(), &format!("{ADMIN}?{query}")).await.refused(400);
        assert!(refused.ends_with(&format!("expected one of {words}")), "{refused}");
    }
}

#[tokio::test]
async fn only_administrators_with_write_access_decide() {
    let (server, store) = TestServer::with_store().await;
    let review = server.review(&Person::customer_a(), &store, json!({})).await;
    for (step, body) in [
        ("approve", json!({})),
        ("reject", json!({ "reason": "spam" })),
        ("respond", json!({ "content": "Hm" })),
    ] {
        let path = format!("{ADMIN}/{}/{step}", id_of(&review));
        for (person, status) in [
            (Person::viewer(), 403),
            (Person::analyst(), 403),
            (Person::customer_a(), 403),
            (Person::visitor(), 401),
        ] {
            server.post(&person, &path, body.clone()).await.refused(status);
        }
    }
    assert_eq!(server.number("select count(*) from review where status <> 'pending'").await, 0);
}
