//! Numbers, amounts and days are written as the store writes them, and typed so.

use serde_json::json;

use super::running::{first, led_to};
use super::{Browser, between};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn amounts_and_days_are_written_and_typed_as_the_store_writes_them() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let store = first(&admin.page("/app/stores").await, "stores");
    let typed = [("name", "Laden"), ("zone", "UTC"), ("locale", "de-DE")];
    led_to(&admin.submit(&format!("{store}/change"), &typed).await);

    let account = led_to(&admin.submit("/app/store-credit/new", &[("currency", "gbp")]).await);
    let credit = format!("{account}/credit");
    // Whoever types it would mean a thousand.
    let shown = admin.submit(&credit, &[("amount", "1.000")]).await;
    assert!(shown.status == 422 && shown.html.contains("such as 12,50."), "{}", shown.html);
    led_to(&admin.submit(&credit, &[("amount", "1234,5")]).await);
    let html = admin.page(&account).await;
    assert!(html.contains("<bdi>1.234,50\u{a0}£</bdi>"), "{html}");
    let new = [("country", "aq"), ("name", "VAT"), ("code", "V"), ("rate", "5,5")];
    let taxes = led_to(&admin.submit("/app/tax-regions/new", &new).await);
    for page in [&*taxes, "/app/tax-regions?order=country_code"] {
        assert!(admin.page(page).await.contains("<bdi>5,5</bdi>"), "{page}");
    }
    let new =
        [("title", "Winter"), ("type", "sale"), ("status", "draft"), ("starts", "2027-01-02")];
    let list = led_to(&admin.submit("/app/price-lists/new", &new).await);
    assert!(admin.page(&list).await.contains("02.01.2027, 00:00"));
    let product = first(&admin.page("/app/products").await, "products");
    let html = admin.page(&product).await;
    let form = between(&html, &format!("href=\"{product}/variant?of="), "\"").expect("a form");
    let form = admin.page(&format!("{product}/variant?of={form}")).await;
    let price = between(&form, "name=\"price-gbp\" value=\"", "\"").expect("a price");
    assert!(price.contains(',') && !price.contains('.'), "{price}");
}

#[tokio::test]
async fn figures_of_metrics_are_written_as_the_store_writes_them() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let shown = |html: &str| {
        let tile = between(html, "class=\"figure\">", "<").expect("a figure");
        tile.trim().to_owned()
    };
    let path = "/app?range=365d&compare=none";
    let english = shown(&admin.page(path).await);
    let stores = server.get(&Person::admin(), "/admin/stores").await.ok();
    let store = format!("/admin/stores/{}", stores["stores"][0]["id"].as_str().expect("an id"));

    server.post(&Person::admin(), &store, json!({ "locale": "de-DE" })).await.ok();

    // £1,234.50 becomes 1.234,50 £.
    let digits = english.strip_prefix('£').expect("an amount");
    let swapped: String = digits
        .chars()
        .map(|own| match own {
            ',' => '.',
            '.' => ',',
            other => other,
        })
        .collect();
    let html = admin.page(path).await;
    assert_eq!(shown(&html), format!("{swapped}\u{a0}£"));
    assert!(html.contains("data-locale=\"de-DE\""));
    server.post(&Person::admin(), &store, json!({ "locale": "tlh" })).await.refused(400);
}

#[tokio::test]
async fn a_refund_without_a_readable_amount_gives_nothing_back() {
    let server = TestServer::with_demo(50).await;
    let admin = Browser::of(&server, &Person::admin()).await;
    let list = admin.page("/app/orders?payment_status=captured").await;
    let page = first(&list, "orders");
    let html = admin.page(&page).await;
    let of = between(
        &html,
        "name=\"step\" value=\"refund\"><input type=\"hidden\" name=\"of\" value=\"",
        "\"",
    );
    let of = of.expect("a payment");

    let typed = [("step", "refund"), ("of", of), ("amount", "1,5"), ("note", "a <scratch>")];
    let shown = admin.submit(&page, &typed).await;

    assert!(shown.status == 422 && shown.html.contains("such as 12.50."), "{}", shown.html);
    for kept in [
        "name=\"amount\" value=\"1,5\"",
        "value=\"a &#60;scratch&#62;\"",
        "<details class=\"ask\" open>",
    ] {
        assert!(shown.html.contains(kept), "{kept} is lost: {}", shown.html);
    }
    assert_eq!(shown.html.matches(" open>").count(), 1, "{}", shown.html);
    let order = server.get(&Person::admin(), &page.replace("/app/", "/admin/")).await.ok();
    assert_eq!(order["order"]["summary"]["refunded_total"], 0, "{order}");
}
