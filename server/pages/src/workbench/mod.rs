//! The workbench: a formula with its findings, its type and its value while it is being written.
//!
//! It is a form, which works without the script. The script loads the part below the formula as people type.

mod check;
mod marks;
mod save;

use askama::Template;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::client::Failure;
use super::form::{Form, Question};
use super::metrics::{self, CATEGORIES, Metric};
use super::page::{Frame, PageError, PageResult, Section, respond, show};
use super::parameters::Parameters;
use super::visit::Visit;
use crate::http::{HttpError, Json};
use check::Checked;

/// The text being written.
#[derive(Debug, Clone, Default)]
struct Draft {
    /// The key of the edited metric; empty for a new one.
    key: String,
    /// The version of the metric that it began with; empty for a new one.
    version: String,
    name: String,
    description: String,
    category: String,
    formula: String,
}

impl Draft {
    fn of_metric(metric: &Metric) -> Self {
        Self {
            key: metric.key.clone(),
            version: metric.version.to_string(),
            name: metric.name.clone(),
            description: metric.description.clone().unwrap_or_default(),
            category: metric.category.clone(),
            formula: metric.formula.clone(),
        }
    }

    /// Reads the form; if a fix was chosen, the formula is the fixed one.
    fn of_form(fields: &Parameters) -> Self {
        let fix = fields.raw("fix");
        let formula = if fix.is_empty() { fields.raw("formula") } else { fix };
        Self {
            key: fields.text("metric").to_owned(),
            version: fields.text("version").to_owned(),
            name: fields.text("name").to_owned(),
            description: fields.text("description").to_owned(),
            category: fields.text("category").to_owned(),
            formula: formula.to_owned(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "workbench/workbench.html")]
struct WorkbenchPage {
    frame: Frame,
    draft: Draft,
    /// The metric in the registry.
    published: Option<Metric>,
    checked: Checked,
    /// Why it was not saved.
    refusal: Option<String>,
    can_edit: bool,
}

/// The part below the formula.
#[derive(Debug, Template)]
#[template(path = "workbench/part.html")]
struct WorkbenchPart {
    checked: Checked,
}

/// Shows the workbench, with a metric or a formula from the URL.
pub(super) async fn show_workbench(visit: Visit) -> PageResult {
    let sent = &visit.parameters;
    let published = read_published(&visit, sent.text("metric")).await?;
    let mut draft = published.as_ref().map(Draft::of_metric).unwrap_or_default();
    if sent.has("formula") {
        sent.raw("formula").clone_into(&mut draft.formula);
    }
    let checked = check::check(&visit, &draft, published.as_ref()).await;
    show(&page(&visit, draft, published, (checked, None)))
}

/// Reads the metric that is edited, if any.
async fn read_published(visit: &Visit, key: &str) -> Result<Option<Metric>, Failure> {
    if key.is_empty() { Ok(None) } else { metrics::read(visit, key).await.map(Some) }
}

fn page(
    visit: &Visit,
    draft: Draft,
    published: Option<Metric>,
    (checked, refusal): (Checked, Option<String>),
) -> WorkbenchPage {
    let edited = published.as_ref().map(|metric| format!("Edit {}", metric.name));
    let title = edited.unwrap_or_else(|| "Workbench".to_owned());
    WorkbenchPage {
        frame: visit.frame(Section::Workbench, title),
        can_edit: visit.edits_metrics(),
        draft,
        published,
        checked,
        refusal,
    }
}

/// Checks the formula, or saves it.
pub(super) async fn use_workbench(visit: Visit, Form(fields): Form) -> PageResult {
    let mut draft = Draft::of_form(&fields);
    let mut published = read_published(&visit, &draft.key).await?;
    let action = fields.text("action");
    let refusal = if matches!(action, "save" | "publish") && fields.raw("fix").is_empty() {
        PageError::unless(visit.edits_metrics())?;
        match save::save(&visit, &draft, (published.as_ref(), action == "publish")).await {
            Ok(address) => return super::page::go(&address),
            Err(refusal) => {
                draft.key = refusal.key.unwrap_or(draft.key);
                published = read_published(&visit, &draft.key).await.unwrap_or(published);
                // Whoever sends it again knows of this version.
                draft.version =
                    published.as_ref().map_or_else(String::new, |own| own.version.to_string());
                Some(refusal.message)
            }
        }
    } else {
        None
    };
    let status = if refusal.is_some() { super::REFUSED } else { StatusCode::OK };
    let checked = check::check(&visit, &draft, published.as_ref()).await;
    respond(status, &page(&visit, draft, published, (checked, refusal)))
}

/// Returns the part below the formula, while people type.
pub(super) async fn check_formula(visit: Visit, Question(fields): Question) -> PageResult {
    let draft = Draft::of_form(&fields);
    let published = read_published(&visit, &draft.key).await.ok().flatten();
    let checked = check::check(&visit, &draft, published.as_ref()).await;
    show(&WorkbenchPart { checked })
}

/// Returns what can be inserted at the cursor, for the script.
pub(super) async fn complete_formula(
    visit: Visit,
    Question(fields): Question,
) -> Result<Json<Value>, PageError> {
    let offset = fields.text("offset").parse::<u32>().unwrap_or_default();
    let body = json!({ "formula": fields.raw("formula"), "offset": offset });
    let path = "/admin/metrics/complete";
    let completion = visit.api.post_at(path, &body, "/completion").await;
    completion
        .map(Json)
        .map_err(|failure| PageError::refused(&HttpError::invalid_data(failure.message)))
}
