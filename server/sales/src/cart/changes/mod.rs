//! The changes that shoppers make to a cart. Each one changes the cart in memory; [`super::refresh`] recomputes and
//! writes it.

pub(super) mod address;
pub(super) mod bundles;
pub(super) mod buyer;
pub(super) mod codes;
pub(super) mod create;
pub(super) mod credit;
pub(super) mod items;
pub(super) mod offers;
pub(super) mod quote;
pub(super) mod renewal;
