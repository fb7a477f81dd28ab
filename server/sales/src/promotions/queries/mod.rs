//! The SQL of promotions and campaigns.

pub(super) mod campaigns;
pub(super) mod promotions;
pub(super) mod rules;
pub(super) mod usage;
