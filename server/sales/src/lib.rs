//! Sales: carts, payments, orders, fulfillments, returns and store credit.
//!
//! A cart is priced with promotions, paid through a payment provider and becomes an order at checkout. Start at
//! [`router`].

#![cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, unused_imports, reason = "only builds with `openapi` have descriptions")
)]
#![expect(
    missing_docs,
    unnameable_types,
    reason = "internal to this workspace: items have a doc where it adds something to the name"
)]

use utoipa_axum::router::OpenApiRouter;

#[cfg_attr(not(test), expect(dead_code, reason = "only tests read the tables of statuses"))]
pub mod statuses;

#[macro_use]
mod comparable_amount;

pub mod bundles;
pub mod cart;
pub mod checkout;
pub mod credit;
pub mod customers;
pub mod fulfillment;
pub mod orders;
pub mod payments;
pub mod plans;
pub mod privacy;
pub mod promotions;
pub mod returns;
pub mod state;
pub mod subscriptions;
pub mod webhooks;

pub(crate) use quotient_foundation::{
    assign, audit_log, auth, clock, config, context, database, events, http, http_client, ids,
    jobs, mail, metadata, middleware, money, proportion, resource, stored_as_word,
};
pub(crate) use quotient_merchandising::{catalog, inventory, pricing, regions, shipping, taxes};
pub(crate) use state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(bundles::router())
        .merge(cart::router())
        .merge(checkout::router())
        .merge(credit::router())
        .merge(customers::router())
        .merge(fulfillment::router())
        .merge(orders::router())
        .merge(payments::router())
        .merge(plans::router())
        .merge(privacy::router())
        .merge(promotions::router())
        .merge(returns::router())
        .merge(subscriptions::router())
        .merge(webhooks::router())
}
