//! What the server does: whether it is ready, how metrics are computed, and their cache.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use super::Pages;
use super::figures;
use super::page::{Frame, PageResult, Part, Section, show};
use super::visit::Visit;

#[derive(Debug, Template)]
#[template(path = "health/health.html")]
struct HealthPage {
    frame: Frame,
    ready: Part<Value>,
    performance: Part<Performance>,
    cache: Part<Cache>,
    store: super::visit::Store,
}

#[derive(Debug, Deserialize)]
struct PerformanceAnswer {
    performance: Performance,
}

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
struct CacheAnswer {
    cache: Cache,
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

/// Shows the state of the server.
pub(super) async fn show_health(visit: Visit, State(pages): State<Pages>) -> PageResult {
    let (ready, performance, cache) = tokio::join!(
        pages.client.get::<Value>(&visit.origin, "/health/ready"),
        pages.client.get::<PerformanceAnswer>(&visit.origin, "/admin/metrics/performance"),
        pages.client.get::<CacheAnswer>(&visit.origin, "/admin/metrics/cache"),
    );
    show(&HealthPage {
        frame: Frame::of(&visit, Section::Health, "Health"),
        ready,
        performance: performance.map(|answer| answer.performance),
        cache: cache.map(|answer| answer.cache),
        store: visit.store,
    })
}
