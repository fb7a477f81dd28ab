//! The tiles: figures of the dashboard and pinned metrics, each with its change and its history.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::board::Board;
use crate::client::{Failure, target};
use crate::decimal;
use crate::figures::{self, Answer, Change, Chart, Figure, Period, ValuesAnswer};
use crate::metrics::in_use;
use crate::page::Part;
use crate::range::{Compare, Range};
use crate::visit::Visit;

/// The prefix of the keys of the dashboard's own figures, which no metric key has.
const STANDARD: &str = "standard:";

/// The figure drawn over time.
const SALES: &str = "net_sales";

/// The metrics with the formulas of the dashboard's figures, where the names differ.
const TEMPLATES: &[(&str, &str)] = &[
    ("orders", "order_count"),
    ("average_order_value", "aov"),
    ("units", "units_sold"),
    ("returns", "returns_value"),
];

/// A figure with its history.
#[derive(Debug, Clone)]
pub(super) struct Tile {
    pub(super) key: String,
    pub(super) label: String,
    /// The page that explains it.
    pub(super) why: Option<String>,
    pub(super) figure: Figure,
    pub(super) line: String,
}

#[derive(Debug, Clone, Deserialize)]
struct Summary {
    cards: Vec<Card>,
}

impl Summary {
    fn card(&self, key: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.key == key)
    }
}

#[derive(Debug, Clone, Deserialize)]
struct Card {
    key: String,
    label: String,
    formatted: String,
    #[serde(rename = "type")]
    kind: String,
    unit: Option<String>,
    null_reason: Option<String>,
    previous_formatted: Option<String>,
    change: Option<Value>,
    trend: Vec<TrendPoint>,
}

#[derive(Debug, Clone, Deserialize)]
struct TrendPoint {
    start: String,
    value: Value,
}

/// Reads the tiles, and the sales over time.
pub(super) async fn read(
    visit: &Visit,
    range: &Range,
    board: &Board,
) -> (Part<Vec<Tile>>, Part<Chart>) {
    let (now, earlier, pinned) = tokio::join!(
        summary(visit, range, None),
        async {
            match range.earlier() {
                Some(earlier) => summary(visit, &earlier, earlier_cards(range)).await.ok(),
                None => None,
            }
        },
        metrics(visit, range, board),
    );
    let now = match now {
        Ok(now) => now,
        Err(failure) => return (Err(failure.clone()), Err(failure)),
    };
    let tile = |key: &String| match key.strip_prefix(STANDARD) {
        Some(name) => {
            let card = now.card(name)?;
            let before = earlier.as_ref().and_then(|earlier| earlier.card(name));
            Some(of_card(card, before, range))
        }
        None => Some(of_metric(key, &pinned, range)),
    };
    let tiles = board.tiles.iter().filter_map(tile).collect();
    (Ok(tiles), chart(visit, &now, earlier.as_ref(), range))
}

/// Returns the visible cards of the earlier period. The cards of the period itself contain the values of the preceding one.
fn earlier_cards(range: &Range) -> Option<&'static str> {
    (range.compare == Compare::PreviousPeriod).then_some(SALES)
}

/// Reads the cards of a range; all if none are named.
async fn summary(visit: &Visit, range: &Range, cards: Option<&str>) -> Result<Summary, Failure> {
    let mut query = range.report().to_vec();
    query.extend(cards.map(|cards| ("cards", cards.to_owned())));
    let path = target("/admin/metrics/dashboard/summary", &query);
    visit.api.get(&path).await
}

/// The answers of the pinned metrics, by key, with their names.
#[derive(Debug, Default)]
struct Pinned {
    answers: BTreeMap<String, Answer>,
    names: BTreeMap<String, String>,
    failure: Option<Failure>,
}

async fn metrics(visit: &Visit, range: &Range, board: &Board) -> Pinned {
    let keys = board.tiles.iter().filter(|key| !key.starts_with(STANDARD));
    let keys: Vec<Value> = keys.map(|key| key.clone().into()).collect();
    if keys.is_empty() {
        return Pinned::default();
    }
    let question = range.question("metrics", keys).into();
    let (answers, names) = tokio::join!(
        visit.api.post::<ValuesAnswer>("/admin/metrics/compute", &question),
        in_use(visit),
    );
    let names = names.unwrap_or_default().into_iter().collect();
    match answers {
        Ok(computed) => Pinned { answers: computed.metrics, names, failure: None },
        Err(failure) => Pinned { failure: Some(failure), names, answers: BTreeMap::new() },
    }
}

