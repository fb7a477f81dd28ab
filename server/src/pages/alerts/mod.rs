//! A new alert, beside the history of its metric. The list and an alert are among the records.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Pages;
use super::client::Failure;
use super::figures::Chart;
use super::form::Form;
use super::metrics::one;
use super::page::{Frame, PageError, PageResult, Section, respond, show};
use super::parameters::Parameters;
use super::range::{Preset, Range};
use super::visit::Visit;

const GRANULARITIES: &[&str] = &["day", "hour", "week", "month"];
const SEVERITIES: &[&str] = &["warning", "info", "critical"];

#[derive(Debug, Template)]
#[template(path = "alerts/new.html")]
struct NewAlertPage {
    frame: Frame,
    metrics: Vec<MetricChoice>,
    metric: String,
    name: String,
    condition: String,
    refusal: Option<String>,
    /// The metric over the last 90 days.
    chart: Option<Chart>,
}

#[derive(Debug, Deserialize)]
struct MetricsAnswer {
    metrics: Vec<MetricChoice>,
}

#[derive(Debug, Deserialize)]
struct MetricChoice {
    key: String,
    name: String,
}

/// Shows the form, with the history of the metric that the address names.
pub(super) async fn show_new_alert(visit: Visit, State(pages): State<Pages>) -> PageResult {
    if !visit.edits_metrics() {
        return Err(PageError::forbidden());
    }
    let sent = visit.parameters.clone();
    show(&page(&pages, &visit, &sent, None).await?)
}

async fn page(
    pages: &Pages,
    visit: &Visit,
    sent: &Parameters,
    refusal: Option<String>,
) -> Result<NewAlertPage, PageError> {
    let path = "/admin/metrics/definitions?state=active&limit=200&order=name";
    let answer = pages.client.get::<MetricsAnswer>(&visit.origin, path).await;
    let metrics = answer.map_err(PageError::failed)?.metrics;
    let metric = sent.text("metric");
    let range = Range::of_preset(visit, Preset::Days90);
    let mut question = range.question();
    question.insert("metrics".to_owned(), vec![metric].into());
    let answer = if metric.is_empty() {
        None
    } else {
        one(pages, visit, Value::Object(question)).await.ok()
    };
    let zone = (&*visit.store.time_zone, range.granularity);
    let condition = sent.text("condition");
    Ok(NewAlertPage {
        frame: Frame::of(visit, Section::Alerts, "New alert"),
        chart: answer.map(|answer| Chart::of(("Value", &answer), None, zone)),
        metrics,
        metric: metric.to_owned(),
        name: sent.text("name").to_owned(),
        condition: if condition.is_empty() && !metric.is_empty() {
            format!("{metric} < 50% * trailing(avg({metric} per day), 28 days)")
        } else {
            condition.to_owned()
        },
        refusal,
    })
}

#[derive(Debug, Template)]
#[template(path = "alerts/made.html")]
struct MadeAlertPage {
    frame: Frame,
    alert: MadeAlert,
    days: u32,
    would_have_fired: u32,
    at: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct MadeAnswer {
    alert: MadeAlert,
    backtest: Option<Backtest>,
}

#[derive(Debug, Deserialize)]
struct MadeAlert {
    id: String,
    name: String,
    condition: String,
}

#[derive(Debug, Deserialize)]
struct Backtest {
    days: u32,
    would_have_fired: u32,
    at: Vec<String>,
}

/// Saves an alert, and shows on which days it would have fired.
pub(super) async fn add_alert(
    visit: Visit,
    State(pages): State<Pages>,
    Form(fields): Form,
) -> PageResult {
    let body = json!({
        "metric_id": fields.text("metric"), "name": fields.text("name"), "condition": fields.text("condition"),
        "granularity": fields.text("granularity"), "severity": fields.text("severity"),
    });
    let path = "/admin/metrics/alerts";
    let made: Result<MadeAnswer, Failure> = pages.client.post(&visit.origin, path, &body).await;
    match made {
        Ok(made) => {
            let Backtest { days, would_have_fired, at } =
                made.backtest.unwrap_or(Backtest { days: 0, would_have_fired: 0, at: Vec::new() });
            let at = at.iter().map(|at| visit.store.moment(at)).collect();
            let frame = Frame::of(&visit, Section::Alerts, made.alert.name.clone());
            show(&MadeAlertPage { frame, alert: made.alert, days, would_have_fired, at })
        }
        Err(failure) if failure.status == StatusCode::FORBIDDEN => Err(PageError::forbidden()),
        Err(failure) => {
            let page = page(&pages, &visit, &fields, Some(failure.message)).await?;
            respond(super::REFUSED, &page)
        }
    }
}
