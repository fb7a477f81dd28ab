//! The frame: who is admitted, the headers of pages, and what they load.

use axum::http::HeaderMap;

use super::{Browser, encoded};
use crate::harness::{Person, TestServer};

/// The pages that anybody who is logged in may open.
const PAGES: &[&str] = &[
    "/app",
    "/app?edit=1",
    "/app/metrics",
    "/app/metrics/templates",
    "/app/metrics/order_count",
    "/app/alerts",
    "/app/returns",
    "/app/inventory",
    "/app/reviews",
    "/app/flows",
    "/app/partners",
    "/app/stores",
    "/app/health",
];

/// The forms available to users who run the store.
const FORMS: &[&str] = &["/app/products/new", "/app/customers/new", "/app/keys/new"];

#[tokio::test]
async fn a_browser_is_sent_to_the_pages_and_a_program_to_the_description() {
    let server = TestServer::empty().await;
    let stranger = Browser::stranger(&server);

    assert_eq!(stranger.get("/").await.location(), "/app");
    let program = server.get(&Person::nobody(), "/").await.ok();
    assert_eq!(program["description"], "/openapi.json");
}

#[tokio::test]
async fn a_visitor_is_sent_to_the_log_in_and_back() {
    let server = TestServer::empty().await;
    let stranger = Browser::stranger(&server);

    let shown = stranger.get("/app?range=7d").await;

    assert_eq!((shown.status, shown.location()), (303, "/app/log-in?next=%2Fapp%3Frange%3D7d"));
    let page = stranger.page(shown.location()).await;
    assert!(page.contains(r#"name="next" value="/app?range=7d""#), "{page}");
    let elsewhere = stranger.page("/app/log-in?next=//evil.example").await;
    assert!(elsewhere.contains(r#"name="next" value="/app""#), "{elsewhere}");
    let customer = Browser::of(&server, &Person::customer_a()).await;
    assert_eq!(customer.get("/app").await.location(), "/app/log-in?next=%2Fapp");
}

#[tokio::test]
async fn a_part_of_a_page_without_a_session_leads_to_the_log_in_of_the_page() {
    let server = TestServer::empty().await;
    let headers = [("hx-request", "true"), ("hx-current-url", "https://shop.example/app?range=7d")];

    let shown = Browser::stranger(&server).send("GET", "/app", &headers, "").await;

    assert_eq!(shown.status, 401);
    assert_eq!(shown.headers["hx-redirect"], "/app/log-in?next=%2Fapp%3Frange%3D7d");
}

#[tokio::test]
async fn a_change_without_a_session_leads_back_to_the_page_it_was_made_on() {
    let server = TestServer::empty().await;
    let stranger = Browser::stranger(&server);

    for (page, next) in [
        ("https://shop.example/app/workbench?metric=aov", "%2Fapp%2Fworkbench%3Fmetric%3Daov"),
        ("https://shop.example//evil.example", "%2F%2Fevil.example"),
    ] {
        let shown =
            stranger.send("POST", "/app/workbench", &[("referer", page)], "formula=1").await;
        assert_eq!(shown.location(), format!("/app/log-in?next={next}"), "{}", shown.status);
    }
    let page = stranger.page("/app/log-in?next=%2F%2Fevil.example").await;
    assert!(page.contains(r#"name="next" value="/app""#), "the log-in leads nowhere else: {page}");
}

#[tokio::test]
async fn a_wrong_password_is_refused_and_the_address_stays_in_the_form() {
    let server = TestServer::empty().await;
    let sent = encoded(&[("email", "nobody@example.com"), ("password", "wrong"), ("next", "/app")]);

    let shown = Browser::stranger(&server).send("POST", "/app/log-in", &[], &sent).await;

    assert_eq!(shown.status, 422, "{}", shown.html);
    assert!(shown.html.contains("password is wrong") && !shown.headers.contains_key("set-cookie"));
    assert!(shown.html.contains(r#"value="nobody@example.com""#), "{}", shown.html);
    let foreign = [("sec-fetch-site", "cross-site")];
    let shown = Browser::stranger(&server).send("POST", "/app/log-in", &foreign, &sent).await;
    assert_eq!(shown.status, 403);
}

#[tokio::test]
async fn an_admin_logs_in_and_out() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let registered =
        serde_json::json!({ "email": "ada@example.com", "password": "a long secret 1" });
    let token = server.post(&admin, "/auth/user/emailpass/register", registered).await.ok();
    let invited = serde_json::json!({ "email": "ada@example.com" });
    let invite = server.post(&admin, "/admin/invites", invited).await.ok();
    let invite = invite["invite"]["token"].as_str().expect("a token").to_owned();
    let ada = Person::nobody().with_bearer(token["token"].as_str().expect("a token"));
    let accepted = format!("/admin/invites/accept?token={invite}");
    let own = serde_json::json!({ "email": "ada@example.com" });
    server.post(&ada, &accepted, own).await.ok();

    let sent = [("email", "ada@example.com"), ("password", "a long secret 1"), ("next", "/app")];
    let shown = Browser::stranger(&server).send("POST", "/app/log-in", &[], &encoded(&sent)).await;
    assert_eq!((shown.status, shown.location()), (303, "/app"), "{}", shown.html);
    let cookie = shown.headers["set-cookie"].to_str().expect("text");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a cookie").to_owned();
    let browser = Browser { server: &server, cookie };
    assert!(browser.page("/app").await.contains("ada@example.com"));

    let shown = browser.submit("/app/log-out", &[]).await;
    assert_eq!((shown.status, shown.location()), (303, "/app/log-in"));
    assert_eq!(browser.get("/app").await.status, 303, "the session has ended");
}

#[tokio::test]
async fn pages_run_no_inline_code_and_load_nothing_from_other_sites() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::admin()).await;

    for path in PAGES.iter().chain(FORMS) {
        let shown = browser.get(path).await;
        assert_eq!(shown.status, 200, "{path}: {}", shown.html);
        assert_headers(&shown.headers);
        assert_clean(path, &shown.html);
    }
    let log_in = Browser::stranger(&server).get("/app/log-in").await;
    assert_headers(&log_in.headers);
    assert_clean("log-in", &log_in.html);
    assert_eq!(browser.get("/app/nowhere/at/all").await.status, 404);
}

fn assert_headers(headers: &HeaderMap) {
    let policy = headers["content-security-policy"].to_str().expect("text");
    assert!(policy.starts_with("default-src 'self'; frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(headers["cache-control"], "no-store");
    assert_eq!(headers["x-content-type-options"], "nosniff");
}

/// Asserts that a page has no inline script, style or handler, and names no other host.
#[track_caller]
fn assert_clean(path: &str, html: &str) {
    for tag in html.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let name = tag.split_whitespace().next().unwrap_or_default();
        assert!(name != "style", "{path}: a style");
        assert!(name != "script" || tag.contains("src=\"/app/assets/"), "{path}: {tag}");
        for attribute in tag.split_whitespace().skip(1) {
            let own = attribute.split('=').next().unwrap_or_default();
            assert!(own != "style" && !own.starts_with("on"), "{path}: {tag}");
            let is_foreign = (own == "src" || own == "href") && attribute.contains("//");
            assert!(!is_foreign, "{path}: {tag}");
        }
    }
}

#[tokio::test]
async fn files_are_cached_for_ever_under_a_name_of_their_content() {
    let server = TestServer::empty().await;
    let page = Browser::stranger(&server).page("/app/log-in").await;
    let style = super::between(&page, "stylesheet\" href=\"", "\"").expect("a style");

    let shown = Browser::stranger(&server).get(style).await;

    assert_eq!(shown.status, 200);
    let lasting = shown.headers["cache-control"].to_str().expect("text");
    assert!(lasting.contains("immutable"), "{lasting}");
    assert_eq!(shown.headers["content-type"], "text/css; charset=utf-8");
    assert_eq!(Browser::stranger(&server).get("/app/assets/app-0.css").await.status, 404);
}

#[tokio::test]
async fn a_change_without_the_token_of_the_session_is_refused() {
    let server = TestServer::empty().await;
    let browser = Browser::of(&server, &Person::admin()).await;
    let other = Browser::of(&server, &Person::admin()).await;
    let page = other.page("/app").await;
    let foreign = super::between(&page, "name=\"token\" value=\"", "\"").expect("a token");
    let change = [("action", "add"), ("key", "standard:taxes")];

    for token in ["", "0", foreign] {
        let sent = encoded(&[&[("token", token)], &change[..]].concat());
        let shown = browser.send("POST", "/app/board", &[], &sent).await;
        assert_eq!(shown.status, 403, "`{token}`");
        assert_eq!(browser.send("POST", "/app/log-out", &[], &sent).await.status, 403);
    }

    assert!(!browser.page("/app").await.contains("Taxes"));
    assert_eq!(browser.submit("/app/board", &change).await.status, 303);
    assert!(browser.page("/app").await.contains("Taxes"));
}
