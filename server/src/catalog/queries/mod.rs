//! The statements of the catalog.

pub(super) mod checks;
pub(super) mod inserts;
pub(super) mod sellables;
pub(super) mod stock;
