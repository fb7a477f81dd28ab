//! The routes of customers: `/store/customers`, `/admin/customers`, `/admin/customer-groups`.

mod addresses;
mod admin;
mod groups;
mod requests;
mod store;

use utoipa_axum::router::OpenApiRouter;

use super::Customer;
use crate::http::One;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    store::router().merge(addresses::router()).merge(admin::router()).merge(groups::router())
}

type CustomerResponse = One<Customer>;
