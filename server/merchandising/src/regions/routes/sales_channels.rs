//! `/admin/sales-channels`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateSalesChannelRequest, UpdateSalesChannelRequest};
use crate::auth::{AdminWriter, Credentials};
use crate::database::Tx;
use crate::http::{Answer, Deleted, Fields, HttpError, Json, One, Path, request};
use crate::ids::{ProductId, SalesChannelId};
use crate::regions::{self, RegionError, SalesChannel};
use crate::resource::AdminRoutes;
use crate::state::AppState;

/// The admin routes of sales channels. Changes and deletions go through [`Credentials`], so that keys change at once.
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
        .router()
        .routes(routes!(update_sales_channel, delete_sales_channel))
}

type SalesChannelResponse = One<SalesChannel>;
type SalesChannelDeletedResponse = Deleted<SalesChannel>;

/// Updates a sales channel. Publishable keys follow at once.
#[crate::http::operation(post, path = "/admin/sales-channels/{id}", tag = "Admin sales channels",
    params(("id" = SalesChannelId, Path), Fields<SalesChannel>), request_body = UpdateSalesChannelRequest,
    responses((status = 200, description = "The sales channel", body = SalesChannelResponse)))]
async fn update_sales_channel(
    _admin: AdminWriter,
    State(credentials): State<Credentials>,
    Path(id): Path<SalesChannelId>,
    fields: Fields<SalesChannel>,
    Json(request): Json<UpdateSalesChannelRequest>,
) -> Result<Answer, HttpError> {
    let channel = credentials
        .change(move |tx| {
            request.update(tx, &id)?;
            regions::find_channel(tx, &id)
        })
        .await?;
    fields.answer(&channel)
}

/// Deletes a sales channel.
#[crate::http::operation(delete, path = "/admin/sales-channels/{id}", tag = "Admin sales channels", params(("id" = SalesChannelId, Path)),
    responses((status = 200, description = "Deleted", body = SalesChannelDeletedResponse)))]
async fn delete_sales_channel(
    _admin: AdminWriter,
    State(credentials): State<Credentials>,
    Path(id): Path<SalesChannelId>,
) -> Result<Json<SalesChannelDeletedResponse>, HttpError> {
    let deleted = id.clone();
    credentials.change(move |tx| regions::delete_channel(tx, &id)).await?;
    Ok(Json(Deleted::new(deleted)))
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
