//! The sales channels of the dashboard.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::channels;
use crate::MetricError;
use crate::compute::Granularity;
use crate::compute::question::Compare;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::{StandardAnswers, key};
use crate::compute::view::ValueView;
use crate::database::Tx;

/// The formulas of each channel: orders, revenue, share, average order value, and the first two of the previous period.
const FORMULAS: &[&str] = &[
    "order_count",
    "net_sales",
    "share(net_sales)",
    "aov",
    "previous(order_count)",
    "previous(net_sales)",
];
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
    /// The channel's name.
    name: String,
    /// Orders that are not cancelled.
    orders: ValueView,
    /// Net sales: goods after discounts and returns.
    revenue: ValueView,
    /// The revenue formatted for display.
    revenue_formatted: String,
    /// The fraction of all revenue: 0.5 is half; null if there is none.
    share: ValueView,
    /// Revenue per order; null without orders.
    average_order_value: ValueView,
    /// The previous period.
    previous: PreviousView,
}

/// A channel's values in the previous period.
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
    /// The revenue formatted for display.
    revenue_formatted: String,
}

/// Every sales channel, including those without orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SalesChannelsSection {
    /// The range; the filter by channel is ignored.
    range: RangeView,
    /// The channels, by name.
    channels: Vec<ChannelView>,
    /// The totals.
    total: ChannelTotalView,
}

pub(super) fn read(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<SalesChannelsSection, MetricError> {
    let mut range = range.clone();
    range.filters.sales_channel_id = None;
    let whole = range.question(Granularity::None, Compare::None);
    let mut by_channel = whole.clone();
    by_channel.group_by = vec![CHANNEL.to_owned()];
    let figures = StandardAnswers::compute(tx, FORMULAS, &by_channel, &range.caches)?;
    let totals = StandardAnswers::compute(tx, FORMULAS, &whole, &range.caches)?;
    let places: BTreeMap<Option<&str>, usize> =
        figures.groups().iter().enumerate().map(|(at, group)| (key(group, 0), at)).collect();
    let mut views = Vec::new();
    for channel in channels::all(tx)? {
        let place = places.get(&Some(channel.id.as_str())).copied();
        if place.is_some() || !channel.is_deleted {
            views.push(view((Some(channel.id), channel.name), &figures, place));
        }
    }
    if let Some(place) = places.get(&None) {
        views.push(view((None, NO_CHANNEL.to_owned()), &figures, Some(*place)));
    }
    Ok(SalesChannelsSection {
        range: RangeView::of(&range),
        channels: views,
        total: ChannelTotalView {
            orders: value(&totals, 0, Some(0)),
            revenue: value(&totals, 1, Some(0)),
            revenue_formatted: formatted(&totals, 1, Some(0)),
        },
    })
}

fn view(
    (id, name): (Option<String>, String),
    figures: &StandardAnswers,
    place: Option<usize>,
) -> ChannelView {
    let of = |formula| value(figures, formula, place);
    ChannelView {
        id,
        name,
        orders: of(0),
        revenue: of(1),
        revenue_formatted: formatted(figures, 1, place),
        share: quiet(figures, 2, place),
        average_order_value: quiet(figures, 3, place),
        previous: PreviousView { orders: of(4), revenue: of(5) },
    }
}

/// Returns a sum or a count, which is zero if there are no rows.
fn value(figures: &StandardAnswers, formula: usize, place: Option<usize>) -> ValueView {
    let answer = place.and_then(|place| figures.at(formula, 0, place));
    let zero = quotient::types::Value::Number(0.into());
    ValueView::of(answer.map_or(&zero, |answer| &answer.value))
}

/// Returns a ratio, which is null if there are no rows.
fn quiet(figures: &StandardAnswers, formula: usize, place: Option<usize>) -> ValueView {
    let none = quotient::types::Value::missing(quotient::types::Reason::NoRows);
    let answer = place.and_then(|place| figures.at(formula, 0, place));
    ValueView::of(answer.map_or(&none, |answer| &answer.value))
}

fn formatted(figures: &StandardAnswers, formula: usize, place: Option<usize>) -> String {
    let answer = place.and_then(|place| figures.at(formula, 0, place));
    answer.map_or_else(|| "0".to_owned(), |answer| answer.formatted.clone())
}
