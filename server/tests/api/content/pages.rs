//! Content pages.

use serde_json::{Value, json};

use super::{header, id_of};
use crate::harness::{Person, TestServer};

const PAGES: &str = "/admin/content-pages";
const SECOND_MS: i64 = 1_000;

/// Creates a page; returns its path.
async fn make(server: &TestServer, body: Value) -> String {
    let made = server.post(&Person::admin(), PAGES, body).await.ok();
    format!("{PAGES}/{}", id_of(&made, "content_page"))
}

/// Returns the page that visitors are shown; null for none.
async fn shown(server: &TestServer, query: &str) -> Value {
    let body = server.get(&Person::visitor(), &format!("/store/content-pages?{query}")).await.ok();
    assert_eq!(body["preview_locked"], Value::Null);
    body["page"].clone()
}

#[tokio::test]
async fn a_page_is_shown_once_it_is_published_and_only_its_published_version() {
    let (server, _store) = TestServer::with_store().await;
    let body = json!({ "slug": "about", "title": "About", "body": "**Mugs**", "seo": { "no_index": true } });
    let path = make(&server, body).await;
    assert_eq!(shown(&server, "slug=about").await, Value::Null);
    assert_eq!(shown(&server, "slug=unknown").await, Value::Null);

    let published =
        server.post(&Person::admin(), &path, json!({ "status": "published" })).await.ok();
    assert_eq!(published["content_page"]["status"], "published");
    let page = shown(&server, "slug=about").await;
    assert_eq!((&page["title"], &page["version"]), (&json!("About"), &json!(1)));
    assert_eq!(page["seo"]["no_index"], true);
    assert_eq!(page["metadata"], Value::Null, "an admin's field");

    server.post(&Person::admin(), &path, json!({ "title": "About us" })).await.ok();
    assert_eq!(shown(&server, "slug=about").await["title"], "About");
    server.post(&Person::admin(), &path, json!({ "status": "published" })).await.ok();
    assert_eq!(shown(&server, "slug=about").await["title"], "About us");

    let restored =
        server.post(&Person::admin(), &format!("{path}/restore"), json!({ "version": 1 })).await;
    assert_eq!(restored.ok()["content_page"]["version"], 3);
    server
        .post(&Person::admin(), &format!("{path}/restore"), json!({ "version": 9 }))
        .await
        .refused(404);
    let versions = server.get(&Person::viewer(), &format!("{path}/versions?limit=2")).await.ok();
    assert_eq!(
        (&versions["count"], &versions["versions"][0]["title"]),
        (&json!(3), &json!("About"))
    );
    assert_eq!(versions["versions"].as_array().map(Vec::len), Some(2));

    server.post(&Person::admin(), &path, json!({ "status": "draft" })).await.ok();
    assert_eq!(shown(&server, "slug=about").await, Value::Null);
    server.delete(&Person::admin(), &path).await.ok();
    server.get(&Person::admin(), &path).await.refused(404);
}

#[tokio::test]
async fn a_page_is_shown_within_its_schedule() {
    let (server, _store) = TestServer::with_store().await;
    let at = |seconds: i64| server.clock.now().plus_ms(seconds * SECOND_MS);
    let body = json!({
        "slug": "sale", "title": "Sale", "status": "published", "publish_at": at(10), "unpublish_at": at(20),
    });
    make(&server, body).await;
    let reply = server.get(&Person::visitor(), "/store/content-pages?slug=sale").await;
    assert_eq!(header(&reply, "cache-control"), "public, max-age=10");
    assert_eq!(reply.ok(), json!({ "page": null }));
    server.clock.advance(10 * SECOND_MS);
    assert_eq!(shown(&server, "slug=sale").await["title"], "Sale");
    server.clock.advance(10 * SECOND_MS);
    assert_eq!(shown(&server, "slug=sale").await, Value::Null);
}

