//! What is due by day.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::SubscriptionId;
use crate::money::{Amount, Currency};
use crate::proportion::add;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::schedule::DAY_MS;
use crate::subscriptions::subscription::{Item, Subscription};
use crate::subscriptions::{queries, schedule};

/// How far the calendar reaches, in days.
const DAYS: i64 = 90;

/// Limit: subscriptions read at once.
const BATCH_LEN: u32 = 500;

/// What is due on the next days.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubscriptionCalendar)]
pub(super) struct CalendarResponse {
    calendar: Vec<DayView>,
}

/// What is due on a day in a currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubscriptionCalendarDay)]
struct DayView {
    #[schema(example = "2026-12-01")]
    date: String,
    currency_code: Currency,
    /// The number of cycles.
    cycles: u64,
    /// The prices of their items on that day, without shipping, and without tax unless the prices include it.
    amount: Amount,
}

/// The cycles and their amount, by day and currency.
type Days = BTreeMap<(String, Currency), (u64, i64)>;

pub(super) fn read(tx: &Tx<'_>) -> Result<CalendarResponse, SubscriptionError> {
    let today = tx.now().as_millis().div_euclid(DAY_MS).saturating_mul(DAY_MS);
    let span = (Timestamp::from_millis(today), tx.now().plus_ms(DAYS.saturating_mul(DAY_MS)));
    let mut days = Days::new();
    let mut after = String::new();
    loop {
        let batch = queries::billed_before(tx, span.1, (&after, BATCH_LEN))?;
        let Some(last) = batch.last() else { break };
        last.id.as_str().clone_into(&mut after);
        let ids = || batch.iter().map(|subscription| &subscription.id);
        let mut skipped: BTreeMap<SubscriptionId, BTreeSet<i64>> = BTreeMap::new();
        for (id, number) in queries::skipped_of(tx, ids())? {
            skipped.entry(id).or_default().insert(number);
        }
        let mut items: BTreeMap<SubscriptionId, Vec<Item>> = BTreeMap::new();
        for item in queries::items(tx, ids())? {
            items.entry(item.subscription_id.clone()).or_default().push(item);
        }
        for mut subscription in batch {
            subscription.items = items.remove(&subscription.id).unwrap_or_default();
            let skipped = skipped.remove(&subscription.id).unwrap_or_default();
            add_cycles(&mut days, (&subscription, &skipped), span)?;
        }
    }
    let day = |((date, currency), (cycles, amount_minor)): ((String, Currency), (u64, i64))| {
        DayView { date, currency_code: currency, cycles, amount: currency.amount(amount_minor) }
    };
    Ok(CalendarResponse { calendar: days.into_iter().map(day).collect() })
}

/// Adds the cycles of a subscription that are due within a span of time.
fn add_cycles(
    days: &mut Days,
    (subscription, skipped): (&Subscription, &BTreeSet<i64>),
    (from, until): (Timestamp, Timestamp),
) -> Result<(), SubscriptionError> {
    for coming in schedule::coming(subscription, skipped, schedule::MAX_AHEAD) {
        let (cycle, is_skipped) = coming?;
        if cycle.due_at >= until {
            break;
        }
        if is_skipped || cycle.due_at < from {
            continue;
        }
        let date = cycle.due_at.to_string().chars().take(10).collect();
        let (count, amount_minor) = days.entry((date, subscription.currency)).or_default();
        *count = count.saturating_add(1);
        for item in &subscription.items {
            *amount_minor = add(*amount_minor, item.amount_at(cycle.due_at)?)?;
        }
    }
    Ok(())
}
