//! Lists.

pub(super) mod len;
pub(super) mod list;
