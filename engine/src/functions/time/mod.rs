//! Dates, instants and durations.

pub(super) mod add;
pub(super) mod date;
pub(super) mod datetime;
pub(super) mod day;
pub(super) mod days;
pub(super) mod days_between;
pub(super) mod days_in;
pub(super) mod end_of;
pub(super) mod hour;
pub(super) mod hours;
pub(super) mod length;
pub(super) mod month;
pub(super) mod now;
pub(super) mod quarter;
pub(super) mod seconds;
pub(super) mod start_of;
pub(super) mod today;
pub(super) mod week;
pub(super) mod weekday;
pub(super) mod year;
