//! What must hold for any bytes: a function for each fuzz target, which panics if it does not.
//!
//! `engine/fuzz` passes these functions to libFuzzer; `corpora.rs` runs them as ordinary tests over
//! the committed seeds.

#![expect(clippy::panic, reason = "what a target finds fails it")]

mod choices;
mod columns;
mod running;
mod text;

/// A target with the name of its folder of seeds.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Every target.
pub(crate) const TARGETS: [Target; 4] = [
    ("parse", text::parse),
    ("print_parse", text::print_parse),
    ("check_and_run", running::check_and_run),
    ("columns_against_scalar", columns::columns_against_scalar),
];
