//! Custom reports: metrics by period and by group, with recomputed totals.

use std::collections::BTreeMap;
use std::sync::Arc;

use quotient::Answers;
use serde::{Deserialize, Serialize};

use super::queries::reports::{self as queries, SavedReport};
use crate::clock::Timestamp;
use crate::compute::question::{Compare, Question};
use crate::compute::range::{RangeQuery, RangeView, ResolvedRange};
use crate::compute::records::warnings;
use crate::compute::request::check_dimension;
use crate::compute::store::{self, ComputeItem};
use crate::compute::usable::usable;
use crate::compute::view::PeriodView;
use crate::compute::{AnswerView, Evaluator, Granularity, ValueView, check_estimate, check_size};
use crate::csv;
use crate::database::{self, Tx};
use crate::http::ToSchema;
use crate::ids::ReportId;
use crate::{MetricError, RegistrySnapshot};

/// Limit: rows of a report.
const MAX_ROWS: usize = 10_000;

#[derive(Debug, Clone)]
pub(crate) struct ReportQuery {
    pub range: RangeQuery,
    /// Keys of metrics; the active ones of sales and orders if empty.
    pub metrics: Vec<String>,
    pub granularity: Granularity,
    pub compare: Compare,
    pub group_by: Vec<String>,
    pub name: Option<String>,
    pub actor_id: String,
}

/// A row: the values of a period and a group.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ReportRow {
    period: PeriodView,
    /// The group's value of each dimension; null if there is none.
    group: BTreeMap<String, Option<String>>,
    /// Values by metric.
    values: BTreeMap<String, AnswerView>,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    #[default]
    Json,
    /// CSV, for spreadsheets.
    Csv,
}

/// A report.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Report {
    /// The id under which the report is stored.
    pub id: ReportId,
    name: Option<String>,
    range: RangeView,
    /// The metrics, by key.
    metrics: Vec<String>,
    /// The dimensions of the rows beside the period.
    group_by: Vec<String>,
    /// The length of the buckets.
    granularity: Granularity,
    /// The comparison: none or an earlier period.
    compare: Compare,
    /// Rows by period, then by group.
    rows: Vec<ReportRow>,
    /// Totals by metric over the whole range: recomputed, not added up.
    totals: BTreeMap<String, AnswerView>,
    /// Notes about metrics, such as that one is deprecated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Computes a report.
///
/// # Errors
/// [`MetricError::NotFound`] for metrics that do not exist or are not visible to the actor;
/// [`MetricError::NotComputed`] for drafts and archived ones; [`MetricError::Formula`] for dimensions that a metric
/// lacks; [`MetricError::Range`] for an unknown dimension and for too many rows.
pub(crate) fn compute(
    tx: &Tx<'_>,
    evaluator: &Evaluator,
    query: &ReportQuery,
) -> Result<Report, MetricError> {
    let range = ResolvedRange::resolve(tx, evaluator, &query.range)?;
    let snapshot = evaluator.registry.visible_to(tx, &query.actor_id)?;
    let keys = keys(&snapshot, query)?;
    let whole = range.question(Granularity::None, query.compare);
    let mut cut = range.question(query.granularity, query.compare);
    query.group_by.iter().try_for_each(|name| check_dimension(&snapshot, name))?;
    cut.group_by.clone_from(&query.group_by);
    check_estimate(tx, &cut, keys.len())?;
    let cells = answers(tx, &snapshot, &keys, &cut)?;
    let shared = shared(&cells)?;
    shared.map_or(Ok(()), |answers| check_size(answers, keys.len()))?;
    let sums = answers(tx, &snapshot, &keys, &whole)?;
    let rows = shared.map(|answers| rows(&keys, &cells, answers)).transpose()?.unwrap_or_default();
    let totals = keys.iter().zip(&sums).filter_map(|(key, (answers, at))| {
        Some((key.clone(), AnswerView::of(answers.get(*at, 0, 0)?)))
    });
    let totals = totals.collect();
    Ok(Report {
        id: ReportId::new(),
        name: query.name.clone(),
        range: RangeView::of(&range),
        group_by: query.group_by.clone(),
        granularity: query.granularity,
        compare: query.compare,
        rows,
        totals,
        warnings: keys.iter().filter_map(|key| snapshot.metric(key)).flat_map(warnings).collect(),
        metrics: keys,
    })
}

/// Returns the requested metrics without duplicates, if they may be computed.
fn keys(snapshot: &RegistrySnapshot, query: &ReportQuery) -> Result<Vec<String>, MetricError> {
    if query.metrics.is_empty() {
        let all = snapshot.metrics().values();
        let chosen = all.filter(|metric| metric.is_default() && !metric.is_private());
        return Ok(chosen.map(|metric| metric.key.clone()).collect());
    }
    let mut keys = Vec::new();
    for name in &query.metrics {
        let metric = usable(snapshot, name, &query.actor_id, false)?;
        if !keys.contains(&metric.key) {
            keys.push(metric.key.clone());
        }
    }
    Ok(keys)
}

type ReportAnswers = Vec<(Arc<Answers>, usize)>;

fn answers(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    keys: &[String],
    question: &Question,
) -> Result<ReportAnswers, MetricError> {
    let items: Vec<ComputeItem> = keys.iter().cloned().map(ComputeItem::Metric).collect();
    let computed = store::compute(tx, snapshot, &items, (question, question), None)?;
    computed.outcomes.into_iter().collect()
}

