//! Due amounts by day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use serde::Serialize;

use crate::clock::{DAY_MS, Timestamp};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::ids::ById;
use crate::money::{Amount, Currency};
use crate::proportion::add;
use crate::regions;
use crate::subscriptions::billing::Totals;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::queries;
use crate::subscriptions::schedule;
use crate::subscriptions::subscription::Subscription;

/// How far the calendar reaches, in days.
const DAYS: i64 = 90;

/// Limit: subscriptions read at once.
const BATCH_LEN: u32 = 500;

/// The amounts due on the next days.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubscriptionCalendar)]
pub(super) struct CalendarResponse {
    calendar: Vec<DayView>,
}

/// The amount due on a day in a currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubscriptionCalendarDay)]
struct DayView {
    #[schema(example = "2026-12-01")]
    date: String,
    currency_code: Currency,
    cycles: u64,
    /// Their cost with current taxes and shipping prices, before credit, without those that cannot be
    /// shipped.
    amount: Amount,
}

/// The cycles and their amount, by day and currency.
type Days = BTreeMap<(String, Currency), (u64, i64)>;

/// What is due on the days until an instant, in the store's time zone.
struct Calendar {
    until: Timestamp,
    zone: TimeZone,
    days: Days,
    totals: Totals,
}

pub(super) fn read(tx: &Tx<'_>) -> Result<CalendarResponse, SubscriptionError> {
    let zone = TimeZone::get(&regions::time_zone(tx)?).unwrap_or(TimeZone::UTC);
    let until = tx.now().plus_ms(DAYS.saturating_mul(DAY_MS));
    let mut calendar = Calendar { until, zone, days: Days::new(), totals: Totals::new(tx)? };
    let mut after = String::new();
    loop {
        let batch = queries::billed_before(tx, until, &after, BATCH_LEN)?;
        let Some(last) = batch.last() else { break };
        last.id.as_str().clone_into(&mut after);
        let ids = || batch.iter().map(|subscription| &subscription.id);
        let mut skipped = ById::grouped(queries::skipped_of(tx, ids())?);
        let mut items = ById::grouped_by(queries::items(tx, ids())?, |item| &item.subscription_id);
        for mut subscription in batch {
            subscription.items = items.take(&subscription.id);
            let skipped = skipped.take(&subscription.id).into_iter().collect();
            calendar.add(tx, &subscription, &skipped)?;
        }
    }
    let day = |((date, currency), (cycles, amount_minor)): ((String, Currency), (u64, i64))| {
        DayView { date, currency_code: currency, cycles, amount: currency.amount(amount_minor) }
    };
    Ok(CalendarResponse { calendar: calendar.days.into_iter().map(day).collect() })
}

impl Calendar {
    fn day(&self, at: Timestamp) -> String {
        at.to_jiff().to_zoned(self.zone.clone()).date().to_string()
    }

    /// Adds the cycles of a subscription.
    fn add(
        &mut self,
        tx: &Tx<'_>,
        subscription: &Subscription,
        skipped: &BTreeSet<i64>,
    ) -> Result<(), SubscriptionError> {
        let today = self.day(tx.now());
        let is_sent_alike = subscription.next_shipping_address.is_none();
        let mut before: Option<(Vec<bool>, Option<i64>)> = None;
        for coming in schedule::coming(subscription, skipped, schedule::MAX_AHEAD) {
            let (cycle, is_skipped) = coming?;
            if cycle.due_at >= self.until {
                break;
            }
            let date = self.day(cycle.due_at);
            if is_skipped || date < today {
                continue;
            }
            let (count, amount_minor) = self.days.entry((date, subscription.currency)).or_default();
            *count = count.saturating_add(1);
            let replaced: Vec<bool> = subscription
                .items
                .iter()
                .map(|item| item.next_at(cycle.due_at).is_some())
                .collect();
            let total_minor = match &before {
                Some((same, total_minor)) if *same == replaced => *total_minor,
                Some(_) | None => {
                    let totals = self.totals.of(tx, subscription, cycle.number, cycle.due_at)?;
                    totals.map(|totals| totals.all.total)
                }
            };
            *amount_minor = add(*amount_minor, total_minor.unwrap_or(0))?;
            before = Some((replaced, total_minor)).filter(|_| is_sent_alike);
        }
        Ok(())
    }
}
