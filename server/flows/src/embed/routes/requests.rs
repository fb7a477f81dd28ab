//! The queries of the script and its page.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::ids::{CartId, OrderId};

/// The version that a page names.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EmbedQuery {
    /// The hash of the script; with the current one, the answer is kept for a year.
    pub(super) v: Option<String>,
}

/// What the page shows a flow for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DemoQuery {
    /// The cart, or the one that the order was.
    pub(super) cart: Option<CartId>,
    /// The order, for flows after the purchase.
    pub(super) order: Option<OrderId>,
}
