//! `/admin/sales-channels`.

use utoipa_axum::router::OpenApiRouter;

use crate::database::{Table, Tx, first_missing};
use crate::http::{Patch, Text, request};
use crate::ids::{ProductId, SalesChannelId};
use crate::metadata::MetadataPatch;
use crate::regions::queries::CHANNEL_PRODUCTS;
use crate::regions::{self, NewChannel, RegionError, SalesChannel};
use crate::resource::AdminRoutes;
use crate::state::AppState;

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

/// A new sales channel.
#[request]
#[schema(example = json!({ "name": "Market stall", "description": "Saturdays" }))]
struct CreateSalesChannelRequest {
    name: Text<255>,
    description: Option<Text<2000>>,
    #[serde(default)]
    is_disabled: bool,
    metadata: Option<MetadataPatch>,
}

impl CreateSalesChannelRequest {
    fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<SalesChannelId, RegionError> {
        let new = NewChannel {
            name: self.name.into(),
            description: self.description.map(String::from),
            is_disabled: self.is_disabled,
            metadata: self.metadata.unwrap_or_default().create()?,
        };
        Ok(regions::create_channel(tx, new)?.id)
    }
}

/// The fields of a sales channel to change; absent fields stay.
#[request]
#[schema(example = json!({ "is_disabled": true }))]
struct UpdateSalesChannelRequest {
    name: Option<Text<255>>,
    description: Patch<Text<2000>>,
    is_disabled: Option<bool>,
    metadata: Option<MetadataPatch>,
}

impl UpdateSalesChannelRequest {
    fn update(self, tx: &Tx<'_>, id: &SalesChannelId) -> Result<(), RegionError> {
        let mut channel = regions::find_channel(tx, id)?;
        crate::assign!(self => channel: name, description, is_disabled);
        channel.metadata.merge(self.metadata)?;
        Ok(channel.update(tx)?)
    }
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
        regions::find_channel(tx, id)?;
        if let Some(missing) = first_missing::<String>(tx, "product", &self.add)? {
            return Err(RegionError::not_found("Product", &missing));
        }
        CHANNEL_PRODUCTS.add(tx, [id], self.add)?;
        Ok(CHANNEL_PRODUCTS.remove(tx, [id], self.remove)?)
    }
}
