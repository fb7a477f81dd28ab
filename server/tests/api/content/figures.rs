//! Every metric about bundles, over the orders of several months, compared with a recount in Python: `figures.py`
//! generates the orders and counts them independently.

use quotient_server::database::{Error, Tx};
use quotient_server::testing::rounds;
use rusqlite::named_params;

use crate::harness::TestServer;
use crate::harness::figures::{is_same, rows};

/// The orders, and the values of four months.
const FIGURES: &str = include_str!("figures.json");

/// Writes the orders of the file. Ids are numbers of the file.
fn write(tx: &Tx<'_>, figures: &str) -> Result<(), Error> {
    for statement in [
        "insert into orders (id, display_id, currency, status, item_subtotal_minor, item_tax_minor, item_discount_minor,
            item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
            shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
            original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at, updated_at)
         select 'order_' || key, key + 1, value ->> 'currency', value ->> 'status', 900, 0, 0, 900, 0, 0, 0, 0, 900, 0,
                0, 0, 900, 0, 900, 1, 1, value ->> 'at', value ->> 'at', value ->> 'at'
           from json_each(:figures, '$.orders')",
        "insert into order_bundle (order_id, bundle_id, bundle_product_id, title, set_count, subtotal_minor, discount_minor)
         select 'order_' || o.key, 'cabun_' || b.key, 'bun_' || (b.value ->> 'title'), b.value ->> 'title',
                b.value ->> 'sets', b.value ->> 'subtotal', b.value ->> 'discount'
           from json_each(:figures, '$.orders') o, json_each(o.value, '$.bundles') b",
    ] {
        tx.prepare(statement)?.execute(named_params! { ":figures": figures })?;
    }
    Ok(())
}

#[tokio::test]
async fn each_metric_of_bundles_equals_a_recount() {
    let server = TestServer::empty().await;
    let figures = rows("content", FIGURES, 4_300);
    let written = figures.clone();
    server.other_process().write(move |tx| write(tx, &written)).await.expect("rows");
    let count = "select (select count(*) from orders) + (select count(*) from order_bundle)";
    assert!(server.number(count).await >= rounds(100, 1_000_000));
    server.assert_recounted(&figures, 5, is_same).await;
}
