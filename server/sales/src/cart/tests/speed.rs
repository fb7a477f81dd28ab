//! Checks that a change takes the same number of statements regardless of the number of lines.

use super::shop::{TestShop, sell, simple};
use crate::cart::changes::items::{self, AddLineItemRequest};
use crate::database::Error;
use crate::ids::VariantId;

/// Limit: statements that adding an item takes, with a promotion and a shipping method on the cart.
const MOST_STATEMENTS: u64 = 60;

async fn adding(shop: &TestShop, id: &crate::ids::CartId, variant_id: &VariantId) -> u64 {
    let before = shop.db.statement_count();
    shop.add(id, variant_id, 1).await.unwrap();
    shop.db.statement_count().saturating_sub(before)
}

#[tokio::test]
async fn adding_an_item_takes_as_many_statements_with_fifty_lines_as_with_one() {
    let shop = TestShop::open().await;
    shop.promote(crate::promotions::tests::ten_off("TENOFF")).await;
    let channel = shop.channel.clone();
    let variants: Vec<VariantId> = shop
        .db
        .write::<_, Error>(move |tx| {
            let location = tx.query_row("select id from stock_location", [], |row| row.get(0))?;
            let product = |number| simple(&format!("Thing {number}"), 500 + number, &channel);
            Ok((0_i64..50).map(|number| sell(tx, &product(number), &location, 100)).collect())
        })
        .await
        .unwrap();
    let id = shop.cart().await.id;
    shop.add(&id, &shop.lamp, 1).await.unwrap();
    shop.enter(&id, "TENOFF").await.unwrap();
    shop.send_by_post(&id).await.unwrap();

    let with_one = adding(&shop, &id, &shop.mug).await;
    let all: Vec<_> = variants
        .into_iter()
        .map(|variant_id| AddLineItemRequest { variant_id, quantity: 1, metadata: None })
        .collect();
    shop.change(&id, move |tx, cart| items::add(tx, cart, all)).await.unwrap();
    let with_fifty = adding(&shop, &id, &shop.print).await;

    assert_eq!(shop.loaded(&id).await.lines.len(), 53);
    assert_eq!(with_one, with_fifty);
    assert!(with_one <= MOST_STATEMENTS, "{with_one} statements");
}
