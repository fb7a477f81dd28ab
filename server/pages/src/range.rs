//! The range of a page: its days, its buckets, and its comparison. All of it is in the URL.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::locale::Locale;
use super::visit::Visit;

/// A named range.
#[derive(Debug)]
struct Preset {
    /// The word in the URL.
    word: &'static str,
    name: &'static str,
    /// Returns the first and the last day; none for custom days, and beyond the calendar.
    days: fn(Date) -> Option<(Date, Date)>,
}

/// The word for days that are in the URL.
const CUSTOM: &str = "custom";

const LAST_30_DAYS: Preset =
    preset("30d", "Last 30 days", |today| Some((today.checked_sub(29.days()).ok()?, today)));

const LAST_90_DAYS: Preset =
    preset("90d", "Last 90 days", |today| Some((today.checked_sub(89.days()).ok()?, today)));

const PRESETS: &[Preset] = &[
    preset("today", "Today", |today| Some((today, today))),
    preset("7d", "Last 7 days", |today| Some((today.checked_sub(6.days()).ok()?, today))),
    LAST_30_DAYS,
    LAST_90_DAYS,
    preset("month", "This month", |today| Some((today.first_of_month(), today))),
    preset("last-month", "Last month", |today| {
        let last = today.first_of_month().yesterday().ok()?;
        Some((last.first_of_month(), last))
    }),
    preset("quarter", "This quarter", |today| {
        let months = today.month().checked_sub(1)? % 3;
        Some((today.first_of_month().checked_sub(i64::from(months).months()).ok()?, today))
    }),
    preset("year", "This year", |today| Some((today.first_of_year(), today))),
    preset("12m", "Last 12 months", |today| {
        Some((today.checked_sub(12.months()).ok()?.tomorrow().ok()?, today))
    }),
    preset(CUSTOM, "Between two days", |_today| None),
];

const fn preset(
    word: &'static str,
    name: &'static str,
    days: fn(Date) -> Option<(Date, Date)>,
) -> Preset {
    Preset { word, name, days }
}

/// What a range is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compare {
    None,
    PreviousPeriod,
    PreviousYear,
}

impl Compare {
    const ALL: &[(Self, &'static str, &'static str)] = &[
        (Self::PreviousPeriod, "previous_period", "the period before"),
        (Self::PreviousYear, "previous_year", "a year earlier"),
        (Self::None, "none", "nothing"),
    ];

    pub(super) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(own, ..)| *own == self).map_or("none", |(_, word, _)| word)
    }

    /// Returns what the earlier values are called.
    pub(super) fn name(self) -> &'static str {
        if self == Self::PreviousYear { "A year earlier" } else { "Before" }
    }
}

/// The lengths of buckets, with their names.
const GRANULARITIES: &[(&str, &str)] = &[
    ("hour", "hours"),
    ("day", "days"),
    ("week", "weeks"),
    ("month", "months"),
    ("quarter", "quarters"),
    ("year", "years"),
];

/// An option of a selection.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) word: String,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

impl Choice {
    pub(super) fn of((word, name): (&str, &str), chosen: &str) -> Self {
        Self { word: word.to_owned(), name: name.to_owned(), is_chosen: word == chosen }
    }
}

/// Returns the options for words with their names.
pub(super) fn choices(all: &[(&str, &str)], chosen: &str) -> Vec<Choice> {
    all.iter().map(|own| Choice::of(*own, chosen)).collect()
}

/// A complete range.
#[derive(Debug, Clone)]
pub(super) struct Range {
    /// The word of the preset.
    preset: &'static str,
    pub(super) start: Date,
    pub(super) end: Date,
    pub(super) compare: Compare,
    pub(super) granularity: &'static str,
    pub(super) locale: Locale,
    /// The currency, if it is not the store's.
    pub(super) currency: String,
    pub(super) currencies: Vec<Choice>,
    /// Whether the bucket length was chosen rather than derived from the range.
    is_bucketed: bool,
}

impl Range {
    /// Reads the range in a URL; defaults to 30 days, compared with the preceding ones.
    pub(super) fn of(visit: &Visit) -> Self {
        let sent = &visit.parameters;
        let day = |name: &str| sent.text(name).parse::<Date>().ok();
        let given = day("start").zip(day("end")).filter(|(start, end)| start <= end);
        let custom = given.filter(|_| sent.text("range") == CUSTOM);
        let named = PRESETS.iter().find(|own| own.word == sent.text("range"));
        let named = named.filter(|own| own.word != CUSTOM).unwrap_or(&LAST_30_DAYS);
        let days = custom.or_else(|| (named.days)(visit.today));
        let (start, end) = days.unwrap_or((visit.today, visit.today));
        let compared = Compare::ALL.iter().find(|(_, word, _)| *word == sent.text("compare"));
        let requested = GRANULARITIES.iter().find(|(word, _)| *word == sent.text("by"));
        let own = visit.store.default_currency_code.to_lowercase();
        let currency = sent.text("currency").to_lowercase();
        let codes = visit.store.supported_currencies.iter();
        let codes: Vec<String> = codes.map(|code| code.currency_code.to_lowercase()).collect();
        let chosen = if codes.contains(&currency) { currency } else { own.clone() };
        let choice = |code: String| Choice {
            name: code.to_uppercase(),
            is_chosen: code == chosen,
            word: if code == own { String::new() } else { code },
        };
        Self {
            preset: if custom.is_some() { CUSTOM } else { named.word },
            start,
            end,
            compare: compared.map_or(Compare::PreviousPeriod, |(compare, ..)| *compare),
            granularity: requested.map_or_else(|| bucket_for(start, end), |(word, _)| word),
            locale: visit.store.locale,
            currency: if chosen == own { String::new() } else { chosen.clone() },
            currencies: codes.into_iter().map(choice).collect(),
            is_bucketed: requested.is_some(),
        }
    }

