//! Changes of a metric: its state, and reverting to a version.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::Pages;
use crate::client::{segment, target};
use crate::form::Form;
use crate::http::Path;
use crate::page::{PageError, PageResult, go};
use crate::visit::Visit;

/// Changes the state of a metric, or reverts it to a version.
pub(crate) async fn change_metric(
    visit: Visit,
    State(pages): State<Pages>,
    Path(key): Path<String>,
    Form(fields): Form,
) -> PageResult {
    let base = format!("/admin/metrics/catalog/{}", segment(&key));
    let (path, body) = match fields.text("action") {
        "state" => (format!("{base}/lifecycle"), json!({ "state": fields.text("state") })),
        "roll-back" => {
            let version = fields.text("version").parse::<u32>().unwrap_or_default();
            (format!("{base}/versions/rollback"), json!({ "version": version }))
        }
        _ => return Err(visit.missing()),
    };
    let page = format!("/app/metrics/{}", segment(&key));
    let view = fields.text("view");
    match pages.client.post::<Value>(&visit.origin, &path, &body).await {
        Ok(_) => go(&target(&page, &[("view", view), ("done", "saved")])),
        Err(failure) if failure.status == StatusCode::FORBIDDEN => Err(PageError::forbidden()),
        Err(failure) => Err(PageError::refused_change(failure, &target(&page, &[("view", view)]))),
    }
}
