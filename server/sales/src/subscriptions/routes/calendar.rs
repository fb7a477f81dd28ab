//! What is due by day.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Tx;
use crate::money::{Amount, Currency};
use crate::proportion::add;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::queries;

/// How far the calendar reaches, in days.
const DAYS: i64 = 90;

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
    /// The prices of their items, without shipping.
    amount: Amount,
}

pub(super) fn read(tx: &Tx<'_>) -> Result<CalendarResponse, SubscriptionError> {
    let until = tx.now().plus_ms(DAYS.saturating_mul(24 * 60 * 60 * 1_000));
    let mut days: BTreeMap<(String, Currency), (u64, i64)> = BTreeMap::new();
    for due in queries::billed_before(tx, until)? {
        let date = due.next_billing_at.to_string().chars().take(10).collect();
        let (count, amount_minor) = days.entry((date, due.currency)).or_default();
        *count = count.saturating_add(1);
        *amount_minor = add(*amount_minor, due.amount_minor)?;
    }
    let day = |((date, currency), (cycles, amount_minor)): ((String, Currency), (u64, i64))| {
        DayView { date, currency_code: currency, cycles, amount: currency.amount(amount_minor) }
    };
    Ok(CalendarResponse { calendar: days.into_iter().map(day).collect() })
}
