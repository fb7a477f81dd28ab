//! The protocol under a model checker that chooses the order in which threads run.

mod model;
