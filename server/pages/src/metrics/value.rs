//! The value of a metric, its series and its breakdown.

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::Context;
use super::curl;
use crate::decimal;
use crate::figures::{self, Answer, Change, Chart, ValuesAnswer};
use crate::locale::Locale;
use crate::page::Part;
use crate::range::{Choice, Compare, Range, choices};
use crate::visit::Visit;

/// The dimensions of a breakdown, with their names.
const DIMENSIONS: &[(&str, &str)] = &[
    ("", "nothing"),
    ("country", "country"),
    ("sales_channel", "sales channel"),
    ("region", "region"),
    ("product", "product"),
    ("category", "category"),
    ("variant", "variant"),
    ("utm_source", "source"),
    ("plan", "plan"),
];

/// Limit: groups shown.
const GROUPS: usize = 100;

/// A value with its context.
#[derive(Debug, Clone)]
pub(super) struct ValueView {
    pub(super) formatted: String,
    pub(super) reason: Option<&'static str>,
    pub(super) unit: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) change: Option<Change>,
    pub(super) chart: Option<Chart>,
    pub(super) dimensions: Vec<Choice>,
    pub(super) dimension: String,
    pub(super) groups: Vec<GroupRow>,
    /// The number of groups beyond those shown.
    pub(super) more: usize,
    pub(super) warnings: Vec<String>,
    pub(super) as_of: Option<String>,
    pub(super) version: Option<u32>,
    pub(super) curl: String,
}

/// A row of a breakdown.
#[derive(Debug, Clone)]
pub(super) struct GroupRow {
    pub(super) name: String,
    pub(super) formatted: String,
    pub(super) reason: Option<&'static str>,
    pub(super) previous: Option<String>,
    pub(super) change: Option<Change>,
    pub(super) bar: i64,
}

/// Computes the value over the range.
pub(super) async fn read((pages, visit, metric, range): Context<'_>) -> Part<ValueView> {
    let dimension = visit.parameters.text("group");
    let dimension = DIMENSIONS.iter().find(|(own, _)| *own == dimension).map_or("", |own| own.0);
    let subject = |question: &mut Map<String, Value>| {
        if metric.is_in_use() {
            question.insert("metrics".to_owned(), Value::from(vec![metric.key.clone()]));
        } else {
            question.insert("formula".to_owned(), metric.formula.clone().into());
        }
    };
    let mut question = range.question();
    subject(&mut question);
    if !dimension.is_empty() {
        question.insert("group_by".to_owned(), Value::from(vec![dimension]));
    }
    let earlier = range.earlier().map(|earlier| {
        let mut question = earlier.question();
        question.insert("granularity".to_owned(), range.granularity.into());
        subject(&mut question);
        Value::Object(question)
    });
    let (now, before) = tokio::join!(one(pages, visit, Value::Object(question.clone())), async {
        match earlier {
            Some(earlier) => one(pages, visit, earlier).await.ok(),
            None => None,
        }
    },);
    let mut view = of(visit, &now?, before.as_ref(), (range, dimension));
    view.curl = curl::line(&question);
    Ok(view)
}

/// Returns the answer about the only metric of a query.
pub(crate) async fn one(pages: &crate::Pages, visit: &Visit, question: Value) -> Part<Answer> {
    let path = "/admin/metrics/compute";
    let computed: ValuesAnswer = pages.client.post(&visit.origin, path, &question).await?;
    computed.metrics.into_values().next().ok_or_else(crate::client::Failure::unreadable)
}

fn of(
    visit: &Visit,
    answer: &Answer,
    before: Option<&Answer>,
    (range, dimension): (&Range, &'static str),
) -> ValueView {
    let is_drawn = answer.series.iter().any(|own| decimal::read(&own.value).is_some());
    let name = if range.compare == Compare::PreviousYear { "A year earlier" } else { "Before" };
    let behind = before.map(|before| (name, before));
    let zone = (&visit.store, range.granularity);
    let chart = is_drawn.then(|| Chart::of(("This period", answer), behind, zone));
    let groups = rows(&answer.groups, range.locale);
    ValueView {
        formatted: answer.formatted.clone(),
        reason: answer.null_reason.as_deref().map(figures::reason),
        unit: answer.unit.clone(),
        previous: answer.previous_formatted.clone(),
        change: Change::of(answer.change.as_ref(), range.locale),
        chart,
        dimensions: choices(DIMENSIONS, dimension),
        dimension: dimension.replace('_', " "),
        more: groups.len().saturating_sub(GROUPS),
        groups: groups.into_iter().take(GROUPS).collect(),
        warnings: answer.warnings.clone(),
        as_of: answer.as_of.as_deref().map(|at| visit.store.moment(at)),
        version: answer.definition.as_ref().and_then(|definition| definition.version),
        curl: String::new(),
    }
}

/// Returns the groups, largest first.
fn rows(groups: &[Answer], locale: Locale) -> Vec<GroupRow> {
    let mut sorted: Vec<(Option<Decimal>, &Answer)> =
        groups.iter().map(|group| (decimal::read(&group.value), group)).collect();
    sorted.sort_by(|(left, _), (right, _)| right.cmp(left));
    let bars = figures::bars(&sorted.iter().map(|(value, _)| *value).collect::<Vec<_>>());
    let row = |((_, group), bar): ((Option<Decimal>, &Answer), i64)| GroupRow {
        name: group.keys.values().map(name_of).collect::<Vec<_>>().join(" · "),
        formatted: group.formatted.clone(),
        reason: group.null_reason.as_deref().map(figures::reason),
        previous: group.previous_formatted.clone(),
        change: Change::of(group.change.as_ref(), locale),
        bar,
    };
    sorted.into_iter().zip(bars).map(row).collect()
}

/// Returns the displayed value of a dimension.
fn name_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(none)".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}
