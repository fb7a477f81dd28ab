//! Values in responses: one record per metric, with its series and groups, or the reason why there is none.

use std::collections::BTreeMap;
use std::sync::Arc;

use quotient::{Answers, Engine};
use serde::Serialize;
use serde_json::Value;

use super::explanation::ExplanationView;
use super::store::{self, ComputeItem, ComputedItems};
use super::{AnswerView, Caches, Granularity, Question, ValueView, check_estimate, check_size};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{HttpError, ToSchema};
use crate::registry::metric::Metric;
use crate::registry::vocabulary::Lifecycle;
use crate::{MetricError, RegistrySnapshot};

/// The definition that a value was computed with.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DefinitionView {
    /// The metric's version; null for an unsaved formula.
    version: Option<u32>,
    /// The hash of the formula and of everything that it uses, whatever the filters.
    hash: Option<String>,
}

impl DefinitionView {
    fn of(snapshot: &RegistrySnapshot, engine: &Engine, item: &ComputeItem) -> Self {
        let metric = match item {
            ComputeItem::Metric(key) => snapshot.metric(key),
            ComputeItem::Formula { .. } => None,
        };
        let formula = engine.compiled(metric.map_or(item.formula(), |metric| &metric.formula));
        Self {
            version: metric.map(|metric| metric.version),
            hash: formula.ok().map(|formula| engine.definition_hash(&formula).to_string()),
        }
    }
}

/// The values of one group.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct GroupView {
    /// The group's value of each dimension.
    keys: BTreeMap<String, ValueView>,
    /// The value of the group.
    #[serde(flatten)]
    answer: AnswerView,
    /// The value of each bucket, if the range has buckets.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<Vec<AnswerView>>,
}

/// The value of one metric.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RecordView {
    /// The value over the whole range and all groups.
    #[serde(flatten)]
    answer: AnswerView,
    /// The value of each bucket, if the range has buckets.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<Vec<AnswerView>>,
    /// The value of each group, if groups are requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupView>>,
    /// The definition that was computed.
    definition: DefinitionView,
    /// The version of the rows: it changes with every change of a row that the formula can read.
    #[schema(example = 1284)]
    data_version: i64,
    /// The instant up to which rows are included.
    as_of: Option<Timestamp>,
    /// Whether no SQL statement had to run.
    cached: bool,
    /// Whether the same query can later have another answer, although its range has ended.
    #[serde(skip)]
    knows_present: bool,
    /// Notes about the metric, or about those that the formula names, such as that one is deprecated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// How the value is computed, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationView>,
}

impl RecordView {
    pub(crate) fn explained(self, explanation: ExplanationView) -> Self {
        Self { explanation: Some(explanation), ..self }
    }

    /// Returns whether no SQL statement had to run.
    pub(crate) const fn is_cached(&self) -> bool {
        self.cached
    }

    /// Returns the record in the form in which the cache returns it; none if it depends on the
    /// present.
    pub(crate) fn as_cached(&self) -> Option<OutcomeView> {
        let cached = || OutcomeView::Value(Box::new(Self { cached: true, ..self.clone() }));
        (!self.knows_present).then(cached)
    }
}

/// Why a metric has no value.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({ "code": "VALIDATION_ERROR", "message": "The metric `aov` is a draft and is not computed", "details": [] }))]
pub(crate) struct ErrorView {
    /// The stable error code.
    code: &'static str,
    message: String,
    /// The findings about the formula, with their places.
    #[schema(value_type = Vec<Object>)]
    details: Vec<Value>,
}

impl From<&HttpError> for ErrorView {
    fn from(error: &HttpError) -> Self {
        Self {
            code: error.code(),
            message: error.message().to_owned(),
            details: error.details().to_vec(),
        }
    }
}

/// Why there is no record.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FailureView {
    error: ErrorView,
}

/// A metric's value, or why there is none.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum OutcomeView {
    Value(Box<RecordView>),
    Failure(FailureView),
}

impl OutcomeView {
    /// Returns the number of values: that of the range, and those of its buckets and groups.
    pub(crate) fn value_count(&self) -> usize {
        let Self::Value(record) = self else { return 0 };
        let buckets = record.series.as_ref().map_or(0, Vec::len).saturating_add(1);
        let groups = record.groups.as_ref().map_or(0, Vec::len).saturating_add(1);
        buckets.saturating_mul(groups)
    }

    /// Returns why there is no value.
    pub(crate) const fn error(&self) -> Option<&ErrorView> {
        match self {
            Self::Value(_) => None,
            Self::Failure(failure) => Some(&failure.error),
        }
    }

    pub(crate) fn of(outcome: Result<&RecordView, &HttpError>) -> Self {
        match outcome {
            Ok(record) => Self::Value(Box::new(record.clone())),
            Err(error) => Self::Failure(FailureView { error: error.into() }),
        }
    }
}

/// The snapshot that values are computed in, and the caches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComputeContext<'a, 't> {
    pub tx: &'a Tx<'t>,
    pub(crate) snapshot: &'a RegistrySnapshot,
    pub caches: &'a Caches,
}

/// The answers of one question: over the whole range, by bucket, by group, and by both.
struct ComputedBreakdowns {
    whole: ComputedItems,
    series: Option<ComputedItems>,
    groups: Option<ComputedItems>,
    grouped_series: Option<ComputedItems>,
}

/// Computes the records of the items, in their order.
pub(crate) fn records(
    context: ComputeContext<'_, '_>,
    items: &[ComputeItem],
    question: &Question,
) -> Result<Vec<Result<RecordView, MetricError>>, MetricError> {
    check_estimate(context.tx, question, items.len())?;
    let mut breakdowns = compute_breakdowns(context, items, question)?;
    for (answers, _) in breakdowns.parts().flat_map(|part| part.outcomes.iter().flatten()) {
        check_size(answers, items.len())?;
    }
    let snapshot = context.snapshot;
    let engine = snapshot.engine_for(question.currency);
    let records = items.iter().enumerate();
    Ok(records
        .map(|(index, item)| record(snapshot, (&engine.engine, item), &mut breakdowns, index))
        .collect())
}

