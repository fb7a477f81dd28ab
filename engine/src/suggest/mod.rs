//! Authoring help: completion at the cursor, names for holes, and renaming.
//!
//! [`Engine::complete`](crate::Engine::complete) accepts any text, however broken, and any place in
//! it. [`Engine::fitting`](crate::Engine::fitting) fills `?` with names whose units match, and
//! [`Engine::proposals`](crate::Engine::proposals) builds whole formulas from given names.
//! [`rename()`] returns the edits for a new name, in every formula and declaration of a file set,
//! and refuses edits that would change a meaning. Nothing here writes files.

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

pub use candidate::{Candidate, CandidateKind};
pub use complete::Completion;
pub use fits::Fit;
pub use rename::{FormulaSite, RenameError, RenameOutcome, rename};
