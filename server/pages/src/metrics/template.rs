//! Templates: predefined metrics.

use std::collections::BTreeMap;

use askama::Template;
use serde::Deserialize;
use serde_json::{Value, json};

use super::value::one;
use super::{Metric, change_state};
use crate::client::{Failure, segment};
use crate::figures::{self, Answer};
use crate::form::Form;
use crate::http::Path;
use crate::page::{Frame, PageError, PageResult, Part, Section, go, show as respond};
use crate::range::Range;
use crate::visit::Visit;

/// A template in the API's format.
#[derive(Debug, Clone, Deserialize)]
struct MetricTemplate {
    key: String,
    name: String,
    description: Option<String>,
    category: String,
    formula: String,
    #[serde(default)]
    uses: Vec<String>,
    #[serde(default)]
    parameters: Vec<Parameter>,
}

#[derive(Debug, Clone, Deserialize)]
struct Parameter {
    name: String,
    description: Option<String>,
    #[serde(default)]
    default: Value,
}

impl Parameter {
    fn default_text(&self) -> String {
        self.default.as_str().map_or_else(|| self.default.to_string(), str::to_owned)
    }
}

#[derive(Debug, Template)]
#[template(path = "metrics/templates.html")]
struct TemplatesPage {
    frame: Frame,
    query: String,
    /// The templates by category.
    groups: Part<Vec<(String, Vec<MetricTemplate>)>>,
}

#[derive(Debug, Template)]
#[template(path = "metrics/template.html")]
struct TemplatePage {
    frame: Frame,
    template: MetricTemplate,
    range: Range,
    can_edit: bool,
    /// The value that the metric would have.
    preview: Part<Answer>,
}

pub(crate) async fn show_templates(visit: Visit) -> PageResult {
    let query = visit.parameters.text("q").to_owned();
    let path = "/admin/metrics/templates?limit=200";
    let templates = visit.api.get_at::<Vec<MetricTemplate>>(path, "/templates").await;
    let wanted = query.to_lowercase();
    let fits = |own: &MetricTemplate| {
        let description = own.description.clone().unwrap_or_default();
        [&own.key, &own.name, &own.formula, &description]
            .iter()
            .any(|text| text.to_lowercase().contains(&wanted))
    };
    let groups = templates.map(|templates| {
        let mut groups: BTreeMap<String, Vec<MetricTemplate>> = BTreeMap::new();
        for own in templates.into_iter().filter(fits) {
            groups.entry(own.category.clone()).or_default().push(own);
        }
        groups.into_iter().collect()
    });
    let frame = visit.frame(Section::Metrics, "Templates");
    respond(&TemplatesPage { frame, query, groups })
}

/// Shows the template with a name that no metric has; otherwise a page that says that there is
/// none.
pub(super) async fn show(visit: &Visit, key: &str, missing: Failure) -> PageResult {
    let template = visit.api.get_at::<MetricTemplate>(&route(key), "/template").await;
    let Ok(template) = template else { return Err(missing.into()) };
    let range = Range::of(visit);
    let preview = one(visit, range.question("formula", &*template.formula)).await;
    let frame = visit.frame(Section::Metrics, template.name.clone());
    respond(&TemplatePage { frame, can_edit: visit.edits_metrics(), template, range, preview })
}

fn route(key: &str) -> String {
    format!("/admin/metrics/templates/tmpl_{}", segment(key))
}

#[derive(Debug, Deserialize)]
struct InstanceAnswer {
    metric: Metric,
    #[serde(default)]
    created: Vec<Metric>,
}

/// Creates a metric from a template, with the metrics that it uses, and publishes them.
pub(crate) async fn add_template(
    visit: Visit,
    Path(key): Path<String>,
    Form(fields): Form,
) -> PageResult {
    let back = format!("/app/metrics/{}", segment(&key));
    let refused = |failure| PageError::refused_change(&failure, &back);
    let path = route(&key);
    let template = visit.api.get_at::<MetricTemplate>(&path, "/template").await;
    let template = template.map_err(refused)?;
    let mut parameters = serde_json::Map::new();
    for own in &template.parameters {
        let value = fields.text(&format!("parameter_{}", own.name));
        if !value.is_empty() && value != own.default_text() {
            parameters.insert(own.name.clone(), value.into());
        }
    }
    let name = if fields.has("name") { fields.text("name") } else { &template.name };
    let body = json!({ "name": name, "parameters": parameters });
    let instantiate = format!("{path}/instantiate");
    let made = visit.api.post::<InstanceAnswer>(&instantiate, &body).await;
    let made = made.map_err(refused)?;
    for metric in made.created.iter().chain([&made.metric]) {
        change_state(&visit, &metric.key, "active").await.map_err(refused)?;
    }
    go(&format!("/app/metrics/{}?done=saved", segment(&made.metric.key)))
}
