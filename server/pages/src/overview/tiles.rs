//! The tiles: figures of the dashboard and pinned metrics, each with its change and its history.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::board::Board;
use crate::Pages;
use crate::client::{Failure, target};
use crate::decimal;
use crate::figures::{self, Answer, Change, Chart, Line, ValuesAnswer};
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
    pub(super) formatted: String,
    /// Why there is no value.
    pub(super) reason: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) change: Option<Change>,
    pub(super) line: String,
}

/// All tiles in the order of the board.
#[derive(Debug, Clone)]
pub(super) struct Tiles(pub(super) Vec<Tile>);

/// A figure that is not on the board.
#[derive(Debug, Clone)]
pub(super) struct Addable {
    pub(super) key: String,
    pub(super) label: String,
}

#[derive(Debug, Clone, Deserialize)]
struct Summary {
    cards: Vec<Card>,
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
    pages: &Pages,
    visit: &Visit,
    range: &Range,
    board: &Board,
) -> (Part<Tiles>, Part<Chart>) {
    let (now, earlier, pinned) = tokio::join!(
        summary(pages, visit, Some(range), None),
        async { summary(pages, visit, range.earlier().as_ref(), earlier_cards(range)).await },
        metrics(pages, visit, range, board),
    );
    let now = match now {
        Ok(now) => now.unwrap_or(Summary { cards: Vec::new() }),
        Err(failure) => return (Err(failure.clone()), Err(failure)),
    };
    let earlier = earlier.ok().flatten();
    let tile = |key: &String| match key.strip_prefix(STANDARD) {
        Some(name) => {
            let card = now.cards.iter().find(|card| card.key == name)?;
            let before =
                earlier.as_ref().and_then(|all| all.cards.iter().find(|own| own.key == name));
            Some(of_card(card, before, range))
        }
        None => Some(of_metric(key, &pinned, range)),
    };
    let tiles = Tiles(board.tiles.iter().filter_map(tile).collect());
    (Ok(tiles), chart(visit, &now, earlier.as_ref(), range))
}

/// Returns the visible cards of the earlier period. The cards of the period itself contain the values of the preceding one.
fn earlier_cards(range: &Range) -> Option<&'static str> {
    (range.compare == Compare::PreviousPeriod).then_some(SALES)
}

/// Reads the cards of a range; all if none are named.
async fn summary(
    pages: &Pages,
    visit: &Visit,
    range: Option<&Range>,
    cards: Option<&str>,
) -> Result<Option<Summary>, Failure> {
    let Some(range) = range else { return Ok(None) };
    let mut query = range.report().to_vec();
    query.extend(cards.map(|cards| ("cards", cards.to_owned())));
    let query: Vec<(&str, &str)> = query.iter().map(|(name, text)| (*name, &**text)).collect();
    let path = target("/admin/metrics/dashboard/summary", &query);
    pages.client.get(&visit.origin, &path).await.map(Some)
}

/// The answers of the pinned metrics, by key, with their names.
#[derive(Debug, Default)]
struct Pinned {
    answers: BTreeMap<String, Answer>,
    names: BTreeMap<String, String>,
    failure: Option<Failure>,
}

async fn metrics(pages: &Pages, visit: &Visit, range: &Range, board: &Board) -> Pinned {
    let keys = board.tiles.iter().filter(|key| !key.starts_with(STANDARD));
    let keys: Vec<Value> = keys.map(|key| key.clone().into()).collect();
    if keys.is_empty() {
        return Pinned::default();
    }
    let mut question = range.question();
    question.insert("metrics".to_owned(), keys.into());
    let question = Value::Object(question);
    let (answers, names) = tokio::join!(
        pages.client.post::<ValuesAnswer>(&visit.origin, "/admin/metrics/compute", &question),
        names(pages, visit),
    );
    let names = names.unwrap_or_default().into_iter().collect();
    match answers {
        Ok(computed) => Pinned { answers: computed.metrics, names, failure: None },
        Err(failure) => Pinned { failure: Some(failure), names, answers: BTreeMap::new() },
    }
}

