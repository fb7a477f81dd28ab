//! Aggregates.

mod avg;
mod count;
mod count_distinct;
mod first;
mod last;
mod max;
mod median;
mod min;
mod percentile;
mod share_of;
mod stddev;
mod sum;

pub(crate) use avg::AVG;
pub(crate) use count::COUNT;
pub(crate) use count_distinct::COUNT_DISTINCT;
pub(crate) use first::FIRST;
pub(crate) use last::LAST;
pub(crate) use max::MAX;
pub(crate) use median::MEDIAN;
pub(crate) use min::MIN;
pub(crate) use percentile::PERCENTILE;
pub(crate) use share_of::SHARE_OF;
pub(crate) use stddev::STDDEV;
pub(crate) use sum::SUM;
