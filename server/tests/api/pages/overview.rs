//! The overview: the API's numbers, and boards.

use serde_json::json;

use super::{Browser, escaped};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn the_overview_shows_the_numbers_of_the_api() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    for (range, start, end) in [
        ("7d", "2026-11-15", "2026-11-21"),
        ("30d", "2026-10-23", "2026-11-21"),
        ("month", "2026-11-01", "2026-11-21"),
        ("last-month", "2026-10-01", "2026-10-31"),
        ("custom&start=2025-11-01&end=2025-11-20", "2025-11-01", "2025-11-20"),
    ] {
        let page = browser.page(&format!("/app?range={range}")).await;
        let query = format!("start_date={start}&end_date={end}");
        let summary = format!("/admin/metrics/dashboard/summary?{query}");
        let summary = server.get(&Person::viewer(), &summary).await.ok();
        for key in ["total_sales", "net_sales", "orders", "average_order_value", "returning_rate"] {
            let cards = summary["cards"].as_array().expect("cards");
            let card = cards.iter().find(|card| card["key"] == key).expect("a card");
            let shown = format!("<p class=\"figure\">{}</p>", card["formatted"].as_str().unwrap());
            assert!(page.contains(&shown), "{range} {key}: {shown}");
        }
        let page = browser.page(&format!("/app/best-products?range={range}")).await;
        let best = format!("/admin/metrics/reports/top-products?limit=8&{query}");
        for product in
            server.get(&Person::viewer(), &best).await.ok()["products"].as_array().unwrap()
        {
            let title = escaped(product["product"]["title"].as_str().unwrap());
            assert!(page.contains(&title), "{range}: {title}");
        }
    }
}

#[tokio::test]
async fn a_person_pins_moves_and_removes_figures_and_others_see_the_shared_ones() {
    let server = TestServer::with_demo(50).await;
    let metric = json!({ "name": "Big orders", "category": "sales", "scope": "store", "data_type": "integer",
        "formula": "count(orders where total > 100 GBP)" });
    let admin = Person::admin();
    server.post(&admin, "/admin/metrics/definitions", metric).await.ok();
    let activate = "/admin/metrics/catalog/big_orders/lifecycle";
    server.post(&admin, activate, json!({ "state": "active" })).await.ok();
    let browser = Browser::of(&server, &Person::analyst()).await;

    let added =
        [("name", "Mine"), ("action", "add"), ("key", "big_orders"), ("back", "/app?range=7d")];
    let shown = browser.submit("/app/board", &added).await;
    assert_eq!(shown.location(), "/app?range=7d&board=Mine");
    for action in ["earlier", "share"] {
        let change = [("name", "Mine"), ("action", action), ("key", "big_orders")];
        assert_eq!(browser.submit("/app/board", &change).await.status, 303);
    }

    let page = browser.page("/app?board=Mine").await;
    assert!(page.contains("Big orders") && page.contains("/app/metrics/big_orders"));
    let boards = server.get(&Person::analyst(), "/admin/metrics/boards").await.ok();
    let tiles = boards["boards"][0]["tiles"].as_array().unwrap();
    assert_eq!(tiles[tiles.len() - 2], "big_orders", "{tiles:?}");
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert!(viewer.page("/app?board=Mine").await.contains("Big orders"));
    assert!(!viewer.page("/app").await.contains("Big orders"), "it is on no board of theirs");
    let share = [("name", "Own"), ("action", "share")];
    assert_eq!(viewer.submit("/app/board", &share).await.status, 403);
    let removed = [("name", "Mine"), ("action", "remove"), ("key", "big_orders")];
    browser.submit("/app/board", &removed).await;
    assert!(!browser.page("/app?board=Mine").await.contains("Big orders"));
}

#[tokio::test]
async fn a_board_that_cannot_be_read_is_not_replaced() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let set = json!({ "tiles": ["standard:orders"], "is_shared": false });
    let path = "/admin/metrics/boards/Mine";
    server.call(&admin, "PUT", path, Some(set.to_string().into_bytes())).await.ok();
    let browser = Browser::of(&server, &admin).await;
    // A list of numbers is an array, but no board.
    server.sql("update board set tiles = '[1]'").await;

    let change = [("name", "Mine"), ("action", "add"), ("key", "standard:units")];
    assert_eq!(browser.submit("/app/board", &change).await.status, 500);

    assert_eq!(server.number("select count(*) from board where tiles = '[1]'").await, 1);
}

#[tokio::test]
async fn a_failing_part_says_why_and_the_rest_is_shown() {
    let server = TestServer::with_demo(50).await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    let page = browser.page("/app?range=custom&start=2020-01-01&end=2026-11-01").await;

    assert!(page.contains("(366)") && page.contains("Try again"), "the dashboard has a limit");
    assert!(page.contains("To be sent") && page.contains("Best products"));
}

#[tokio::test]
async fn the_best_products_come_after_the_rest_of_the_page() {
    let server = TestServer::with_demo(50).await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    let range = "range=custom&start=2025-11-01&end=2025-11-20";
    let page = browser.page(&format!("/app?{range}")).await;
    let part = browser.page(&format!("/app/best-products?{range}")).await;

    assert!(page.contains("hx-get=\"/app/best-products?range=custom"), "{page}");
    assert!(
        !page.contains("/app/products/prod_") && part.contains("/app/products/prod_"),
        "{part}"
    );
    assert!(part.trim_start().starts_with("<section id=\"products\""), "{part}");
}

#[tokio::test]
async fn an_empty_store_says_what_will_be_here() {
    let server = TestServer::empty().await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    let page = browser.page("/app").await + &browser.page("/app/best-products").await;

    for text in ["will be listed here", "Nothing is watched", "Best products"] {
        assert!(page.contains(text), "{text}");
    }
}

#[tokio::test]
async fn boards_are_their_owners() {
    let server = TestServer::empty().await;
    let (analyst, viewer) = (Person::analyst(), Person::viewer());
    let set = json!({ "tiles": ["standard:orders", "standard:orders"], "is_shared": true });
    let put = async |person: &Person, name: &str, body: &serde_json::Value| {
        let path = format!("/admin/metrics/boards/{name}");
        server.call(person, "PUT", &path, Some(body.to_string().into_bytes())).await
    };

    let board = put(&analyst, "Shared", &set).await.ok();
    assert_eq!(board["board"]["tiles"], json!(["standard:orders"]), "each tile once");
    let seen = server.get(&viewer, "/admin/metrics/boards").await.ok();
    assert_eq!((&seen["count"], &seen["boards"][0]["is_own"]), (&json!(1), &json!(false)));
    assert_eq!(put(&viewer, "Shared", &set).await.status, 403, "viewers do not share");
    assert_eq!(server.delete(&viewer, "/admin/metrics/boards/Shared").await.status, 404);
    let many = json!({ "tiles": (0..61).map(|n| n.to_string()).collect::<Vec<_>>() });
    assert!(put(&viewer, "Many", &many).await.refused(400).contains("60 tiles"));
    let deleted = server.delete(&analyst, "/admin/metrics/boards/Shared").await.ok();
    assert_eq!(deleted["deleted"], true);
    assert_eq!(server.get(&viewer, "/admin/metrics/boards").await.ok()["count"], 0);
}
