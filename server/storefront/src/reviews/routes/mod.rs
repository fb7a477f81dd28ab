//! The routes of reviews.

mod admin;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::VisitorState;

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    admin::router().merge(store::router())
}
