//! Formulas over small stores, from text to values.

mod aggregates;
mod coverage;
mod data_sources;
mod dates;
mod groups;
mod limits;
mod money;
mod records;
mod shop;

mod windows;
