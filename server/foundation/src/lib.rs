//! The foundation of all domains of the store: database, HTTP, authentication, events, jobs and the audit log.
//!
//! Nothing here depends on products or orders. Domain crates use these modules, never the reverse.

#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]
#![expect(
    missing_docs,
    unnameable_types,
    reason = "used only within this workspace; docs are written where they add to the name"
)]

pub mod api_keys;
pub mod audit_log;
pub mod auth;
pub mod clock;
pub mod config;
pub mod context;
pub mod csv;
pub mod database;
pub mod describe;
pub mod digest;
pub mod events;
pub mod http;
pub mod http_client;
pub mod ids;
pub mod jobs;
pub mod mail;
pub mod metadata;
pub mod middleware;
pub mod money;
pub mod openapi;
pub mod privacy;
pub mod proportion;
pub mod resource;
pub mod routing;
pub mod state;
pub mod telemetry;
pub mod testing;
pub mod users;
pub mod webhooks;
