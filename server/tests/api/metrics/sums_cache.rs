//! Reports over goods cache what was sold and refunded, and count through rollups: no figure is older than the
//! rows.
#![expect(clippy::arithmetic_side_effects, reason = "amounts of a test are small")]

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::{minor, order};
use crate::harness::{Person, Store, TestServer};

const HOUR_MS: i64 = 3_600_000;
const TOP: &str = "/admin/metrics/reports/top-products?currency_code=gbp";

/// Sells two mugs and a lamp in one order; returns its id.
async fn order_of_both(server: &TestServer, store: &Store) -> String {
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, store, &store.mug, 2).await;
    let line = json!({ "variant_id": store.lamp, "quantity": 1 });
    server.post(&visitor, &format!("/store/carts/{cart}/line-items"), line).await.ok();
    server.ship(&visitor, store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    let done = server.complete(&visitor, &cart).await.ok();
    server.clock.advance(1_000);
    done["order"]["id"].as_str().expect("an order").to_owned()
}

/// Changes rows as the server's own writes do.
async fn change(server: &TestServer, sql: &'static str) {
    let other = server.other_process();
    let changed = other.write::<_, Error>(move |tx| Ok(tx.execute_batch(sql)?));
    changed.await.expect("changed rows");
}

async fn refund(server: &TestServer, order_id: &str, amount: i64) {
    server.refund(order_id, Some(json!(amount))).await;
    server.clock.advance(1_000);
}

async fn top(server: &TestServer) -> Value {
    server.get(&Person::program(), TOP).await.ok()
}

/// Returns the refunds of the mugs and of the lamp, after checking that the margins agree with both.
async fn given_back(server: &TestServer) -> (i64, i64) {
    let top = top(server).await;
    let path = "/admin/reports/cogs/margins?currency_code=gbp";
    let margins = server.get(&Person::program(), path).await.ok();
    let of = |title: &str| {
        let rows = top["products"].as_array().expect("products");
        let row = rows.iter().find(|row| row["product"]["title"] == title);
        let row = row.unwrap_or_else(|| panic!("no {title}: {top:#}"));
        let rows = margins["margins"].as_array().expect("margins");
        let beside = rows.iter().find(|row| row["title"] == title).expect("a margin");
        assert_eq!(row["net_sales"], beside["revenue"]);
        minor(&row["gross_sales"]) - minor(&row["net_sales"])
    };
    (of("Mug"), of("Lamp"))
}

