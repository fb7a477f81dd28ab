//! Lists are sorted by links in the column headings, according to the URL.

use super::records::LISTS;
use super::{Browser, between};
use crate::harness::{Person, TestServer};

/// Returns the URLs of the sorting column headings, with their names.
fn heads(page: &str) -> Vec<(String, String)> {
    let Some(head) = between(page, "<thead>", "</thead>") else { return Vec::new() };
    let link = |rest: &str| {
        let (address, rest) = rest.split_once("\">").expect("an address");
        (address.replace("&#38;", "&"), rest.split('<').next().expect("a name").to_owned())
    };
    head.split("<a href=\"").skip(1).map(link).collect()
}

#[tokio::test]
async fn every_sortable_column_head_leads_to_a_list_sorted_by_it() {
    let server = TestServer::with_demo(50).await;
    let browser = Browser::of(&server, &Person::admin()).await;
    let mut seen = 0;
    for list in LISTS.iter().chain(&["metrics", "alerts"]) {
        for (address, name) in heads(&browser.page(&format!("/app/{list}")).await) {
            let page = browser.page(&address).await;
            assert!(!page.contains("class=\"failed\""), "{address}: {page}");
            let order = address.split_once("order=").expect("an order").1;
            let word = if order.starts_with('-') { "descending" } else { "ascending" };
            let rising = order.trim_start_matches('-');
            let turned = if rising == order { format!("-{order}") } else { rising.to_owned() };
            let head =
                format!("aria-sort=\"{word}\"><a href=\"/app/{list}?order={turned}\">{name}<");
            assert!(page.contains(&head), "{head}: {page}");
            assert_eq!(page.matches("aria-sort=").count(), 1, "{address}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} heads");
}

#[tokio::test]
async fn the_order_of_a_list_is_the_apis_and_stays_with_its_filters() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let first = async |query: &str| {
        let own =
            server.get(&Person::viewer(), &format!("/admin/orders?limit=1{query}")).await.ok();
        format!(
            "<tbody><tr><th scope=\"row\"><a href=\"/app/orders/{}\"",
            own["orders"][0]["id"].as_str().expect("an id")
        )
    };

    let page = browser.page("/app/orders").await;
    assert!(
        page.contains("aria-sort=\"descending\"><a href=\"/app/orders?order=created_at\">Placed"),
        "{page}"
    );
    assert!(page.contains(&first("").await), "{page}");
    assert!(
        !page.contains("order=-total") && !page.contains("order=total"),
        "the API has no such order"
    );

    let page =
        browser.page("/app/orders?order=display_id&fulfillment_status=delivered&offset=50").await;
    assert!(page.contains("<input type=\"hidden\" name=\"order\" value=\"display_id\">"), "{page}");
    let turned = "/app/orders?fulfillment_status=delivered&#38;order=-display_id\">Order<";
    assert!(page.contains(turned), "from the first page, with the filter: {page}");
    let page = browser.page("/app/orders?order=display_id&fulfillment_status=delivered").await;
    let first = first("&order=display_id&fulfillment_status=delivered").await;
    assert!(page.contains(&first), "{first}: {page}");
    assert!(
        page.contains(
            "/app/orders?order=display_id&#38;fulfillment_status=delivered&#38;offset=50"
        ),
        "{page}"
    );
}
