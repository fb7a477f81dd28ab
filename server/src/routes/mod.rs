//! The table of contents: every domain's routes, and those of the server itself.

mod own;

use std::sync::Arc;

use axum::Router;
use utoipa_axum::router::OpenApiRouter;

use crate::api_keys;
use crate::auth;
use crate::cart;
use crate::catalog;
use crate::checkout;
use crate::customers;
use crate::fulfillment;
use crate::inventory;
use crate::metrics;
use crate::middleware::{self, idempotency};
use crate::openapi;
use crate::orders;
use crate::payments;
use crate::pricing;
use crate::promotions;
use crate::regions;
use crate::returns;
use crate::shipping;
use crate::state::AppState;
use crate::taxes;
use crate::users;

/// The routes of all domains with their description.
fn domains() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(openapi::head())
        .merge(api_keys::router())
        .merge(auth::router())
        .merge(cart::router())
        .merge(catalog::router())
        .merge(checkout::router())
        .merge(customers::router())
        .merge(fulfillment::router())
        .merge(inventory::router())
        .merge(metrics::router())
        .merge(orders::router())
        .merge(payments::admin_router())
        .merge(pricing::router())
        .merge(promotions::router())
        .merge(regions::router())
        .merge(returns::router())
        .merge(shipping::router())
        .merge(taxes::router())
        .merge(users::router())
}

/// The whole API, with its layers, over a state.
pub fn router(state: AppState) -> Router {
    // The description is made when it is asked for: it takes more memory for a moment than all the rest.
    let (routes, _api) = domains().merge(own::router()).split_for_parts();
    let routes: Router = routes.merge(own::described()).with_state(state.clone());
    let AppState { db, clock, settings, metrics, rates, .. } = state;
    let keys = idempotency::Keys::new(db, clock.now());
    middleware::wrap(routes, &settings, metrics, Arc::clone(&rates), keys)
}

/// The API's description.
///
/// # Errors
/// When it cannot be written.
pub fn description() -> Result<serde_json::Value, serde_json::Error> {
    openapi::complete(domains().merge(own::router()).get_openapi())
}
