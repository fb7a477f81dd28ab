//! Orders and the other records: lists, an order with its steps, the search.

use serde_json::json;

use super::Browser;
use crate::harness::{Person, TestServer};

/// The lists.
pub(super) const LISTS: &[&str] = &[
    "alert-deliveries",
    "orders",
    "returns",
    "products",
    "collections",
    "categories",
    "tags",
    "inventory",
    "reviews",
    "customers",
    "store-credit",
    "tiers",
    "promotions",
    "price-lists",
    "subscriptions",
    "plans",
    "flows",
    "partners",
    "conversions",
    "payouts",
    "webhooks",
    "endpoints",
    "people",
    "invites",
    "keys",
    "regions",
    "tax-regions",
    "shipping-options",
    "shipping-profiles",
    "locations",
    "channels",
    "stores",
];

#[tokio::test]
async fn every_list_renders_with_and_without_rows() {
    let empty = TestServer::empty().await;
    let full = TestServer::with_demo(50).await;
    for server in [&empty, &full] {
        let browser = Browser::of(server, &Person::viewer()).await;
        for list in LISTS {
            let page = browser.page(&format!("/app/{list}")).await;
            assert!(!page.contains("class=\"failed\""), "{list}: {page}");
            assert!(page.contains("class=\"empty\"") || page.contains("<tbody>"), "{list}");
        }
    }
    let browser = Browser::of(&full, &Person::viewer()).await;
    for list in ["orders", "products", "customers", "people", "regions"] {
        assert!(browser.page(&format!("/app/{list}")).await.contains("<tbody><tr>"), "{list}");
    }
}

#[tokio::test]
async fn a_list_keeps_its_filters_in_the_address() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let all = server.get(&Person::viewer(), "/admin/orders?limit=1").await.ok();
    let count = all["count"].as_u64().expect("a count");

    let page = browser.page("/app/orders").await;
    assert!(page.contains(&format!("1–50 of {count}")), "{page}");
    let second = browser.page("/app/orders?offset=50&fulfillment_status=delivered").await;
    assert!(second.contains("fulfillment_status=delivered"), "{second}");
    let none = browser.page("/app/orders?from=2020-01-01&to=2020-01-02").await;
    assert!(none.contains("class=\"empty\""), "{none}");
    for narrowed in ["from=2020-01-01&to=2020-01-02", "q=nonesuch", "offset=5000", "status=draft"] {
        let none = browser.page(&format!("/app/orders?{narrowed}")).await;
        assert!(none.contains("Nothing matches this. <a href=\"/app/orders\">"), "{none}");
        assert!(!none.contains("as soon as a customer"), "there are orders: {none}");
    }
    let day = browser.page("/app/orders?from=2025-11-12&to=2025-11-12").await;
    let path = "/admin/orders?limit=1&created_at[$gte]=2025-11-12T00:00:00Z&created_at[$lt]=2025-11-13T00:00:00Z";
    let own = server.get(&Person::viewer(), path).await.ok()["count"].as_u64().expect("a count");
    assert!(own > 0 && day.contains(&format!(" of {own}<")), "{own} orders of the day");
}

