//! Reports of taxes.

use serde_json::{Value, json};

use super::reports::{report, shop};
use super::{minor, order};
use crate::harness::{Person, Store, TestServer};

#[tokio::test]
async fn tax_agrees_with_the_orders_to_the_penny() {
    let (server, _store) = shop().await;

    let tax = report(&server, "/admin/reports/taxes/dashboard?currency_code=gbp").await;

    let of_orders = server
        .number(
            "select sum(tax_minor) from orders indexed by orders_by_placement
             where placed_at > 0 and status <> 'canceled'",
        )
        .await;
    let totals = &tax["totals"];
    assert_eq!(totals["reconciles"], true, "{tax:#}");
    assert_eq!(minor(&totals["tax_collected"]), of_orders);
    assert_eq!(minor(&totals["order_tax"]), of_orders);
    for rows in ["jurisdictions", "rates", "periods"] {
        let rows = tax[rows].as_array().expect("rows");
        let sum: i64 = rows.iter().map(|row| minor(&row["tax_collected"])).sum();
        assert_eq!(sum, of_orders, "{rows:?}");
    }
    let place = &tax["jurisdictions"][0];
    assert_eq!(place["country"], "gb");
    assert_eq!((minor(&place["tax_net"]), minor(&place["tax_refunded"])), (of_orders, 0));
    for rows in ["jurisdictions", "periods"] {
        let rows = tax[rows].as_array().expect("rows");
        for key in ["taxable_sales", "exempt_sales"] {
            let sum: i64 = rows.iter().map(|row| minor(&row[key])).sum();
            assert_eq!(sum, minor(&totals[key]), "{key}: {rows:?}");
        }
    }
    assert_eq!(tax["rates"][0]["rate"], 20);
    let export = report(&server, "/admin/reports/taxes/export?currency_code=gbp").await;
    assert_eq!(export["count"], 2);
    let rows = export["rows"].as_array().expect("rows");
    assert_eq!(rows.iter().map(|row| minor(&row["tax_amount"])).sum::<i64>(), of_orders);
    let path = "/admin/reports/taxes/export?currency_code=gbp&format=csv";
    let file = server.get(&Person::viewer(), path).await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    let text = file.ok();
    assert_eq!(text.as_str().map(|text| text.lines().count()), Some(3), "{text}");
}

#[tokio::test]
async fn sales_without_tax_are_exempt_and_sales_at_no_rate_are_taxable() {
    let (server, _store) = shop().await;
    let taxes = async || {
        server.clock.advance(1_000);
        report(&server, "/admin/reports/taxes/dashboard?currency_code=gbp").await
    };
    let before = taxes().await;
    assert_eq!(minor(&before["totals"]["exempt_sales"]), 0, "{before:#}");
    let taxable = minor(&before["totals"]["taxable_sales"]);
    let lamp = "from order_line where product_title <> 'Mug'";

    server.sql(&format!("update order_line_tax set rate_ppm = 0, amount_minor = 0 where line_id in (select id {lamp})")).await;
    let at_no_rate = taxes().await;
    assert_eq!(minor(&at_no_rate["totals"]["taxable_sales"]), taxable, "{at_no_rate:#}");
    let rates = at_no_rate["rates"].as_array().expect("rates");
    assert!(rates.iter().any(|rate| rate["rate"] == 0), "{rates:?}");

    server.sql(&format!("delete from order_line_tax where line_id in (select id {lamp})")).await;
    let exempt = taxes().await;
    let period = exempt["periods"].as_array().and_then(|rows| rows.last()).expect("a period");
    for figures in [&exempt["totals"], &exempt["jurisdictions"][0], period] {
        assert_eq!(minor(&figures["exempt_sales"]), 1_499, "{exempt:#}");
        assert_eq!(minor(&figures["taxable_sales"]), taxable - 1_499, "{exempt:#}");
    }
}

/// Buys a mug that is sent to a province of Britain.
async fn sent_to(server: &TestServer, store: &Store, province: Option<&str>) -> Value {
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, store, &store.mug, 1).await;
    let to = json!({"address_1": "1 High Street", "country_code": "gb", "province": province});
    server.ship_to(&visitor, store, &cart, to).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    server.complete(&visitor, &cart).await.ok()["order"].take()
}

