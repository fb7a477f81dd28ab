//! The request of a page in words: `By week, by country, seen at 2026-02-15 12:00.`

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, ToSpan};
use quotient::calendar::TimeUnit;
use quotient::types::Currency;
use quotient::{Comparison, Engine, Filter, Request};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A request and how its answers are printed.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageRequest {
    /// The request.
    pub(crate) request: Request,
    /// The key under which the formula is saved.
    pub(crate) saved_as: Option<String>,
    /// Whether the exact value is printed too.
    pub(crate) in_full: bool,
}

impl PageRequest {
    /// The same with the clauses of a line; `engine` knows the dimensions and the zone.
    pub(crate) fn with(&self, clauses: &str, engine: &Engine) -> Result<Self, String> {
        let mut query = self.clone();
        let mut clauses = clauses.to_owned();
        while let Some((before, rest)) = clauses.split_once("y `") {
            let (expression, after) =
                rest.split_once('`').ok_or("the expression is never closed")?;
            query.request.group_by.push(expression.to_owned());
            let before = before.trim_end_matches(['b', 'B']).trim_end().trim_end_matches(',');
            clauses = format!("{before}{after}");
        }
        let clauses = clauses.trim().trim_start_matches(',').trim();
        if clauses.trim_end_matches('.').is_empty() {
            return Ok(query);
        }
        let lower = clauses.to_lowercase();
        let (clauses, filter) = match lower.find("where `") {
            Some(at) => {
                let (before, rest) = clauses.split_at(at);
                let condition = rest.split_once('`').map_or("", |(_, condition)| condition);
                (before.trim_end().trim_end_matches(','), Some(filter(condition)?))
            }
            None => (clauses, None),
        };
        if let Some(filter) = filter {
            query.request.filter = Some(filter);
            if clauses.is_empty() {
                return Ok(query);
            }
        }
        for clause in clauses.trim().trim_end_matches('.').split(',') {
            let clause = clause.trim();
            let words: Vec<&str> = clause.split_whitespace().collect();
            query
                .clause(&words, engine)
                .ok_or_else(|| format!("`{}` fits no request", clause.to_lowercase()))?;
        }
        Ok(query)
    }

    fn clause(&mut self, words: &[&str], engine: &Engine) -> Option<()> {
        let first = words.first()?.to_lowercase();
        match (first.as_str(), words.get(1..)?) {
            ("by", [name]) if TimeUnit::from_name(name).is_some() => {
                self.request.by = TimeUnit::from_name(name);
            }
            ("by", [name]) => {
                let known = &engine.schema().dimensions;
                known.iter().find(|dimension| dimension.name == *name)?;
                self.request.group_by.push((*name).to_owned());
            }
            ("compared", ["with", "the", "period", "before"]) => {
                self.request.compare = Some(Comparison::Previous);
            }
            ("compared", ["with", "the", "year", "before"]) => {
                self.request.compare = Some(Comparison::LastYear);
            }
            ("in", ["full"]) => self.in_full = true,
            ("in", [zone]) if zone.contains('/') => {
                self.request.timezone = Some((*zone).to_owned());
            }
            ("in", [code]) => self.request.currency = Some(Currency::from_code(code)?),
            ("saved", ["as", key]) => self.saved_as = Some(key.trim_matches('`').to_owned()),
            ("seen", ["at", day, time]) => {
                let at: DateTime = format!("{day}T{time}").parse().ok()?;
                let zone = engine.schema().store.calendar.zone();
                self.request.now = zone.to_ambiguous_zoned(at).compatible().ok()?.timestamp();
            }
            _ => self.request.period = Some(period(words)?),
        }
        Some(())
    }
}

/// What follows "where `": "country = :country` with country = DE and least = 50 USD".
fn filter(text: &str) -> Result<Filter, String> {
    let (condition, rest) = text.split_once('`').ok_or("the condition is never closed")?;
    let rest = rest.trim().trim_end_matches('.');
    let mut filter = Filter::new(condition);
    for parameter in rest.strip_prefix("with ").into_iter().flat_map(|rest| rest.split(" and ")) {
        let (name, value) = parameter.split_once(" = ").ok_or("a parameter without a value")?;
        filter = filter.with(name, value);
    }
    Ok(filter)
}

/// `February 2026`, `2026`, or `2026-02-01 to 2026-02-14`, both days included.
fn period(words: &[&str]) -> Option<(Date, Date)> {
    let last_of = |first: Date, months: i32| {
        first.checked_add(months.months()).ok().and_then(|next| next.yesterday().ok())
    };
    match words {
        [first, "to", last] => Some((first.parse().ok()?, last.parse().ok()?)),
        [month, year] => {
            let index = MONTHS.iter().position(|name| *name == month.to_lowercase())?;
            let month = i8::try_from(index).ok()?.checked_add(1)?;
            let first = Date::new(year.parse().ok()?, month, 1).ok()?;
            Some((first, last_of(first, 1)?))
        }
        [day] if day.contains('-') => {
            let day = day.parse().ok()?;
            Some((day, day))
        }
        [year] => {
            let first = Date::new(year.parse().ok()?, 1, 1).ok()?;
            Some((first, last_of(first, 12)?))
        }
        _ => None,
    }
}

/// The day and time of an instant in the zone of a request.
pub(crate) fn local(at: Timestamp, engine: &Engine, request: &Request) -> DateTime {
    let calendar = engine.schema().store.calendar.clone();
    let zone = request.timezone.as_deref().and_then(|zone| calendar.clone().in_zone(zone).ok());
    at.to_zoned(zone.unwrap_or(calendar).zone().clone()).datetime()
}
