//! Every metric about visitors and reviews, over the rows of several months, compared with a recount in Python:
//! `figures.py` generates the rows and counts them independently.

use quotient_server::database::{Error, Tx};
use quotient_server::testing::rounds;
use rusqlite::named_params;
use serde_json::{Value, json};

use crate::harness::TestServer;
use crate::harness::figures::{is_same, rows, text};

/// The rows, and the values of three months.
const FIGURES: &str = include_str!("figures.json");

/// Writes the rows of the file. Ids are numbers of the file.
fn write(tx: &Tx<'_>, figures: &str) -> Result<(), Error> {
    for statement in [
        "insert into product (id, title, handle, status, created_at, updated_at)
         select 'prod_' || value, 'Product ' || value, 'product-' || value, 'published', 0, 0
           from json_each('[1, 2, 3]')",
        "insert into visit (id, started_at)
         select value ->> 'id', value ->> 'started_at' from json_each(:figures, '$.visits')",
        "insert into visit_event (name, visit_id, product_id, created_at, received_at)
         select value ->> 'name', value ->> 'visit', 'prod_' || (value ->> 'product'), value ->> 'at', value ->> 'at'
           from json_each(:figures, '$.events')",
        "insert into orders (id, display_id, currency, item_subtotal_minor, item_tax_minor, item_discount_minor,
            item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
            shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
            original_total_minor, original_tax_minor, credit_line_minor, total_minor, line_count, quantity, metadata,
            placed_at, created_at, updated_at)
         select 'order_' || key, key + 1, 'gbp', total, 0, 0, total, 0, 0, 0, 0, total, 0, 0, 0, total, 0, credit,
                total - credit, 1, 1, json_object('session_id', visit), at, at, at
           from (select key, value ->> 'total_minor' as total, value ->> 'credit_minor' as credit,
                        value ->> 'visit' as visit, value ->> 'at' as at
                   from json_each(:figures, '$.orders'))",
        "insert into fulfillment (id, order_id, delivered_at, created_at, updated_at)
         select 'ful_' || key, 'order_' || key, iif(value ->> 'delivered', value ->> 'at', null), value ->> 'at',
                value ->> 'at'
           from json_each(:figures, '$.orders')",
        "insert into review (id, product_id, content, rating, first_name, last_name, status, reject_reason, decided_at,
            verified_order_id, text_digest, written_at, created_at, updated_at)
         select 'rev_' || key, 'prod_' || (value ->> 'product'), '', value ->> 'rating', '', '', value ->> 'status',
                iif(value ->> 'status' = 'rejected', 'spam', null), value ->> 'decided_at',
                iif(value ->> 'verified', 'order_0', null), '', value ->> 'at', value ->> 'at', value ->> 'at'
           from json_each(:figures, '$.reviews')",
        "insert into wishlist_item (id, holder, product_id, added_at, removed_at, created_at, updated_at)
         select 'wish_' || key, value ->> 'holder', 'prod_' || (value ->> 'product'), value ->> 'added_at',
                value ->> 'removed_at', 0, 0
           from json_each(:figures, '$.wishes')",
        "insert into cart (id, currency, created_at, updated_at)
         select 'cart_' || key, value ->> 'currency', value ->> 'at', value ->> 'at'
           from json_each(:figures, '$.payments')",
        "insert into payment_confirmation (id, cart_id, payment_session_id, token_digest, provider_id, currency,
            amount_minor, status, created_at, updated_at)
         select 'payconf_' || key, 'cart_' || key, 'payses_' || key, x'00', 'pp_sandbox', value ->> 'currency', 100,
                value ->> 'status', value ->> 'at', value ->> 'at'
           from json_each(:figures, '$.payments')",
    ] {
        let mut statement = tx.prepare(statement)?;
        if statement.parameter_count() > 0 {
            statement.execute(named_params! { ":figures": figures })?;
        } else {
            statement.execute([])?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn each_metric_of_visitors_equals_a_recount() {
    let server = TestServer::empty().await;
    let figures = rows("visits", FIGURES, 520);
    let written = figures.clone();
    server.other_process().write(move |tx| write(tx, &written)).await.expect("rows");
    let count = "select (select count(*) from visit) + (select count(*) from visit_event) + (select count(*) from review)
        + (select count(*) from wishlist_item) + (select count(*) from payment_confirmation) + (select count(*) from orders)";
    assert!(server.number(count).await >= rounds(100, 1_000_000));
    server.assert_recounted(&figures, 18, is_same).await;
}

#[tokio::test]
async fn products_are_a_dimension_of_visitor_actions() {
    let server = TestServer::empty().await;
    server.other_process().write(|tx| write(tx, FIGURES)).await.expect("rows");
    let figures: Value = serde_json::from_str(FIGURES).expect("JSON");
    let month = &figures["months"][1];
    let by_product = json!({ "group_by": ["product"] });
    for formula in ["count(reviews)", "count(product_views)", "count(wishlist_items)"] {
        let whole = text(&server.over_month(formula, month, json!({})).await["value"]);
        let parts = server.over_month(formula, month, by_product.clone()).await;
        let groups = parts["groups"].as_array().expect("groups");
        let sum: i64 = groups.iter().filter_map(|group| group["value"].as_i64()).sum();
        assert_eq!(groups.len(), 3, "{formula}: {parts:#}");
        assert_eq!(json!(sum.to_string()), whole, "{formula}");
    }
}
