//! The SQL of sessions.

pub(super) mod facts;
pub(super) mod sessions;
