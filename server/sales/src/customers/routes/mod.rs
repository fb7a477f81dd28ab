//! The routes of customers: `/store/customers`, `/admin/customers`, `/admin/customer-groups`,
//! `/admin/customer-notes`.

mod addresses;
mod admin;
mod groups;
mod notes;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use super::Customer;
use crate::http::One;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    store::router()
        .merge(addresses::router())
        .merge(admin::router())
        .merge(groups::router())
        .merge(notes::router())
}

type CustomerResponse = One<Customer>;
