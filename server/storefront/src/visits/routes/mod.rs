//! The routes of visits, events and wishes.

mod headers;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use super::records::{EventName, VisitEvent, WishlistItem};
use crate::database::Table as _;
use crate::resource::AdminRoutes;
use crate::state::VisitorState;

/// The store and admin routes of visits, events and wishes.
pub fn router() -> OpenApiRouter<VisitorState> {
    let events = AdminRoutes::<VisitEvent, _>::at("/admin/tracking-events", "Admin visitors")
        .list()
        .note("What storefronts report, and the views of products. Without a consent, nothing tells who it was.")
        .router();
    let wishes = AdminRoutes::<WishlistItem, _>::at("/admin/wishlist-items", "Admin visitors")
        .list()
        .note("What visitors wish for, by the events `wishlist_added` and `wishlist_removed`.")
        .router();
    let names = AdminRoutes::<EventName, _>::at("/admin/tracking-event-names", "Admin visitors")
        .list()
        .note("The names that storefronts made up, at most 200.")
        .delete(EventName::remove)
        .note("Its events stay. The name comes again with the next event.")
        .router();
    events.merge(names).merge(wishes).merge(store::router())
}