/// Returns the answers that all metrics share, with their periods and groups; none without metrics.
fn shared(cells: &ReportAnswers) -> Result<Option<&Answers>, MetricError> {
    let Some((first, _)) = cells.first() else { return Ok(None) };
    if cells.iter().any(|(answers, _)| !Arc::ptr_eq(answers, first)) {
        let sentence = "These metrics are too much for one report: ask for fewer at once";
        return Err(MetricError::Range(sentence.to_owned()));
    }
    Ok(Some(first))
}

fn rows(
    keys: &[String],
    cells: &ReportAnswers,
    answers: &Answers,
) -> Result<Vec<ReportRow>, MetricError> {
    let count = answers.buckets.len().saturating_mul(answers.groups.len());
    if count > MAX_ROWS {
        let sentence = format!("The report has {count} rows; {MAX_ROWS} are the most");
        return Err(MetricError::Range(sentence));
    }
    let mut rows = Vec::with_capacity(count);
    for (bucket, period) in answers.buckets.iter().enumerate() {
        for (group, values) in answers.groups.iter().enumerate() {
            let named = answers.group_by.iter().zip(values);
            let named = named.map(|(name, value)| {
                let is_missing = value.as_missing().is_some();
                (name.clone(), (!is_missing).then(|| quotient::format::exact(value)))
            });
            let values = keys.iter().zip(cells).filter_map(|(key, (answers, at))| {
                Some((key.clone(), AnswerView::of(answers.get(*at, bucket, group)?)))
            });
            let (group, values) = (named.collect(), values.collect());
            rows.push(ReportRow { period: PeriodView::of(period), group, values });
        }
    }
    Ok(rows)
}

impl Report {
    /// Stores the report, so that it is listed.
    pub(crate) fn save(&self, tx: &Tx<'_>, actor_id: &str) -> Result<(), database::Error> {
        let question = serde_json::json!({
            "metrics": self.metrics, "group_by": self.group_by, "granularity": self.granularity,
            "compare": self.compare, "range": self.range,
        });
        let saved = SavedReport {
            id: self.id.clone(),
            name: self.name.clone(),
            question,
            result: Some(serde_json::to_value(self).unwrap_or_default()),
            row_count: i64::try_from(self.rows.len()).unwrap_or(i64::MAX),
            created_by: actor_id.to_owned(),
            created_at: tx.now(),
        };
        queries::insert(tx, &saved, &self.metrics)
    }

    /// Formats the report as CSV: a row per period and group, then the totals. If the range has not ended, a column
    /// says up to when incomplete periods are known.
    pub(crate) fn csv(&self) -> String {
        let known_until = self.range.known_until();
        let dimensions = self.group_by.iter().map(String::as_str);
        let metrics = self.metrics.iter().flat_map(|key| self.columns(key));
        let as_of = known_until.map(|_| "as_of");
        let period = ["period_start", "period_end"].into_iter().chain(as_of);
        let head = period.chain(dimensions).map(str::to_owned).chain(metrics);
        let mut file = csv::line(head.map(|name| csv::text(&name).into_owned()));
        for row in &self.rows {
            let instant = |at: Option<Timestamp>| at.map_or_else(String::new, |at| at.to_string());
            let mut cells = vec![instant(row.period.start), instant(Some(row.period.end))];
            cells.extend(
                known_until.map(|_| instant(row.period.partial.then_some(row.period.as_of))),
            );
            let group = |name: &String| row.group.get(name).cloned().flatten().unwrap_or_default();
            cells.extend(self.group_by.iter().map(|name| csv::text(&group(name)).into_owned()));
            cells.extend(self.metrics.iter().flat_map(|key| self.figures(row.values.get(key))));
            file.push_str(&csv::line(cells));
        }
        let mut total = vec!["total".to_owned(), String::new()];
        total.extend(known_until.map(|at| at.to_string()));
        total.extend(self.group_by.iter().map(|_| String::new()));
        total.extend(self.metrics.iter().flat_map(|key| self.figures(self.totals.get(key))));
        file.push_str(&csv::line(total));
        file
    }

    /// Returns the columns of a metric: its value, and the value that it is compared with.
    fn columns(&self, key: &str) -> impl Iterator<Item = String> {
        let previous = (self.compare != Compare::None).then(|| format!("{key}_previous"));
        std::iter::once(key.to_owned()).chain(previous)
    }

    fn figures(&self, answer: Option<&AnswerView>) -> impl Iterator<Item = String> {
        let value = figure(answer.map(|answer| &answer.value));
        let previous = || figure(answer.and_then(|answer| answer.previous.as_ref()));
        let previous = (self.compare != Compare::None).then(previous);
        std::iter::once(value).chain(previous)
    }
}

/// Converts a value to a cell: numbers as they are, other text so that no spreadsheet evaluates it.
fn figure(value: Option<&ValueView>) -> String {
    match value.and_then(|value| serde_json::to_value(value).ok()) {
        None | Some(serde_json::Value::Null) => String::new(),
        Some(serde_json::Value::String(text)) => match text.parse::<rust_decimal::Decimal>() {
            Ok(_) => text,
            Err(_) => csv::text(&text).into_owned(),
        },
        Some(other) => other.to_string(),
    }
}
