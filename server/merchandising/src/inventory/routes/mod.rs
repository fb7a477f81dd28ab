//! The routes of stock.

mod item_requests;
mod items;
mod level_batch;
mod level_requests;
mod levels;
mod links;
mod location_requests;
mod locations;
mod requests;
mod reservation_requests;
mod reservations;
mod shape;
mod views;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub use locations::{StockLocationResponse, one as one_location};
pub use shape::AdminStockLocations;
pub(super) use views::{LinkedChannel, LinkedProvider, LinkedSet};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().merge(locations()).merge(items()).merge(reservations())
}

fn locations() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(locations::list_stock_locations, locations::create_stock_location))
        .routes(routes!(
            locations::show_stock_location,
            locations::update_stock_location,
            locations::delete_stock_location
        ))
        .routes(routes!(links::change_stock_location_channels))
        .routes(routes!(links::change_stock_location_providers))
}

fn items() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(items::list_inventory_items, items::create_inventory_item))
        .routes(routes!(
            items::show_inventory_item,
            items::update_inventory_item,
            items::delete_inventory_item
        ))
        .routes(routes!(levels::list_location_levels, levels::create_location_level))
        .routes(routes!(levels::change_location_levels))
        .routes(routes!(level_batch::change_levels_of_items))
        .routes(routes!(levels::update_location_level, levels::delete_location_level))
}

fn reservations() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(reservations::list_reservations, reservations::create_reservation))
        .routes(routes!(
            reservations::show_reservation,
            reservations::update_reservation,
            reservations::delete_reservation
        ))
}
