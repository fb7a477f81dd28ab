//! Shared by the routes of several domains: error bodies, pages and rate limits.

pub(crate) mod alias;
pub(crate) mod day;
pub(crate) mod failures;
pub(crate) mod limits;
pub(crate) mod paging;
