//! What describes types and handlers in the OpenAPI document: the derives and the attribute of utoipa. `http` has them too.
//!
//! Builds that serve `server/openapi.json` ([`DESCRIBES`](crate::routing::DESCRIBES) is false) have others of the same names, which
//! describe nothing. Those of utoipa were a sixth of the code to compile, only for the linker to remove it.

#[cfg(debug_assertions)]
pub use utoipa::{IntoParams, ToSchema, path as operation};

#[cfg(not(debug_assertions))]
pub use quotient_macros::{IntoParams, ToSchema, operation};
#[cfg(not(debug_assertions))]
pub use traits::*;

/// The traits alone: of a glob, the derives are hidden by those above.
#[cfg(not(debug_assertions))]
mod traits {
    pub use utoipa::{IntoParams, ToSchema};
}
