//! `/admin/regions` and `/store/regions`.

use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateRegionRequest, UpdateRegionRequest};
use crate::regions::{self, Region};
use crate::resource::{AdminRoutes, StoreRoutes};
use crate::state::AppState;

pub(super) fn store() -> OpenApiRouter<AppState> {
    StoreRoutes::<Region, _>::at("/store/regions", "Store regions").list().show().router()
}

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<Region, _>::at("/admin/regions", "Admin regions")
        .list()
        .create(CreateRegionRequest::create)
        .show()
        .update(UpdateRegionRequest::update)
        .delete(regions::delete)
        .note("Its countries are free for another region; carts of it find no region any more.")
        .router()
}
