//! Flows: versioned funnels of offers and questions, whose branches are formulas.
//!
//! `conditions` checks and evaluates the formulas, `definition` holds what merchants write and publish, `sessions`
//! leads a shopper through a published version, and `insight` shows merchants what happens. Start at [`router`].
#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]

mod conditions;
mod definition;
mod embed;
mod insight;
mod sessions;

use utoipa_axum::router::OpenApiRouter;

pub(crate) use quotient_foundation::{
    assign, audit_log, auth, clock, context, database, events, http, ids, jobs, money, proportion,
    resource, stored_as_word,
};
pub(crate) use quotient_merchandising::{catalog, inventory, pricing, regions, taxes};
pub(crate) use quotient_sales::state;
pub(crate) use quotient_sales::{cart, orders, payments};

pub use definition::RELEASE;
pub use sessions::{HOLD, RECOVER, RECOVER_EVERY_MS, forget, recover, recover_all, release};

/// All routes of this crate.
pub fn router() -> OpenApiRouter<state::AppState> {
    OpenApiRouter::new()
        .merge(definition::router())
        .merge(sessions::router())
        .merge(insight::router())
        .merge(embed::router())
}
