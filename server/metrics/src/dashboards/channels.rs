//! The sales channels of the dashboard.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use quotient::Answer;
use quotient::format::{self, FormatRules};
use quotient::types::{Reason, Value};
use rust_decimal::Decimal;
use serde::Serialize;

use super::queries;
use crate::MetricError;
use crate::compute::Granularity;
use crate::compute::question::Compare;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::{StandardAnswers, key};
use crate::compute::view::{ValueView, formatted_value};
use crate::database::Tx;
use crate::http::ToSchema;

/// The formulas of each channel: orders, revenue, share and average order value.
const FORMULAS: [&str; 4] = ["order_count", "net_sales", "share(net_sales)", "aov"];

/// Returns the formulas of total orders and revenue with which those of a channel are compared, which follow.
const fn formulas_before(compare: Compare) -> &'static [&'static str] {
    match compare {
        Compare::None => &[],
        Compare::PreviousPeriod => &["previous(order_count)", "previous(net_sales)"],
        Compare::PreviousYear => &["last_year(order_count)", "last_year(net_sales)"],
    }
}

/// The dimension to group by.
const CHANNEL: &str = "sales_channel_id";
/// The name of the group of orders without a channel.
const NO_CHANNEL: &str = "No sales channel";

/// A sales channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Web shop", "orders": 12, "revenue": 480.5,
    "revenue_formatted": "£480.50", "share": 1, "average_order_value": 40.04,
    "previous": { "orders": 10, "revenue": 400 }
}))]
pub(crate) struct ChannelView {
    /// The channel's id; null for orders without a channel.
    id: Option<String>,
    name: String,
    /// Orders that are not cancelled.
    orders: ValueView,
    /// Net sales: goods after discounts and returns.
    revenue: ValueView,
    revenue_formatted: String,
    /// The fraction of all revenue: 0.5 is half; null if there is none.
    share: ValueView,
    /// Revenue per order; null without orders.
    average_order_value: ValueView,
    /// The period that it is compared with.
    previous: PreviousView,
}

/// A channel's values in the comparison period; null if there is none.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PreviousView {
    /// Orders that are not cancelled.
    orders: ValueView,
    /// Net sales.
    revenue: ValueView,
}

/// The totals of all channels.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ChannelTotalView {
    /// Orders that are not cancelled.
    orders: ValueView,
    /// Net sales.
    revenue: ValueView,
    revenue_formatted: String,
}

/// Every sales channel, including those without orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SalesChannelsSection {
    /// The range; the filter by channel is ignored.
    range: RangeView,
    /// The channels, by name.
    channels: Vec<ChannelView>,
    total: ChannelTotalView,
}

/// Reads the orders and revenue of every sales channel; the filter by channel is ignored.
pub(super) fn read(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<SalesChannelsSection, MetricError> {
    let mut range = range.clone();
    range.asked.filters.sales_channel_id = None;
    let before = formulas_before(range.asked.compare);
    let formulas: Vec<&str> = FORMULAS.iter().chain(before).copied().collect();
    let answers = ChannelAnswers {
        by_channel: StandardAnswers::read(tx, &range, &formulas, (Granularity::None, &[CHANNEL]))?,
        total: StandardAnswers::whole(tx, &range, &formulas)?,
        is_compared: !before.is_empty(),
    };
    let groups = answers.by_channel.groups().iter().enumerate();
    let places: BTreeMap<Option<&str>, usize> =
        groups.map(|(at, group)| (key(group), at)).collect();
    let mut views = Vec::new();
    for channel in queries::sales_channels(tx)? {
        let place = places.get(&Some(channel.id.as_str())).copied();
        if place.is_some() || !channel.is_deleted {
            views.push(answers.channel(Some(channel.id), channel.name, place));
        }
    }
    if let Some(place) = places.get(&None) {
        views.push(answers.channel(None, NO_CHANNEL.to_owned(), Some(*place)));
    }
    Ok(SalesChannelsSection {
        range: RangeView::of(&range),
        channels: views,
        total: ChannelTotalView {
            orders: answers.total.total(0),
            revenue: answers.total.total(1),
            revenue_formatted: answers.total.at(1, 0, 0).map(formatted).unwrap_or_default(),
        },
    })
}

/// The values of each channel, and of all orders.
struct ChannelAnswers {
    by_channel: StandardAnswers,
    total: StandardAnswers,
    is_compared: bool,
}

impl ChannelAnswers {
    fn channel(&self, id: Option<String>, name: String, place: Option<usize>) -> ChannelView {
        let at = |formula| place.and_then(|group| self.by_channel.at(formula, 0, group));
        let sum = |formula| at(formula).or_else(|| self.unknown(formula));
        let amount = |formula| sum(formula).map_or_else(zero, |own| ValueView::of(&own.value));
        let before = |formula| if self.is_compared { amount(formula) } else { exact(None) };
        ChannelView {
            id,
            name,
            orders: amount(0),
            revenue: amount(1),
            revenue_formatted: sum(1).map_or_else(|| self.no_revenue(), formatted),
            share: at(2).map_or_else(|| self.no_share(), |own| ValueView::of(&own.value)),
            average_order_value: exact(at(3)),
            previous: PreviousView { orders: before(4), revenue: before(5) },
        }
    }

    /// Returns zero, formatted like the revenue of all orders.
    fn no_revenue(&self) -> String {
        let zero = |whole: &Answer| {
            let rules = FormatRules::default();
            format::value(&Value::Number(Decimal::ZERO), &whole.ty, &rules, &TimeZone::UTC)
        };
        self.total.at(1, 0, 0).map(zero).unwrap_or_default()
    }

    /// Returns the share of a channel without orders: zero, if there are any orders.
    fn no_share(&self) -> ValueView {
        let whole = self.total.at(1, 0, 0).and_then(|whole| whole.value.as_number());
        let is_any = whole.is_some_and(|whole| !whole.is_zero());
        if is_any { zero() } else { exact(None) }
    }

    /// Returns the null of all orders, if there is one: in a range that has not begun, a channel without orders does
    /// not have zero either.
    fn unknown(&self, formula: usize) -> Option<&Answer> {
        self.total.at(formula, 0, 0).filter(|whole| whole.null_reason.is_some())
    }
}

fn zero() -> ValueView {
    ValueView::of(&Value::Number(Decimal::ZERO))
}

/// Returns a value; null if there is no answer.
fn exact(answer: Option<&Answer>) -> ValueView {
    ValueView::of(answer.map_or(&Value::missing(Reason::NoRows), |answer| &answer.value))
}

fn formatted(answer: &Answer) -> String {
    formatted_value(&answer.value, &answer.formatted)
}
