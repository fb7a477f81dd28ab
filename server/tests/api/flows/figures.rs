//! Every metric about flows, over the rows of four months, compared with a recount in Python: `figures.py` generates the
//! rows and counts them independently.

use quotient_server::database::{Error, Tx};
use quotient_server::testing::rounds;
use rusqlite::named_params;
use serde_json::{Value, json};

use crate::harness::TestServer;
use crate::harness::figures::{rows, text};

/// The rows of four months, and the values of each.
const FIGURES: &str = include_str!("figures.json");

/// The metrics whose values are roots, whose last digits may differ between the two sides.
const ROOTS: [&str; 3] = ["take_rate_low", "flow_uplift_low", "flow_uplift_high"];

/// Writes the rows of the file. Ids are the numbers of the file.
fn write(tx: &Tx<'_>, figures: &str) -> Result<(), Error> {
    for statement in [
        "insert into flow (id, name, kind, currency, draft, public_token, created_at, updated_at)
         values ('flow_1', 'Lamps', 'post_purchase', 'gbp', '{}', 'pf_1', 0, 0),
                ('flow_2', 'Prints', 'post_purchase', 'gbp', '{}', 'pf_2', 0, 0)",
        "insert into flow_version (id, flow_id, number, definition, created_by, created_at)
         values ('flowv_1', 'flow_1', 1, '{}', 'user_1', 0), ('flowv_2', 'flow_2', 1, '{}', 'user_1', 0)",
        "insert into flow_button (id, version_id, key)
         select 'fbtn_' || v.value || '_' || k.value, 'flowv_' || v.value, 'step_' || k.value
           from json_each('[1, 2]') v, json_each('[0, 1, 2]') k",
        "insert into orders (id, display_id, currency, item_subtotal_minor, item_tax_minor, item_discount_minor,
            item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
            shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
            original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at, updated_at)
         select 'order_' || key, key + 1, 'gbp', minor, 0, 0, minor, 0, 0, 0, 0, minor, 0, 0, 0, minor, 0, minor, 1, 1, at, at, at
           from (select key, value ->> 'subtotal_minor' as minor, value ->> 'placed_at' as at
                   from json_each(:figures, '$.orders'))",
        "insert into order_line (order_id, id, position, title, quantity, unit_price_minor, subtotal_minor, total_minor,
            original_total_minor, created_at, updated_at)
         select 'order_' || key, 'ordli_' || key, 0, 'Mug', 1, minor, minor, minor, minor, at, at
           from (select key, value ->> 'subtotal_minor' as minor, value ->> 'placed_at' as at
                   from json_each(:figures, '$.orders'))",
        "insert into flow_session (id, flow_id, version_id, status, currency, current_key, bucket, upsell_total_minor,
            started_at, seen_at, expires_at)
         select 'fsess_' || (value ->> 'number'), 'flow_' || (value ->> 'flow'), 'flowv_' || (value ->> 'flow'),
                value ->> 'status', value ->> 'currency', 'step_0', value ->> 'bucket', value ->> 'upsell',
                value ->> 'started_at', 0, 0
           from json_each(:figures, '$.sessions')",
        "insert into flow_press (id, session_id, flow_id, button_id, key, action, state, title, amount_minor, quantity,
            is_spam, shown_ms, created_at)
         select 'fprs_' || (s.value ->> 'number') || '_' || p.key, 'fsess_' || (s.value ->> 'number'),
                'flow_' || (s.value ->> 'flow'), 'fbtn_' || (s.value ->> 'flow') || '_' || p.key, p.value ->> 'key',
                p.value ->> 'action', p.value ->> 'state', 'A lamp?', p.value ->> 'amount', 1,
                p.value ->> 'is_spam', p.value ->> 'shown_ms', p.value ->> 'at'
           from json_each(:figures, '$.sessions') s, json_each(s.value, '$.presses') p",
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

/// Returns whether two numbers have the same first digits.
fn is_near(left: &Value, right: &Value) -> bool {
    let start = |value: &Value| value.as_str().and_then(|text| text.get(..14).map(str::to_owned));
    start(left).is_some() && start(left) == start(right)
}

/// Returns whether a value is the recount's, of roots up to their first digits.
fn is_near_enough(key: &str, value: &Value, expected: &Value) -> bool {
    value == expected || (ROOTS.contains(&key) && is_near(value, expected))
}

#[tokio::test]
async fn each_metric_of_flows_equals_a_recount() {
    let server = TestServer::empty().await;
    let figures = rows("flows", FIGURES, 900);
    let written = figures.clone();
    server.other_process().write(move |tx| write(tx, &written)).await.expect("rows");
    let count = "select (select count(*) from flow_session) + (select count(*) from flow_press) + (select count(*) from orders)";
    assert!(server.number(count).await >= rounds(100, 1_000_000));
    server.assert_recounted(&figures, 11, is_near_enough).await;
}

#[tokio::test]
async fn the_take_rate_of_each_step_and_flow_is_a_group() {
    let server = TestServer::empty().await;
    server.other_process().write(|tx| write(tx, FIGURES)).await.expect("rows");
    let figures: Value = serde_json::from_str(FIGURES).expect("JSON");
    let formula = "count(flow_submissions where action = 'accepted') \
                   / count(flow_submissions where action in ('accepted', 'declined'))";
    for month in figures["months"].as_array().expect("months") {
        let groups = json!({ "group_by": ["button"] });
        let answer = server.over_month(formula, month, groups).await;
        let found: Vec<(String, Value)> = answer["groups"]
            .as_array()
            .expect("groups")
            .iter()
            .map(|group| {
                let key = group["keys"]["button"].as_str();
                (key.unwrap_or_default().to_owned(), text(&group["value"]))
            })
            .collect();
        let expected: Vec<(String, Value)> =
            month["steps"].as_object().expect("steps").clone().into_iter().collect();
        assert_eq!(found, expected, "{}", month["first"]);
    }
    let month = &figures["months"][0];
    let by_flow =
        server.over_month("count(flow_sessions)", month, json!({ "group_by": ["flow"] })).await;
    assert_eq!(by_flow["groups"].as_array().map(Vec::len), Some(2), "{by_flow:#}");
}
