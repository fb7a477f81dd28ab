//! Formulas over small stores, from text to values.

mod aggregates;
mod groups;
mod limits;
mod money;
mod records;
mod shop;
mod supply;
mod windows;
