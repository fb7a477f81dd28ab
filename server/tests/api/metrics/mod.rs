//! Metrics: dashboards and reports.

mod dashboards;