#[tokio::test]
async fn an_order_is_packed_sent_delivered_and_refunded_in_part() {
    let (server, store) = TestServer::with_store().await;
    let id = crate::metrics::order(&server, &store, &store.mug, 3).await;
    let path = format!("/app/orders/{id}");
    let admin = Browser::of(&server, &Person::admin()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert!(!viewer.page(&path).await.contains("name=\"step\""), "a viewer has no buttons");
    let step = async |step: &str, rest: &[(&str, &str)]| {
        let page = admin.page(&path).await;
        let start =
            format!("name=\"step\" value=\"{step}\"><input type=\"hidden\" name=\"of\" value=\"");
        let of = super::between(&page, &start, "\"").unwrap_or_else(|| panic!("no {step}: {page}"));
        let fields = [&[("step", step), ("of", of)], rest].concat();
        let shown = admin.submit(&path, &fields).await;
        assert_eq!(shown.status, 303, "{step}: {}", shown.html);
    };

    if admin.page(&path).await.contains("value=\"capture\"") {
        assert!(!admin.page(&path).await.contains("customer by pp_"), "a word of the code");
        step("capture", &[]).await;
    }
    assert!(admin.page(&path).await.contains("A parcel of 3 pieces is packed"));
    step("fulfil", &[]).await;
    let can_cancel = async || admin.page(&path).await.contains("value=\"cancel\"");
    assert!(!can_cancel().await, "an order that is packed cannot be cancelled");
    step("unpack", &[]).await;
    assert!(can_cancel().await);
    step("fulfil", &[]).await;
    step("ship", &[("tracking", "TRACK 1")]).await;
    step("deliver", &[]).await;
    step("refund", &[("amount", "1.50"), ("note", "a scratch")]).await;

    let order = server.get(&Person::admin(), &format!("/admin/orders/{id}")).await.ok();
    assert_eq!(order["order"]["fulfillment_status"], "delivered", "{order}");
    assert_eq!(order["order"]["summary"]["refunded_total"], json!(1.5), "{order}");
    let page = admin.page(&path).await;
    for text in ["3 pieces packed", "3 pieces sent", "3 pieces delivered", "1.50 refunded"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    take_two_back(&server, &admin, &id).await;
    assert_eq!(viewer.get(&format!("{path}/return")).await.status, 403);
    let again = [("step", "ship"), ("of", "")];
    let shown = admin.submit(&path, &again).await;
    assert_eq!(shown.status, 409, "it was sent: {}", shown.html);
    assert_eq!(viewer.submit(&path, &[("step", "refund")]).await.status, 409);
}

/// Awaits two pieces of an order, and receives one of them and then the other.
async fn take_two_back(server: &TestServer, admin: &Browser<'_>, order: &str) {
    let path = format!("/app/orders/{order}");
    assert!(admin.page(&path).await.contains(&format!("href=\"{path}/return\"")));
    let own = server.get(&Person::admin(), &format!("/admin/orders/{order}")).await.ok();
    let line = own["order"]["items"][0]["id"].as_str().expect("a line");
    let too_many = [(line, "4"), ("note", "a <crack>")];
    let shown = admin.submit(&format!("{path}/return"), &too_many).await;
    assert!(shown.status == 422 && shown.html.contains("from 0 to 3"), "{}", shown.html);
    assert!(shown.html.contains("a &#60;crack&#62;"), "{}", shown.html);

    let two = [(line, "2"), ("note", "a crack")];
    let shown = admin.submit(&format!("{path}/return"), &two).await;
    assert_eq!(shown.status, 303, "{}", shown.html);
    let page = shown.location().split('?').next().expect("a page").to_owned();
    let html = admin.page(&page).await;
    assert!(html.contains("requested") && html.contains("a crack"), "{html}");
    assert!(html.contains(&format!("{page}/receive")));
    receive_one_by_one(server, admin, &page, line).await;
    let all = server.get(&Person::admin(), "/admin/returns").await.ok();
    assert_eq!(all["count"], 1, "what was refused has left nothing");
}

/// Receives two pieces of a return, one after the other.
async fn receive_one_by_one(server: &TestServer, admin: &Browser<'_>, page: &str, line: &str) {
    let receive = format!("{page}/receive");
    assert!(admin.page(&receive).await.contains("value=\"2\""));
    for (quantity, status) in [("1", "partially_received"), ("1", "received")] {
        let shown = admin.submit(&receive, &[(line, quantity)]).await;
        assert_eq!(shown.status, 303, "{}", shown.html);
        let state = server.get(&Person::admin(), &page.replace("/app/", "/admin/")).await.ok();
        assert_eq!(state["return"]["status"], status, "{state}");
    }
}

#[tokio::test]
async fn records_have_pages_and_a_search_finds_them() {
    let server = TestServer::with_demo(50).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let customer =
        server.get(&Person::viewer(), "/admin/customers?limit=1&has_account=true").await.ok();
    let customer = &customer["customers"][0];
    let (id, email) =
        (customer["id"].as_str().expect("an id"), customer["email"].as_str().expect("text"));

    let page = browser.page(&format!("/app/customers/{id}")).await;
    assert!(
        page.contains(email) && page.contains("Store credit") && !page.contains("class=\"failed\""),
        "{page}"
    );
    let found = browser.page(&format!("/app/search?q={email}")).await;
    assert!(found.contains(&format!("/app/customers/{id}")), "{found}");
    assert!(found.contains("Nothing was found among metrics, "), "{found}");
    assert!(!found.contains(">Metrics</h2>"), "{found}");
    let found = browser.page("/app/search?q=nonesuch").await;
    assert!(found.contains("<p class=\"empty\">Nothing was found.</p>"), "{found}");
    let product = server.get(&Person::viewer(), "/admin/products?limit=1").await.ok();
    let id = product["products"][0]["id"].as_str().expect("an id");
    let page = browser.page(&format!("/app/products/{id}")).await;
    assert!(page.contains("Variants") && page.contains("data-label=\"Prices\"><bdi>£"), "{page}");
    assert!(browser.page("/app/search").await.contains("Type what you look for"));
    assert!(!browser.page("/app/search?q=%3Cscript%3E").await.contains("<script>"));
    for path in ["/app/customers/cus_none", "/app/nothing/x", "/app/payouts/x"] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
    let admin = Browser::of(&server, &Person::admin()).await;
    let shown = admin.get("/app/customers/not-an-id/change").await;
    assert!(shown.status == 404 && shown.html.contains("There is nothing at"), "{}", shown.html);
}

#[tokio::test]
async fn a_part_of_a_record_says_how_many_rows_it_does_not_show() {
    let server = TestServer::with_demo(200).await;
    let admin = Person::admin();
    let browser = Browser::of(&server, &admin).await;
    let products = server.get(&admin, "/admin/products?limit=51&fields=id").await.ok();
    let products = products["products"].as_array().expect("products").iter();
    let mut ids: Vec<_> = products.map(|own| own["id"].clone()).collect();
    assert_eq!(ids.len(), 51);
    let last = ids.pop();
    let made = server.post(&admin, "/admin/collections", json!({ "title": "Many" })).await.ok();
    let id = made["collection"]["id"].as_str().expect("an id");
    let add = format!("/admin/collections/{id}/products");
    let page = format!("/app/collections/{id}");

    server.post(&admin, &add, json!({ "add": ids })).await.ok();
    assert!(!browser.page(&page).await.contains("The first "), "all are shown");
    server.post(&admin, &add, json!({ "add": [last] })).await.ok();

    let html = browser.page(&page).await;
    let all = format!("/app/products?collection_id={id}");
    let said = format!("The first 50 of 51. <a href=\"{all}\">Show all</a>");
    assert!(html.contains(&said), "{html}");
    let html = browser.page(&all).await;
    assert!(html.contains("1–50 of 51") && html.contains("offset=50"), "{html}");
    let kept = format!("<input type=\"hidden\" name=\"collection_id\" value=\"{id}\">");
    assert!(html.contains(&kept), "a search stays within the collection: {html}");
    let said = "Only a part of them is shown. <a href=\"/app/products\">Show all</a>";
    assert!(html.contains(said) && !browser.page("/app/products").await.contains(said), "{html}");
}
