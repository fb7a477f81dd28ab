//! A store's whole HTTP API on one binary.

pub mod config;
pub mod database;
pub mod http;
pub mod middleware;
pub mod telemetry;
