//! A metrics formula engine.
pub mod calendar;
pub mod check;
pub mod data;
pub mod diagnostics;
pub mod engine;
mod evaluate;
pub mod explain;
pub mod file;
pub mod format;
pub mod functions;
pub mod number;
pub mod schema;
pub mod source;
pub mod syntax;
pub mod types;

pub use engine::{
    Answer, Answers, Comparison, Engine, Formula, Inputs, Metric, Request, Validation,
};
