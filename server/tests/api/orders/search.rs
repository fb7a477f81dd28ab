//! Orders and customers are found by parts of their texts, whether or not these are in the index yet.

use quotient_server::database::{Error, text_index};
use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

async fn index(server: &TestServer) {
    let added = server.beside().write::<_, Error>(text_index::add_all);
    added.await.expect("indexes");
}

/// Returns the numbers of the orders found, with the count of the list.
async fn orders(server: &TestServer, text: &str) -> (Vec<i64>, Value) {
    let found = server.get(&Person::admin(), &format!("/admin/orders?q={text}")).await.ok();
    let rows = found["orders"].as_array().expect("orders").iter();
    (rows.filter_map(|order| order["display_id"].as_i64()).collect(), found["count"].clone())
}

#[tokio::test]
async fn an_order_is_found_by_a_part_of_its_number_or_address_whenever_it_was_indexed() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    for number in 1..=3 {
        let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
        server.complete(&visitor, &cart).await.ok();
        if number == 2 {
            index(&server).await;
        }
    }
    assert_eq!(orders(&server, "ADA@ex").await, (vec![3, 2, 1], json!(3)));
    assert_eq!(orders(&server, "2").await, (vec![2], json!(1)));
    assert_eq!(orders(&server, "lamp").await, (vec![], json!(0)));
    assert_eq!(orders(&server, "A@").await, (vec![3, 2, 1], json!(3)));
    assert_eq!(orders(&server, "qz").await, (vec![], json!(0)));
    assert_eq!(orders(&server, "2&status=canceled").await, (vec![], json!(0)));

    let first = server.get(&Person::admin(), "/admin/orders?q=1").await.ok();
    let path = format!("/admin/orders/{}", first["orders"][0]["id"].as_str().expect("an id"));
    let body = json!({ "email": "lamp@example.com" });
    server.post(&Person::admin(), &path, body).await.ok();

    for _ in 0..2 {
        assert_eq!(orders(&server, "lamp").await, (vec![1], json!(1)));
        assert_eq!(orders(&server, "ada").await, (vec![3, 2], json!(2)));
        index(&server).await;
    }
}

#[tokio::test]
async fn a_number_of_three_digits_is_found_in_longer_ones() {
    let server = TestServer::with_demo(200).await;
    index(&server).await;

    let (found, count) = orders(&server, "104").await;

    assert_eq!((found, count), (vec![104], json!(1)));
}

#[tokio::test]
async fn codes_and_addresses_are_compared_in_any_case() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    server.complete(&visitor, &cart).await.ok();
    let account = json!({ "currency_code": "gbp" });
    server.post(&Person::admin(), "/admin/store-credit-accounts", account).await.ok();

    for query in [
        "/admin/orders?currency_code=GBP",
        "/admin/orders?email=ADA@Example.com",
        "/admin/orders?currency_code[$in][]=GBP&currency_code[$in][]=USD",
        "/admin/orders?$or[0][currency_code]=GBP&$or[1][email]=x",
        "/admin/payments?currency_code=GBP",
        "/admin/store-credit-accounts?currency_code=GBP",
        "/admin/tax-regions?country_code=GB",
        "/admin/regions?currency_code[$eq]=GBP",
        "/store/regions?currency_code=GBP&country_code=GB",
    ] {
        let person = if query.starts_with("/admin") { Person::admin() } else { visitor.clone() };
        let found = server.get(&person, query).await.ok();
        assert_eq!(found["count"], 1, "{query}");
    }
    let others = server.get(&Person::admin(), "/admin/orders?currency_code[$ne]=GBP").await.ok();
    assert_eq!(others["count"], 0);
}
