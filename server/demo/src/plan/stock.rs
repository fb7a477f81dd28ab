//! The stock that the history needs: a delivery at the start of each month, so that every order can be reserved when it
//! is placed, and every product ends with its planned stock.

use std::collections::BTreeMap;

use super::{Plan, PlanError};
use crate::calendar::Calendar;
use crate::clock::Timestamp;
use crate::goods::Goods;

/// Goods that arrive together.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    /// The time.
    pub at: Timestamp,
    /// The index of each product in the goods, and the number of pieces.
    pub pieces: Vec<(usize, i64)>,
}

/// The movement of one product's stock in a month.
#[derive(Debug, Clone, Copy, Default)]
struct Course {
    now: i64,
    lowest: i64,
}

impl Course {
    fn change(&mut self, pieces: i64) {
        self.now = self.now.saturating_add(pieces);
        self.lowest = self.lowest.min(self.now);
    }
}

/// Returns the deliveries of a plan, earliest first. Without orders there is one, at the end of the history.
pub(crate) fn deliveries(
    plan: &Plan,
    goods: &Goods,
    calendar: &Calendar,
) -> Result<Vec<Delivery>, PlanError> {
    let months = months(plan);
    let last = months.len().saturating_sub(1);
    let mut stocks = vec![0_i64; goods.all.len()];
    let mut deliveries = Vec::new();
    for (index, changes) in months.into_values().enumerate() {
        let Some(first) = changes.first() else { continue };
        let at = calendar.day_of(first.0)?;
        let mut courses: BTreeMap<usize, Course> = BTreeMap::new();
        for (_, good, pieces) in changes {
            courses.entry(good).or_default().change(pieces);
        }
        deliveries
            .push(Delivery { at, pieces: delivery(goods, &mut stocks, &courses, index == last) });
    }
    if deliveries.is_empty() {
        let all = delivery(goods, &mut stocks, &BTreeMap::new(), true);
        deliveries.push(Delivery { at: calendar.day_of(calendar.ends())?, pieces: all });
    }
    Ok(deliveries)
}

/// Returns the delivery needed before a month, and moves the stocks to its end.
fn delivery(
    goods: &Goods,
    stocks: &mut [i64],
    courses: &BTreeMap<usize, Course>,
    is_last: bool,
) -> Vec<(usize, i64)> {
    let mut pieces = Vec::new();
    for (place, (good, stock)) in goods.all.iter().zip(stocks).enumerate() {
        let course = courses.get(&place).copied().unwrap_or_default();
        // Half of the final stock is a reserve for unplanned orders.
        let reserve = if courses.contains_key(&place) && !is_last {
            good.stocked.saturating_div(2)
        } else {
            0
        };
        let for_course = reserve.saturating_sub(stock.saturating_add(course.lowest)).max(0);
        let at_end = stock.saturating_add(course.now).saturating_add(for_course);
        let for_end = if is_last { good.stocked.saturating_sub(at_end).max(0) } else { 0 };
        let arriving = for_course.saturating_add(for_end);
        *stock = at_end.saturating_add(for_end);
        if arriving > 0 {
            pieces.push((place, arriving));
        }
    }
    pieces
}

/// A change of a product's stock: time, product, pieces.
type Change = (Timestamp, usize, i64);

/// Returns the changes of stock by month.
fn months(plan: &Plan) -> BTreeMap<(i16, i8), Vec<Change>> {
    let mut changes = Vec::new();
    for order in &plan.orders {
        let sold = order.lines.iter();
        changes.extend(
            sold.filter_map(|line| Some((order.at, line.good?, line.quantity.saturating_neg()))),
        );
        for reversal in &order.reversals {
            changes.extend(reversal.returned.iter().filter_map(|(line, pieces)| {
                Some((reversal.at, order.lines.get(*line)?.good?, *pieces))
            }));
        }
    }
    // At the same time, reservations come before returns.
    changes.sort_unstable();
    let mut months: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for change in changes {
        if let Ok(at) = jiff::Timestamp::from_millisecond(change.0.as_millis()) {
            let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
            months.entry((date.year(), date.month())).or_default().push(change);
        }
    }
    months
}
