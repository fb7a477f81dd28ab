//! The cards of the summary.

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::unfulfilled;
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::question::Compare;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::StandardAnswers;
use crate::compute::view::ValueView;
use crate::compute::{AnswerView, Granularity};
use crate::database::Tx;

/// The key of the card that is counted and not computed.
const UNFULFILLED: &str = "unfulfilled_paid_orders";
/// How people call it.
const UNFULFILLED_LABEL: &str = "Paid and not sent";

struct CardSpec(&'static str, &'static str, &'static str);

/// People whose first order ever falls into the range, among those with an order that stands. It looks at the orders of
/// the range only and knows their channel, region and country; the formula over all customers does neither.
const NEW: &str = "count_distinct(orders.customer_id where status != 'canceled' and customer.first_order_at in period)";

const CARDS: &[CardSpec] = &[
    CardSpec("gross_sales", "Gross sales", "gross_sales"),
    CardSpec("discounts", "Discounts", "discounts"),
    CardSpec("returns", "Returns", "returns_value"),
    CardSpec("net_sales", "Net sales", "net_sales"),
    CardSpec("taxes", "Taxes", "taxes"),
    CardSpec("shipping", "Shipping", "shipping"),
    CardSpec("total_sales", "Total sales", "total_sales"),
    CardSpec("orders", "Orders", "order_count"),
    CardSpec("average_order_value", "Average order value", "aov"),
    CardSpec("units", "Units sold", "units_sold"),
    CardSpec("new_customers", "New customers", NEW),
    CardSpec("returning_rate", "Returning rate", "returning_rate"),
    CardSpec("conversion_rate", "Conversion rate", "conversion_rate"),
];

/// One figure with its past.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "key": "net_sales", "label": "Net sales", "value": 1250.5, "formatted": "£1,250.50", "type": "currency",
    "unit": "GBP", "null_reason": null, "previous": 1000, "previous_formatted": "£1,000.00", "change": 0.2505,
    "trend": [{ "start": "2026-11-21T00:00:00.000Z", "value": 1250.5 }]
}))]
pub(crate) struct Card {
    /// Its name for programs.
    pub key: &'static str,
    /// Its name for people.
    label: &'static str,
    /// The exact value.
    pub value: ValueView,
    /// As people read it.
    formatted: String,
    /// The kind of value.
    #[serde(rename = "type")]
    kind: &'static str,
    /// A currency, or what is counted.
    unit: Option<String>,
    /// Why there is no value.
    null_reason: Option<&'static str>,
    /// The value of the period before; of a range that is not over, of as much of it.
    previous: Option<ValueView>,
    /// That value as people read it.
    previous_formatted: Option<String>,
    /// The growth since then: 0.1 is 10 %.
    change: Option<ValueView>,
    /// The values of its days; none for what is counted as it is now.
    trend: Vec<TrendPoint>,
}

/// A day's value.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TrendPoint {
    /// When the day begins.
    start: Timestamp,
    /// The exact value.
    value: ValueView,
}

/// The summary.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SummarySection {
    /// What it is of.
    pub range: RangeView,
    /// The cards.
    pub cards: Vec<Card>,
}

impl SummarySection {
    /// The same with the number of paid orders that wait as another section counted it.
    pub(crate) fn with_waiting(mut self, count: i64) -> Self {
        self.cards.retain(|card| card.key != UNFULFILLED);
        self.cards.push(Card::waiting(count));
        self
    }
}

impl Card {
    fn waiting(count: i64) -> Self {
        Self {
            key: UNFULFILLED,
            label: UNFULFILLED_LABEL,
            value: ValueView::of(&quotient::types::Value::Number(count.into())),
            formatted: count.to_string(),
            kind: "integer",
            unit: Some("orders".to_owned()),
            null_reason: None,
            previous: None,
            previous_formatted: None,
            change: None,
            trend: Vec::new(),
        }
    }
}

pub(super) fn read(tx: &Tx<'_>, range: &ResolvedRange) -> Result<SummarySection, MetricError> {
    let formulas: Vec<&str> = CARDS.iter().map(|CardSpec(_, _, formula)| *formula).collect();
    let whole = range.question(Granularity::None, Compare::PreviousPeriod);
    let totals = StandardAnswers::compute(tx, &formulas, &whole, &range.caches)?;
    let days = range.question(Granularity::Day, Compare::None);
    let days = StandardAnswers::compute(tx, &formulas, &days, &range.caches)?;
    let mut cards = Vec::with_capacity(CARDS.len().saturating_add(1));
    for (index, kind) in CARDS.iter().enumerate() {
        cards.push(card(kind, index, (&totals, &days)));
    }
    let waiting = unfulfilled::buckets(tx, &unfulfilled::UnfulfilledQuery::of(range))?;
    let count = waiting.iter().map(|bucket| bucket.count).fold(0, i64::saturating_add);
    Ok(SummarySection { range: RangeView::of(range), cards }.with_waiting(count))
}

fn card(
    kind: &CardSpec,
    index: usize,
    (totals, days): (&StandardAnswers, &StandardAnswers),
) -> Card {
    let CardSpec(key, label, _) = *kind;
    let Some(answer) = totals.at(index, 0, 0) else { return Card::unknown(key, label) };
    let shown = AnswerView::of(answer);
    let points = days.buckets().iter().enumerate();
    let trend = points
        .filter_map(|(bucket, period)| {
            let value = ValueView::of(&days.at(index, bucket, 0)?.value);
            Some(TrendPoint { start: period.start.into(), value })
        })
        .collect();
    Card {
        key,
        label,
        value: shown.value,
        formatted: shown.formatted,
        kind: shown.kind,
        unit: shown.unit,
        null_reason: shown.null_reason,
        previous: shown.previous,
        previous_formatted: shown.previous_formatted,
        change: shown.change,
        trend,
    }
}

impl Card {
    /// A figure whose rows do not tell which part of the store they are of.
    fn unknown(key: &'static str, label: &'static str) -> Self {
        let reason = quotient::types::Reason::NoRows;
        Self {
            key,
            label,
            value: ValueView::of(&quotient::types::Value::missing(reason)),
            formatted: String::new(),
            kind: "null",
            unit: None,
            null_reason: Some(reason.name()),
            previous: None,
            previous_formatted: None,
            change: None,
            trend: Vec::new(),
        }
    }
}
