//! Clients of OAuth: programs of the shop, such as one that renders its pages, which get tokens for themselves.
//!
//! Invariants: secrets and tokens are stored as SHA-256; a client that is switched off, changed or deleted loses what its
//! tokens granted at once. What a token grants is decided where callers are authenticated, in `auth::clients`.

mod client;
mod queries;
mod routes;
mod token;
mod token_request;

use utoipa_axum::router::OpenApiRouter;

use crate::AppState;

/// The admin routes of clients, and the store's route of tokens.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
