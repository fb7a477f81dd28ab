//! Date steps and differences, whose argument order varies between SQL dialects, DAX and
//! spreadsheets.

use super::Rewrite;
use super::arguments::{LoosestOperator, parenthesized, unquoted};
use crate::calendar::TimeUnit;

pub(super) fn rewrite(name: &str, arguments: &[&str]) -> Option<Rewrite> {
    Some(match name {
        "DATEADD" | "DATE_ADD" | "TIMESTAMPADD" => moved(arguments),
        "DATE_SUB" | "DATESUB" => {
            Rewrite::near(format!("add({}, …)", arguments.first().unwrap_or(&"…")))
        }
        "EDATE" | "ADD_MONTHS" => match arguments {
            [date, months] => added(date, months, TimeUnit::Month),
            _ => Rewrite::near("add(…, 1 month)"),
        },
        "EOMONTH" | "LAST_DAY" => match (name, arguments) {
            ("EOMONTH", [date, months]) => month_end(date, months),
            ("LAST_DAY", [date]) => month_end(date, "0"),
            _ => Rewrite::near("add(end_of(…, month), -1 day)"),
        },
        "DATEDIFF" | "DATE_DIFF" | "DATEDIF" | "TIMESTAMPDIFF" => difference(arguments),
        "DATE_TRUNC" | "DATETRUNC" => truncated(arguments),
        "DATE_PART" | "DATEPART" | "EXTRACT" => part(arguments),
        _ => return None,
    })
}

/// Returns the unit with this full or short name.
fn unit_of(text: &str) -> Option<TimeUnit> {
    let word = unquoted(text).unwrap_or_else(|| text.to_owned()).to_ascii_lowercase();
    Some(match word.as_str() {
        "yy" | "yyyy" | "y" => TimeUnit::Year,
        "qq" | "q" => TimeUnit::Quarter,
        "mm" | "m" => TimeUnit::Month,
        "wk" | "ww" | "w" | "isoweek" => TimeUnit::Week,
        "dd" | "d" => TimeUnit::Day,
        "hh" | "h" => TimeUnit::Hour,
        "mi" | "n" => TimeUnit::Minute,
        "ss" | "s" => TimeUnit::Second,
        _ => return TimeUnit::from_name(&word).filter(|unit| *unit != TimeUnit::Period),
    })
}

/// Writes `3 months` for a literal number.
pub(super) fn span(count: &str, unit: &str) -> Option<String> {
    Some(span_of(count.replace(' ', "").parse().ok()?, unit_of(unit)?))
}

fn span_of(count: i64, unit: TimeUnit) -> String {
    let plural = if matches!(count, 1 | -1) { "" } else { "s" };
    format!("{count} {}{plural}", unit.name())
}

fn moved(arguments: &[&str]) -> Rewrite {
    match arguments {
        [unit, count, date] if let Some(unit) = unit_of(unit) => added(date, count, unit),
        // DAX moves the dates that filter a measure.
        [_, count, unit] if unit_of(unit).is_some() => {
            Rewrite::near(format!("shift(…, {})", span(count, unit).unwrap_or("…".to_owned())))
        }
        [date, ..] => Rewrite::near(format!("add({date}, …)")),
        [] => Rewrite::near("add(…, …)"),
    }
}

fn added(date: &str, count: &str, unit: TimeUnit) -> Rewrite {
    match count.replace(' ', "").parse::<i64>() {
        Ok(count) => Rewrite::exact(format!("add({date}, {})", span_of(count, unit))),
        Err(_not_written_out) => Rewrite::near(format!("add({date}, … {}s)", unit.name())),
    }
}

fn month_end(date: &str, months: &str) -> Rewrite {
    match months.replace(' ', "").parse::<i64>() {
        Ok(0) => Rewrite::exact(format!("add(end_of({date}, month), -1 day)")),
        Ok(count) => {
            let moved = format!("add({date}, {})", span_of(count, TimeUnit::Month));
            Rewrite::exact(format!("add(end_of({moved}, month), -1 day)"))
        }
        Err(_not_written_out) => {
            Rewrite::near(format!("add(end_of(add({date}, … months), month), -1 day)"))
        }
    }
}

fn difference(arguments: &[&str]) -> Rewrite {
    match arguments {
        // MySQL and BigQuery: the later date comes first.
        [later, earlier] => Rewrite::exact(format!("days_between({earlier}, {later})")),
        [unit, from, to] if let Some(unit) = unit_of(unit) => between(from, to, Some(unit)),
        [from, to, unit] => between(from, to, unit_of(unit)),
        _ => Rewrite::near("days_between(…, …)"),
    }
}

fn between(from: &str, to: &str, unit: Option<TimeUnit>) -> Rewrite {
    let function = match unit {
        Some(TimeUnit::Day) => return Rewrite::exact(format!("days_between({from}, {to})")),
        Some(TimeUnit::Hour) => "hours",
        Some(TimeUnit::Second) => "seconds",
        Some(
            TimeUnit::Minute
            | TimeUnit::Week
            | TimeUnit::Month
            | TimeUnit::Quarter
            | TimeUnit::Year
            | TimeUnit::Period,
        )
        | None => return Rewrite::near(format!("days_between({from}, {to})")),
    };
    let [from, to] = [from, to].map(|text| parenthesized(text, LoosestOperator::Arithmetic));
    // Other dialects count the hour boundaries between the two; this is the elapsed time.
    Rewrite::near(format!("{function}({to} - {from})"))
}

fn truncated(arguments: &[&str]) -> Rewrite {
    let [first, second] = arguments else {
        return Rewrite::near("start_of(…, month)");
    };
    // PostgreSQL has the unit first, BigQuery last.
    match (unit_of(first), unit_of(second)) {
        (Some(unit), _) => Rewrite::exact(format!("start_of({second}, {})", unit.name())),
        (None, Some(unit)) => Rewrite::exact(format!("start_of({first}, {})", unit.name())),
        (None, None) => Rewrite::near(format!("start_of({second}, …)")),
    }
}

fn part(arguments: &[&str]) -> Rewrite {
    let [unit, date] = arguments else { return Rewrite::near("year(…)") };
    match unit_of(unit) {
        Some(
            unit @ (TimeUnit::Year
            | TimeUnit::Quarter
            | TimeUnit::Month
            | TimeUnit::Week
            | TimeUnit::Day
            | TimeUnit::Hour),
        ) => Rewrite::exact(format!("{}({date})", unit.name())),
        Some(TimeUnit::Second | TimeUnit::Minute | TimeUnit::Period) | None => {
            // The first day of the week differs.
            Rewrite::near(format!("weekday({date})"))
        }
    }
}
