//! The routes of stock.

mod item_requests;
mod level_requests;
mod levels;
mod location_requests;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::reservation::{CreateReservationRequest, Reservation, UpdateReservationRequest};
use super::{InventoryItem, StockLocation, item, location, reservation};
use crate::resource::AdminRoutes;
use crate::state::AppState;
use item_requests::{CreateInventoryItemRequest, UpdateInventoryItemRequest};
use level_requests::CreateLocationLevelRequest;
use location_requests::{
    ChangeStockLocationChannelsRequest, ChangeStockLocationProvidersRequest,
    CreateStockLocationRequest, UpdateStockLocationRequest,
};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().merge(locations()).merge(items()).merge(reservations())
}

fn locations() -> OpenApiRouter<AppState> {
    AdminRoutes::<StockLocation, _>::at("/admin/stock-locations", "Admin stock locations")
        .list()
        .create(CreateStockLocationRequest::create)
        .show()
        .update(UpdateStockLocationRequest::update)
        .delete(location::delete)
        .note("One that has reserved pieces or packed parcels stays.")
        .update_part(
            "/sales-channels",
            "change_stock_location_channels",
            "Change which sales channels sell what lies at a location",
            ChangeStockLocationChannelsRequest::apply,
        )
        .update_part(
            "/fulfillment-providers",
            "change_stock_location_providers",
            "Change which fulfillment providers send what lies at a location",
            ChangeStockLocationProvidersRequest::apply,
        )
        .router()
}

fn items() -> OpenApiRouter<AppState> {
    AdminRoutes::<InventoryItem, _>::at("/admin/inventory-items", "Admin inventory")
        .list()
        .create(CreateInventoryItemRequest::create)
        .taken("The SKU is taken")
        .show()
        .update(UpdateInventoryItemRequest::update)
        .taken("The SKU is taken")
        .delete(item::delete)
        .note("One that has reserved pieces stays.")
        .update_part(
            "/location-levels",
            "create_location_level",
            "Add a location level to an inventory item",
            CreateLocationLevelRequest::create,
        )
        .router()
        .routes(routes!(levels::list_location_levels))
        .routes(routes!(levels::change_location_levels))
        .routes(routes!(levels::change_levels_of_items))
        .routes(routes!(levels::update_location_level, levels::delete_location_level))
}

fn reservations() -> OpenApiRouter<AppState> {
    AdminRoutes::<Reservation, _>::at("/admin/reservations", "Admin inventory")
        .list()
        .create(CreateReservationRequest::create)
        .show()
        .update(UpdateReservationRequest::update)
        .delete(reservation::delete)
        .note("Its pieces can be sold again.")
        .router()
}
