//! The routes of visits, events and wishes.

mod headers;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use super::records::{VisitEvent, WishlistItem};
use crate::resource::AdminRoutes;
use crate::state::VisitorState;

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    let events = AdminRoutes::<VisitEvent, _>::at("/admin/tracking-events", "Admin visitors")
        .list()
        .note("What storefronts report, and the views of products. Without a consent, nothing tells who it was.")
        .router();
    let wishes = AdminRoutes::<WishlistItem, _>::at("/admin/wishlist-items", "Admin visitors")
        .list()
        .note("What visitors wish for, by the events `wishlist_added` and `wishlist_removed`.")
        .router();
    events.merge(wishes).merge(store::router())
}
