//! Content pages: texts of a storefront under their own URLs, such as terms or a guide.
//!
//! Invariants: a slug has one page by site and locale; a version is never changed, so that what was published can be
//! told; a storefront shows the published version in its window, and the last version only for a preview token of that
//! page. Start at [`page::ContentPage`].

mod content;
mod page;
mod preview;
mod queries;
mod requests;
mod routes;
mod show;

pub(crate) use routes::router;
