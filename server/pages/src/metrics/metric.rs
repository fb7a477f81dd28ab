//! A metric: its heading, one view of it, and the changes of its state.

use askama::Template;
use axum::http::{Method, StatusCode};
use serde_json::json;

use super::change::ChangeView;
use super::explanation::ExplanationView;
use super::lineage::Lineage;
use super::value::ValueView;
use super::versions::{AuditView, ChecksView, VersionRow, examples};
use super::{Metric, read, template};
use crate::client::{segment, target};
use crate::form::Form;
use crate::http::Path;
use crate::page::{Frame, PageError, PageResult, Part, Section, go, show};
use crate::range::Range;
use crate::visit::Visit;

/// The part of a metric that is shown.
#[derive(Debug)]
enum View {
    Value(Box<Part<ValueView>>),
    Why(Box<Part<ExplanationView>>),
    Change(Box<ChangeView>),
    Lineage(Part<Lineage>),
    Versions(Part<Vec<VersionRow>>),
    Checks(Box<ChecksView>),
    Audit(Part<AuditView>),
}

/// The views, with the words in the URL and their names.
const VIEWS: &[(&str, &str)] = &[
    ("", "Value"),
    ("why", "Why"),
    ("change", "What changed"),
    ("lineage", "Lineage"),
    ("versions", "Versions"),
    ("checks", "Examples and alerts"),
    ("audit", "Audit"),
];

#[derive(Debug, Template)]
#[template(path = "metrics/metric.html")]
struct MetricPage {
    frame: Frame,
    metric: Metric,
    range: Range,
    /// The views, each with its URL.
    tabs: Vec<(&'static str, String, bool)>,
    chosen: &'static str,
    can_edit: bool,
    /// The page that explains the value.
    why: String,
    view: View,
}

/// Shows a metric, or the template of this name.
pub(crate) async fn show_metric(visit: Visit, Path(key): Path<String>) -> PageResult {
    let metric = match read(&visit, &key).await {
        Ok(metric) => metric,
        Err(failure) if failure.status == StatusCode::NOT_FOUND => {
            return template::show(&visit, &key, failure).await;
        }
        Err(failure) => return Err(failure.into()),
    };
    let range = Range::of(&visit);
    let requested = visit.parameters.text("view");
    let chosen = VIEWS.iter().find(|(word, _)| *word == requested).map_or("", |(word, _)| *word);
    let context = (&visit, &metric, &range);
    let view = match chosen {
        "why" => View::Why(Box::new(super::explanation::read(context).await)),
        "change" => View::Change(Box::new(super::change::read(context).await)),
        "lineage" => View::Lineage(super::lineage::read(context).await),
        "versions" => View::Versions(super::versions::read(context).await),
        "checks" => View::Checks(Box::new(super::versions::read_checks(context).await)),
        "audit" => View::Audit(super::versions::read_audit(context).await),
        _ => View::Value(Box::new(super::value::read(context).await)),
    };
    let tab = |(word, name): &(&'static str, &'static str)| {
        let address =
            visit.address_with(&[("view", word), ("done", ""), ("offset", ""), ("rows", "")]);
        (*name, address, *word == chosen)
    };
    // The audit log is for users who run the store.
    let views = VIEWS.iter().filter(|(word, _)| *word != "audit" || visit.runs_store());
    show(&MetricPage {
        frame: visit.frame(Section::Metrics, metric.name.clone()),
        tabs: views.map(tab).collect(),
        chosen,
        can_edit: visit.edits_metrics(),
        why: visit.address_with(&[("view", "why"), ("done", ""), ("rows", "")]),
        metric,
        range,
        view,
    })
}

/// Changes the state of a metric, reverts it to a version, or removes an example.
pub(crate) async fn change_metric(
    visit: Visit,
    Path(key): Path<String>,
    Form(fields): Form,
) -> PageResult {
    let base = format!("/admin/metrics/catalog/{}", segment(&key));
    let (method, path, body) = match fields.text("action") {
        "state" => {
            let body = json!({ "state": fields.text("state") });
            (Method::POST, format!("{base}/lifecycle"), Some(body))
        }
        "roll-back" => {
            let version = fields.text("version").parse::<u32>().unwrap_or_default();
            let body = json!({ "version": version });
            (Method::POST, format!("{base}/versions/rollback"), Some(body))
        }
        "remove-example" => {
            let id = segment(fields.text("example"));
            (Method::DELETE, format!("{}/{id}", examples(&key)), None)
        }
        _ => return Err(visit.missing()),
    };
    let page = format!("/app/metrics/{}", segment(&key));
    let view = fields.text("view");
    match visit.api.send(method, &path, body.as_ref()).await {
        Ok(_) => go(&target(&page, &[("view", view), ("done", "saved")])),
        Err(failure) => {
            let back = target(&page, &[("view", view)]);
            Err(PageError::refused_change(&failure.permitted()?, &back))
        }
    }
}
