//! The store of the pages, and its format of amounts, instants and buckets.

use jiff::ToSpan as _;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::decimal;
use super::locale::Locale;
use crate::money::Currency;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Store {
    pub(super) name: String,
    pub(super) default_currency_code: String,
    pub(super) time_zone: String,
    /// Its format of numbers, amounts and days.
    #[serde(default)]
    pub(super) locale: Locale,
    #[serde(default)]
    pub(super) supported_currencies: Vec<SupportedCurrency>,
}

/// A currency that the store accepts.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct SupportedCurrency {
    pub(super) currency_code: String,
    pub(super) currency: Option<CurrencyInfo>,
}

/// The format of a currency.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct CurrencyInfo {
    pub(super) symbol: String,
}

impl Store {
    /// Returns a figure of the API, which is formatted in English, in the store's format.
    pub(super) fn figure(&self, text: &str) -> String {
        let known = self.supported_currencies.iter().filter_map(|own| own.currency.as_ref());
        let symbols: Vec<&str> = known.map(|own| own.symbol.as_str()).collect();
        self.locale.figure(text, &symbols)
    }

    /// Returns a formatted amount: `£1,234.50`.
    pub(super) fn money(&self, code: &str, amount: &Value) -> String {
        decimal::read(amount).map_or_else(|| "–".to_owned(), |amount| self.amount(code, amount))
    }

    /// Returns a formatted amount in a currency.
    pub(super) fn amount(&self, code: &str, amount: Decimal) -> String {
        let mut all = self.supported_currencies.iter();
        let own = all.find(|own| own.currency_code.eq_ignore_ascii_case(code));
        let known = own.and_then(|own| own.currency.as_ref());
        // Amounts may be in a currency that the store has removed.
        let digits = Currency::from_code(code).map_or(2, Currency::digits);
        let symbol =
            known.map_or_else(|| format!("{} ", code.to_uppercase()), |own| own.symbol.clone());
        self.locale.money(amount, &symbol, digits)
    }

    /// Returns an instant, formatted in the store's time zone: `24 Nov 2026, 14:05`.
    pub(super) fn moment(&self, at: &str) -> String {
        clock(&self.time_zone, at).map_or_else(|| at.to_owned(), |clock| self.locale.moment(clock))
    }

    /// Returns the name of a bucket from its start and end: `Nov 2026`, `Q4 2026`, the days of a week.
    pub(super) fn bucket(&self, by: &str, start: &str, end: Option<&str>) -> String {
        let Some(first) = clock(&self.time_zone, start) else { return start.to_owned() };
        let day = first.date();
        match by {
            "hour" => self.locale.moment(first),
            "week" => {
                let end = end.and_then(|end| clock(&self.time_zone, end)?.date().yesterday().ok());
                let end = end.or_else(|| day.checked_add(6.days()).ok());
                self.locale.days(day, end.unwrap_or(day))
            }
            "month" => self.locale.month(day),
            "quarter" => format!("Q{} {}", day.month().saturating_add(2) / 3, day.year()),
            "year" => day.year().to_string(),
            _ => self.locale.day(day),
        }
    }
}

/// Returns an instant of the API in local time.
pub(super) fn clock(zone: &str, at: &str) -> Option<DateTime> {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    Some(zone.to_datetime(at.parse::<jiff::Timestamp>().ok()?))
}

/// Returns the instant, in the API's format, of a local time in a zone; for a day, of its beginning.
pub(super) fn instant(zone: &str, at: impl Into<DateTime>) -> Option<String> {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    Some(at.into().to_zoned(zone).ok()?.timestamp().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(zone: &str, tag: &str) -> Store {
        let store = serde_json::json!({
            "name": "Mugs", "default_currency_code": "gbp", "time_zone": zone, "locale": tag,
            "supported_currencies": [{ "currency_code": "gbp", "currency": { "symbol": "£" } }],
        });
        serde_json::from_value(store).expect("a store")
    }

    #[test]
    fn buckets_are_named_by_the_time_and_the_locale_of_the_store() {
        for (tag, zone, by, at, expected) in [
            ("en-GB", "Europe/Berlin", "day", "2026-11-20T23:00:00Z", "21 Nov 2026"),
            ("en-GB", "Europe/Berlin", "week", "2026-11-22T23:00:00Z", "23 Nov – 29 Nov 2026"),
            ("en-US", "Europe/Berlin", "week", "2026-11-22T23:00:00Z", "Nov 23 – Nov 29, 2026"),
            ("en-GB", "Europe/Berlin", "hour", "2026-11-26T23:00:00Z", "27 Nov 2026, 00:00"),
            ("en-GB", "Europe/Berlin", "month", "2026-09-30T22:00:00Z", "Oct 2026"),
            ("de-DE", "Europe/Berlin", "month", "2026-09-30T22:00:00Z", "10/2026"),
            ("en-GB", "Europe/Berlin", "quarter", "2026-06-30T22:00:00Z", "Q3 2026"),
            ("de-DE", "UTC", "quarter", "2026-10-01T00:00:00Z", "Q4 2026"),
            ("en-GB", "UTC", "quarter", "2026-02-04T00:00:00Z", "Q1 2026"),
            ("en-GB", "Asia/Tokyo", "year", "2025-12-31T15:00:00Z", "2026"),
            ("en-GB", "America/New_York", "month", "2026-11-01T04:00:00Z", "Nov 2026"),
            ("sv-SE", "UTC", "month", "2026-10-01T00:00:00Z", "2026-10"),
        ] {
            assert_eq!(store(zone, tag).bucket(by, at, None), expected, "{by} in {zone}, {tag}");
        }
    }

    #[test]
    fn a_week_that_the_range_cuts_has_the_days_of_the_range() {
        let store = store("Europe/Berlin", "en-GB");
        for (end, expected) in [
            ("2026-11-27T23:00:00Z", "23 Nov – 27 Nov 2026"),
            ("2026-11-23T23:00:00Z", "23 Nov 2026"),
        ] {
            assert_eq!(store.bucket("week", "2026-11-22T23:00:00Z", Some(end)), expected);
        }
    }

    #[test]
    fn amounts_keep_their_digits_when_the_store_has_removed_their_currency() {
        let store = store("UTC", "en-GB");
        for (code, amount, expected) in [
            ("gbp", "7.5", "£7.50"),
            ("kwd", "1.235", "KWD 1.235"),
            ("jpy", "500", "JPY 500"),
            ("eur", "7.5", "EUR 7.50"),
        ] {
            assert_eq!(store.amount(code, amount.parse().expect("a number")), expected);
        }
    }
}
