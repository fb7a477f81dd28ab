//! Statements of reports.

pub(super) mod goods;
pub(super) mod parcels;
pub(crate) mod reports;
pub(super) mod returned;
pub(super) mod stock;
pub(super) mod taxes;
