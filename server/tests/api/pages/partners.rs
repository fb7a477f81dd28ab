//! What partners earn, as the pages show it.

use serde_json::json;

use super::Browser;
use super::running::led_to;
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn only_a_pending_commission_is_decided_on() {
    let (server, store) = TestServer::with_store().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    server.follow().await;
    server.offer(json!({})).await;
    let click = server.click("MOUNTAIN").await;
    let order = server.buy(&store, 1, json!({ "partner": { "click_id": click } })).await;
    server.tell().await;
    let made = server.conversion(&order).await;
    let page = format!("/app/conversions/{}", made["id"].as_str().expect("an id"));
    let forms = [format!("href=\"{page}/approve\""), format!("href=\"{page}/reject\"")];
    let offered = async || {
        let html = admin.page(&page).await;
        forms.each_ref().map(|form| html.contains(form))
    };

    assert_eq!(offered().await, [true, true]);
    led_to(&admin.submit(&format!("{page}/approve"), &[]).await);
    assert_eq!(offered().await, [false, false]);
}
