//! Windows: the same formula in another period, or in other buckets of the request. A window changes
//! the period and aggregates again; it never moves rows.

pub(super) mod change;
pub(super) mod closing;
pub(super) mod during;
pub(super) mod growth;
pub(super) mod last_month;
pub(super) mod last_week;
pub(super) mod last_year;
pub(super) mod lifetime;
pub(super) mod moving_avg;
pub(super) mod mtd;
pub(super) mod opening;
pub(super) mod overall;
pub(super) mod previous;
pub(super) mod previous_bucket;
pub(super) mod qtd;
pub(super) mod running;
pub(super) mod running_share;
pub(super) mod shift;
pub(super) mod to_date;
pub(super) mod trailing;
pub(super) mod wtd;
pub(super) mod ytd;
