//! What is known about a formula: its findings, its type, what it reads, and its value.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Draft;
use super::marks::{Piece, pieces, quoted};
use crate::figures::{Answer, Chart, Figure};
use crate::metrics::{Metric, one};
use crate::page::Part;
use crate::range::Range;
use crate::visit::Visit;

/// A checked formula.
#[derive(Debug)]
pub(super) struct Checked {
    /// None for an empty formula.
    pub(super) findings: Part<Option<Findings>>,
    /// The formula, split at the findings.
    pub(super) pieces: Vec<Piece>,
    /// The value, if the formula is valid.
    pub(super) value: Option<Part<Computation>>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Findings {
    pub(super) valid: bool,
    pub(super) errors: Vec<Finding>,
    pub(super) warnings: Vec<Finding>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) unit: Option<String>,
    pub(super) dependencies: Vec<String>,
    pub(super) sources: Vec<String>,
    pub(super) impact: Option<Impact>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Finding {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) start: Option<usize>,
    pub(super) end: Option<usize>,
    pub(super) suggestion: Option<String>,
}

impl Finding {
    /// Returns the message, with quoted parts marked.
    pub(super) fn said(&self) -> Vec<Piece> {
        quoted(&self.message)
    }

    /// Returns the help, with quoted parts marked.
    pub(super) fn helps(&self) -> Vec<Piece> {
        quoted(self.help.as_deref().unwrap_or_default())
    }
}

/// The effect of a change on the metrics that use this one.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Impact {
    #[serde(default)]
    pub(super) dependents: Vec<Value>,
    #[serde(default)]
    pub(super) broken: Vec<Broken>,
    pub(super) refusal: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Broken {
    pub(super) key: String,
    pub(super) message: String,
}

/// The value of a formula, beside that of the published one.
#[derive(Debug, Clone)]
pub(super) struct Computation {
    pub(super) figure: Figure,
    pub(super) days: String,
    pub(super) chart: Option<Chart>,
    /// The value of the published formula, if that is a different one.
    pub(super) published: Option<String>,
    /// The number of buckets whose value differs from that of the published formula.
    pub(super) differing: usize,
}

/// Checks a formula, and computes it over the range in the URL if it is valid.
pub(super) async fn check(visit: &Visit, draft: &Draft, published: Option<&Metric>) -> Checked {
    let formula = draft.formula.trim();
    if formula.is_empty() {
        return Checked { findings: Ok(None), pieces: Vec::new(), value: None };
    }
    let mut body = json!({ "formula": draft.formula });
    if let (Some(metric), Some(members)) = (published, body.as_object_mut()) {
        members.insert("metric_id".to_owned(), metric.key.clone().into());
    }
    let path = "/admin/metrics/validate";
    let findings: Part<Findings> = visit.api.post_at(path, &body, "/validation").await;
    let spans: Vec<(usize, usize)> = findings.iter().flat_map(spans).collect();
    let is_valid = findings.as_ref().is_ok_and(|findings| findings.valid);
    let value = if is_valid { Some(compute(visit, draft, published).await) } else { None };
    Checked { findings: findings.map(Some), pieces: pieces(&draft.formula, &spans), value }
}

fn spans(findings: &Findings) -> Vec<(usize, usize)> {
    let all = findings.errors.iter().chain(&findings.warnings);
    all.filter_map(|finding| finding.start.zip(finding.end)).collect()
}

async fn compute(visit: &Visit, draft: &Draft, published: Option<&Metric>) -> Part<Computation> {
    let range = Range::of(visit);
    let question = |formula: &str| range.question("formula", formula);
    let other = published.filter(|metric| metric.formula.trim() != draft.formula.trim());
    let (own, other) = tokio::join!(one(visit, question(&draft.formula)), async {
        match other {
            Some(metric) => one(visit, question(&metric.formula)).await.ok(),
            None => None,
        }
    });
    Ok(of(visit, &own?, other.as_ref(), &range))
}

fn of(visit: &Visit, own: &Answer, other: Option<&Answer>, range: &Range) -> Computation {
    let name = if other.is_some() { "As written" } else { "Value" };
    let zone = (&visit.store, range.granularity);
    let behind = other.map(|other| ("Published", other));
    let differing = other.map_or(0, |other| {
        own.series.iter().zip(&other.series).filter(|(own, other)| own.value != other.value).count()
    });
    Computation {
        figure: Figure::of(own, range.locale),
        days: range.days(),
        chart: Chart::of_values((name, own), behind, zone),
        published: other.map(|other| other.formatted.clone()),
        differing,
    }
}
