//! What every domain of the store stands on: the database, HTTP, who is asking, events, jobs and the audit log.
//!
//! Nothing here knows what a product or an order is. A domain's crate uses these modules and is used by none of them.

#![expect(
    missing_docs,
    unnameable_types,
    reason = "only the crates beside this one use it: a doc line stands where it says more than the name"
)]

pub mod api_keys;
pub mod audit_log;
pub mod auth;
pub mod clock;
pub mod config;
pub mod database;
pub mod events;
pub mod http;
pub mod ids;
pub mod jobs;
pub mod metadata;
pub mod middleware;
pub mod money;
pub mod openapi;
pub mod proportion;
pub mod request_id;
pub mod resource;
pub mod state;
pub mod telemetry;
pub mod testing;
pub mod users;
