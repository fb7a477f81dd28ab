//! Sales channels side by side.

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

/// What each channel is shown with: orders, revenue, share, the average, and the first two of the period before.
const FORMULAS: &[&str] = &[
    "order_count",
    "net_sales",
    "share(net_sales)",
    "aov",
    "previous(order_count)",
    "previous(net_sales)",
];
/// The dimension that they are grouped by.
const CHANNEL: &str = "sales_channel_id";
/// How orders of no channel are called.
const NO_CHANNEL: &str = "No sales channel";

/// A sales channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Web shop", "orders": 12, "revenue": 480.5,
    "revenue_formatted": "£480.50", "share": 1, "average_order_value": 40.04,
    "previous": { "orders": 10, "revenue": 400 }
}))]
pub(crate) struct ChannelView {
    /// Its id; null for orders of none.
    id: Option<String>,
    /// Its name.
    name: String,
    /// Orders that stand.
    orders: ValueView,
    /// Net sales: goods after discounts and returns.
    revenue: ValueView,
    /// That as people read it.
    revenue_formatted: String,
    /// Its part of all revenue: 0.5 is half of it; null when there is none.
    share: ValueView,
    /// Revenue for each order; null without orders.
    average_order_value: ValueView,
    /// The period before.
    previous: PreviousView,
}

/// A channel in the period before.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PreviousView {
    /// Orders that stand.
    orders: ValueView,
    /// Net sales.
    revenue: ValueView,
}

/// All channels together.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ChannelTotalView {
    /// Orders that stand.
    orders: ValueView,
    /// Net sales.
    revenue: ValueView,
    /// That as people read it.
    revenue_formatted: String,
}

/// Every sales channel, also without orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SalesChannelsSection {
    /// What it is of; the filter by channel is ignored.
    range: RangeView,
    /// The channels, by name.
    channels: Vec<ChannelView>,
    /// All of them together.
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
    let mut shown = Vec::new();
    for channel in channels::all(tx)? {
        let place = places.get(&Some(channel.id.as_str())).copied();
        if place.is_some() || !channel.is_deleted {
            shown.push(view((Some(channel.id), channel.name), &figures, place));
        }
    }
    if let Some(place) = places.get(&None) {
        shown.push(view((None, NO_CHANNEL.to_owned()), &figures, Some(*place)));
    }
    Ok(SalesChannelsSection {
        range: RangeView::of(&range),
        channels: shown,
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

/// A sum or a number of rows, which is zero where there is no row.
fn value(figures: &StandardAnswers, formula: usize, place: Option<usize>) -> ValueView {
    let answer = place.and_then(|place| figures.at(formula, 0, place));
    let zero = quotient::types::Value::Number(0.into());
    ValueView::of(answer.map_or(&zero, |answer| &answer.value))
}

/// A ratio, which is null where there is no row.
fn quiet(figures: &StandardAnswers, formula: usize, place: Option<usize>) -> ValueView {
    let none = quotient::types::Value::missing(quotient::types::Reason::NoRows);
    let answer = place.and_then(|place| figures.at(formula, 0, place));
    ValueView::of(answer.map_or(&none, |answer| &answer.value))
}

fn formatted(figures: &StandardAnswers, formula: usize, place: Option<usize>) -> String {
    let answer = place.and_then(|place| figures.at(formula, 0, place));
    answer.map_or_else(|| "0".to_owned(), |answer| answer.formatted.clone())
}