#[tokio::test]
async fn a_refund_is_of_other_goods_as_soon_as_others_came_back() {
    let (server, store) = TestServer::with_store().await;
    let id = order_of_both(&server, &store).await;
    assert_eq!(given_back(&server).await, (0, 0));

    refund(&server, &id, 12).await;
    let (mugs, lamp) = given_back(&server).await;
    assert!(mugs > 0 && lamp > 0, "of all goods: {mugs}, {lamp}");
    assert_eq!(given_back(&server).await, (mugs, lamp), "asked again");

    change(&server, "update order_line set refunded_minor = 100 where product_title = 'Lamp';")
        .await;
    assert_eq!(given_back(&server).await, (0, mugs + lamp), "the lamp came back");

    refund(&server, &id, 6).await;
    let (none, more) = given_back(&server).await;
    assert!(none == 0 && more > mugs + lamp, "{more}");

    change(&server, "update order_line set refunded_minor = 0;").await;
    let (mugs, lamp) = given_back(&server).await;
    assert!(mugs > 0 && lamp > 0 && mugs + lamp == more, "of all goods again: {mugs}, {lamp}");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_refund_of_a_canceled_order_counts_no_longer() {
    let (server, store) = TestServer::with_store().await;
    let id = order_of_both(&server, &store).await;
    order(&server, &store, &store.mug, 1).await;
    order(&server, &store, &store.lamp, 1).await;
    refund(&server, &id, 12).await;
    let (mugs, lamp) = given_back(&server).await;
    assert!(mugs > 0 && lamp > 0);

    change(&server, "update orders set status = 'canceled' where refunded_minor > 0;").await;

    assert_eq!(given_back(&server).await, (0, 0));
}

#[tokio::test]
async fn a_refund_counts_from_its_instant_on() {
    let (server, store) = TestServer::with_store().await;
    let id = order_of_both(&server, &store).await;
    refund(&server, &id, 12).await;
    change(
        &server,
        "update order_transaction set created_at = created_at + 3600000 where amount_minor < 0;",
    )
    .await;
    assert_eq!(given_back(&server).await, (0, 0));
    assert_eq!(given_back(&server).await, (0, 0), "asked again");

    server.clock.advance(2 * HOUR_MS);

    let (mugs, lamp) = given_back(&server).await;
    assert!(mugs > 0 && lamp > 0, "{mugs}, {lamp}");
}

#[tokio::test]
async fn an_order_counts_from_its_instant_on_until_it_is_canceled() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 1).await;
    let mugs = async || {
        let units = async || {
            let top = top(&server).await;
            let rows = top["products"].as_array().expect("products");
            let row = rows.iter().find(|row| row["product"]["title"] == "Mug").cloned();
            row.map(|row| row["units"].clone())
        };
        let first = units().await;
        assert_eq!(units().await, first, "asked again");
        first
    };
    assert_eq!(mugs().await, Some(json!(1)));

    order_of_both(&server, &store).await;
    assert_eq!(mugs().await, Some(json!(3)));
    let later = "update orders set placed_at = placed_at + 3600000
        where id in (select order_id from order_line where product_title = 'Lamp');";
    change(&server, later).await;
    assert_eq!(mugs().await, Some(json!(1)));
    server.clock.advance(2 * HOUR_MS);
    assert_eq!(mugs().await, Some(json!(3)));

    change(&server, "update orders set status = 'canceled';").await;
    assert_eq!(mugs().await, None);
}

#[tokio::test]
async fn an_order_with_two_lines_of_a_product_is_one_order_of_it() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 1).await;
    order_of_both(&server, &store).await;
    let orders = async |title: &str| {
        let top = top(&server).await;
        let rows = top["products"].as_array().expect("products");
        let row = rows.iter().find(|row| row["product"]["title"] == title).cloned();
        row.map(|row| (row["orders"].clone(), row["units"].clone()))
    };
    assert_eq!(orders("Mug").await, Some((json!(2), json!(3))));
    assert_eq!(orders("Lamp").await, Some((json!(1), json!(1))));

    // The lamp of the second order is another mug.
    change(
        &server,
        "update order_line set product_id = (select product_id from order_line where product_title = 'Mug' limit 1)
          where product_title = 'Lamp';",
    )
    .await;

    assert_eq!(orders("Mug").await, Some((json!(2), json!(4))));
    assert_eq!(orders("Lamp").await, None);
    let counted = json!({ "formula": "count_distinct(items.order_id)", "currency_code": "gbp" });
    let counted = server.post(&Person::program(), "/admin/metrics/compute", counted).await.ok();
    assert_eq!(counted["metrics"]["formula"]["value"], 2, "{counted:#}");
    server.assert_sound().await;
}

#[tokio::test]
async fn units_without_a_cost_are_counted_as_soon_as_there_are_any() {
    let (server, store) = TestServer::with_store().await;
    order_of_both(&server, &store).await;
    let path = "/admin/reports/cogs/margins?currency_code=gbp";
    let missing = async || {
        let margins = server.get(&Person::program(), path).await.ok();
        let of = |row: &Value| row["missing_cost"].as_i64();
        let rows = margins["margins"].as_array().expect("margins");
        (rows.iter().map(of).collect::<Vec<_>>(), of(&margins["total"]))
    };
    change(&server, "update order_line set unit_cost_minor = 100;").await;
    assert_eq!(missing().await, (vec![Some(0), Some(0)], Some(0)));

    change(&server, "update order_line set unit_cost_minor = null where product_title = 'Mug';")
        .await;

    let (of_rows, of_all) = missing().await;
    assert_eq!((of_rows.into_iter().flatten().sum::<i64>(), of_all), (2, Some(2)));
    server.assert_sound().await;
}
