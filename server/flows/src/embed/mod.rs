//! The script that shows a flow on a page, and a page to try it on.
//!
//! The script is the same bytes for everybody. The page takes ids only, and names scripts of this server only.

mod page;
mod routes;

pub(crate) use routes::router;
