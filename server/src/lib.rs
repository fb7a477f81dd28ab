//! Quotient's server: an online store's whole HTTP API on one binary, over one SQLite file.
//!
//! ```text
//! routes → domains → { database, http, auth, events, ids, clock, money }
//! ```

pub mod api_keys;
pub mod auth;
pub(crate) mod cart;
pub(crate) mod catalog;
pub mod check;
pub(crate) mod checkout;
mod chores;
pub mod clock;
pub mod config;
pub(crate) mod credit;
pub(crate) mod customers;
pub mod database;
pub mod demo;
pub mod events;
pub mod first_start;
pub(crate) mod fulfillment;
pub mod http;
pub mod ids;
pub(crate) mod inventory;
pub mod jobs;
pub(crate) mod metadata;
pub(crate) mod metrics;
pub mod middleware;
pub mod money;
mod openapi;
pub(crate) mod orders;
pub(crate) mod payments;
pub(crate) mod pricing;
pub(crate) mod promotions;
pub(crate) mod proportion;
pub(crate) mod regions;
pub(crate) mod request_id;
pub mod resource;
pub(crate) mod returns;
pub mod routes;
pub(crate) mod sent;
pub(crate) mod shipping;
pub mod start;
pub mod state;
#[cfg_attr(not(test), expect(dead_code, reason = "the tables of states are read by their tests"))]
pub(crate) mod statuses;
pub(crate) mod taxes;
pub mod telemetry;
pub mod trail;
pub mod users;
