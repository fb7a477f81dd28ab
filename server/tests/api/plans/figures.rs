//! Every metric about subscriptions, over the rows of several months, compared with a recount in Python: `figures.py`
//! generates the rows and counts them independently.

use std::collections::BTreeSet;

use quotient_server::database::{Error, Tx};
use rusqlite::named_params;
use serde_json::{Value, json};

use crate::harness::figures::{is_same, text};
use crate::harness::{Person, TestServer};

/// The rows of six months, and the values of each.
const FIGURES: &str = include_str!("figures.json");

/// Writes the rows of the file. Ids are the numbers of the file.
fn write(tx: &Tx<'_>) -> Result<(), Error> {
    for statement in [
        "insert into subscription_plan (id, name, interval, created_at, updated_at) values ('subplan_1', 'Monthly', 'month', 0, 0)",
        "insert or ignore into customer (id, email, created_at, updated_at)
         select 'cus_' || (value ->> 'customer'), (value ->> 'customer') || '@example.com', value ->> 'created_at',
                value ->> 'created_at'
           from json_each(:figures, '$.subscriptions')",
        "insert into orders (id, display_id, currency, item_subtotal_minor, item_tax_minor, item_discount_minor,
            item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
            shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
            original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at, updated_at)
         select 'order_' || key, key + 1, 'gbp', minor, 0, 0, minor, 0, 0, 0, 0, minor, 0, 0, 0, minor, 0, minor, 1, 1, at, at, at
           from (select key, value ->> 'subtotal_minor' as minor, value ->> 'placed_at' as at
                   from json_each(:figures, '$.orders'))",
        "insert into order_line (order_id, id, position, title, quantity, unit_price_minor, unit_cost_minor,
            subtotal_minor, total_minor, original_total_minor, created_at, updated_at)
         select 'order_' || key, 'ordli_' || key, 0, 'Mug', 1, minor, cost, minor, minor, minor, at, at
           from (select key, value ->> 'subtotal_minor' as minor, value ->> 'cost_minor' as cost,
                        value ->> 'placed_at' as at
                   from json_each(:figures, '$.orders'))",
        "insert into subscription (id, customer_id, order_id, status, currency, kind, interval, interval_count,
            anchor_at, anchor_day, time_zone, terms, mrr_minor, cancellation_reason, trial_end, started_at, ended_at,
            created_at, updated_at)
         select 'sub_' || (value ->> 'number'), 'cus_' || (value ->> 'customer'), 'order_0', value ->> 'status',
                value ->> 'currency', 'delivery', 'month', 1, value ->> 'created_at', 1, 'UTC', '{}',
                value ->> 'mrr_minor', value ->> 'cancellation_reason', value ->> 'trial_end', value ->> 'started_at',
                value ->> 'ended_at', value ->> 'created_at', value ->> 'created_at'
           from json_each(:figures, '$.subscriptions')",
        "insert into subscription_cycle (id, subscription_id, number, status, due_at, period_end, skip_reason,
            total_minor, attempt_count, first_failed_at, paid_at, created_at, updated_at)
         select 'subcyc_' || (s.value ->> 'number') || '_' || c.key, 'sub_' || (s.value ->> 'number'),
                c.value ->> 'number', c.value ->> 'status', c.value ->> 'due_at', c.value ->> 'due_at',
                iif(c.value ->> 'status' = 'skipped', 'customer', null), c.value ->> 'total_minor', 1,
                c.value ->> 'first_failed_at', c.value ->> 'paid_at', 0, 0
           from json_each(:figures, '$.subscriptions') s, json_each(s.value, '$.cycles') c",
        "insert into mrr_movement (id, subscription_id, kind, currency, amount_minor, change_minor, created_at)
         select 'mrr_' || (s.value ->> 'number') || '_' || m.key, 'sub_' || (s.value ->> 'number'), m.value ->> 'kind',
                s.value ->> 'currency', abs(m.value ->> 'change'), m.value ->> 'change', m.value ->> 'at'
           from json_each(:figures, '$.subscriptions') s, json_each(s.value, '$.movements') m",
    ] {
        let mut statement = tx.prepare(statement)?;
        if statement.parameter_count() > 0 {
            statement.execute(named_params! { ":figures": FIGURES })?;
        } else {
            statement.execute([])?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn each_metric_of_subscriptions_equals_a_recount() {
    let server = TestServer::empty().await;
    server.other_process().write(write).await.expect("rows");
    server.assert_recounted(FIGURES, 21, is_same).await;
}

#[tokio::test]
async fn the_parts_of_the_change_add_up_to_it_and_plans_are_a_dimension() {
    let server = TestServer::empty().await;
    server.other_process().write(write).await.expect("rows");
    let figures: Value = serde_json::from_str(FIGURES).expect("JSON");
    let months = figures["months"].as_array().expect("months");
    let kinds: BTreeSet<&str> = figures["subscriptions"]
        .as_array()
        .expect("rows")
        .iter()
        .flat_map(|row| row["movements"].as_array().expect("movements"))
        .filter_map(|movement| movement["kind"].as_str())
        .collect();
    assert_eq!(kinds.len(), 7, "each kind of movement occurs: {kinds:?}");
    for month in months {
        let of_movements = server.over_month("sum(mrr_movements.change)", month, json!({})).await;
        assert_eq!(
            text(&of_movements["value"]),
            month["values"]["mrr_change"],
            "{}",
            month["first"]
        );
    }
    let body = json!({
        "formula": "count(subscriptions where started_at is not null)", "currency_code": "gbp", "group_by": ["plan"],
    });
    let answer = server.post(&Person::admin(), "/admin/metrics/compute", body).await.ok();
    let groups = answer["metrics"]["formula"]["groups"].as_array().expect("groups").len();
    assert_eq!(groups, 1, "{answer:#}");
}
