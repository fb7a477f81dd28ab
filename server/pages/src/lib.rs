//! The admin pages: what people see when they open the store's address in a browser.
//!
//! The pages are a client of the API in the same process. A page calls the same routes as every client, as the logged-in
//! person ([`client`]), and shows the responses: it has no numbers, rules or permissions of its own, and no SQL.
//!
//! Each page's folder holds its handler, its view model and its templates. [`visit`] is the viewer and the address,
//! [`store`] the store with its formats, [`form`] a change with its token, [`page`] the frame around every page,
//! [`assets`] the files that browsers load.

mod alerts;
mod assets;
mod client;
mod decimal;
mod figures;
mod flows;
mod form;
mod health;
mod listing;
mod locale;
mod metrics;
mod orders;
mod overview;
mod page;
mod parameters;
mod range;
mod records;
mod reports;
mod sessions;
mod store;
mod visit;
mod workbench;

use axum::Router;
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Serialize;

pub(crate) use quotient_foundation::{auth, clock, csv, http, ids, middleware, money};
pub(crate) use quotient_merchandising::regions;

use clock::Clock;
use http::Json;
use page::PageResult;
use visit::Visit;

/// What the pages share.
#[derive(Debug, Clone)]
pub struct Pages {
    /// The API's routes, with only the middleware of pages.
    api: Router,
    clock: Clock,
}

impl Pages {
    /// Returns the pages over the API's routes, which only have the middleware of
    /// [`wrap_for_pages`](middleware::wrap_for_pages).
    pub const fn over(api: Router, clock: Clock) -> Self {
        Self { api, clock }
    }
}

/// Returns the routes of all pages.
pub fn router(pages: Pages) -> Router {
    Router::new()
        .route("/", get(show_start))
        .route("/app", get(overview::show_overview))
        .route("/app/best-products", get(overview::show_best_products))
        .route("/app/board", post(overview::change_board))
        .route("/app/metrics", get(metrics::show_metrics).post(metrics::change_metrics))
        .route("/app/metrics/templates", get(metrics::show_templates))
        .route("/app/metrics/templates/{key}", post(metrics::add_template))
        .route("/app/metrics/{key}", get(metrics::show_metric).post(metrics::change_metric))
        .route("/app/workbench", get(workbench::show_workbench).post(workbench::use_workbench))
        .route("/app/workbench/check", post(workbench::check_formula))
        .route("/app/workbench/complete", post(workbench::complete_formula))
        .route("/app/log-in", get(sessions::show_log_in).post(sessions::log_in))
        .route("/app/log-out", post(sessions::log_out))
        .route("/app/assets/{name}", get(assets::show_asset))
        .route("/app/alerts/new", get(alerts::show_new_alert).post(alerts::add_alert))
        .route("/app/reports", get(reports::show_reports))
        .route("/app/reports/{name}", get(reports::show_report))
        .route("/app/health", get(health::show_health).post(health::do_work))
        .route("/app/search", get(records::search))
        .route("/app/orders/{id}", get(orders::show_order).post(orders::change_order))
        .route("/app/orders/{id}/return", get(orders::show_return).post(orders::add_return))
        .route("/app/returns/{id}/receive", get(orders::show_receipt).post(orders::receive_return))
        .route("/app/flows/{id}/draft", get(flows::show_draft).post(flows::take_draft))
        .route("/app/flows/{id}/step", get(flows::show_step).post(flows::take_step))
        .route("/app/{kind}", get(records::show_list))
        .route("/app/{kind}/{id}", get(records::show_record).post(records::change_record))
        .route("/app/{kind}/{id}/{form}", get(records::show_form).post(records::take_form))
        .route("/app/{kind}/{id}/{form}/{*rest}", get(show_missing))
        .with_state(pages)
}

/// The locations of the server's parts, for programs.
#[derive(Debug, Serialize)]
struct StartResponse {
    /// The admin pages.
    admin: &'static str,
    /// The API reference.
    reference: &'static str,
    /// The OpenAPI document.
    description: &'static str,
}

/// Redirects browsers to the pages, and tells programs where the API is described.
async fn show_start(headers: HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    if accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        return Redirect::to("/app").into_response();
    }
    Json(StartResponse { admin: "/app", reference: "/docs", description: "/openapi.json" })
        .into_response()
}

async fn show_missing(visit: Visit) -> PageResult {
    Err(visit.missing())
}

/// The status of a page that shows why a change was rejected.
const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
