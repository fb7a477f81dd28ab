//! The routes of consents to text messages.

mod admin;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::state::VisitorState;

/// The store and admin routes of consents to text messages.
pub fn router() -> OpenApiRouter<VisitorState> {
    admin::router().merge(store::router())
}
