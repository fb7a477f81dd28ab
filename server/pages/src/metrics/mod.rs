//! Metrics: the list, and a metric with its value, its explanation, and its history.

mod bulk;
mod change;
mod explanation;
mod lineage;
mod list;
mod metric;
mod rows;
mod template;
mod value;
mod versions;

pub(super) use bulk::change_metrics;
pub(super) use list::{CATEGORIES, show_metrics};
pub(super) use metric::{change_metric, show_metric};
pub(super) use template::{add_template, show_templates};
pub(super) use value::one;

use axum::http::header::ETAG;
use axum::http::{HeaderValue, Method};
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Failure, segment};
use super::range::Range;
use super::visit::Visit;

/// The arguments for reading a view of a metric.
type Context<'a> = (&'a Visit, &'a Metric, &'a Range);

/// A metric in the API's format.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Metric {
    pub(super) id: String,
    pub(super) key: String,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) category: String,
    pub(super) formula: String,
    pub(super) data_type: String,
    pub(super) unit: Option<String>,
    pub(super) state: String,
    pub(super) version: u32,
    pub(super) is_locked: bool,
    pub(super) updated_at: String,
    pub(super) tags: Vec<String>,
    /// The `ETag` of its state, if it was read alone.
    #[serde(skip)]
    pub(super) tag: Option<HeaderValue>,
}

impl Metric {
    /// Returns whether it is computed by key; a draft is computed by its formula.
    pub(super) fn is_in_use(&self) -> bool {
        matches!(&*self.state, "active" | "deprecated")
    }

    /// Returns the style of its state.
    pub(super) fn state_class(&self) -> &'static str {
        match &*self.state {
            "active" => "good",
            "deprecated" => "warn",
            _ => "",
        }
    }
}

/// Reads a metric by its key or id.
pub(super) async fn read(visit: &Visit, id: &str) -> Result<Metric, Failure> {
    let path = format!("/admin/metrics/definitions/{}", segment(id));
    let (headers, body) = visit.api.send(Method::GET, &path, None).await?;
    let metric: Metric = visit.api.parse(&body, "/metric")?;
    Ok(Metric { tag: headers.get(ETAG).cloned(), ..metric })
}

#[derive(Debug, Deserialize)]
struct MetricName {
    key: String,
    name: String,
}

/// Returns the keys and names of the metrics in use.
pub(super) async fn in_use(visit: &Visit) -> Result<Vec<(String, String)>, Failure> {
    let path = "/admin/metrics/definitions?state=active&limit=200&order=name";
    let metrics: Vec<MetricName> = visit.api.get_at(path, "/metrics").await?;
    Ok(metrics.into_iter().map(|metric| (metric.key, metric.name)).collect())
}

/// Changes the state of a metric.
pub(super) async fn change_state(visit: &Visit, key: &str, state: &str) -> Result<(), Failure> {
    let path = format!("/admin/metrics/catalog/{}/lifecycle", segment(key));
    visit.api.post::<Value>(&path, &json!({ "state": state })).await.map(drop)
}
