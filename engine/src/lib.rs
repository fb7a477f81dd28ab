//! A metrics formula engine.
pub mod calendar;
pub mod data;
mod evaluate;
pub mod check;
pub mod diagnostics;
pub mod file;
pub mod format;
pub mod functions;
pub mod number;
pub mod schema;
pub mod source;
pub mod syntax;
pub mod types;
