//! Tables, links and records.
