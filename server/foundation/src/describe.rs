//! The derives and the attribute that describe types and handlers in the OpenAPI document: those of utoipa. `http` has them
//! too.
//!
//! Builds without the feature `openapi` use no-op replacements with the same names: compiling utoipa's descriptions takes a fifth
//! of the time of the server's crates, and all builds serve `server/openapi.json`.

#[cfg(feature = "openapi")]
pub use utoipa::{IntoParams, ToSchema, path as operation};

#[cfg(not(feature = "openapi"))]
pub use quotient_macros::{IntoParams, ToSchema, operation};
#[cfg(not(feature = "openapi"))]
pub use traits::*;

/// Only the traits: the derives of the glob are shadowed by those above.
#[cfg(not(feature = "openapi"))]
mod traits {
    pub use utoipa::{IntoParams, ToSchema};
}
