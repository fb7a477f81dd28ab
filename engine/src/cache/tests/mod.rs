//! The protocol against a model of every order in which threads may run.

mod model;
