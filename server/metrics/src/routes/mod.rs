//! Shared by the routes of several domains: error bodies and pages.

pub(crate) mod alias;
pub(crate) mod day;
pub(crate) mod failures;
pub(crate) mod paging;
