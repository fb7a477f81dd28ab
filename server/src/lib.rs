//! Quotient's server: an online store's whole HTTP API in one binary, over one SQLite file.
//!
//! ```text
//! server → demo ─────────────────────────→ sales → merchandising → foundation
//!        ↘ storefront · flows · partners ↗      ↗                ↗
//!        ↘ pages ───────────────────────────────                 │
//!        ↘ metrics ──────────────────────────────────────────────
//! ```
//!
//! The domains are separate crates, in folders beside this one; this crate assembles them: the routes, the socket, the
//! first start and the command line.
#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]

pub mod check;
mod chores;
pub mod first_start;
pub mod routes;
pub mod start;
pub mod state;

pub use quotient_demo as demo;
pub(crate) use quotient_flows as flows;
pub use quotient_foundation::{
    api_keys, audit_log, auth, clock, config, database, ids, middleware, telemetry, testing, users,
};
pub(crate) use quotient_foundation::{events, http, jobs, mail, money};
pub(crate) use quotient_merchandising::regions;
pub(crate) use quotient_metrics as metrics;
pub(crate) use quotient_partners as partners;
pub(crate) use quotient_sales::{
    cart, checkout, orders, payments, privacy, subscriptions, webhooks,
};