/// Returns the keys and names of what can be added to a board while it is edited.
pub(super) async fn addable(
    visit: &Visit,
    board: &Board,
    is_editing: bool,
) -> Vec<(String, String)> {
    if !is_editing {
        return Vec::new();
    }
    let (cards, metrics) =
        tokio::join!(visit.api.get::<Summary>("/admin/metrics/dashboard/summary"), in_use(visit));
    let cards = cards.map(|summary| summary.cards).unwrap_or_default();
    let cards = cards.into_iter().map(|card| (format!("{STANDARD}{}", card.key), card.label));
    let metrics = metrics.unwrap_or_default();
    cards.chain(metrics).filter(|(key, _)| !board.tiles.contains(key)).collect()
}

fn of_card(card: &Card, before: Option<&Card>, range: &Range) -> Tile {
    let values: Vec<Option<Decimal>> =
        card.trend.iter().map(|point| decimal::read(&point.value)).collect();
    let template = TEMPLATES.iter().find(|(own, _)| *own == card.key);
    let metric = template.map_or(card.key.as_str(), |(_, metric)| metric);
    // The count of unshipped orders is for the present moment: it has no metric and no history.
    let why = if card.trend.is_empty() {
        Some("/app/orders?fulfillment_status=not_fulfilled".to_owned())
    } else {
        Some(range.on(&format!("/app/metrics/{metric}")))
    };
    let (change, previous) = match range.compare {
        Compare::PreviousPeriod => {
            (Change::of(card.change.as_ref(), range.locale), card.previous_formatted.clone())
        }
        Compare::PreviousYear => (None, before.map(|before| before.formatted.clone())),
        Compare::None => (None, None),
    };
    Tile {
        key: format!("{STANDARD}{}", card.key),
        label: card.label.clone(),
        why,
        figure: Figure {
            formatted: card.formatted.clone(),
            reason: card.null_reason.as_deref().map(|name| figures::reason(name).to_owned()),
            previous: previous.filter(|_| !card.trend.is_empty()),
            change,
        },
        line: figures::sparkline(&values),
    }
}

fn of_metric(key: &str, pinned: &Pinned, range: &Range) -> Tile {
    let missing = Answer::default();
    let answer = pinned.answers.get(key).unwrap_or(&missing);
    let failure = pinned.failure.as_ref().map(|failure| failure.message.clone());
    let failure = answer.error.as_ref().map(|error| error.message.clone()).or(failure);
    let mut figure = Figure::of(answer, range.locale);
    if failure.is_some() {
        "–".clone_into(&mut figure.formatted);
        figure.reason = failure;
    }
    let values: Vec<Option<Decimal>> =
        answer.series.iter().map(|own| decimal::read(&own.value)).collect();
    Tile {
        key: key.to_owned(),
        label: pinned.names.get(key).cloned().unwrap_or_else(|| key.to_owned()),
        why: Some(range.on(&format!("/app/metrics/{}", crate::client::segment(key)))),
        figure,
        line: figures::sparkline(&values),
    }
}

/// Draws the daily sales, with the earlier period behind them.
fn chart(visit: &Visit, now: &Summary, earlier: Option<&Summary>, range: &Range) -> Part<Chart> {
    let own = now.card(SALES).ok_or_else(Failure::unreadable)?;
    let series = |card: &Card| {
        let period = |at: &str| Period { start: Some(at.to_owned()), end: None, is_partial: false };
        let points = card.trend.iter().map(|point| (point.value.clone(), period(&point.start)));
        let code = own.unit.as_deref().unwrap_or_default();
        let amounts = Answer::of_amounts(&visit.store, code, points);
        Answer { kind: own.kind.clone(), unit: own.unit.clone(), ..amounts }
    };
    let before = earlier.and_then(|earlier| earlier.card(SALES)).map(series);
    let behind = before.as_ref().map(|before| (range.compare.name(), before));
    Ok(Chart::of(("This period", &series(own)), behind, (&visit.store, "day")))
}
