//! Explains a value: the tree of its parts, down to the rows counted.

use askama::Template;
use serde::Deserialize;

use super::Context;
use super::Metric;
use super::rows::{self, RowsView};
use super::value::curl;
use crate::client::{segment, target};
use crate::figures;
use crate::page::Part;
use crate::range::Range;

/// A part of a formula with its own parts.
#[derive(Debug, Template)]
#[template(path = "metrics/part.html")]
pub(super) struct Node {
    label: String,
    formula: Option<String>,
    /// The page of the part, if it is a metric.
    metric: Option<String>,
    formatted: String,
    reason: Option<&'static str>,
    sql: Vec<String>,
    is_repeated: bool,
    /// The page with the rows that it counts.
    rows: Option<String>,
    children: Vec<Self>,
}

/// The tree, and what was read from rows.
#[derive(Debug)]
pub(super) struct ExplanationView {
    pub(super) root: Node,
    pub(super) from_rows: Vec<RowsRead>,
    pub(super) sql: Vec<String>,
    pub(super) curl: String,
    /// The rows of the part in the URL.
    pub(super) rows: Option<Part<RowsView>>,
}

/// An aggregate that was computed from rows.
#[derive(Debug, Deserialize)]
pub(super) struct RowsRead {
    pub(super) aggregate: String,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
struct Explanation {
    label: String,
    formula: Option<String>,
    formatted: String,
    null_reason: Option<String>,
    #[serde(default)]
    sql: Vec<String>,
    aggregate: Option<u32>,
    #[serde(default)]
    repeated: bool,
    #[serde(default)]
    children: Vec<Self>,
    #[serde(default)]
    read_from_rows: Vec<RowsRead>,
}

/// Explains the value over the range.
pub(super) async fn read(context: Context<'_>) -> Part<ExplanationView> {
    let (visit, metric, range) = context;
    let query = range.report();
    let path = format!("/admin/metrics/definitions/{}/explain", segment(&metric.key));
    let path = target(&path, &query);
    let mut explanation: Explanation = visit.api.get_at(&path, "/explanation").await?;
    let mut question = range.question("metrics", vec![metric.key.clone()]);
    question.insert("explain".to_owned(), true.into());
    let mut sql = Vec::new();
    gather(&explanation, &mut sql);
    let part = visit.parameters.text("rows");
    let rows = if part.is_empty() { None } else { Some(rows::read(context, part).await) };
    Ok(ExplanationView {
        from_rows: std::mem::take(&mut explanation.read_from_rows),
        sql,
        curl: curl(&question),
        root: node(explanation, (metric, range)),
        rows,
    })
}

/// Collects the statements of a part and its subparts.
fn gather(part: &Explanation, sql: &mut Vec<String>) {
    sql.extend(part.sql.iter().cloned());
    for child in &part.children {
        gather(child, sql);
    }
}

fn node(part: Explanation, context: (&Metric, &Range)) -> Node {
    let (metric, range) = context;
    let page = range.on(&format!("/app/metrics/{}", segment(&metric.key)));
    Node {
        metric: part
            .formula
            .as_ref()
            .map(|_| range.on(&format!("/app/metrics/{}", segment(&part.label)))),
        formatted: part.formatted,
        reason: part.null_reason.as_deref().map(figures::reason),
        rows: part.aggregate.map(|number| format!("{page}&view=why&rows={number}#rows")),
        sql: part.sql,
        is_repeated: part.repeated,
        label: part.label,
        formula: part.formula,
        children: part.children.into_iter().map(|child| node(child, context)).collect(),
    }
}
