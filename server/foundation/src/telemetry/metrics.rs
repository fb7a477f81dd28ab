//! The Prometheus metrics, served at `/metrics`.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The metrics of one server. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Mutex<Registry>>,
    requests: Family<RequestLabels, Counter>,
    durations_s: Family<RouteLabels, Histogram, fn() -> Histogram>,
    connections: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: String,
    route: String,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("quotient");
        let requests = Family::default();
        let durations_s: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.000_25, 4.0, 9)));
        let connections = Gauge::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register("http_request_duration_seconds", "Time to answer", durations_s.clone());
        registry.register("http_connections", "Connections open", connections.clone());
        Self { registry: Arc::new(Mutex::new(registry)), requests, durations_s, connections }
    }
}

impl Metrics {
    /// Counts a request. `route` is the pattern of its path, not the path itself, to bound the number of labels.
    pub fn count(&self, method: &str, route: &str, status: u16, elapsed: Duration) {
        let (method, route) = (method.to_owned(), route.to_owned());
        let labels = RouteLabels { method: method.clone(), route: route.clone() };
        self.durations_s.get_or_create(&labels).observe(elapsed.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { method, route, status }).inc();
    }

    /// Counts a connection until the result is dropped.
    pub fn connected(&self) -> Connected {
        self.connections.inc();
        Connected(self.connections.clone())
    }

    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

#[derive(Debug)]
pub struct Connected(Gauge);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_status() {
        let metrics = Metrics::default();

        metrics.count("GET", "/store/products/{id}", 200, Duration::from_millis(1));

        let text = metrics.text().unwrap();
        let line = r#"quotient_http_requests_total{method="GET",route="/store/products/{id}",status="200"} 1"#;
        assert!(text.contains(line), "{text}");
    }
}
