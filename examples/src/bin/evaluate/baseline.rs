//! The baseline of a comparison: as given by `--baseline…`, or the previous period.

use jiff::civil::Date;
use quotient::Request;
use quotient::calendar::{Calendar, Period, TimeSpan, TimeUnit};

use crate::arguments::{Arguments, Compare};
use crate::breakdown::filter;
use crate::failure::Failure;
use crate::session::{Session, currency};

/// Returns the request of the baseline of `own`.
pub(crate) fn request(
    session: &Session,
    arguments: &Arguments,
    own: &Request,
) -> Result<Request, Failure> {
    let mut request = own.clone();
    if let Some(period) = arguments.baseline {
        request.period = Some(period);
    } else if arguments.baseline_differs() && arguments.compare.is_none() {
        // The same period, under other conditions.
    } else {
        let Some((first, last)) = own.period else {
            let hint = "give --from and --to, or --baseline with --from";
            return Err(Failure::usage("there is no period to compare", Some(hint)));
        };
        let calendar = session.calendar(arguments)?;
        request.period = Some(earlier(&calendar, first, last, arguments.compare));
    }
    if let Some(condition) = &arguments.baseline_condition {
        request.filter = Some(filter(arguments, condition));
    }
    if let Some(zone) = &arguments.baseline_timezone {
        request.timezone = Some(zone.clone());
    }
    if let Some(code) = &arguments.baseline_currency {
        request.currency = Some(currency(code)?);
    }
    Ok(request)
}

/// The days before, or those of a year earlier.
fn earlier(calendar: &Calendar, first: Date, last: Date, compare: Option<Compare>) -> (Date, Date) {
    let bounds = || {
        let end = last.tomorrow().ok()?;
        Some(Period::new(calendar.start_of_day(first)?, calendar.start_of_day(end)?))
    };
    let moved = bounds().and_then(|period| match compare {
        Some(Compare::LastYear) => calendar.shift(period, TimeSpan::new(-1, TimeUnit::Year)),
        Some(Compare::Previous) | None => calendar.previous(period, 1, true),
    });
    let days = moved.and_then(|period| {
        Some((calendar.date_of(period.start), calendar.date_of(period.end).yesterday().ok()?))
    });
    days.unwrap_or((first, last))
}
