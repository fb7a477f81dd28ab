//! Plans and subscriptions, as the store's staff change them.

use serde_json::json;

use super::Browser;
use super::running::{first, led_to};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_plan_is_made_and_a_subscription_paused_and_cancelled() {
    let (server, store) = TestServer::with_store().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    let product = format!("/app/products/{}", store.mug_product);
    let plan = [("name", "Biweekly"), ("count", "2"), ("interval", "week"), ("percent", "12.5")];
    assert_eq!(led_to(&admin.submit(&format!("{product}/plan"), &plan).await), product);
    let page = admin.page(&first(&admin.page("/app/plans").await, "plans")).await;
    assert!(page.contains("Biweekly") && page.contains("12.5"), "{page}");

    let id = server.subscribed(&store, json!({})).await;
    let page = format!("/app/subscriptions/{id}");
    for text in ["Next orders", "Orders so far", "value=\"pause\"", "/cancel\""] {
        let html = admin.page(&page).await;
        assert!(html.contains(text) && !html.contains("class=\"failed\""), "{text}: {html}");
    }
    let seen = viewer.page(&page).await;
    assert!(!seen.contains("value=\"pause\"") && !seen.contains("/cancel\""), "{seen}");
    led_to(&admin.submit(&page, &[("action", "pause")]).await);
    assert!(admin.page(&page).await.contains("value=\"resume\""), "it is paused");
    let cancel = [("at", "now"), ("reason", "moved"), ("comment", "to <far> away")];
    assert_eq!(viewer.submit(&format!("{page}/cancel"), &cancel).await.status, 403);
    led_to(&admin.submit(&format!("{page}/cancel"), &cancel).await);
    let shown = server.get(&Person::admin(), &format!("/admin/subscriptions/{id}")).await.ok();
    assert_eq!(shown["subscription"]["status"], "canceled", "{shown}");
    let html = admin.page(&page).await;
    assert!(html.contains("moved") && !html.contains("/cancel\""), "it has ended: {html}");
}

/// Returns the words of the buttons and forms of a subscription's page.
async fn offered(admin: &Browser<'_>, page: &str) -> Vec<&'static str> {
    let html = admin.page(page).await;
    let button = |word: &str| html.contains(&format!("name=\"action\" value=\"{word}\""));
    let form = |word: &str| html.contains(&format!("href=\"{page}/{word}\""));
    let all = ["pause", "resume", "skip", "retry", "cancel"].into_iter();
    all.filter(|word| button(word) || form(word)).collect()
}

#[tokio::test]
async fn a_subscription_offers_what_the_api_allows_now() {
    let (server, store) = TestServer::with_store().await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let trial = server.subscribed(&store, json!({ "trial_days": 14 })).await;
    let page = format!("/app/subscriptions/{trial}");
    assert_eq!(offered(&admin, &page).await, ["cancel"]);
    let list = admin.page("/app/subscriptions?status=trial").await;
    assert!(list.contains("<option value=\"trial\" selected>") && list.contains(&page), "{list}");
    let cancel = [("at", "now"), ("reason", "moved")];
    led_to(&admin.submit(&format!("{page}/cancel"), &cancel).await);
    assert_eq!(offered(&admin, &page).await, [""; 0]);

    let id = server.subscribed(&store, json!({})).await;
    let page = format!("/app/subscriptions/{id}");
    assert_eq!(offered(&admin, &page).await, ["pause", "skip", "cancel"]);
    server.sql(format!("update subscription set status = 'past_due' where id = '{id}'")).await;
    assert_eq!(offered(&admin, &page).await, ["pause", "retry", "cancel"]);
    server.sql(format!("update subscription set status = 'paused' where id = '{id}'")).await;
    assert_eq!(offered(&admin, &page).await, ["resume", "cancel"]);
}
