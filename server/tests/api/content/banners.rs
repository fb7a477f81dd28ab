//! Banners.

use serde_json::{Value, json};

use super::{header, id_of};
use crate::harness::{Person, TestServer};

const BANNERS: &str = "/admin/banners";
const LIVE: &str = "/store/banners";
const SECOND_MS: i64 = 1_000;

/// Creates a banner; returns its id.
async fn make(server: &TestServer, body: Value) -> String {
    id_of(&server.post(&Person::admin(), BANNERS, body).await.ok(), "banner")
}

/// Returns the titles of the banners that a person is shown.
async fn titles(server: &TestServer, person: &Person, query: &str) -> Vec<String> {
    let body = server.get(person, &format!("{LIVE}{query}")).await.ok();
    let banners = body["banners"].as_array().expect("banners");
    banners.iter().map(|banner| banner["title"].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn a_banner_is_shown_in_its_window_and_no_answer_is_cached_past_it() {
    let (server, _store) = TestServer::with_store().await;
    let at = |seconds: i64| server.clock.now().plus_ms(seconds * SECOND_MS);
    make(&server, json!({ "title": "Soon", "starts_at": at(30), "ends_at": at(45) })).await;
    make(&server, json!({ "title": "Never" })).await;

    let reply = server.get(&Person::visitor(), LIVE).await;
    assert_eq!(header(&reply, "cache-control"), "public, max-age=30");
    assert_eq!(reply.ok()["banners"], json!([]));
    server.clock.advance(30 * SECOND_MS - 1);
    let reply = server.get(&Person::visitor(), LIVE).await;
    assert_eq!(header(&reply, "cache-control"), "public, max-age=0");
    assert_eq!(reply.ok()["banners"], json!([]));

    server.clock.advance(1);
    let reply = server.get(&Person::visitor(), LIVE).await;
    assert_eq!(header(&reply, "cache-control"), "public, max-age=15");
    let tag = header(&reply, "etag").to_owned();
    let banner = reply.ok()["banners"][0].clone();
    assert_eq!((&banner["title"], &banner["window"]), (&json!("Soon"), &json!("own")));
    assert_eq!(banner["is_enabled"], Value::Null, "an admin's field");
    let known = Person::visitor().with_header("if-none-match", &tag);
    assert_eq!(server.get(&known, LIVE).await.status, 304);

    server.clock.advance(15 * SECOND_MS);
    assert_eq!(server.get(&known, LIVE).await.ok()["banners"], json!([]));
}

#[tokio::test]
async fn without_a_window_of_its_own_a_banner_follows_its_campaign() {
    let (server, _store) = TestServer::with_store().await;
    let (start, end) = (server.clock.now().plus_ms(-1), server.clock.now().plus_ms(SECOND_MS));
    let campaign = json!({ "name": "Sale", "campaign_identifier": "SALE", "starts_at": start, "ends_at": end });
    let campaign = server.post(&Person::admin(), "/admin/campaigns", campaign).await.ok();
    let campaign = id_of(&campaign, "campaign");
    make(&server, json!({ "title": "Follows", "campaign_id": campaign })).await;
    make(&server, json!({ "title": "Over", "campaign_id": campaign, "ends_at": start })).await;

    let body = server.get(&Person::visitor(), LIVE).await.ok();
    assert_eq!(body["banners"].as_array().map(Vec::len), Some(1));
    assert_eq!(body["banners"][0]["window"], "campaign");
    assert_eq!(body["banners"][0]["ends_at"], json!(end));
    server.delete(&Person::admin(), &format!("/admin/campaigns/{campaign}")).await.ok();
    assert_eq!(titles(&server, &Person::visitor(), "").await, Vec::<String>::new());
}

#[tokio::test]
async fn the_target_of_a_banner_may_be_deleted_before_it_is_switched_off() {
    let (server, _store) = TestServer::with_store().await;
    let admin = Person::admin();
    let campaign = json!({ "name": "Sale", "campaign_identifier": "SALE" });
    let campaign = server.post(&admin, "/admin/campaigns", campaign).await.ok();
    let campaign = id_of(&campaign, "campaign");
    let group = server.post(&admin, "/admin/customer-groups", json!({ "name": "Club" })).await.ok();
    let group = id_of(&group, "customer_group");
    let banner = json!({ "title": "Sale", "campaign_id": campaign, "audience": "customers",
                         "customer_group_ids": [group] });
    let path = format!("{BANNERS}/{}", make(&server, banner).await);
    server.delete(&admin, &format!("/admin/campaigns/{campaign}")).await.ok();
    server.delete(&admin, &format!("/admin/customer-groups/{group}")).await.ok();

    let off = server.post(&admin, &path, json!({ "is_enabled": false })).await.ok();
    assert_eq!(off["banner"]["is_enabled"], false);
    server.post(&admin, &path, json!({ "campaign_id": null })).await.ok();
    let back = json!({ "campaign_id": campaign });
    assert!(server.post(&admin, &path, back).await.refused(400).contains("does not exist"));
}

#[tokio::test]
async fn site_place_language_and_audience_choose_among_banners() {
    let (server, store) = TestServer::with_store().await;
    let site = json!({
        "handle": "main", "domain": "a.example", "name": "A", "sales_channel_id": store.channel, "locale": "en",
    });
    let site = id_of(&server.post(&Person::admin(), "/admin/sites", site).await.ok(), "site");
    let group =
        server.post(&Person::admin(), "/admin/customer-groups", json!({ "name": "Club" })).await;
    let group = id_of(&group.ok(), "customer_group");
    let customers = json!({ "add": ["cus_01JD2Q8Z5M6T3W9XKCV4B7N00A"] });
    server
        .post(&Person::admin(), &format!("/admin/customer-groups/{group}/customers"), customers)
        .await
        .ok();
    let start = server.clock.now();
    for more in [
        json!({ "title": "English", "site_id": site, "locale": "en", "placement": "top", "priority": 2 }),
        json!({ "title": "German", "site_id": site, "locale": "de", "placement": "top", "priority": 1 }),
        json!({ "title": "Footer", "site_id": site, "placement": "footer" }),
        json!({ "title": "Off", "site_id": site, "is_enabled": false }),
        json!({ "title": "Guests", "audience": "guests" }),
        json!({ "title": "Club", "audience": "customers", "customer_group_ids": [group] }),
    ] {
        let mut body = more;
        body["starts_at"] = json!(start);
        make(&server, body).await;
    }
    let visitor = Person::visitor();
    assert_eq!(titles(&server, &visitor, "?store_handle=main").await, ["English", "Footer"]);
    let german = "?store_handle=main&locale=de-AT";
    assert_eq!(titles(&server, &visitor, german).await, ["English", "German", "Footer"]);
    assert_eq!(titles(&server, &visitor, "?store_handle=main&placement=top").await, ["English"]);
    assert_eq!(titles(&server, &visitor, "?store_handle=main&limit=1").await, ["English"]);
    assert_eq!(titles(&server, &visitor, "?store_handle=nowhere").await, Vec::<String>::new());
    assert_eq!(titles(&server, &visitor, "").await, ["Guests"]);
    assert_eq!(titles(&server, &Person::customer_a(), "").await, ["Club"]);
    assert_eq!(titles(&server, &Person::customer_b(), "").await, Vec::<String>::new());
    let reply = server.get(&Person::customer_a(), LIVE).await;
    assert_eq!(header(&reply, "cache-control"), "no-store", "others are shown others");
}

#[tokio::test]
async fn bad_banners_and_bad_queries_are_refused() {
    let (server, _store) = TestServer::with_store().await;
    for body in [
        json!({}),
        json!({ "title": "" }),
        json!({ "title": "x", "link_url": "//evil.example" }),
        json!({ "title": "x", "image_url": "data:text/html,1" }),
        json!({ "title": "x", "starts_at": "2026-12-02T00:00:00Z", "ends_at": "2026-12-01T00:00:00Z" }),
        json!({ "title": "x", "campaign_id": "procamp_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }),
        json!({ "title": "x", "customer_group_ids": ["cusgroup_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"] }),
        json!({ "title": "x", "priority": "high" }),
        json!({ "title": "x", "unknown": 1 }),
    ] {
        server.post(&Person::admin(), BANNERS, body).await.refused(400);
    }
    let nowhere = json!({ "title": "x", "site_id": "site_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" });
    server.post(&Person::admin(), BANNERS, nowhere).await.refused(404);
    for query in ["?limit=0", "?limit=201", "?locale=x", "?placement=A%20B", "?unknown=1"] {
        server.get(&Person::visitor(), &format!("{LIVE}{query}")).await.refused(400);
    }
    let id = make(&server, json!({ "title": "x", "metadata": { "a": 1 } })).await;
    let path = format!("{BANNERS}/{id}");
    let changed =
        server.post(&Person::admin(), &path, json!({ "metadata": { "a": "" }, "body": "B" })).await;
    assert_eq!(changed.ok()["banner"]["metadata"], Value::Null);
    server.delete(&Person::admin(), &path).await.ok();
    server.delete(&Person::admin(), &path).await.refused(404);
}