#[tokio::test]
async fn tax_is_of_the_place_that_levies_it_however_an_address_writes_the_province() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let country = server.get(&admin, "/admin/tax-regions?country_code=gb").await.ok();
    let wales = json!({
        "country_code": "gb", "province_code": "gb-wls", "parent_id": country["tax_regions"][0]["id"],
        "default_tax_rate": {"rate": 2, "code": "wls", "name": "Welsh levy", "is_combinable": true},
    });
    server.post(&admin, "/admin/tax-regions", wales).await.ok();
    let mut orders = Vec::new();
    for province in [None, Some("Kent"), Some("kent"), Some("GB-KEN"), Some("WLS"), Some("GB-WLS")]
    {
        orders.push(sent_to(&server, &store, province).await);
        server.clock.advance(1_000);
    }
    server.refund(orders[4]["id"].as_str().expect("an order"), None).await;
    server.clock.advance(1_000);

    let tax = report(&server, "/admin/reports/taxes/dashboard?currency_code=gbp").await;

    assert_eq!(tax["totals"]["reconciles"], true, "{tax:#}");
    let places = tax["jurisdictions"].as_array().expect("places");
    let named: Vec<_> = places.iter().map(|row| (&row["province"], &row["orders"])).collect();
    assert_eq!(named, [(&json!(null), &json!(6)), (&json!("wls"), &json!(2))]);
    // 12.99 and 9.95 of postage, each order at 20 %, two of them at 2 % besides.
    let collected: Vec<_> = places.iter().map(|row| minor(&row["tax_collected"])).collect();
    assert_eq!(collected, [6 * (260 + 199), 2 * (26 + 20)]);
    let refunded: Vec<_> = places.iter().map(|row| minor(&row["tax_refunded"])).collect();
    assert_eq!(refunded, [260 + 199, 26 + 20]);
    let rates = tax["rates"].as_array().expect("rates").iter();
    let rates: Vec<_> = rates
        .map(|row| (&row["name"], minor(&row["tax_refunded"]), minor(&row["tax_net"])))
        .collect();
    let of_wales = (&json!("Welsh levy"), 26 + 20, 26 + 20);
    assert_eq!(rates, [(&json!("vat"), 260 + 199, 5 * (260 + 199)), of_wales]);
    let rows = report(&server, "/admin/reports/taxes/export?currency_code=gbp").await;
    let rows: Vec<_> = rows["rows"].as_array().expect("rows")[3..]
        .iter()
        .map(|row| (&row["province"], &row["tax_names"]))
        .collect();
    let (of_country, of_wales) =
        ((&json!(null), &json!("vat")), (&json!("wls"), &json!("Welsh levy")));
    assert_eq!(rows, [of_country, of_country, of_wales, of_country, of_wales]);

    let taxable = |tax: &Value| {
        let of = |rows: &str| {
            let rows = tax[rows].as_array().expect("rows").iter();
            rows.map(|row| minor(&row["taxable_sales"])).collect::<Vec<i64>>()
        };
        (minor(&tax["totals"]["taxable_sales"]), of("jurisdictions"), of("rates"), of("periods"))
    };
    let each = 1_299 + 995;
    let both = vec![6 * each, 2 * each];
    let cut = "/admin/reports/taxes/dashboard?currency_code=gbp&granularity=none";
    let tax = report(&server, cut).await;
    assert_eq!(taxable(&tax), (6 * each, both.clone(), both.clone(), vec![6 * each]));
    // A sale taxed by one place at two rates counts once.
    for table in ["order_line_tax", "order_shipping_tax"] {
        server.sql(format!("update {table} set province = null")).await;
    }
    let tax = report(&server, cut).await;
    assert_eq!(taxable(&tax).1, [6 * each], "{tax:#}");
    assert_eq!(tax["jurisdictions"][0]["orders"], 6);
    let mut rates = taxable(&tax).2;
    rates.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(rates, both);
}

#[tokio::test]
async fn the_sales_of_a_tax_dashboard_are_read_once_for_all_periods() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 1).await;
    let of_days = async |start: &str| {
        let path = format!(
            "/admin/reports/taxes/dashboard?currency_code=gbp&granularity=day&start_date={start}&end_date=2026-11-20"
        );
        server.statements(server.get(&Person::viewer(), &path)).await
    };

    let (of_few, of_many) = (of_days("2026-11-11").await, of_days("2026-09-12").await);

    assert!(of_many < of_few.saturating_add(20), "{of_few} {of_many}");
}
