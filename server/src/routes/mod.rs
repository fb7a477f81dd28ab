//! The routes of every crate, and those of the server itself.

mod own;
mod upkeep;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::middleware::from_fn_with_state;
use quotient_foundation::state::Shared;
use quotient_pages::Pages;
use utoipa_axum::router::OpenApiRouter;

use crate::middleware::{self, idempotency};
use crate::state::AppState;
use crate::{api_keys, auth, users};
pub use own::description;
pub(crate) use upkeep::Upkeep;

/// Returns the routes of authentication, keys, admins and the server itself.
fn shared() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .merge(api_keys::router())
        .merge(auth::router())
        .merge(users::router())
        .merge(own::router())
}

/// Returns the routes of the shop: sales, and everything else with the same state.
fn selling() -> OpenApiRouter<quotient_sales::state::AppState> {
    quotient_sales::router().merge(quotient_storefront::router()).merge(quotient_flows::router())
}

/// The routes of all crates, before they have the state of the same name in [`AppState`].
struct Routes {
    shared: Router<Shared>,
    upkeep: Router<Upkeep>,
    merchandising: Router<quotient_merchandising::state::AppState>,
    sales: Router<quotient_sales::state::AppState>,
    partners: Router<quotient_partners::state::AppState>,
    metrics: Router<quotient_metrics::state::AppState>,
    visitors: Router<quotient_storefront::state::VisitorState>,
}

/// Servers of one process share the routes, so that tests start them faster.
static ROUTES: LazyLock<Routes> = LazyLock::new(|| Routes {
    shared: shared().split_for_parts().0,
    upkeep: upkeep::router().split_for_parts().0,
    merchandising: quotient_merchandising::router().split_for_parts().0,
    sales: selling().split_for_parts().0,
    partners: quotient_partners::router().split_for_parts().0,
    metrics: quotient_metrics::router().split_for_parts().0,
    visitors: quotient_storefront::visitor_router().split_for_parts().0,
});

/// Returns the whole API, with its layers, over a state.
pub fn router(state: AppState) -> Router {
    let all = state.shared;
    let routes = ROUTES
        .shared
        .clone()
        .with_state(all.clone())
        .merge(ROUTES.upkeep.clone().with_state(state.upkeep))
        .merge(ROUTES.merchandising.clone().with_state(state.merchandising))
        .merge(ROUTES.sales.clone().with_state(state.sales))
        .merge(ROUTES.visitors.clone().with_state(state.visitors))
        .merge(ROUTES.partners.clone().with_state(state.partners))
        .merge(ROUTES.metrics.clone().with_state(state.metrics));
    let keys = Arc::new(idempotency::Keys::new(all.db.clone(), all.clock.now()));
    let (settings, metrics, rates) =
        (Arc::clone(&all.settings), all.metrics.clone(), Arc::clone(&all.rates));
    let callers = from_fn_with_state(all.clone(), auth::look_up_caller);
    let look_up_callers = |router: Router| router.layer(callers.clone());
    let api = middleware::wrap_for_pages(routes.clone(), Arc::clone(&keys), look_up_callers);
    let pages = quotient_pages::router(Pages::over(api, all.clock.clone()));
    let whole = routes.merge(own::described()).merge(pages);
    let clients = from_fn_with_state(all, auth::look_up_client);
    let lookups = (look_up_callers, |router: Router| router.layer(clients));
    middleware::wrap(whole, &settings, &metrics, (rates, keys), lookups)
}

/// Returns the descriptions of all crates, which only builds with `openapi` have.
#[cfg(feature = "openapi")]
pub fn described() -> [utoipa::openapi::OpenApi; 7] {
    quotient_foundation::routing::start_describing();
    [
        shared().into_openapi(),
        upkeep::router().into_openapi(),
        quotient_merchandising::router().into_openapi(),
        selling().into_openapi(),
        quotient_storefront::visitor_router().into_openapi(),
        quotient_partners::router().into_openapi(),
        quotient_metrics::router().into_openapi(),
    ]
}

/// Returns the description that the code gives, which `server/openapi.json` must equal.
#[cfg(feature = "openapi")]
pub fn generated() -> Result<String, serde_json::Error> {
    let mut api = quotient_foundation::openapi::head();
    for part in described() {
        api.merge(part);
    }
    let mut api = quotient_foundation::openapi::complete(&api)?;
    api.sort_all_objects();
    Ok(serde_json::to_string_pretty(&api)? + "\n")
}
