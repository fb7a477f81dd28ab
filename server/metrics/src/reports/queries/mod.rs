//! Queries of reports.

pub(super) mod goods;
pub(super) mod parcels;
pub(crate) mod reports;
pub(super) mod returns;
pub(super) mod stock;
pub(super) mod taxes;
