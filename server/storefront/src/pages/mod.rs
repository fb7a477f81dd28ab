//! Content pages: texts of a storefront under their own URLs, such as terms or a guide.
//!
//! Invariants: a slug has one page per site and locale; a version never changes, so that it remains known what was
//! published; a storefront shows the published version within its window, and the latest version only for a preview
//! token of that page. Start at [`page::ContentPage`].

mod content;
mod page;
mod queries;
mod requests;
mod routes;
mod show;

pub(crate) use routes::router;
