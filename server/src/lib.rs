//! A store's whole HTTP API on one binary.

pub mod database;
pub mod http;