#[tokio::test]
async fn the_language_falls_back_and_a_slug_has_one_page_a_site_and_language() {
    let (server, store) = TestServer::with_store().await;
    let site = json!({
        "handle": "main", "domain": "a.example", "name": "A", "sales_channel_id": store.channel, "locale": "fr",
    });
    let site = id_of(&server.post(&Person::admin(), "/admin/sites", site).await.ok(), "site");
    let page = |locale: Option<&str>| {
        let title = locale.unwrap_or("any");
        json!({ "slug": "terms", "title": title, "locale": locale, "site_id": site, "status": "published" })
    };
    for locale in [Some("de"), Some("de-AT"), Some("fr"), None] {
        make(&server, page(locale)).await;
        server.post(&Person::admin(), PAGES, page(locale)).await.refused(409);
    }
    for (locale, expected) in
        [("&locale=de-at", "de-AT"), ("&locale=de-CH", "de"), ("&locale=en", "fr"), ("", "fr")]
    {
        let page = shown(&server, &format!("slug=terms&store_handle=main{locale}")).await;
        assert_eq!(page["title"], expected, "{locale}");
    }
    assert_eq!(shown(&server, "slug=terms&locale=de").await, Value::Null, "pages of no site");
    assert_eq!(shown(&server, "slug=terms&store_handle=nowhere").await, Value::Null);
}

#[tokio::test]
async fn a_preview_token_shows_only_the_draft_of_its_page_for_a_day() {
    let (server, _store) = TestServer::with_store().await;
    let path = make(&server, json!({ "slug": "draft", "title": "Draft" })).await;
    make(&server, json!({ "slug": "other", "title": "Other" })).await;
    server.post(&Person::viewer(), &format!("{path}/preview"), json!({})).await.refused(403);
    let made = server.post(&Person::admin(), &format!("{path}/preview"), json!({})).await.ok();
    let token = made["preview_token"].as_str().expect("a token").to_owned();
    server.assert_not_at_rest(&token).await;

    let preview = async |slug: &str, token: &str| {
        let path = format!("/store/content-pages?slug={slug}&preview_token={token}");
        let reply = server.get(&Person::visitor(), &path).await;
        assert_eq!(header(&reply, "cache-control"), "no-store");
        reply.ok()
    };
    let body = preview("draft", &token).await;
    assert_eq!((&body["preview_locked"], &body["page"]["title"]), (&json!(false), &json!("Draft")));
    let locked = json!({ "page": null, "preview_locked": true });
    for (slug, token) in
        [("other", &*token), ("unknown", &*token), ("draft", "cpt_0"), ("unknown", "x")]
    {
        assert_eq!(preview(slug, token).await, locked, "{slug}");
    }
    server.clock.advance(24 * 60 * 60 * SECOND_MS);
    assert_eq!(preview("draft", &token).await, locked);
}

#[tokio::test]
async fn html_unsafe_links_and_bad_slugs_are_refused() {
    let (server, _store) = TestServer::with_store().await;
    for more in [
        json!({ "body": "<script>alert(1)</script>" }),
        json!({ "body": "[x](javascript:alert(1))" }),
        json!({ "title": "<b>x</b>" }),
        json!({ "slug": "No Slug" }),
        json!({ "format": "html" }),
        json!({ "blocks": [{ "title": "no type" }] }),
        json!({ "blocks": [{ "type": "image", "image_url": "//evil.example" }] }),
        json!({ "blocks": [{ "type": "text", "text": "<iframe>" }] }),
        json!({ "seo": { "canonical_url": "http://a.example" } }),
        json!({ "unpublish_at": "2026-12-01", "publish_at": "2026-12-02" }),
    ] {
        let mut body = json!({ "slug": "page", "title": "Page" });
        for (name, value) in more.as_object().expect("an object") {
            body[name] = value.clone();
        }
        server.post(&Person::admin(), PAGES, body.clone()).await.refused(400);
    }
    let long = "x".repeat(201);
    for query in ["", "?slug=", &format!("?slug={long}"), "?slug=a%0Ab", "?slug=a&unknown=1"] {
        server.get(&Person::visitor(), &format!("/store/content-pages{query}")).await.refused(400);
    }
}
