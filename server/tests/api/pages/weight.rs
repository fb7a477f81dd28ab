//! The weight of pages over the wire, compressed as browsers ask for it.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use quotient_server::middleware::PeerAddress;
use tower::ServiceExt as _;

use super::Browser;
use crate::harness::{Person, TestServer};

/// Limits: bytes of a page with its files, and without those that the browser keeps.
const FIRST: usize = 150_000;
const AFTER: usize = 30_000;

/// A page of every kind.
const PAGES: &[&str] = &[
    "/app",
    "/app?edit=1",
    "/app?range=12m",
    "/app/metrics",
    "/app/metrics/templates",
    "/app/metrics/aov",
    "/app/metrics/aov?range=90d&group=country",
    "/app/metrics/aov?view=why",
    "/app/metrics/aov?view=change",
    "/app/metrics/aov?view=lineage",
    "/app/metrics/aov?view=versions",
    "/app/metrics/aov?view=checks",
    "/app/metrics/aov?view=audit",
    "/app/workbench?metric=aov",
    "/app/alerts",
    "/app/alerts/new?metric=aov",
    "/app/reports/top-products",
    "/app/reports/margins",
    "/app/orders",
    "/app/products",
    "/app/customers",
    "/app/promotions",
    "/app/subscriptions",
    "/app/webhooks",
    "/app/people",
    "/app/health",
    "/app/search?q=a",
];

#[tokio::test]
async fn pages_are_light_the_first_time_and_lighter_after_that() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::admin()).await;
    let shown = browser.submit("/app/metrics/templates/aov", &[]).await;
    assert_eq!(shown.status, 303, "{}", shown.html);
    let order = server.get(&Person::admin(), "/admin/orders?limit=1").await.ok();
    let order = format!("/app/orders/{}", order["orders"][0]["id"].as_str().expect("an id"));

    let mut files = BTreeMap::new();
    for path in PAGES.iter().copied().chain([&*order]) {
        let page = browser.page(path).await;
        let own = weight(&browser, path).await;
        let mut first = own;
        for part in page.split("=\"/app/assets/").skip(1) {
            let name = part.split('"').next().expect("a name").to_owned();
            let address = format!("/app/assets/{name}");
            if !files.contains_key(&name) {
                files.insert(name.clone(), weight(&browser, &address).await);
            }
            first += files[&name];
        }
        assert!(own <= AFTER && first <= FIRST, "{path}: {first} bytes, {own} after that");
    }
    assert!(files.len() >= 6, "{files:?}");
}

/// Returns the bytes of a compressed answer.
async fn weight(browser: &Browser<'_>, path: &str) -> usize {
    let request = Request::builder().uri(path).header("host", "localhost");
    let request = request.header("accept-encoding", "gzip");
    let request = request.header("cookie", &browser.cookie).header("accept", "text/html");
    let mut request = request.body(Body::empty()).expect("a request");
    request.extensions_mut().insert(PeerAddress(([127, 0, 0, 1], 40_000).into()));
    let response = browser.server.router.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), 200, "{path}");
    assert_eq!(response.headers()["content-encoding"], "gzip", "{path}");
    response.into_body().collect().await.expect("a whole body").to_bytes().len()
}
