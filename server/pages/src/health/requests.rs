//! The requests answered since the server started, from its Prometheus metrics.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use axum::http::Method;

use crate::client::{Client, Failure};
use crate::page::Part;

/// Limit: routes listed.
const ROUTES: usize = 15;

/// The requests since the start.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pub(super) answered: u64,
    /// Requests with a server error.
    pub(super) failed: u64,
    pub(super) connections: u64,
    /// The most requested routes.
    pub(super) routes: Vec<Route>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Route {
    pub(super) name: String,
    pub(super) answered: u64,
    pub(super) failed: u64,
}

/// Reads the server's request metrics.
pub(super) async fn read(client: &Client) -> Part<Requests> {
    let (_, body) = client.send(Method::GET, "/metrics", None).await?;
    let text = std::str::from_utf8(&body).map_err(|_other| Failure::unreadable())?;
    Ok(of(text))
}

fn of(text: &str) -> Requests {
    let mut requests = Requests::default();
    let mut routes: BTreeMap<String, Route> = BTreeMap::new();
    for line in text.lines() {
        let Some((name, count)) = line.rsplit_once(' ') else { continue };
        let Ok(count) = count.parse::<u64>() else { continue };
        if name == "quotient_http_connections" {
            requests.connections = count;
        }
        let Some(labels) = name.strip_prefix("quotient_http_requests_total{") else { continue };
        let label = |name: &str| {
            let start = format!("{name}=\"");
            Some(labels.split_once(&start)?.1.split_once('"')?.0)
        };
        let failed =
            if label("status").is_some_and(|own| own.starts_with('5')) { count } else { 0 };
        let name = [label("method"), label("route")].map(Option::unwrap_or_default).join(" ");
        let route = routes.entry(name.clone()).or_insert(Route { name, ..Route::default() });
        for (sum, more) in [
            (&mut requests.answered, count),
            (&mut requests.failed, failed),
            (&mut route.answered, count),
            (&mut route.failed, failed),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
    requests.routes = routes.into_values().collect();
    requests.routes.sort_by_key(|route| Reverse(route.answered));
    requests.routes.truncate(ROUTES);
    requests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_summed_by_route_and_failures_are_those_of_the_server() {
        let requests = of("# HELP quotient_http_requests Requests answered\n\
             quotient_http_requests_total{method=\"GET\",route=\"/a\",status=\"200\"} 3\n\
             quotient_http_requests_total{method=\"GET\",route=\"/a\",status=\"503\"} 2\n\
             quotient_http_requests_total{method=\"POST\",route=\"/b\",status=\"404\"} 7\n\
             quotient_http_request_duration_seconds_sum{method=\"GET\",route=\"/a\"} 0.5\n\
             quotient_http_connections 4\n# EOF\n");

        assert_eq!((requests.answered, requests.failed, requests.connections), (12, 2, 4));
        let route =
            |name: &str, answered, failed| Route { name: name.to_owned(), answered, failed };
        assert_eq!(requests.routes, [route("POST /b", 7, 0), route("GET /a", 5, 2)]);
    }
}
