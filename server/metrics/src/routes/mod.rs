//! Shared by the routes of several domains: error bodies, pages, and streamed files.

pub(crate) mod alias;
pub(crate) mod day;
pub(crate) mod failures;
pub(crate) mod paging;
pub(crate) mod streaming;
