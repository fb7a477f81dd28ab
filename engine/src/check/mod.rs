//! Names, levels, units, additivity, populations and bases: syntax tree to checked formula.

mod typed;

pub use typed::AggregateFunction;
