//! What the routes of several domains share: failures in the shapes that clients know, pages, and files that are sent
//! while they are read.

pub(crate) mod failures;
pub(crate) mod paging;
pub(crate) mod streaming;
