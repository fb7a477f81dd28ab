//! The cards of the summary.

use quotient::types::{Reason, Value};
use serde::Serialize;

use super::queries;
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::StandardAnswers;
use crate::compute::view::{NULL_TEXT, ValueView};
use crate::compute::{AnswerView, Granularity};
use crate::database::Tx;
use crate::http::ToSchema;

/// The key of the card that is counted instead of computed.
const UNFULFILLED: &str = "unfulfilled_paid_orders";
/// The label of that card.
const UNFULFILLED_LABEL: &str = "Paid and not sent";

struct CardSpec(&'static str, &'static str, &'static str);

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
    CardSpec("new_customers", "New customers", "new_customers"),
    CardSpec("returning_rate", "Returning rate", "returning_rate"),
    CardSpec("conversion_rate", "Conversion rate", "conversion_rate"),
];

/// A value with its history.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "key": "net_sales", "label": "Net sales", "value": 1250.5, "formatted": "£1,250.50", "type": "currency",
    "unit": "GBP", "null_reason": null, "previous": 1000, "previous_formatted": "£1,000.00", "change": 0.2505,
    "trend": [{ "start": "2026-11-21T00:00:00.000Z", "partial": false, "value": 1250.5 }]
}))]
pub(crate) struct Card {
    pub key: &'static str,
    label: &'static str,
    pub value: ValueView,
    /// The value formatted for display.
    formatted: String,
    #[serde(rename = "type")]
    kind: &'static str,
    /// The currency or the counted unit.
    unit: Option<String>,
    /// Why there is no value.
    null_reason: Option<&'static str>,
    /// The value of the period that it is compared with; for an incomplete range, of an equally long part of it.
    previous: Option<ValueView>,
    /// The previous value formatted for display.
    previous_formatted: Option<String>,
    /// The growth since that period: 0.1 is 10 %.
    change: Option<ValueView>,
    /// The values by day; empty for the current count.
    trend: Vec<TrendPoint>,
}

/// The value of a day.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TrendPoint {
    /// The start of the day.
    start: Timestamp,
    /// Whether the day is not over.
    partial: bool,
    /// The exact value; null for a day that has not begun.
    value: ValueView,
}

/// The cards of the dashboard.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SummarySection {
    pub range: RangeView,
    pub cards: Vec<Card>,
}

/// The keys of some cards; all cards by default.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cards(Option<Vec<&'static str>>);

impl Cards {
    /// Parses keys of cards that are separated by commas.
    pub(super) fn named(text: &str) -> Result<Self, MetricError> {
        let key = |word: &str| {
            keys_of_all().find(|key| *key == word).ok_or_else(|| {
                let word: String = word.chars().take(64).collect();
                let keys: Vec<&str> = keys_of_all().collect();
                let keys = keys.join(", ");
                MetricError::Range(format!("`{word}` is not a card; there are {keys}"))
            })
        };
        Ok(Self(Some(text.split(',').map(|word| key(word.trim())).collect::<Result<_, _>>()?)))
    }

    fn has(&self, key: &str) -> bool {
        self.0.as_ref().is_none_or(|keys| keys.contains(&key))
    }
}

fn keys_of_all() -> impl Iterator<Item = &'static str> {
    CARDS.iter().map(|CardSpec(key, ..)| *key).chain([UNFULFILLED])
}

impl SummarySection {
    /// Replaces the number of unfulfilled orders, if it is shown, with the one that another section counted.
    pub(crate) fn with_unfulfilled(mut self, count: i64) -> Self {
        if let Some(card) = self.cards.iter_mut().find(|card| card.key == UNFULFILLED) {
            *card = Card::unfulfilled(count);
        }
        self
    }
}

impl Card {
    fn unfulfilled(count: i64) -> Self {
        Self {
            value: ValueView::of(&Value::Number(count.into())),
            formatted: count.to_string(),
            kind: "integer",
            unit: Some("orders".to_owned()),
            null_reason: None,
            ..Self::unknown(UNFULFILLED, UNFULFILLED_LABEL)
        }
    }

    /// A card without a value: the filters do not apply to its rows.
    fn unknown(key: &'static str, label: &'static str) -> Self {
        Self {
            key,
            label,
            value: ValueView::of(&Value::missing(Reason::NoRows)),
            formatted: NULL_TEXT.to_owned(),
            kind: "null",
            unit: None,
            null_reason: Some(Reason::NoRows.name()),
            previous: None,
            previous_formatted: None,
            change: None,
            trend: Vec::new(),
        }
    }
}

/// Reads cards: sales, orders and customers of the range with the previous period, each with its days.
pub(super) fn read(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    wanted: &Cards,
) -> Result<SummarySection, MetricError> {
    let kinds: Vec<&CardSpec> = CARDS.iter().filter(|CardSpec(key, ..)| wanted.has(key)).collect();
    let formulas: Vec<&str> = kinds.iter().map(|CardSpec(_, _, formula)| *formula).collect();
    let totals = StandardAnswers::compute(tx, &formulas, &range.asked, &range.caches)?;
    let days = StandardAnswers::read(tx, range, &formulas, (Granularity::Day, &[]))?;
    let cards = kinds.into_iter().enumerate();
    let mut cards: Vec<Card> =
        cards.map(|(index, kind)| card(kind, index, (&totals, &days))).collect();
    if wanted.has(UNFULFILLED) {
        let buckets = queries::buckets(tx, range)?;
        let count = buckets.iter().map(|bucket| bucket.count).fold(0, i64::saturating_add);
        cards.push(Card::unfulfilled(count));
    }
    Ok(SummarySection { range: RangeView::of(range), cards })
}

fn card(
    kind: &CardSpec,
    index: usize,
    (totals, days): (&StandardAnswers, &StandardAnswers),
) -> Card {
    let CardSpec(key, label, _) = *kind;
    let Some(answer) = totals.at(index, 0, 0) else { return Card::unknown(key, label) };
    let view = AnswerView::of(answer);
    let points = days.buckets().iter().enumerate();
    let trend = points
        .filter_map(|(bucket, period)| {
            let value = ValueView::of(&days.at(index, bucket, 0)?.value);
            Some(TrendPoint { start: period.start.into(), partial: period.is_partial(), value })
        })
        .collect();
    Card {
        key,
        label,
        value: view.value,
        formatted: view.formatted,
        kind: view.kind,
        unit: view.unit,
        null_reason: view.null_reason,
        previous: view.previous,
        previous_formatted: view.previous_formatted,
        change: view.change,
        trend,
    }
}
