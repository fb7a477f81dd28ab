//! Why a value is what it is: the tree of its parts, down to what was counted.

use askama::Template;
use serde::Deserialize;

use super::curl;
use super::metric::Context;
use crate::pages::client::{segment, target};
use crate::pages::figures;
use crate::pages::page::Part;
use crate::pages::range::Range;

/// A part of a formula with its own parts.
#[derive(Debug, Template)]
#[template(path = "metrics/part.html")]
pub(super) struct Node {
    label: String,
    formula: Option<String>,
    /// The page of the part, if it is a metric.
    metric: Option<String>,
    shown: String,
    reason: Option<&'static str>,
    sql: Vec<String>,
    is_repeated: bool,
    /// The orders of the days, for a part that counts them.
    orders: Option<String>,
    children: Vec<Self>,
}

/// The tree, and what was read from rows.
#[derive(Debug)]
pub(super) struct WhyView {
    pub(super) root: Node,
    pub(super) from_rows: Vec<RowsRead>,
    pub(super) sql: Vec<String>,
    pub(super) curl: String,
}

/// An aggregate that was computed from rows.
#[derive(Debug, Deserialize)]
pub(super) struct RowsRead {
    pub(super) aggregate: String,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
struct ExplainAnswer {
    explanation: Explanation,
}

#[derive(Debug, Deserialize)]
struct Explanation {
    label: String,
    formula: Option<String>,
    formatted: String,
    null_reason: Option<String>,
    #[serde(default)]
    sql: Vec<String>,
    #[serde(default)]
    repeated: bool,
    #[serde(default)]
    children: Vec<Self>,
    #[serde(default)]
    read_from_rows: Vec<RowsRead>,
}

/// Explains the value over the range.
pub(super) async fn read((pages, visit, metric, range): Context<'_>) -> Part<WhyView> {
    let query = range.report();
    let query: Vec<(&str, &str)> = query.iter().map(|(name, text)| (*name, &**text)).collect();
    let path = format!("/admin/metrics/definitions/{}/explain", segment(&metric.key));
    let answer: ExplainAnswer = pages.client.get(&visit.origin, &target(&path, &query)).await?;
    let mut question = range.question();
    question.insert("metrics".to_owned(), vec![metric.key.clone()].into());
    question.insert("explain".to_owned(), true.into());
    let mut sql = Vec::new();
    gather(&answer.explanation, &mut sql);
    let Explanation { read_from_rows, .. } = &answer.explanation;
    let row =
        |own: &RowsRead| RowsRead { aggregate: own.aggregate.clone(), reason: own.reason.clone() };
    let from_rows = read_from_rows.iter().map(row).collect();
    Ok(WhyView {
        from_rows,
        sql,
        curl: curl::line(&question),
        root: node(answer.explanation, range),
    })
}

/// Adds the statements of a part and of its parts.
fn gather(part: &Explanation, sql: &mut Vec<String>) {
    sql.extend(part.sql.iter().cloned());
    for child in &part.children {
        gather(child, sql);
    }
}

fn node(part: Explanation, range: &Range) -> Node {
    let is_leaf = part.children.is_empty() && !part.repeated;
    let text = part.formula.as_deref().unwrap_or(&part.label);
    let counts_orders =
        is_leaf && ["orders", "items", "order."].iter().any(|own| text.contains(own));
    let days = [("from", range.start.to_string()), ("to", range.end.to_string())];
    let days: Vec<(&str, &str)> = days.iter().map(|(name, day)| (*name, &**day)).collect();
    Node {
        metric: part
            .formula
            .as_ref()
            .map(|_| range.on(&format!("/app/metrics/{}", segment(&part.label)))),
        shown: part.formatted,
        reason: part.null_reason.as_deref().map(figures::reason),
        orders: counts_orders.then(|| target("/app/orders", &days)),
        sql: part.sql,
        is_repeated: part.repeated,
        label: part.label,
        formula: part.formula,
        children: part.children.into_iter().map(|child| node(child, range)).collect(),
    }
}
