//! The script that shows a flow on a page, and a demo page for it.
//!
//! The script has the same bytes for everybody. The page accepts only ids, and loads scripts only from this
//! server.

mod page;
mod routes;

pub(crate) use routes::router;
