//! The targets' logic, which the engine's own tests share.

#![allow(dead_code, reason = "a target is one of several, and the model serves other tests too")]

#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../tests/model/mod.rs"]
mod model;

/// Runs the target of that name over an input; panics where what should hold does not.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) =
        fuzzing::TARGETS.into_iter().find(|(own, _)| *own == name).expect("a target of that name");
    target(bytes);
}
