//! Metrics: what administrators see of them.

mod audit;
