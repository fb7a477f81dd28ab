//! `/admin/sales-channels`.

use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateSalesChannelRequest, UpdateSalesChannelRequest};
use crate::database::Tx;
use crate::http::request;
use crate::ids::{ProductId, SalesChannelId};
use crate::regions::{self, RegionError, SalesChannel};
use crate::resource::AdminRoutes;
use crate::state::AppState;

/// The admin routes of sales channels.
pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<SalesChannel, _>::at("/admin/sales-channels", "Admin sales channels")
        .list()
        .create(CreateSalesChannelRequest::create)
        .show()
        .update_part(
            "/products",
            "change_sales_channel_products",
            "Put products into a sales channel and take others out of it",
            ChangeSalesChannelProductsRequest::apply,
        )
        .change_credentials()
        .update(UpdateSalesChannelRequest::update)
        .note("Publishable keys follow at once.")
        .delete(regions::delete_channel)
        .router()
}

/// Products to add to a channel and to remove from it.
#[request]
#[schema(example = json!({ "add": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
struct ChangeSalesChannelProductsRequest {
    #[serde(default)]
    add: Vec<ProductId>,
    #[serde(default)]
    remove: Vec<ProductId>,
}

impl ChangeSalesChannelProductsRequest {
    fn apply(self, tx: &Tx<'_>, id: &SalesChannelId) -> Result<(), RegionError> {
        regions::change_channel_products(tx, id, &self.add, &self.remove)
    }
}
