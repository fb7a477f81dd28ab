//! Three years of subscriptions against a second implementation of due dates: `due_dates.py` generates the customers'
//! actions and the cycles that must be billed, to the day and the penny.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;

use super::Wish;
use crate::checkout::tests::shop::TestShop;
use crate::clock::Timestamp;
use crate::ids::SubscriptionId;
use crate::plans::{Interval, SubscriptionKind, Unit};
use crate::subscriptions::actions::{Actor, pause, skip};
use crate::subscriptions::{SubscriptionError, change};

/// The scenario of the short form.
const DUE_DATES: &str = include_str!("due_dates.json");

/// Subscriptions of the full form.
const FULL: usize = 10_000;

#[derive(Debug, Deserialize)]
struct Scenario {
    /// The instants at which the server runs.
    steps: Vec<i64>,
    subscriptions: Vec<Expected>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    anchor_at: i64,
    zone: String,
    unit: String,
    count: i64,
    kind: String,
    price: i64,
    quantity: i64,
    actions: Vec<Action>,
    paid: Vec<Paid>,
}

#[derive(Debug, Clone, Deserialize)]
struct Action {
    at: i64,
    skip: Option<i64>,
    pause: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Paid {
    number: i64,
    due_at: i64,
    total: i64,
}

/// Returns the scenario: the stored one, or a large one from the script.
fn scenario() -> Scenario {
    let count = quotient_foundation::testing::rounds(0, FULL);
    if count == 0 {
        return serde_json::from_str(DUE_DATES).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/subscriptions/tests/due_dates.py");
    let made = Command::new("python3").args([script, &count.to_string()]).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    serde_json::from_slice(&made.stdout).unwrap()
}

async fn perform(shop: &TestShop, id: &SubscriptionId, action: Action) {
    let id = id.clone();
    let actor = Actor { id: "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE".to_owned(), is_admin: false };
    shop.db
        .write::<_, SubscriptionError>(move |tx| {
            let mut subscription = change::load(tx, &id)?;
            match (action.skip, &action.pause) {
                (Some(number), _) => {
                    skip::apply(tx, &mut subscription, &actor, Some(number), false)
                }
                (None, day) => pause::apply(tx, &mut subscription, &actor, day.as_deref()),
            }
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn three_years_are_billed_as_a_second_implementation_says() {
    let Scenario { steps, subscriptions } = scenario();
    let shop = TestShop::with_subscribers().await;
    let mut ids = Vec::with_capacity(subscriptions.len());
    let mut actions: BTreeMap<i64, Vec<(usize, Action)>> = BTreeMap::new();
    for (place, expected) in subscriptions.iter().enumerate() {
        let wish = Wish {
            interval: Interval {
                unit: Unit::parse(&expected.unit).unwrap(),
                count: expected.count,
            },
            kind: SubscriptionKind::parse(&expected.kind).unwrap(),
            anchor_at: Timestamp::from_millis(expected.anchor_at),
            zone: &expected.zone,
            unit_price_minor: expected.price,
            quantity: expected.quantity,
            method: 'E',
        };
        ids.push(shop.begin(wish).await);
        for action in &expected.actions {
            actions.entry(action.at).or_default().push((place, action.clone()));
        }
    }

    for at in steps {
        shop.clock.advance(at.saturating_sub(shop.clock.now().as_millis()));
        shop.renew().await;
        for (place, action) in actions.remove(&at).into_iter().flatten() {
            perform(&shop, ids.get(place).unwrap(), action).await;
        }
    }

    let mut charged_minor: i64 = 0;
    for (id, expected) in ids.iter().zip(&subscriptions) {
        let cycles: Vec<(i64, i64, i64)> =
            expected.paid.iter().map(|paid| (paid.number, paid.due_at, paid.total)).collect();
        assert_eq!(shop.paid(id).await, cycles, "{expected:?}");
        charged_minor =
            cycles.iter().fold(charged_minor, |sum, (.., total)| sum.saturating_add(*total));
    }
    assert_eq!(shop.number("select sum(amount_minor) from capture").await, charged_minor);
    assert_eq!(shop.number("select sum(total_minor) from orders").await, charged_minor);
    shop.assert_sound().await;
}
