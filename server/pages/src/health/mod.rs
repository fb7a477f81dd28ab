//! The state of the server: readiness, requests, backlog, computation of metrics, and their cache.

mod requests;
mod upkeep;

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::client::target;
use super::page::{Frame, PageResult, Part, Section, show};
use super::visit::Visit;
use requests::Requests;
use upkeep::Server;
pub(super) use upkeep::do_work;

#[derive(Debug, Template)]
#[template(path = "health/health.html")]
struct HealthPage {
    frame: Frame,
    ready: Part<Value>,
    server: Part<Server>,
    /// Whether there are buttons.
    can_work: bool,
    requests: Part<Requests>,
    waiting: Part<Vec<DeliveryCount>>,
    performance: Part<Performance>,
    cache: Part<Cache>,
    store: super::store::Store,
}

/// Deliveries in a state.
#[derive(Debug)]
struct DeliveryCount {
    label: &'static str,
    count: Value,
    /// The URL of their list.
    address: String,
}

/// The delivery states that need attention.
const STATES: &[(&str, &str)] =
    &[("pending", "Wait to be sent"), ("failed", "Failed, and tried again"), ("dead", "Given up")];

#[derive(Debug, Deserialize)]
struct Performance {
    computations: Value,
    p50_ms: u64,
    p95_ms: u64,
    p99_ms: u64,
    errors: Value,
    #[serde(default)]
    slowest: Vec<Computation>,
}

#[derive(Debug, Deserialize)]
struct Computation {
    at: String,
    origin: String,
    metrics: Vec<String>,
    duration_ms: u64,
    errors: u64,
}

#[derive(Debug, Deserialize)]
struct Cache {
    entries: Value,
    weight_bytes: Value,
    capacity_bytes: Value,
    hits: Value,
    misses: Value,
    hit_rate: Value,
    evictions: Value,
}

pub(super) async fn show_health(visit: Visit) -> PageResult {
    let (ready, server, requests, waiting, performance, cache) = tokio::join!(
        visit.api.get::<Value>("/health/ready"),
        visit.api.get_at("/admin/server", "/server"),
        requests::read(&visit.api),
        read_waiting(&visit),
        visit.api.get_at("/admin/metrics/performance", "/performance"),
        visit.api.get_at("/admin/metrics/cache", "/cache"),
    );
    show(&HealthPage {
        frame: visit.frame(Section::Health, "Health"),
        ready,
        server,
        can_work: visit.runs_store(),
        requests,
        waiting,
        performance,
        cache,
        store: visit.store,
    })
}

/// Counts the outgoing deliveries by state.
async fn read_waiting(visit: &Visit) -> Part<Vec<DeliveryCount>> {
    let mut waiting = Vec::new();
    for (state, label) in STATES {
        let path = target("/admin/webhook-deliveries", &[("status", *state), ("limit", "1")]);
        let count = visit.api.get_at(&path, "/count").await?;
        waiting.push(DeliveryCount {
            label,
            count,
            address: target("/app/webhooks", &[("status", state)]),
        });
    }
    Ok(waiting)
}
