//! The derives and the attribute that describe types and handlers in the OpenAPI document: those of utoipa. `http` has them
//! too.
//!
//! Builds that serve `server/openapi.json` ([`DESCRIBES`](crate::routing::DESCRIBES) is false) use no-op replacements with the
//! same names. Compiling utoipa's descriptions took a sixth of the code, only for the linker to remove them.

#[cfg(debug_assertions)]
pub use utoipa::{IntoParams, ToSchema, path as operation};

#[cfg(not(debug_assertions))]
pub use quotient_macros::{IntoParams, ToSchema, operation};
#[cfg(not(debug_assertions))]
pub use traits::*;

/// Only the traits: the derives of the glob are shadowed by those above.
#[cfg(not(debug_assertions))]
mod traits {
    pub use utoipa::{IntoParams, ToSchema};
}
