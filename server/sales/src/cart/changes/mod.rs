//! What a shopper does to a cart. Each takes a cart that may be changed and changes it in memory; [`super::refresh`]
//! works it out and writes it.

pub(super) mod addresses;
pub(super) mod bundles;
pub(super) mod buyer;
pub(super) mod codes;
pub(super) mod create;
pub(super) mod items;
pub(super) mod quote;
pub(super) mod shipping;
