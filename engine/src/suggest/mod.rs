//! Help with writing formulas: what could stand at the cursor, what fits a hole, and names changed everywhere.
//!
//! [`Engine::complete`](crate::Engine::complete) takes any text, however broken, and any place in it.
//! [`Engine::fitting`](crate::Engine::fitting) fills `?` with names whose units come out right, and
//! [`Engine::proposals`](crate::Engine::proposals) makes whole formulas of given names. [`rename()`]
//! gives the edits that a new name needs, in every formula and declaration of a file set, and refuses those that
//! would change a meaning. Nothing here writes anything.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of token and node do not matter to one question"
)]

mod candidate;
mod complete;
mod cursor;
mod fits;
mod operands;
mod rename;
mod spelling;

pub use candidate::{Candidate, CandidateKind};
pub use complete::Completion;
pub use fits::Fit;
pub use rename::{FormulaSite, RenameError, RenameOutcome, rename};
