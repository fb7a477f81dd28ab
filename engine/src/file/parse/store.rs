//! The store's settings.

use jiff::civil::Weekday;
use jiff::tz::TimeZone;

use super::cursor::TokenCursor;
use super::{LineReader, SeenProperties};
use crate::calendar::Calendar;
use crate::diagnostics::{Diagnostic, Suggestion};
use crate::file::finding::{ParseResult, excerpt, misfit, nearest_word};
use crate::file::layout::ItemBlock;
use crate::file::syntax::{CalendarKind, ItemKind, Located, StoreSetting};
use crate::schema::MixedCurrency;
use crate::source::Span;
use crate::types::Currency;

const SETTINGS: [&str; 6] =
    ["currency", "timezone", "week_start", "fiscal_year_start", "calendar", "mixed_currency"];
const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];
const MONTHS: [(&str, i8); 12] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
];
const POLICIES: [(&str, MixedCurrency); 3] = [
    ("convert", MixedCurrency::Convert),
    ("split", MixedCurrency::Split),
    ("refuse", MixedCurrency::Refuse),
];

impl LineReader<'_> {
    pub(super) fn store_item(&mut self, cursor: &TokenCursor<'_>, block: &ItemBlock) -> ItemKind {
        self.keep(cursor.end("settings stand on indented lines below `store`"));
        let mut once = SeenProperties::default();
        let mut settings = Vec::new();
        for property in &block.properties {
            let mut cursor = self.cursor(property);
            let Some((key, span)) = self.keyword(&mut cursor, "setting of a store", &SETTINGS)
            else {
                continue;
            };
            let mut read = || {
                once.check(key, span)?;
                let setting = setting(key, &mut cursor)?;
                cursor.end("one value a line")?;
                Ok(Located::new(setting, property.span()))
            };
            settings.extend(self.keep(read()));
        }
        ItemKind::Store(settings)
    }
}

fn setting(key: &str, cursor: &mut TokenCursor<'_>) -> ParseResult<StoreSetting> {
    match key {
        "currency" => currency(cursor).map(StoreSetting::Currency),
        "timezone" => zone(cursor).map(StoreSetting::TimeZone),
        "week_start" => cursor.choice("weekday", &WEEKDAYS).map(StoreSetting::WeekStart),
        "fiscal_year_start" => cursor.choice("month", &MONTHS).map(StoreSetting::FiscalYearStart),
        "calendar" => calendar(cursor).map(StoreSetting::Calendar),
        _ => cursor.choice("policy", &POLICIES).map(StoreSetting::MixedCurrency),
    }
}

fn calendar(cursor: &mut TokenCursor<'_>) -> ParseResult<CalendarKind> {
    match cursor.one_of("calendar", &["gregorian", "retail"])? {
        "gregorian" => Ok(CalendarKind::Gregorian),
        _ => cursor
            .expect_word("4-5-4", "the retail calendar is written: calendar retail 4-5-4")
            .map(|()| CalendarKind::Retail454),
    }
}

/// Reads an ISO 4217 currency.
pub(super) fn currency(cursor: &mut TokenCursor<'_>) -> ParseResult<Currency> {
    let (found, span) = cursor.peek_text();
    if found.is_empty() {
        return Err(cursor.missing("a currency", "three capital letters: USD"));
    }
    let currency = Currency::from_code(found).ok_or_else(|| unknown_currency(found, span))?;
    cursor.skip();
    Ok(currency)
}

fn unknown_currency(found: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` is no currency of ISO 4217", excerpt(found));
    let capitals = found.to_ascii_uppercase();
    if Currency::from_code(&capitals).is_some() {
        let finding = misfit(span, message, &format!("write `{capitals}`"));
        return finding.suggest(Suggestion::replace(span, capitals));
    }
    misfit(span, message, "three capital letters: USD, EUR, GBP, JPY")
}

fn zone(cursor: &mut TokenCursor<'_>) -> ParseResult<String> {
    let (found, span) = cursor.peek_text();
    if found.is_empty() {
        return Err(cursor.missing("a time zone", "a name such as Europe/London, or UTC"));
    }
    let Some(zone) = TimeZone::get(found).ok().filter(|zone| !zone.is_unknown()) else {
        let message = format!("`{}` is no time zone", excerpt(found));
        let finding = misfit(span, message, "a name such as Europe/London, or UTC");
        let known = Calendar::zone_names();
        return Err(match nearest_word(found, known.iter().map(String::as_str)) {
            Some(near) => finding
                .help(format!("did you mean `{near}`?"))
                .suggest(Suggestion::replace(span, near)),
            None => finding,
        });
    };
    cursor.skip();
    // The spelling of the time zone database, so that every file spells the zone alike.
    Ok(zone.iana_name().unwrap_or(found).to_owned())
}
