//! All pairs of a state and an action: an edge of the table, or an error that lists the allowed
//! actions.

use serde_json::{Value, json};

use super::MINE;
use crate::harness::{Person, TestServer};

/// The actions of customers, each with a body that it takes.
pub(super) const ACTIONS: [(&str, &str); 8] = [
    ("cancellation", r#"{"at": "now"}"#),
    ("change-address", r#"{"shipping_address": {"first_name": "Ada", "country_code": "gb"}}"#),
    ("change-frequency", r#"{"next_billing_date": "2027-01-10"}"#),
    ("pause", "{}"),
    ("resume", "{}"),
    ("retry-payment", "{}"),
    ("skip-next-delivery", "{}"),
    ("swap-product", r#"{"variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}"#),
];

/// The result of each action in each state: another state, `=` for the same, `-` for a rejection because of the state, `?`
/// for a rejection for another reason, `422` for a refused card.
const TABLE: [(&str, [&str; 8]); 6] = [
    ("trial", ["canceled", "=", "=", "-", "-", "=", "-", "?"]),
    ("active", ["canceled", "=", "=", "paused", "-", "=", "=", "?"]),
    ("past_due", ["canceled", "=", "-", "paused", "-", "422", "-", "-"]),
    ("paused", ["canceled", "=", "-", "=", "active", "=", "-", "-"]),
    ("canceled", ["=", "-", "-", "-", "-", "=", "-", "-"]),
    ("expired", ["-", "-", "-", "-", "-", "=", "-", "-"]),
];

/// Creates a subscription in a state; returns its id.
async fn in_state(state: &str) -> (TestServer, String) {
    let (server, store) = TestServer::for_years().await;
    let plan = match state {
        "trial" => json!({ "trial_days": 60 }),
        "expired" => json!({ "max_cycles": 1 }),
        _ => json!({}),
    };
    let id = server.subscribed(&store, plan).await;
    match state {
        "past_due" => {
            server.lose_card().await;
            server.jump(30).await;
        }
        "paused" => drop(server.act(&id, "pause", json!({})).await.ok()),
        "canceled" => drop(server.act(&id, "cancellation", json!({ "at": "now" })).await.ok()),
        "expired" => server.jump(30).await,
        _ => {}
    }
    assert_eq!(server.mine(&id).await["status"], state);
    (server, id)
}

#[tokio::test]
async fn every_pair_of_a_state_and_an_action_is_an_edge_or_refused() {
    for (state, row) in TABLE {
        let (first, id) = in_state(state).await;
        let mut server = first.twin(&[]).await;
        for ((action, body), expected) in ACTIONS.iter().zip(row) {
            let before = server.mine(&id).await;
            let body: Value = serde_json::from_str(body).unwrap();

            let reply = server.act(&id, action, body).await;

            let after = server.mine(&id).await;
            let pair = format!("{state} {action}: {reply:?}");
            match expected {
                "-" => {
                    assert_eq!(
                        (reply.status, &reply.body["type"]),
                        (400, &json!("not_allowed")),
                        "{pair}"
                    );
                    let message = reply.body["message"].as_str().unwrap_or_default();
                    for allowed in before["actions"].as_array().unwrap() {
                        assert!(message.contains(allowed.as_str().unwrap()), "{pair}");
                    }
                    assert_eq!(after, before, "{pair}");
                }
                "?" => assert_eq!((reply.status, &after), (400, &before), "{pair}"),
                "422" => {
                    assert_eq!(
                        (reply.status, &after["status"]),
                        (422, &before["status"]),
                        "{pair}"
                    );
                }
                "=" => {
                    assert_eq!(
                        (reply.status, &after["status"]),
                        (200, &before["status"]),
                        "{pair}"
                    );
                }
                next => assert_eq!((reply.status, &after["status"]), (200, &json!(next)), "{pair}"),
            }
            if after != before {
                server.assert_sound().await;
                server = first.twin(&[]).await;
            }
        }
        server.assert_sound().await;
    }
}

#[tokio::test]
async fn a_least_number_of_cycles_binds_while_active_or_paused_but_not_in_trial_or_past_due() {
    for (state, plan) in [
        ("paused", json!({ "min_cycles": 3 })),
        ("trial", json!({ "min_cycles": 3, "trial_days": 60 })),
        ("past_due", json!({ "min_cycles": 3 })),
    ] {
        let (server, store) = TestServer::for_years().await;
        let id = server.subscribed(&store, plan).await;
        match state {
            "paused" => drop(server.act(&id, "pause", json!({})).await.ok()),
            "past_due" => {
                server.lose_card().await;
                server.pass(30).await;
            }
            _ => {}
        }
        assert_eq!(server.mine(&id).await["status"], state);

        let reply = server.act(&id, "cancellation", json!({ "at": "now" })).await;

        assert_eq!(reply.status, if state == "paused" { 400 } else { 200 }, "{state}: {reply:?}");
    }
}

/// Invalid bodies for each action.
fn nonsense() -> Vec<(&'static str, Value)> {
    vec![
        ("cancellation", json!({ "at": "tomorrow" })),
        ("cancellation", json!({ "reason": "boredom" })),
        ("cancellation", json!({ "comment": "x".repeat(1_001) })),
        ("change-address", json!({ "address_id": "nonsense" })),
        (
            "change-address",
            json!({ "shipping_address": { "country_code": "gb" }, "apply_to": "none" }),
        ),
        ("change-frequency", json!({ "interval": "fortnight" })),
        ("change-frequency", json!({ "interval_count": 0 })),
        ("change-frequency", json!({ "next_billing_date": "soon" })),
        ("pause", json!({ "resume_at": "never" })),
        ("resume", json!({ "from": "yesterday" })),
        ("retry-payment", json!({ "payment_method_reference": 7 })),
        ("skip-next-delivery", json!({ "cycle": "next" })),
        ("swap-product", json!({})),
        ("swap-product", json!({ "variant_id": "nonsense" })),
        (
            "swap-product",
            json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 0 }),
        ),
    ]
}

#[tokio::test]
async fn invalid_requests_are_refused_by_every_route_and_change_nothing() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let before = server.mine(&id).await;
    for (action, body) in nonsense() {
        for (person, start) in
            [(Person::customer_a(), MINE), (Person::admin(), "/admin/subscriptions")]
        {
            let reply = server.post(&person, &format!("{start}/{id}/{action}"), body.clone()).await;
            assert_eq!(reply.status, 400, "{start} {action} {body}: {reply:?}");
        }
    }
    for (action, body) in [("reschedule", json!({ "at": "soon" })), ("reprice", json!({ "at": 7 }))]
    {
        let path = format!("/admin/subscriptions/{id}/{action}");
        server.post(&Person::admin(), &path, body).await.refused(400);
    }
    for query in ["status=asleep", "limit=-1", "order=nonsense"] {
        server.get(&Person::customer_a(), &format!("{MINE}?{query}")).await.refused(400);
        server.get(&Person::admin(), &format!("/admin/subscriptions?{query}")).await.refused(400);
    }
    assert_eq!(server.mine(&id).await, before);

    let cart = server.planned_cart(&store, json!({})).await;
    for (step, body) in [
        ("subscription-customer", json!({ "email": "nobody" })),
        ("subscription-payment-session", json!({ "setup_future_usage": "sometimes" })),
        ("subscribe", json!({ "timezone": "Mars/Olympus" })),
        ("subscribe", json!({ "start_at": "soon" })),
        ("subscribe", json!({ "payment_context": "a card" })),
    ] {
        let path = format!("/store/carts/{cart}/{step}");
        let reply = server.post(&Person::customer_a(), &path, body.clone()).await;
        assert_eq!(reply.status, 400, "{step} {body}: {reply:?}");
    }
    assert_eq!(server.number("select count(*) from subscription").await, 1);
}
