//! Memberships that an order grants: what the checkout's success page shows of `metadata.membership`.
//!
//! Invariants: the state is decided by the order's payment, not by its metadata; credentials are shown only once the
//! order is paid, and on no other route of the store. Start at [`status::of`].

mod routes;
mod status;

use utoipa_axum::router::OpenApiRouter;

use crate::AppState;

/// The store's route of memberships.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
