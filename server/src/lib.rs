//! Quotient's server: an online store's whole HTTP API on one binary, over one SQLite file.
//!
//! ```text
//! routes → domains → { database, http, auth, events, ids, clock, money }
//! ```

pub mod clock;
pub mod config;
pub mod database;
pub mod http;
pub mod ids;
pub mod middleware;
pub mod money;
mod openapi;
pub mod routes;
pub mod start;
pub mod state;
pub mod telemetry;
