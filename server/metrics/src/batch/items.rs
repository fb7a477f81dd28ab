//! The item types of a batch and their results.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::compute::Evaluator;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::compute::records::{ComputeContext, OutcomeView};
use crate::compute::routes::requests::ComputeRequest;
use crate::compute::routes::values::{MetricSelection, answer};
use crate::dashboards::routes::DashboardQuery;
use crate::dashboards::{self, Cards, DashboardView, SectionView};
use crate::database::{Db, Error, Tx};
use crate::http::{HttpError, ToSchema};
use crate::reports::custom::{self, Format, Report};
use crate::reports::routes::custom::ReportRequest;
use crate::{MetricError, RegistrySnapshot};

/// An item of a batch request.
pub(super) struct BatchItem {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) priority: f64,
    pub(super) rest: Map<String, Value>,
}

impl BatchItem {
    pub(super) fn head(&self) -> (String, String) {
        (self.id.clone(), self.kind.clone())
    }

    /// Returns the key of its metric, if the reader sees it.
    pub(super) fn metric(&self, snapshot: &RegistrySnapshot, reader: &str) -> Option<String> {
        let name = self.rest.get("metric").filter(|_| self.kind == "metric")?.as_str()?;
        snapshot.visible(name, reader).ok().map(|metric| metric.key.clone())
    }
}

/// The result of an item, by its type.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum BatchData {
    Metric(OutcomeView),
    /// A section of the dashboard.
    Section(Box<SectionView>),
    Dashboard(Box<DashboardView>),
    Report(Box<Report>),
}

impl BatchData {
    pub(super) fn into_report(self) -> Option<Report> {
        match self {
            Self::Report(report) => Some(*report),
            Self::Metric(_) | Self::Section(_) | Self::Dashboard(_) => None,
        }
    }

    /// Returns whether no SQL statement had to run.
    pub(super) fn is_cached(&self) -> bool {
        match self {
            Self::Metric(own) => matches!(own, OutcomeView::Value(record) if record.is_cached()),
            Self::Section(_) | Self::Dashboard(_) | Self::Report(_) => false,
        }
    }
}

/// Returns whether an item is a whole dashboard, whose sections are read concurrently.
pub(super) fn is_dashboard(item: &BatchItem) -> bool {
    item.kind == "dashboard"
}

pub(super) fn data(
    context: ComputeContext<'_, '_>,
    evaluator: &Evaluator,
    (item, actor_id): (BatchItem, &str),
) -> Result<BatchData, HttpError> {
    let section = match item.kind.as_str() {
        "metric" => return metric(context, item.rest, actor_id),
        "report" => return report(context, evaluator, (item.rest, actor_id)),
        kind => dashboards::section(kind).ok_or_else(|| {
            HttpError::invalid_data(format!("`{kind}` is not a type of batch items"))
        })?,
    };
    let (range, cards) = query(item.rest)?;
    let range = ResolvedRange::of_dashboard(context.tx, evaluator, &range)?;
    Ok(BatchData::Section(Box::new(section(context.tx, &range, &cards)?)))
}

pub(super) async fn dashboard(
    db: &Db,
    evaluator: &Evaluator,
    item: BatchItem,
) -> Result<BatchData, HttpError> {
    let dashboard = dashboards::dashboard(db, evaluator, query(item.rest)?).await?;
    Ok(BatchData::Dashboard(Box::new(dashboard)))
}

/// Stores the reports of a batch, so that they are listed with the others.
pub(super) async fn keep_reports(
    db: &Db,
    actor_id: &str,
    reports: Vec<Report>,
) -> Result<(), HttpError> {
    let actor_id = actor_id.to_owned();
    if reports.is_empty() {
        return Ok(());
    }
    let keep = move |tx: &Tx<'_>| reports.iter().try_for_each(|report| report.save(tx, &actor_id));
    Ok(db.write::<_, Error>(keep).await?)
}

/// Takes the filters, the last field of an item, and renames the bounds of their range as in other requests.
fn filters(mut rest: Map<String, Value>) -> Result<Map<String, Value>, HttpError> {
    let mut filters = match rest.remove("filters") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(filters)) => filters,
        Some(_) => return Err(HttpError::invalid_data("filters must be an object")),
    };
    if let Some(other) = rest.keys().next() {
        return Err(unrecognized(other));
    }
    let range = match filters.remove("range") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(range)) => range,
        Some(_) => {
            let message = "filters.range must be an object with start and end";
            return Err(HttpError::invalid_data(message));
        }
    };
    for (name, day) in range {
        let field = match name.as_str() {
            "start" | "start_date" => "start_date",
            "end" | "end_date" => "end_date",
            other => return Err(unrecognized(&format!("filters.range.{other}"))),
        };
        if filters.insert(field.to_owned(), day).is_some() {
            return Err(HttpError::invalid_data(format!("filters has more than one {field}")));
        }
    }
    Ok(filters)
}

fn unrecognized(field: &str) -> HttpError {
    HttpError::invalid_data(format!("Unrecognized fields: '{field}'"))
}

fn read<T: DeserializeOwned>(sent: Map<String, Value>) -> Result<T, HttpError> {
    crate::http::parse(Value::Object(sent).to_string().as_bytes())
}

/// Reads the range, the filters and the cards of an item.
fn query(rest: Map<String, Value>) -> Result<(RangeQuery, Cards), HttpError> {
    let query: DashboardQuery = read(filters(rest)?)?;
    Ok(query.parts()?)
}

fn metric(
    context: ComputeContext<'_, '_>,
    mut rest: Map<String, Value>,
    actor_id: &str,
) -> Result<BatchData, HttpError> {
    let Some(Value::String(name)) = rest.remove("metric") else {
        return Err(HttpError::invalid_data("An item of type metric must name its metric"));
    };
    let filters = filters(rest)?;
    for own in ["metrics", "formula", "explain"] {
        if filters.contains_key(own) {
            return Err(unrecognized(&format!("filters.{own}")));
        }
    }
    let request: ComputeRequest = read(filters)?;
    let (_, sent) = request.into_question().into_parts()?;
    let question = sent.resolve(context.snapshot, context.tx.now())?;
    let selection = MetricSelection { names: vec![name], formula: None, explain: false };
    let (outcomes, _) = answer(context, (&selection, actor_id), &question)?.sound()?;
    let first = outcomes.into_iter().next();
    let (_, value) = first.ok_or_else(|| HttpError::not_found("There is no such metric"))?;
    Ok(BatchData::Metric(value))
}

/// Computes a report; fields that it lacks are taken from the filters.
fn report(
    context: ComputeContext<'_, '_>,
    evaluator: &Evaluator,
    (mut rest, actor_id): (Map<String, Value>, &str),
) -> Result<BatchData, HttpError> {
    let Some(Value::Object(own)) = rest.remove("report") else {
        return Err(HttpError::invalid_data("An item of type report must have a report"));
    };
    let mut sent = filters(rest)?;
    sent.extend(own);
    let (query, format) = read::<ReportRequest>(sent)?.query(actor_id)?;
    if format != Format::Json {
        let sentence = "A report in a batch is JSON; make it alone for another format";
        return Err(MetricError::Range(sentence.to_owned()).into());
    }
    Ok(BatchData::Report(Box::new(custom::compute(context.tx, evaluator, &query)?)))
}
