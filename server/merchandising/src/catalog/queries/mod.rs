//! The SQL of the catalog.

pub(super) mod categories;
pub(super) mod changes;
pub(super) mod checks;
pub(super) mod groupings;
pub(super) mod inserts;
pub(super) mod options;
pub(super) mod places;
pub(super) mod products;
pub(super) mod relations;
pub(super) mod sellables;
pub(super) mod stock;
pub(super) mod variants;
