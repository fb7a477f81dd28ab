//! Windows: the same formula in another period, or in other buckets of the request. A window changes
//! the period and aggregates again; it never moves rows.

mod change;
mod closing;
mod during;
mod growth;
mod last_month;
mod last_week;
mod last_year;
mod lifetime;
mod moving_avg;
mod mtd;
mod opening;
mod overall;
mod previous;
mod previous_bucket;
mod qtd;
mod running;
mod running_share;
mod shift;
mod to_date;
mod trailing;
mod wtd;
mod ytd;

pub(crate) use change::CHANGE;
pub(crate) use closing::CLOSING;
pub(crate) use during::DURING;
pub(crate) use growth::GROWTH;
pub(crate) use last_month::LAST_MONTH;
pub(crate) use last_week::LAST_WEEK;
pub(crate) use last_year::LAST_YEAR;
pub(crate) use lifetime::LIFETIME;
pub(crate) use moving_avg::MOVING_AVG;
pub(crate) use mtd::MTD;
pub(crate) use opening::OPENING;
pub(crate) use overall::OVERALL;
pub(crate) use previous::PREVIOUS;
pub(crate) use previous_bucket::PREVIOUS_BUCKET;
pub(crate) use qtd::QTD;
pub(crate) use running::RUNNING;
pub(crate) use running_share::RUNNING_SHARE;
pub(crate) use shift::SHIFT;
pub(crate) use to_date::TO_DATE;
pub(crate) use trailing::TRAILING;
pub(crate) use wtd::WTD;
pub(crate) use ytd::YTD;
