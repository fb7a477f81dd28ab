//! Branches and null handling.

pub(super) mod coalesce;
pub(super) mod if_then;
pub(super) mod is_error;
pub(super) mod is_null;
pub(super) mod nullif;
pub(super) mod safe_div;
