//! Partners and their offers, as created by an admin.

use serde_json::json;

use super::offer_with;
use crate::harness::{PARTNER_ID, Person, TestServer};

#[tokio::test]
async fn a_token_is_shown_once_and_ends_with_the_next_one_and_with_the_partner() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let body = json!({ "name": "Mountain blog", "email": "Ada@Blog.example" });
    let made = server.post(&admin, "/admin/partners", body).await.ok()["partner"].take();
    let path = format!("/admin/partners/{}", made["id"].as_str().expect("an id"));
    let first = made["token"].as_str().expect("a token").to_owned();
    assert_eq!((&made["email"], &made["status"]), (&json!("ada@blog.example"), &json!("active")));
    assert!(server.get(&admin, &path).await.ok()["partner"]["token"].is_null());
    server.assert_not_at_rest(&first).await;
    let with = |token: &str| Person::partner().with_bearer(token);
    let own = server.get(&with(&first), "/partners/me").await.ok();
    assert_eq!(own["partner"]["name"], "Mountain blog");

    let replaced = server.post(&admin, &format!("{path}/token"), json!({})).await.ok();
    let second = replaced["partner"]["token"].as_str().expect("a token").to_owned();

    server.get(&with(&first), "/partners/me").await.refused(401);
    server.get(&with(&second), "/partners/me").await.ok();
    server.get(&with(&second), "/admin/partners").await.refused(403);
    server.delete(&admin, &path).await.ok();
    server.get(&with(&second), "/partners/me").await.refused(401);
    server.get(&admin, &path).await.refused(404);
    let trail = server.get(&admin, "/admin/metrics/audit?entity_type=partner").await.ok();
    assert_eq!(trail["count"], 3, "{trail:#}");
}

#[tokio::test]
async fn a_repeated_request_does_not_get_the_token_again() {
    let server = TestServer::empty().await;
    let admin = Person::admin().with_header("idempotency-key", "once");
    let body = json!({ "name": "Blog", "email": "a@blog.example" });
    let first = server.post(&admin, "/admin/partners", body.clone()).await.ok();
    let again = server.post(&admin, "/admin/partners", body).await.ok();
    assert_eq!(first["partner"]["id"], again["partner"]["id"]);
    assert!(first["partner"]["token"].is_string() && again["partner"]["token"].is_null());
}

#[tokio::test]
async fn the_promotion_codes_of_a_deleted_partner_are_free() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let partner = async |email: &str| {
        let body = json!({ "name": "Blog", "email": email });
        let made = server.post(&admin, "/admin/partners", body).await.ok();
        format!("/admin/partners/{}", made["partner"]["id"].as_str().expect("an id"))
    };
    let (first, second) = (partner("a@blog.example").await, partner("b@blog.example").await);
    let offer = |code: &str| offer_with(&json!({ "code": code, "promo_codes": ["SPRING"] }));
    server.post(&admin, &format!("{first}/offers"), offer("ONE")).await.ok();
    server.post(&admin, &format!("{second}/offers"), offer("TWO")).await.refused(409);

    server.delete(&admin, &first).await.ok();

    let made = server.post(&admin, &format!("{second}/offers"), offer("TWO")).await.ok();
    assert_eq!(made["partner_offer"]["promo_codes"], json!(["SPRING"]));
}

#[tokio::test]
async fn an_offer_is_created_changed_listed_and_deleted() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let path = server
        .offer(json!({
            "cap_per_order": 20.5, "renewals": "first_n", "renewal_count": 2, "promo_codes": ["SPRING", "EASTER"],
            "overrides": [{ "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
                            "commission": { "type": "fixed", "value": 2 } }],
        }))
        .await;

    let shown = server.get(&admin, &path).await.ok()["partner_offer"].take();
    for (name, value) in [
        ("code", json!("MOUNTAIN")),
        ("landing_url", json!("/spring?a=b#c")),
        ("window_days", json!(30)),
        ("attribution", json!("last")),
        ("commission", json!({ "type": "percent", "value": 7.5 })),
        ("cap_per_order", json!(20.5)),
        ("hold_days", json!(30)),
        ("promo_codes", json!(["EASTER", "SPRING"])),
    ] {
        assert_eq!(shown[name].to_string(), value.to_string(), "{name}");
    }
    assert_eq!(shown["overrides"][0]["commission"]["type"], "fixed");

    let change = json!({ "renewals": "all", "renewal_count": null, "cap_per_order": null, "promo_codes": [] });
    let changed = server.post(&admin, &path, change).await.ok()["partner_offer"].take();
    assert_eq!((&changed["renewals"], &changed["promo_codes"]), (&json!("all"), &json!([])));
    assert!(changed["cap_per_order"].is_null() && changed["renewal_count"].is_null());

    let list = format!("/admin/partners/{PARTNER_ID}/offers");
    assert_eq!(server.get(&admin, &list).await.ok()["count"], 1);
    let other = "/admin/partners/partner_01JD2Q8Z5M6T3W9XKCV4B7NZZZ/offers";
    server.get(&admin, other).await.refused(404);
    server.delete(&admin, &path).await.ok();
    assert_eq!(server.get(&admin, &list).await.ok()["count"], 0);
    // The code stays reserved, in upper and lower case.
    let again = server.post(&admin, &list, offer_with(&json!({ "code": "mountain" }))).await;
    again.refused(409);
}

#[tokio::test]
async fn an_invalid_offer_is_refused() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    server.offer(json!({ "code": "OTHER", "promo_codes": ["SPRING"] })).await;
    let path = format!("/admin/partners/{PARTNER_ID}/offers");
    for (changes, status) in [
        (json!({ "code": "ab" }), 400),
        (json!({ "code": "a b c" }), 400),
        (json!({ "code": "a".repeat(65) }), 400),
        (json!({ "code": "straße" }), 400),
        (json!({ "landing_url": "//evil.example" }), 400),
        (json!({ "landing_url": "/\\evil.example" }), 400),
        (json!({ "landing_url": "http://shop.example" }), 400),
        (json!({ "landing_url": "javascript:alert(1)" }), 400),
        (json!({ "landing_url": "https://a@evil.example" }), 400),
        (json!({ "window_days": 0 }), 400),
        (json!({ "window_days": 366 }), 400),
        (json!({ "hold_days": -1 }), 400),
        (json!({ "commission": { "type": "percent", "value": 100.1 } }), 400),
        (json!({ "commission": { "type": "percent", "value": 0.00001 } }), 400),
        (json!({ "commission": { "type": "fixed", "value": 1.001 } }), 400),
        (json!({ "commission": { "type": "fixed", "value": -1 } }), 400),
        (json!({ "renewal_count": 2 }), 400),
        (json!({ "overrides": [{ "commission": { "type": "percent", "value": 1 } }] }), 400),
        (json!({ "starts_at": "2026-11-22T00:00:00Z", "ends_at": "2026-11-22T00:00:00Z" }), 400),
        (json!({ "promo_codes": ["SPRING"] }), 409),
        (json!({ "code": "other" }), 409),
    ] {
        let reply = server.post(&admin, &path, offer_with(&changes)).await;
        assert_eq!(reply.status, status, "{changes}: {reply:?}");
    }
    let uncounted = offer_with(&json!({ "renewals": "first_n" }));
    let refused = server.post(&admin, &path, uncounted).await.refused(400);
    assert!(refused.ends_with("`first_n` needs `renewal_count`"), "{refused}");
}
