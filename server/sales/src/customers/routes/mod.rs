//! The routes of customers: `/store/customers`, `/admin/customers`, `/admin/customer-groups`.

mod admin;
mod admin_addresses;
mod groups;
mod members;
mod requests;
mod responses;
mod shape;
mod store;
mod store_addresses;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::With;
use crate::http::Selection;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    store_routes().merge(admin_routes()).merge(group_routes())
}

fn store_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(store::create_account))
        .routes(routes!(store::show_me, store::update_me))
        .routes(routes!(store_addresses::list_my_addresses, store_addresses::add_my_address))
        .routes(routes!(
            store_addresses::show_my_address,
            store_addresses::update_my_address,
            store_addresses::delete_my_address
        ))
}

fn admin_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(admin::list_customers, admin::create_customer))
        .routes(routes!(admin::show_customer, admin::update_customer, admin::delete_customer))
        .routes(routes!(members::change_groups_of_customer))
        .routes(routes!(
            admin_addresses::list_customer_addresses,
            admin_addresses::add_customer_address
        ))
        .routes(routes!(
            admin_addresses::show_customer_address,
            admin_addresses::update_customer_address,
            admin_addresses::delete_customer_address
        ))
}

fn group_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(groups::list_customer_groups, groups::create_customer_group))
        .routes(routes!(
            groups::show_customer_group,
            groups::update_customer_group,
            groups::delete_customer_group
        ))
        .routes(routes!(members::change_customers_of_group))
}

/// What a selection needs beside the customer.
fn with(selection: &Selection) -> With {
    With { addresses: selection.wants("addresses"), groups: selection.wants("groups") }
}
