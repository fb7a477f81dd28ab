//! Branches and null handling.

mod coalesce;
mod if_then;
mod is_error;
mod is_null;
mod nullif;
mod safe_div;

pub(crate) use coalesce::COALESCE;
pub(crate) use if_then::IF;
pub(crate) use is_error::IS_ERROR;
pub(crate) use is_null::IS_NULL;
pub(crate) use nullif::NULLIF;
pub(crate) use safe_div::SAFE_DIV;
