//! The same formula over another period. A window changes the period and aggregates anew; it
//! never moves rows.

mod change;
mod closing;
mod during;
mod growth;
mod last_month;
mod last_week;
mod last_year;
mod lifetime;
mod mtd;
mod opening;
mod previous;
mod qtd;
mod running;
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
pub(crate) use mtd::MTD;
pub(crate) use opening::OPENING;
pub(crate) use previous::PREVIOUS;
pub(crate) use qtd::QTD;
pub(crate) use running::RUNNING;
pub(crate) use shift::SHIFT;
pub(crate) use to_date::TO_DATE;
pub(crate) use trailing::TRAILING;
pub(crate) use wtd::WTD;
pub(crate) use ytd::YTD;
