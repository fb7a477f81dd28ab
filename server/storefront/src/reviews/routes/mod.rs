//! The routes of reviews.

mod admin;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::VisitorState;

/// The store and admin routes of reviews.
pub fn router() -> OpenApiRouter<VisitorState> {
    admin::router().merge(store::router())
}
