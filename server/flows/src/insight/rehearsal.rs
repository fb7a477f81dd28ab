//! Rehearsals: the path of a record through a draft, and the buttons that past orders would have reached.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::queries;
use crate::clock::DAY_MS;
use crate::database::Tx;
use crate::definition::draft::{ButtonKind, Draft};
use crate::http::ToSchema;
use crate::money::Currency;
use crate::sessions::error::SessionError;
use crate::sessions::facts;
use crate::sessions::path::{Evaluated, Facts, PathEvaluator};

/// Limit: past orders in one rehearsal; the newest are used.
const MAX_ORDERS: u32 = 1_000;

/// What the visitor does at a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FlowRehearsalAction)]
pub(crate) enum RehearsalAction {
    Accept,
    Decline,
}

/// A button on the path.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlowRehearsalStep)]
pub(crate) struct StepView {
    key: String,
    /// `accept`, `decline`, `skipped` or `end`.
    #[schema(example = "accept")]
    action: &'static str,
    /// The conditions that led here.
    conditions: Vec<Evaluated>,
}

/// Returns the path of a record through a valid draft. Buttons without a stated action are
/// accepted.
pub(super) fn simulate(
    draft: &Draft,
    currency: Currency,
    record: Map<String, Value>,
    actions: &BTreeMap<String, RehearsalAction>,
) -> Vec<StepView> {
    let evaluator = PathEvaluator::new(draft, currency).explaining();
    let mut facts = Facts::from(record);
    let mut path = evaluator.enter(&mut facts);
    let mut steps = Vec::new();
    // A valid draft has no cycle, so each button occurs at most once.
    for _ in 0..=draft.buttons.len() {
        let skipped = std::mem::take(&mut path.skipped);
        steps.extend(skipped.into_iter().map(|key| StepView {
            key,
            action: "skipped",
            conditions: Vec::new(),
        }));
        let conditions = std::mem::take(&mut path.evaluated);
        let key = path.at.clone();
        let Some(button) = draft.buttons.get(&key) else { break };
        if button.kind == ButtonKind::End {
            steps.push(StepView { key, action: "end", conditions });
            break;
        }
        let is_declined = actions.get(&key) == Some(&RehearsalAction::Decline)
            && button.kind != ButtonKind::Notice;
        let (action, past, ways) = if is_declined {
            ("decline", "declined", &button.decline_next)
        } else if button.kind == ButtonKind::Question {
            ("accept", "answered", &button.accept_next)
        } else {
            ("accept", "accepted", &button.accept_next)
        };
        facts.after(past);
        steps.push(StepView { key: key.clone(), action, conditions });
        path = evaluator.follow(&key, ways, &mut facts);
    }
    steps
}

/// How many past orders would have reached a button.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlowButtonReach)]
pub(crate) struct ReachView {
    key: String,
    /// If everything on the path is accepted.
    if_accepted: u64,
    /// If everything on the path is declined.
    if_declined: u64,
}

/// What past orders would have been shown.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlowBacktest)]
pub(crate) struct Backtest {
    /// The orders of the days, in the flow's currency; at most the 1000 newest.
    orders: usize,
    buttons: Vec<ReachView>,
}

/// Returns the records of the orders of the last days in a currency.
pub(super) fn past_orders(
    tx: &Tx<'_>,
    (currency, days): (Currency, i64),
) -> Result<Vec<Facts>, SessionError> {
    let since = tx.now().minus_ms(days.saturating_mul(DAY_MS));
    let orders = queries::orders_since(tx, currency, since, MAX_ORDERS)?;
    orders.iter().map(|order| facts::of_order(tx, order)).collect()
}

/// Counts the buttons of a valid draft that past orders would have reached.
pub(super) fn backtest(draft: &Draft, currency: Currency, orders: &[Facts]) -> Backtest {
    let evaluator = PathEvaluator::new(draft, currency);
    let mut reach: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for facts in orders {
        for is_accepted in [true, false] {
            for key in reached(&evaluator, draft, facts.clone(), is_accepted) {
                let Some((key, _)) = draft.buttons.get_key_value(&key) else { continue };
                let (accepted, declined) = reach.entry(key).or_default();
                let count = if is_accepted { accepted } else { declined };
                *count = count.saturating_add(1);
            }
        }
    }
    let view = |key: &str| {
        let (if_accepted, if_declined) = reach.get(key).copied().unwrap_or_default();
        ReachView { key: key.to_owned(), if_accepted, if_declined }
    };
    let buttons = draft.order().into_iter().map(view).collect();
    Backtest { orders: orders.len(), buttons }
}

/// Returns the buttons that a record is shown.
fn reached(
    evaluator: &PathEvaluator<'_>,
    draft: &Draft,
    mut facts: Facts,
    is_accepted: bool,
) -> Vec<String> {
    let mut path = evaluator.enter(&mut facts);
    let mut keys = Vec::new();
    for _ in 0..=draft.buttons.len() {
        let key = path.at.clone();
        keys.push(key.clone());
        let Some(button) = draft.buttons.get(&key).filter(|one| one.kind != ButtonKind::End) else {
            break;
        };
        facts.after(if is_accepted { "accepted" } else { "declined" });
        let ways = if is_accepted { &button.accept_next } else { button.skip_next() };
        path = evaluator.follow(&key, ways, &mut facts);
    }
    keys
}
