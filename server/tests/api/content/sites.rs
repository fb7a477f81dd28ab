//! Sites, and finding one by its domain.

use serde_json::json;

use super::{header, id_of};
use crate::harness::{Person, TestServer};

const SITES: &str = "/admin/sites";

#[tokio::test]
async fn a_site_is_found_by_its_domain_however_it_is_written() {
    let (server, store) = TestServer::with_store().await;
    let body = json!({
        "handle": "main", "domain": "https://München.Example:8443/", "name": "Main", "locale": "de_at",
        "sales_channel_id": store.channel, "region_id": store.britain, "currency_code": "gbp",
        "is_primary": true, "seo": { "title": "Mugs" },
    });
    let site = server.post(&Person::admin(), SITES, body).await.ok();
    assert_eq!(site["site"]["domain"], "xn--mnchen-3ya.example");
    assert_eq!(site["site"]["locale"], "de-AT");

    for domain in [
        "xn--mnchen-3ya.example",
        "M%C3%9CNCHEN.example",
        "http://www.m%C3%BCnchen.example:80",
        "m%C3%BCnchen.example.",
    ] {
        let path = format!("/store/sites/by-domain?domain={domain}");
        let reply = server.get(&Person::visitor(), &path).await;
        assert_eq!(header(&reply, "cache-control"), "public, max-age=60");
        let found = reply.ok();
        assert_eq!(found["site"]["handle"], "main", "{domain}");
        assert_eq!(found["site"]["is_enabled"], serde_json::Value::Null, "an admin's field");
    }
    for domain in ["", "a/b", "a%20b", "127.0.0.1"] {
        let path = format!("/store/sites/by-domain?domain={domain}");
        server.get(&Person::visitor(), &path).await.refused(400);
    }
    server.get(&Person::visitor(), "/store/sites/by-domain").await.refused(400);
}

#[tokio::test]
async fn the_region_and_the_channel_of_a_site_may_be_deleted_before_it_is_changed() {
    let (server, store) = TestServer::with_store().await;
    let (admin, channel) = (Person::admin(), server.second_channel().await);
    let body = json!({
        "handle": "a", "domain": "a.example", "name": "A", "sales_channel_id": channel, "region_id": store.britain,
    });
    let site = id_of(&server.post(&admin, SITES, body).await.ok(), "site");
    let (path, shown) = (format!("{SITES}/{site}"), "/store/sites/by-domain?domain=a.example");
    let regions = format!("/admin/regions/{}", store.britain);
    server.delete(&admin, &regions).await.ok();

    let found = server.get(&Person::visitor(), shown).await.ok();
    assert_eq!(found["site"]["region_id"], serde_json::Value::Null, "it cannot be sold in");
    server.delete(&admin, &format!("/admin/sales-channels/{channel}")).await.ok();
    server.post(&admin, &path, json!({ "is_enabled": false })).await.ok();
    server.post(&admin, &path, json!({ "region_id": null })).await.ok();
    server.post(&admin, &path, json!({ "region_id": store.britain })).await.refused(400);
}

#[tokio::test]
async fn unknown_disabled_and_foreign_domains_are_one_404() {
    let (server, store) = TestServer::with_store().await;
    let other =
        server.post(&Person::admin(), "/admin/sales-channels", json!({ "name": "Other" })).await;
    let other = id_of(&other.ok(), "sales_channel");
    for (handle, channel, is_enabled) in [("off", &store.channel, false), ("foreign", &other, true)]
    {
        let body = json!({
            "handle": handle, "domain": format!("{handle}.example"), "name": handle,
            "sales_channel_id": channel, "is_enabled": is_enabled,
        });
        server.post(&Person::admin(), SITES, body).await.ok();
    }
    for domain in ["off.example", "foreign.example", "unknown.example"] {
        let path = format!("/store/sites/by-domain?domain={domain}");
        assert_eq!(server.get(&Person::visitor(), &path).await.refused(404), "Site was not found");
    }
}

#[tokio::test]
async fn a_domain_has_one_site_and_a_channel_one_primary_site() {
    let (server, store) = TestServer::with_store().await;
    let site = |handle: &str, domain: &str| json!({ "handle": handle, "domain": domain, "name": handle, "sales_channel_id": store.channel, "is_primary": true });
    let first = server.post(&Person::admin(), SITES, site("one", "one.example")).await.ok();
    server.post(&Person::admin(), SITES, site("two", "ONE.example.")).await.refused(409);
    server.post(&Person::admin(), SITES, site("one", "two.example")).await.refused(409);
    server.post(&Person::admin(), SITES, site("two", "two.example")).await.ok();
    let found = server.get(&Person::viewer(), &format!("{SITES}?domain=ONE.Example")).await.ok();
    assert_eq!((&found["count"], &found["sites"][0]["handle"]), (&json!(1), &json!("one")));

    let path = format!("{SITES}/{}", id_of(&first, "site"));
    let first = server.get(&Person::viewer(), &path).await.ok();
    assert_eq!(first["site"]["is_primary"], false);

    let changed = server
        .post(&Person::admin(), &path, json!({ "redirect_to": "https://two.example/" }))
        .await;
    assert_eq!(changed.ok()["site"]["redirect_to"], "https://two.example/");
    for bad in [
        json!({ "redirect_to": "javascript:alert(1)" }),
        json!({ "domain": "a b" }),
        json!({ "handle": "Not A Slug" }),
        json!({ "sales_channel_id": "sc_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }),
        json!({ "currency_code": "zzz" }),
        json!({ "seo": { "unknown": 1 } }),
    ] {
        server.post(&Person::admin(), &path, bad).await.refused(400);
    }
    server.delete(&Person::admin(), &path).await.ok();
    server.get(&Person::admin(), &path).await.refused(404);
}

#[tokio::test]
async fn changes_are_in_the_audit_log_with_the_site_before_and_after() {
    let (server, store) = TestServer::with_store().await;
    let body = json!({ "handle": "a", "domain": "a.example", "name": "A", "sales_channel_id": store.channel });
    let id = id_of(&server.post(&Person::admin(), SITES, body).await.ok(), "site");
    let path = format!("{SITES}/{id}");
    server.post(&Person::admin(), &path, json!({ "name": "B" })).await.ok();
    server.delete(&Person::program(), &path).await.ok();

    let log = format!("/admin/metrics/audit?entity_type=site&entity_id={id}");
    let log = server.get(&Person::admin(), &log).await.ok();
    let changes: Vec<_> = log["changes"].as_array().expect("changes").iter().rev().collect();
    let actions: Vec<_> = changes.iter().map(|change| change["action"].as_str()).collect();
    assert_eq!(actions, [Some("create"), Some("update"), Some("delete")]);
    assert_eq!(changes[1]["before"]["name"], "A");
    assert_eq!(changes[1]["after"]["name"], "B");
    assert_eq!(changes[2]["actor_type"], "api-key");
    assert_eq!(changes[2]["after"], serde_json::Value::Null);
}
