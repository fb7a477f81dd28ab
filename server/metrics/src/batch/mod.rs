//! Many values, dashboards and reports in one request, over one snapshot.

mod items;
mod routes;

pub(crate) use routes::router;
