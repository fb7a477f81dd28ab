//! Aggregates.

pub(super) mod avg;
pub(super) mod count;
pub(super) mod count_distinct;
pub(super) mod first;
pub(super) mod last;
pub(super) mod max;
pub(super) mod median;
pub(super) mod min;
pub(super) mod mode;
pub(super) mod percentile;
pub(super) mod share_of;
pub(super) mod stddev;
pub(super) mod stddev_pop;
pub(super) mod sum;
pub(super) mod variance;
pub(super) mod variance_pop;
pub(super) mod weighted_avg;
