//! Tests of corrections by admins.

use serde_json::json;

use super::canceled::call_off;
use super::{ADMIN, Sold, VISA, refusal};
use crate::ids::CustomerId;
use crate::orders::admin::edit::{self, UpdateOrderRequest};

fn address(country: Option<&str>, city: &str) -> UpdateOrderRequest {
    let address = json!({ "city": city, "country_code": country });
    serde_json::from_value(json!({ "shipping_address": address })).unwrap()
}

#[tokio::test]
async fn an_address_is_corrected_but_its_country_stays() {
    let sold = Sold::mugs(1, VISA).await;
    let correct = |correction: UpdateOrderRequest| {
        sold.write(move |tx, order| edit::correct(tx, order, correction, Some(ADMIN)))
    };
    correct(address(Some("GB"), "Leeds")).await.unwrap();
    correct(address(None, "York")).await.unwrap();

    let moved = correct(address(Some("fr"), "Paris")).await;

    assert_eq!(refusal(moved).0, 400);
    assert_eq!(refusal(correct(address(Some("zz"), "York")).await).0, 400);
    let york = "select count(*) from orders where shipping_address ->> 'city' = 'York'
                   and shipping_address ->> 'country_code' = 'gb' and version = 3";
    assert_eq!(sold.number(york).await, 1);
    assert_eq!(sold.number("select count(*) from order_change").await, 2);
}

#[tokio::test]
async fn metadata_is_merged_key_by_key() {
    let sold = Sold::mugs(1, VISA).await;
    for metadata in [json!({"a": 1, "b": 2}), json!({"a": null, "c": ""}), json!({"b": 3})] {
        let correction = serde_json::from_value(json!({ "metadata": metadata })).unwrap();
        sold.write(move |tx, order| edit::correct(tx, order, correction, None)).await.unwrap();
    }

    let query = r#"select count(*) from orders where metadata = '{"b":3}' and version = 1"#;
    assert_eq!(sold.number(query).await, 1);
}

#[tokio::test]
async fn an_order_is_given_only_to_a_customer_with_an_account() {
    let sold = Sold::mugs(1, VISA).await;
    let (guest, other) = (CustomerId::new(), CustomerId::new());
    let (guest_id, other_id) = (guest.clone(), other.clone());
    sold.write::<_, crate::orders::OrderError>(move |tx, _| {
        let sql = "insert into customer (id, email, has_account, created_at, updated_at) values (?1, ?2, ?3, 1, 1)";
        tx.sql(sql).run((&guest_id, "guest@example.com", false))?;
        Ok(tx.sql(sql).run((&other_id, "grace@example.com", true))?)
    })
    .await
    .unwrap();
    let give =
        |to: CustomerId| sold.write(move |tx, order| edit::transfer(tx, order, &to, Some(ADMIN)));

    assert_eq!(refusal(give(CustomerId::new()).await).0, 404);
    assert_eq!(refusal(give(guest).await).0, 400);
    give(other.clone()).await.unwrap();
    assert_eq!(refusal(give(other.clone()).await).0, 400);
    call_off(&sold).await.unwrap();
    assert_eq!(refusal(give(other).await).1, "A canceled order cannot be transferred");

    let hers = "select count(*) from orders where email = 'grace@example.com'";
    assert_eq!(sold.number(hers).await, 1);
    sold.shop.assert_sound().await;
}
