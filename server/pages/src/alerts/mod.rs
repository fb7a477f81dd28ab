//! A new alert, drawn over the history of its metric before it is saved. The list of alerts and single alerts are
//! among the records.

mod preview;

use askama::Template;
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::Failure;
use super::form::Form;
use super::metrics::in_use;
use super::page::{Frame, PageError, PageResult, Section, respond, show};
use super::parameters::Parameters;
use super::range::Choice;
use super::visit::Visit;
use preview::Preview;

const GRANULARITIES: &[&str] = &["day", "hour", "week", "month"];
const SEVERITIES: &[&str] = &["warning", "info", "critical"];

#[derive(Debug, Template)]
#[template(path = "alerts/new.html")]
struct NewAlertPage {
    frame: Frame,
    /// The keys and names of the metrics in use.
    metrics: Vec<(String, String)>,
    metric: String,
    condition: String,
    /// The input.
    sent: Parameters,
    granularities: Vec<Choice>,
    severities: Vec<Choice>,
    refusal: Option<String>,
    /// The metric over the last 90 days, and where the condition would have fired.
    preview: Preview,
}

/// Shows the form, with the history of the metric in the URL.
pub(super) async fn show_new_alert(visit: Visit) -> PageResult {
    PageError::unless(visit.edits_metrics())?;
    show(&page(&visit, (&visit.parameters, false), None).await?)
}

async fn page(
    visit: &Visit,
    (sent, is_tried): (&Parameters, bool),
    mut refusal: Option<String>,
) -> Result<NewAlertPage, PageError> {
    let metrics = in_use(visit).await?;
    let metric = sent.text("metric");
    let mut preview = Preview { chart: None, notified_at: None };
    if !metric.is_empty() {
        match preview::read(visit, (sent, is_tried), granularity(sent)).await {
            Ok(own) => preview = own,
            Err(failure) => refusal = refusal.or(Some(failure.message)),
        }
    }
    let condition = sent.text("condition");
    Ok(NewAlertPage {
        frame: visit.frame(Section::Alerts, "New alert"),
        metrics,
        metric: metric.to_owned(),
        condition: if condition.is_empty() && !metric.is_empty() {
            format!("{metric} < 50% * trailing(avg({metric} per day), 28 days)")
        } else {
            condition.to_owned()
        },
        granularities: choices(GRANULARITIES, sent.text("granularity")),
        severities: choices(SEVERITIES, sent.text("severity")),
        sent: sent.clone(),
        refusal,
        preview,
    })
}

fn choices(words: &[&str], chosen: &str) -> Vec<Choice> {
    words.iter().map(|word| Choice::of((word, word), chosen)).collect()
}

/// Returns the length of the periods for which the condition is evaluated.
fn granularity(sent: &Parameters) -> &'static str {
    let own = sent.text("granularity");
    GRANULARITIES.iter().find(|word| **word == own).copied().unwrap_or("day")
}

/// Returns the channels that an alert notifies.
fn channels(fields: &Parameters) -> Vec<Value> {
    let email = fields.has("email").then(|| json!({ "type": "email", "to": fields.text("email") }));
    let url = fields.has("url").then(
        || json!({ "type": "webhook", "url": fields.text("url"), "secret": fields.text("secret") }),
    );
    email.into_iter().chain(url).collect()
}

#[derive(Debug, Template)]
#[template(path = "alerts/made.html")]
struct MadeAlertPage {
    frame: Frame,
    alert: MadeAlert,
    backtest: Backtest,
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

#[derive(Debug, Default, Deserialize)]
struct Backtest {
    days: u32,
    would_have_fired: u32,
    at: Vec<String>,
}

/// Shows when an alert would have fired, or saves it.
pub(super) async fn add_alert(visit: Visit, Form(fields): Form) -> PageResult {
    if fields.text("action") == "try" {
        PageError::unless(visit.edits_metrics())?;
        let page = page(&visit, (&fields, true), None).await?;
        return if page.refusal.is_some() { respond(super::REFUSED, &page) } else { show(&page) };
    }
    let mut body = json!({
        "metric_id": fields.text("metric"), "name": fields.text("name"), "condition": fields.text("condition"),
        "granularity": fields.text("granularity"), "severity": fields.text("severity"),
    });
    let channels = channels(&fields);
    if let (false, Some(members)) = (channels.is_empty(), body.as_object_mut()) {
        members.insert("channels".to_owned(), channels.into());
    }
    let path = "/admin/metrics/alerts";
    let made: Result<MadeAnswer, Failure> = visit.api.post(path, &body).await;
    match made {
        Ok(made) => {
            let mut backtest = made.backtest.unwrap_or_default();
            backtest.at = backtest.at.iter().map(|at| visit.store.moment(at)).collect();
            let frame = visit.frame(Section::Alerts, made.alert.name.clone());
            show(&MadeAlertPage { frame, alert: made.alert, backtest })
        }
        Err(failure) => {
            let refusal = Some(failure.permitted()?.message);
            let page = page(&visit, (&fields, false), refusal).await?;
            respond(super::REFUSED, &page)
        }
    }
}
