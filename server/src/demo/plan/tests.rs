//! What the plan promises.
