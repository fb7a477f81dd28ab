//! Saves the formula: as a draft, or published.

use axum::http::Method;
use serde::Deserialize;
use serde_json::json;

use super::Draft;
use crate::client::{Failure, segment};
use crate::metrics::{Metric, change_state};
use crate::visit::Visit;

#[derive(Debug, Deserialize)]
struct SavedMetric {
    key: String,
    state: String,
}

/// Why it is not saved, or not published.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) message: String,
    /// The key of the draft, if it was saved anyway.
    pub(super) key: Option<String>,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self { message: failure.message, key: None }
    }
}

/// Refuses to replace a version that the author has not seen.
fn check_version(draft: &Draft, metric: &Metric) -> Result<(), Refusal> {
    let version = metric.version.to_string();
    if draft.version.is_empty() || draft.version == version {
        return Ok(());
    }
    let message = format!(
        "The metric was changed meanwhile: it has version {version}. What you typed is kept; send it again to replace that version."
    );
    Err(Refusal { message, key: None })
}

/// Creates or changes the metric; returns its page.
pub(super) async fn save(
    visit: &Visit,
    draft: &Draft,
    (published, is_final): (Option<&Metric>, bool),
) -> Result<String, Refusal> {
    if let Some(metric) = published {
        check_version(draft, metric)?;
    }
    let check = json!({ "formula": draft.formula });
    let path = "/admin/metrics/validate";
    let kind: Option<String> = visit.api.post_at(path, &check, "/validation/type").await?;
    let kind = kind.as_deref().unwrap_or("number");
    let description = Some(&draft.description).filter(|text| !text.is_empty());
    let mut body = json!({ "name": draft.name, "description": description,
        "formula": draft.formula, "data_type": kind });
    if let (None, Some(members)) = (published, body.as_object_mut()) {
        members.insert("category".to_owned(), draft.category.clone().into());
        members.insert("scope".to_owned(), "store".into());
    }
    let path = "/admin/metrics/definitions";
    let saved: SavedMetric = match published {
        None => visit.api.post_at(path, &body, "/metric").await?,
        Some(metric) => {
            let path = format!("{path}/{}", segment(&metric.key));
            let api = visit.api.matching(metric.tag.as_ref());
            api.read(Method::PUT, &path, Some(&body), "/metric").await?
        }
    };
    if is_final && saved.state != "active" {
        let made = change_state(visit, &saved.key, "active").await;
        made.map_err(|failure| Refusal {
            message: format!("It is saved as a draft, but not in use: {}", failure.message),
            key: Some(saved.key.clone()),
        })?;
    }
    Ok(format!("/app/metrics/{}?done=saved", segment(&saved.key)))
}
