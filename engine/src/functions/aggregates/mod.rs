//! Aggregates.

mod avg;
mod count;
mod count_distinct;
mod first;
mod last;
mod max;
mod median;
mod min;
mod mode;
mod percentile;
mod share_of;
mod stddev;
mod stddev_pop;
mod sum;
mod variance;
mod variance_pop;
mod weighted_avg;

pub(crate) use avg::AVG;
pub(crate) use count::COUNT;
pub(crate) use count_distinct::COUNT_DISTINCT;
pub(crate) use first::FIRST;
pub(crate) use last::LAST;
pub(crate) use max::MAX;
pub(crate) use median::MEDIAN;
pub(crate) use min::MIN;
pub(crate) use mode::MODE;
pub(crate) use percentile::PERCENTILE;
pub(crate) use share_of::SHARE_OF;
pub(crate) use stddev::STDDEV;
pub(crate) use stddev_pop::STDDEV_POP;
pub(crate) use sum::SUM;
pub(crate) use variance::VARIANCE;
pub(crate) use variance_pop::VARIANCE_POP;
pub(crate) use weighted_avg::WEIGHTED_AVG;