#[derive(Debug, Deserialize)]
struct MetricName {
    key: String,
    name: String,
}

/// Returns the keys and names of the metrics in use.
async fn names(pages: &Pages, visit: &Visit) -> Result<Vec<(String, String)>, Failure> {
    let path = "/admin/metrics/definitions?state=active&limit=200&order=name";
    let metrics: Vec<MetricName> = pages.client.get_at(&visit.origin, path, "/metrics").await?;
    Ok(metrics.into_iter().map(|metric| (metric.key, metric.name)).collect())
}

/// Returns what can be added to a board while it is edited.
pub(super) async fn addable(
    pages: &Pages,
    visit: &Visit,
    board: &Board,
    is_editing: bool,
) -> Vec<Addable> {
    if !is_editing {
        return Vec::new();
    }
    let (cards, metrics) = tokio::join!(
        pages.client.get::<Summary>(&visit.origin, "/admin/metrics/dashboard/summary"),
        names(pages, visit),
    );
    let cards = cards.map(|summary| summary.cards).unwrap_or_default();
    let cards = cards.into_iter().map(|card| (format!("{STANDARD}{}", card.key), card.label));
    let metrics = metrics.unwrap_or_default();
    let all = cards.chain(metrics).filter(|(key, _)| !board.tiles.contains(key));
    all.map(|(key, label)| Addable { key, label }).collect()
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
        formatted: card.formatted.clone(),
        reason: card.null_reason.as_deref().map(|name| figures::reason(name).to_owned()),
        previous: previous.filter(|_| !card.trend.is_empty()),
        change,
        line: figures::sparkline(&values),
    }
}

fn of_metric(key: &str, pinned: &Pinned, range: &Range) -> Tile {
    let missing = Answer::default();
    let answer = pinned.answers.get(key).unwrap_or(&missing);
    let failure = pinned.failure.as_ref().map(|failure| failure.message.clone());
    let failure = answer.error.as_ref().map(|error| error.message.clone()).or(failure);
    let reason = answer.null_reason.as_deref().map(|name| figures::reason(name).to_owned());
    let values: Vec<Option<Decimal>> =
        answer.series.iter().map(|own| decimal::read(&own.value)).collect();
    Tile {
        key: key.to_owned(),
        label: pinned.names.get(key).cloned().unwrap_or_else(|| key.to_owned()),
        why: Some(range.on(&format!("/app/metrics/{}", crate::client::segment(key)))),
        formatted: if failure.is_some() { "–".to_owned() } else { answer.formatted.clone() },
        reason: failure.or(reason),
        previous: answer.previous_formatted.clone(),
        change: Change::of(answer.change.as_ref(), range.locale),
        line: figures::sparkline(&values),
    }
}

/// Draws the daily sales, with the earlier period behind them.
fn chart(visit: &Visit, now: &Summary, earlier: Option<&Summary>, range: &Range) -> Part<Chart> {
    let card = |summary: &Summary| summary.cards.iter().find(|card| card.key == SALES).cloned();
    let own = card(now).ok_or_else(Failure::unreadable)?;
    let currency = own.unit.clone().unwrap_or_default();
    let line = |name: &str, card: &Card, is_earlier| {
        let points = card.trend.iter().take(own.trend.len());
        let values: Vec<Value> = points.map(|point| point.value.clone()).collect();
        let formatted = values.iter().map(|value| visit.store.money(&currency, value)).collect();
        Line { name: name.to_owned(), is_earlier, is_marks: false, values, formatted }
    };
    let mut lines = vec![line("This period", &own, false)];
    if let Some(before) = earlier.and_then(card) {
        let name = if range.compare == Compare::PreviousYear { "A year earlier" } else { "Before" };
        lines.push(line(name, &before, true));
    }
    Ok(Chart {
        at: own.trend.iter().map(|point| point.start.clone()).collect(),
        names: own
            .trend
            .iter()
            .map(|point| visit.store.bucket("day", &point.start, None))
            .collect(),
        lines,
        zone: visit.store.time_zone.clone(),
        kind: own.kind,
        unit: own.unit,
        by: "day",
    })
}
