//! Every metric about partners, over the rows of several months, compared with a recount in Python: `figures.py` generates
//! the rows and counts them independently.

use quotient_server::database::{Error, Tx};
use quotient_server::testing::rounds;
use rusqlite::named_params;
use serde_json::{Value, json};

use crate::harness::figures::{is_same, rows};
use crate::harness::{PARTNER_ID, Person, TestServer};

/// The rows of three months, and the values of four.
const FIGURES: &str = include_str!("figures.json");

/// Writes the rows of the file. Ids are the numbers of the file.
fn write(tx: &Tx<'_>, figures: &str) -> Result<(), Error> {
    for code in ["ALPS", "LAKE", "COAST"] {
        tx.execute(
            "insert into partner_offer (id, partner_id, code, code_key, landing_url, commission_type, commission_value,
                currency, created_at, updated_at)
             values ('poff_' || ?1, ?2, ?1, lower(?1), '/', 'percent', 0, 'gbp', 0, 0)",
            (code, PARTNER_ID),
        )?;
    }
    for statement in [
        "insert into partner_click (id, offer_id, partner_id, visitor, country, device, repeat_count, clicked_at)
         select 'pclk_' || (value ->> 'number'), 'poff_' || (value ->> 'code'), :partner, 'v', value ->> 'country',
                value ->> 'device', value ->> 'repeats', value ->> 'at'
           from json_each(:figures, '$.clicks')",
        "insert into orders (id, display_id, currency, item_subtotal_minor, item_tax_minor, item_discount_minor,
            item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
            shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
            original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at, updated_at)
         select 'order_' || (value ->> 'number'), (value ->> 'number') + 1, value ->> 'currency', 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 0, value ->> 'placed_at', 0, :partner is null
           from json_each(:figures, '$.conversions')",
        "insert into partner_conversion (id, order_id, partner_id, offer_id, click_id, via, status, currency, base_minor,
            commission_minor, is_new_customer, is_renewal, terms, placed_at, due_at, decided_at, created_at, updated_at)
         select 'pconv_' || (value ->> 'number'), 'order_' || (value ->> 'number'), :partner,
                'poff_' || (value ->> 'code'), 'pclk_' || (value ->> 'click'), 'click', value ->> 'status',
                value ->> 'currency', value ->> 'base_minor', value ->> 'commission_minor', value ->> 'is_new_customer',
                value ->> 'is_renewal', '{}', value ->> 'placed_at', 0, 0, 0, 0
           from json_each(:figures, '$.conversions')",
    ] {
        let bound = named_params! { ":figures": figures, ":partner": PARTNER_ID };
        tx.prepare(statement)?.execute(bound)?;
    }
    Ok(())
}

#[tokio::test]
async fn each_metric_of_partners_equals_a_recount() {
    let server = TestServer::empty().await;
    let figures = rows("partners", FIGURES, 1_600);
    let written = figures.clone();
    server.other_process().write(move |tx| write(tx, &written)).await.expect("rows");
    let count =
        "select (select count(*) from partner_click) + (select count(*) from partner_conversion)
        + (select count(*) from orders)";
    assert!(server.number(count).await >= rounds(100, 1_000_000));
    server.assert_recounted(&figures, 10, is_same).await;
}

#[tokio::test]
async fn partners_and_codes_are_dimensions_of_clicks_and_conversions() {
    let server = TestServer::empty().await;
    server.other_process().write(|tx| write(tx, FIGURES)).await.expect("rows");
    let figures: Value = serde_json::from_str(FIGURES).expect("JSON");
    for (dimension, formula, count) in [
        ("code", "sum(partner_conversions.commission) / count(partner_clicks)", 3),
        ("partner", "count(partner_clicks)", 1),
        ("country", "count(partner_clicks)", 3),
    ] {
        let body = json!({
            "formula": formula, "currency_code": "gbp", "group_by": [dimension],
            "start_date": figures["months"][0]["first"], "end_date": figures["months"][2]["last"],
        });
        let answer = server.post(&Person::admin(), "/admin/metrics/compute", body).await.ok();
        let groups = answer["metrics"]["formula"]["groups"].as_array().expect("groups").len();
        assert_eq!(groups, count, "{dimension}: {answer:#}");
    }
}
