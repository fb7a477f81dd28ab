//! The list of metrics.

use std::collections::BTreeMap;

use askama::Template;
use serde::Deserialize;

use super::Metric;
use super::bulk::{CHANGES, MAX_METRICS};
use crate::client::target;
use crate::listing::{Head, Paging, Sorting};
use crate::locale::Locale;
use crate::page::{Frame, PageResult, Part, Section, show};
use crate::parameters::Parameters;
use crate::visit::Visit;

/// The categories and states by which the list can be filtered.
pub(crate) const CATEGORIES: &[&str] = &[
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
    /// The search, the filters and the order in the URL.
    sent: Parameters,
    can_edit: bool,
    /// The URL that changes the selected metrics.
    address: String,
    store: crate::store::Store,
    /// The sortable columns, each with its URL and the present sort direction.
    heads: Vec<Head>,
    metrics: Part<Metrics>,
}

/// The columns: the name, the field that sorts by it, and whether it holds times.
const HEADS: &[(&str, &str, bool)] = &[
    ("Metric", "name", false),
    ("Formula", "", false),
    ("Category", "category", false),
    ("Type", "data_type", false),
    ("State", "state", false),
    ("Used by", "", false),
    ("Changed", "updated_at", true),
];

fn heads(visit: &Visit) -> Vec<Head> {
    let head = |(name, field, is_moment): &(&'static str, &'static str, bool)| {
        let head = Head::plain(name, *is_moment);
        let by = Sorting { field, is_falling: *is_moment, default: "name" };
        if field.is_empty() { head } else { head.sorting(visit, by) }
    };
    HEADS.iter().map(head).collect()
}

#[derive(Debug)]
struct Metrics {
    /// Each with its users.
    rows: Vec<(Metric, String)>,
    paging: Paging,
}

#[derive(Debug, Deserialize)]
struct MetricsAnswer {
    metrics: Vec<Metric>,
    count: u64,
    offset: u64,
    limit: u64,
}

/// The number of users of a metric.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Uses {
    key: String,
    metrics: u64,
    boards: u64,
    alerts: u64,
}

impl Uses {
    /// Returns them in words: `2 metrics, 1 board`; empty if there are none.
    pub(super) fn summary(&self, locale: Locale) -> String {
        let kinds = [(self.metrics, "metric"), (self.boards, "board"), (self.alerts, "alert")];
        let used = kinds.iter().filter(|(count, _)| *count > 0);
        let summary = used.map(|(count, noun)| {
            let number = locale.number(&count.to_string());
            // A number stays on the same line as its noun.
            format!("{number}\u{a0}{noun}{}", if *count == 1 { "" } else { "s" })
        });
        summary.collect::<Vec<_>>().join(", ")
    }
}

/// Joins the metrics of a page with their users.
fn joined(metrics: Vec<Metric>, uses: Vec<Uses>, locale: Locale) -> Vec<(Metric, String)> {
    let uses: BTreeMap<String, String> =
        uses.into_iter().map(|own| (own.key.clone(), own.summary(locale))).collect();
    let with_use = |metric: Metric| {
        let summary = uses.get(&metric.key).cloned().unwrap_or_default();
        (metric, summary)
    };
    metrics.into_iter().map(with_use).collect()
}

pub(crate) async fn show_metrics(visit: Visit) -> PageResult {
    let sent = &visit.parameters;
    let limit = MAX_METRICS.to_string();
    let query = [
        ("q", sent.text("q")),
        ("category", sent.text("category")),
        ("state", sent.text("state")),
        ("order", if sent.has("order") { sent.text("order") } else { "name" }),
        ("offset", sent.text("offset")),
        ("limit", &limit),
    ];
    let path = target("/admin/metrics/definitions", &query);
    let uses = target("/admin/metrics/uses", &query);
    let (answer, uses) =
        tokio::join!(visit.api.get::<MetricsAnswer>(&path), visit.api.get_at(&uses, "/uses"));
    let metrics = answer.and_then(|answer| {
        Ok(Metrics {
            paging: Paging::of(&visit, (answer.offset, answer.limit, answer.count)),
            rows: joined(answer.metrics, uses?, visit.store.locale),
        })
    });
    show(&MetricsPage {
        frame: visit.frame(Section::Metrics, "Metrics"),
        can_edit: visit.edits_metrics(),
        address: visit.address_with(&[("done", "")]),
        store: visit.store.clone(),
        heads: heads(&visit),
        metrics,
        sent: visit.parameters,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_of_a_metric_are_described_in_words() {
        let summary = |metrics, boards, alerts| {
            Uses { key: "aov".to_owned(), metrics, boards, alerts }.summary(Locale::default())
        };
        assert_eq!(summary(0, 0, 0), "");
        assert_eq!(summary(1, 0, 2), "1\u{a0}metric, 2\u{a0}alerts");
        assert_eq!(summary(12_345, 1, 0), "12,345\u{a0}metrics, 1\u{a0}board");
    }
}
