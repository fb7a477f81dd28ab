//! The list of metrics.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;

use super::Metric;
use super::bulk::CHANGES;
use crate::pages::Pages;
use crate::pages::client::target;
use crate::pages::listing::Paging;
use crate::pages::page::{Frame, PageResult, Part, Section, show};
use crate::pages::visit::Visit;

/// Limit: metrics of one page.
pub(super) const PAGE: usize = 50;

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
    /// The address that takes a change of those that are selected.
    address: String,
    store: crate::pages::visit::Store,
    /// The columns that the list can be sorted by, each with the address that does it, and how it is sorted now.
    heads: Vec<Head>,
    metrics: Part<Metrics>,
}

/// The head of a column.
#[derive(Debug)]
struct Head {
    name: &'static str,
    is_number: bool,
    address: Option<String>,
    sorted: Option<&'static str>,
}

/// The columns: the name, the field that sorts by it, and whether the greatest comes first.
const HEADS: &[(&str, &str, bool)] = &[
    ("Metric", "name", false),
    ("Formula", "", false),
    ("Category", "category", false),
    ("Type", "data_type", false),
    ("State", "state", false),
    ("Changed", "updated_at", true),
];

fn heads(visit: &Visit) -> Vec<Head> {
    let own = visit.parameters.text("order");
    let own = if own.is_empty() { "name" } else { own };
    let head = |(name, field, is_number): &(&'static str, &'static str, bool)| {
        let (up, down) = ((*field).to_owned(), format!("-{field}"));
        let sorted = match own {
            own if own == up && !field.is_empty() => Some("ascending"),
            own if own == down => Some("descending"),
            _ => None,
        };
        // What is sorted by already is turned round; of moments, the newest come first.
        let is_turned = sorted == Some("ascending") || sorted.is_none() && *is_number;
        let turned = if is_turned { &down } else { &up };
        let address = visit.address_with(&[("order", turned), ("offset", ""), ("done", "")]);
        let address = (!field.is_empty()).then_some(address);
        Head { name, is_number: *is_number, address, sorted }
    };
    HEADS.iter().map(head).collect()
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
    let limit = PAGE.to_string();
    let query = [
        ("q", sent.text("q")),
        ("category", sent.text("category")),
        ("state", sent.text("state")),
        ("order", if sent.has("order") { sent.text("order") } else { "name" }),
        ("offset", sent.text("offset")),
        ("limit", &limit),
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
        address: visit.address_with(&[("done", "")]),
        store: visit.store.clone(),
        heads: heads(&visit),
        metrics,
    })
}