fn compute_breakdowns(
    ComputeContext { tx, snapshot, caches }: ComputeContext<'_, '_>,
    items: &[ComputeItem],
    question: &Question,
) -> Result<ComputedBreakdowns, MetricError> {
    let has_buckets = question.granularity != Granularity::None;
    let is_grouped = !question.group_by.is_empty();
    let compute = |has_buckets: bool, is_grouped: bool| {
        let mut own = question.clone();
        if !has_buckets {
            own.granularity = Granularity::None;
        }
        if !is_grouped {
            own.group_by.clear();
        }
        store::compute(tx, snapshot, items, (&own, question), Some(caches))
    };
    Ok(ComputedBreakdowns {
        whole: compute(false, false)?,
        series: has_buckets.then(|| compute(true, false)).transpose()?,
        groups: is_grouped.then(|| compute(false, true)).transpose()?,
        grouped_series: (has_buckets && is_grouped).then(|| compute(true, true)).transpose()?,
    })
}

impl ComputedBreakdowns {
    fn parts(&mut self) -> impl Iterator<Item = &mut ComputedItems> {
        let optional = [&mut self.series, &mut self.groups, &mut self.grouped_series];
        std::iter::once(&mut self.whole).chain(optional.into_iter().flatten())
    }
}

type AnswerAt = (Arc<Answers>, usize);

fn take_outcome(
    computed: Option<&mut ComputedItems>,
    index: usize,
) -> Result<Option<AnswerAt>, MetricError> {
    let Some(outcome) = computed.and_then(|computed| computed.outcomes.get_mut(index)) else {
        return Ok(None);
    };
    let outcome = std::mem::replace(outcome, Err(MetricError::Formula(Vec::new())));
    outcome.map(Some)
}

fn record(
    snapshot: &RegistrySnapshot,
    (engine, item): (&Engine, &ComputeItem),
    breakdowns: &mut ComputedBreakdowns,
    index: usize,
) -> Result<RecordView, MetricError> {
    let cached = breakdowns.parts().all(|part| part.is_cached);
    let data_version = breakdowns.whole.versions.get(index).copied().unwrap_or(0);
    let whole = take_outcome(Some(&mut breakdowns.whole), index)?;
    let series = take_outcome(breakdowns.series.as_mut(), index)?;
    let groups = take_outcome(breakdowns.groups.as_mut(), index)?;
    let grouped_series = take_outcome(breakdowns.grouped_series.as_mut(), index)?;
    let missing = || MetricError::Formula(Vec::new());
    let (answers, own) = whole.ok_or_else(missing)?;
    let answer = answers.get(own, 0, 0).ok_or_else(missing)?;
    Ok(RecordView {
        answer: AnswerView::of(answer),
        series: series.map(|(answers, own)| answers.of(own).iter().map(AnswerView::of).collect()),
        groups: groups.map(|groups| grouped(&groups, grouped_series.as_ref())),
        definition: DefinitionView::of(snapshot, engine, item),
        data_version,
        as_of: answer.period.as_ref().map(|period| period.as_of.into()),
        cached,
        knows_present: breakdowns.whole.knows_present,
        warnings: notes(snapshot, item),
        explanation: None,
    })
}

/// Returns the notes about the metric that is computed, or about those that an unsaved formula names.
fn notes(snapshot: &RegistrySnapshot, item: &ComputeItem) -> Vec<String> {
    match item {
        ComputeItem::Metric(key) => snapshot.metric(key).map(warnings).unwrap_or_default(),
        ComputeItem::Formula { text, .. } => {
            let Ok(formula) = snapshot.engine().compiled(text) else { return Vec::new() };
            let named = formula.metrics().iter().filter_map(|key| snapshot.stored(key));
            named.flat_map(warnings).collect()
        }
    }
}

/// Returns the notes about a metric that is computed.
pub(crate) fn warnings(metric: &Metric) -> Vec<String> {
    let is_deprecated = metric.state == Lifecycle::Deprecated;
    let warning = is_deprecated.then(|| format!("The metric `{}` is deprecated", metric.key));
    warning.into_iter().collect()
}

fn grouped((answers, own): &AnswerAt, series: Option<&AnswerAt>) -> Vec<GroupView> {
    let names = &answers.group_by;
    let mut next = 0;
    let group = |(index, keys): (usize, &Vec<quotient::types::Value>)| {
        let answer = answers.get(*own, 0, index)?;
        let keys_of = names.iter().cloned().zip(keys.iter().map(ValueView::of));
        Some(GroupView {
            keys: keys_of.collect(),
            answer: AnswerView::of(answer),
            series: series.map(|series| series_of(series, keys, &mut next)),
        })
    };
    answers.groups.iter().enumerate().filter_map(group).collect()
}

/// Returns the series of a group. Groups are requested in order, so each is found at or after `next`.
fn series_of(
    (answers, own): &AnswerAt,
    keys: &[quotient::types::Value],
    next: &mut usize,
) -> Vec<AnswerView> {
    let rest = answers.groups.get(*next..).unwrap_or_default();
    let Some(ahead) = rest.iter().position(|other| other == keys) else { return Vec::new() };
    let group = next.saturating_add(ahead);
    *next = group.saturating_add(1);
    let buckets = 0..answers.buckets.len();
    buckets.filter_map(|bucket| answers.get(*own, bucket, group)).map(AnswerView::of).collect()
}
