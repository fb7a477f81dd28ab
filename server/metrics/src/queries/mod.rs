//! Statements about metrics; nothing else here knows SQL.

pub(super) mod alerts;
pub(super) mod changes;
pub(super) mod channels;
pub(super) mod data_versions;
pub(super) mod examples;
pub(super) mod goods;
pub(super) mod metrics;
pub(super) mod parcels;
pub(super) mod performance_reports;
pub(super) mod placeholders;
mod places;
pub(super) mod reports;
pub(super) mod returned;
pub(super) mod snapshots;
pub(super) mod sources;
pub(super) mod stamp;
pub(super) mod state_rows;
pub(super) mod states;
pub(super) mod stock;
pub(super) mod store;
pub(super) mod taxes;
pub(super) mod unfulfilled;
pub(super) mod versions;
pub(super) mod waiting;