    /// Returns the last 90 days without a comparison.
    pub(super) fn last_90_days(visit: &Visit) -> Self {
        let Preset { word, days, .. } = LAST_90_DAYS;
        let (start, end) = days(visit.today).unwrap_or((visit.today, visit.today));
        let (granularity, compare) = (bucket_for(start, end), Compare::None);
        Self { preset: word, start, end, compare, granularity, ..Self::of(visit) }
    }

    /// Returns the earlier range with which this one is compared; none without a comparison.
    pub(super) fn earlier(&self) -> Option<Self> {
        let (start, end) = match self.compare {
            Compare::None => return None,
            Compare::PreviousYear => {
                (self.start.checked_sub(1.year()).ok()?, self.end.checked_sub(1.year()).ok()?)
            }
            Compare::PreviousPeriod => {
                let end = self.start.yesterday().ok()?;
                (end.checked_sub(self.start.until(self.end).ok()?).ok()?, end)
            }
        };
        Some(Self { start, end, compare: Compare::None, ..self.clone() })
    }

    /// Returns the query about a formula or some metrics over the range, as a request body.
    pub(super) fn question(&self, subject: &str, value: impl Into<Value>) -> Map<String, Value> {
        let mut question = Map::new();
        question.insert("start_date".to_owned(), self.start.to_string().into());
        question.insert("end_date".to_owned(), self.end.to_string().into());
        question.insert("granularity".to_owned(), self.granularity.into());
        question.insert("compare".to_owned(), self.compare.word().into());
        if !self.currency.is_empty() {
            question.insert("currency_code".to_owned(), self.currency.clone().into());
        }
        question.insert(subject.to_owned(), value.into());
        question
    }

    /// Returns the parameters of a report over the range.
    pub(super) fn report(&self) -> [(&'static str, String); 3] {
        [
            ("start_date", self.start.to_string()),
            ("end_date", self.end.to_string()),
            ("currency_code", self.currency.clone()),
        ]
    }

    /// Returns the range as query parameters, for links to other pages.
    pub(super) fn link(&self) -> Vec<(&'static str, String)> {
        let mut link = vec![("range", self.preset.to_owned())];
        if self.is_custom() {
            link.push(("start", self.start.to_string()));
            link.push(("end", self.end.to_string()));
        }
        link.push(("compare", self.compare.word().to_owned()));
        if self.is_bucketed {
            link.push(("by", self.granularity.to_owned()));
        }
        link.push(("currency", self.currency.clone()));
        link
    }

    /// Returns the URL of a page with this range.
    pub(super) fn on(&self, path: &str) -> String {
        super::client::target(path, &self.link())
    }

    pub(super) fn presets(&self) -> Vec<Choice> {
        PRESETS.iter().map(|own| Choice::of((own.word, own.name), self.preset)).collect()
    }

    pub(super) fn comparisons(&self) -> Vec<Choice> {
        let choice = |own: &(Compare, &str, &str)| Choice::of((own.1, own.2), self.compare.word());
        Compare::ALL.iter().map(choice).collect()
    }

    pub(super) fn buckets(&self) -> Vec<Choice> {
        choices(GRANULARITIES, self.granularity)
    }

    /// Returns whether the days are custom.
    pub(super) fn is_custom(&self) -> bool {
        self.preset == CUSTOM
    }

    /// Returns the days for people: `26 Oct – 24 Nov 2026`.
    pub(super) fn days(&self) -> String {
        self.locale.days(self.start, self.end)
    }
}

/// Returns the bucket length that divides a range into a few dozen points.
fn bucket_for(start: Date, end: Date) -> &'static str {
    let days = start.until(end).map_or(0, |span| span.get_days());
    match days {
        ..=1 => "hour",
        2..=92 => "day",
        93..=400 => "week",
        _ => "month",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_end_today_or_with_the_last_month() {
        let today: Date = "2026-05-15".parse().unwrap();
        for (word, start, end) in [
            ("today", "2026-05-15", "2026-05-15"),
            ("7d", "2026-05-09", "2026-05-15"),
            ("month", "2026-05-01", "2026-05-15"),
            ("last-month", "2026-04-01", "2026-04-30"),
            ("quarter", "2026-04-01", "2026-05-15"),
            ("year", "2026-01-01", "2026-05-15"),
            ("12m", "2025-05-16", "2026-05-15"),
        ] {
            let preset = PRESETS.iter().find(|own| own.word == word).unwrap();
            let days = (preset.days)(today).map(|days| (days.0.to_string(), days.1.to_string()));
            assert_eq!(days, Some((start.to_owned(), end.to_owned())), "{word}");
        }
    }

    #[test]
    fn longer_ranges_have_longer_buckets() {
        for (end, expected) in [
            ("2026-01-01", "hour"),
            ("2026-01-30", "day"),
            ("2026-06-30", "week"),
            ("2028-12-31", "month"),
        ] {
            let bucket = bucket_for("2026-01-01".parse().unwrap(), end.parse().unwrap());
            assert_eq!(bucket, expected, "{end}");
        }
    }
}
