//! The list of metrics.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;

use super::Metric;
use crate::pages::Pages;
use crate::pages::client::target;
use crate::pages::listing::Paging;
use crate::pages::page::{Frame, PageResult, Part, Section, show};
use crate::pages::visit::Visit;

/// The categories and the states that the list can be narrowed to.
const CATEGORIES: &[&str] = &[
    "sales",
    "orders",
    "customers",
    "products",
    "inventory",
    "marketing",
    "conversion",
    "fulfillment",
    "finance",
    "subscriptions",
    "operations",
    "custom",
];
const STATES: &[&str] = &["draft", "active", "deprecated", "archived"];

#[derive(Debug, Template)]
#[template(path = "metrics/list.html")]
struct MetricsPage {
    frame: Frame,
    query: String,
    category: String,
    state: String,
    can_edit: bool,
    store: crate::pages::visit::Store,
    metrics: Part<Metrics>,
}

/// A page of metrics.
#[derive(Debug)]
struct Metrics {
    rows: Vec<Metric>,
    paging: Paging,
}

#[derive(Debug, Deserialize)]
struct MetricsAnswer {
    metrics: Vec<Metric>,
    count: u64,
    offset: u64,
    limit: u64,
}

/// Shows the metrics.
pub(in crate::pages) async fn show_metrics(visit: Visit, State(pages): State<Pages>) -> PageResult {
    let sent = &visit.parameters;
    let query = [
        ("q", sent.text("q")),
        ("category", sent.text("category")),
        ("state", sent.text("state")),
        ("order", if sent.has("order") { sent.text("order") } else { "name" }),
        ("offset", sent.text("offset")),
        ("limit", "50"),
    ];
    let path = target("/admin/metrics/definitions", &query);
    let answer = pages.client.get::<MetricsAnswer>(&visit.origin, &path).await;
    let metrics = answer.map(|answer| Metrics {
        paging: Paging::of(&visit, (answer.offset, answer.limit, answer.count)),
        rows: answer.metrics,
    });
    show(&MetricsPage {
        frame: Frame::of(&visit, Section::Metrics, "Metrics"),
        query: sent.text("q").to_owned(),
        category: sent.text("category").to_owned(),
        state: sent.text("state").to_owned(),
        can_edit: visit.edits_metrics(),
        store: visit.store.clone(),
        metrics,
    })
}
