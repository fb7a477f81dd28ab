//! The store's format of numbers, amounts and days, from a table of locale conventions.
//!
//! A browser test compares the output with the browser's own conventions (`tests/binary/walks.py`).

mod table;

use jiff::civil::{Date, DateTime};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

use super::decimal;
pub(super) use table::CHOICES;
use table::{ALL, Conventions, ENGLISH, Symbol};

#[derive(Debug, Clone, Copy)]
pub(super) struct Locale(&'static Conventions);

impl Default for Locale {
    fn default() -> Self {
        Self(&ENGLISH)
    }
}

impl<'de> Deserialize<'de> for Locale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(&String::deserialize(deserializer)?))
    }
}

impl Locale {
    fn of(tag: &str) -> Self {
        ALL.iter().find(|own| own.tag == tag).map_or_else(Self::default, Self)
    }

    /// Returns whether it formats figures like the API.
    pub(super) fn is_english(self) -> bool {
        self.0.tag == ENGLISH.tag
    }

    pub(super) const fn tag(self) -> &'static str {
        self.0.tag
    }

    /// Returns a plain number, such as `-1234.5`, with group separators.
    pub(super) fn number(self, plain: &str) -> String {
        let (minus, plain) = self.signed(plain);
        format!("{minus}{}", self.digits(plain))
    }

    /// Returns a count in groups of three; a dash for none.
    pub(super) fn count(self, value: &Value) -> String {
        decimal::read(value)
            .map_or_else(|| "–".to_owned(), |count| self.number(&count.normalize().to_string()))
    }

    /// Returns a share as percent, such as `12.4%`; a dash for none.
    pub(super) fn share(self, share: &Value) -> String {
        let share = decimal::read(share).and_then(|own| own.checked_mul(Decimal::ONE_HUNDRED));
        let percent = |share: Decimal| self.percent(&format!("{:.1}", share.round_dp(1)));
        share.map_or_else(|| "–".to_owned(), percent)
    }

    /// Returns a plain number of hundredths as percent.
    pub(super) fn percent(self, plain: &str) -> String {
        format!("{}{}%", self.number(plain), self.0.percent)
    }

    /// Returns an amount with its symbol and the digits of its currency.
    pub(super) fn money(self, amount: Decimal, symbol: &str, digits: u32) -> String {
        let places = usize::try_from(digits).unwrap_or(2);
        let amount = amount.round_dp(digits);
        let minus = if amount.is_sign_negative() && !amount.is_zero() { self.0.minus } else { "" };
        self.with_symbol(minus, symbol, &self.digits(&format!("{:.places$}", amount.abs())))
    }

    /// Returns a text of the API in which a number is written in English, such as `-£1,234.50` or `12.4%`.
    pub(super) fn figure(self, text: &str, symbols: &[&str]) -> String {
        if self.is_english() {
            return text.to_owned();
        }
        if let Ok(day) = text.parse::<Date>() {
            return self.day(day);
        }
        let (minus, rest) = self.signed(text);
        let Some(at) = rest.find(|own: char| own.is_ascii_digit()) else { return text.to_owned() };
        let (symbol, digits) = rest.split_at(at);
        let is_code = symbol.len() == 4 && symbol.trim_end().chars().all(char::is_uppercase);
        if symbols.contains(&symbol) || is_code {
            self.with_symbol(minus, symbol, &self.translated(digits))
        } else {
            format!("{minus}{}", self.translated(rest))
        }
    }

    /// Parses a typed number; `None` if it is invalid.
    pub(super) fn typed(self, text: &str) -> Option<Number> {
        let has_other = self.0.decimal != '.' && text.contains('.');
        let plain = text.replace(self.0.decimal, ".");
        if has_other { None } else { serde_json::from_str(&plain).ok() }
    }

    /// Returns a plain number as people would type it.
    pub(super) fn localized(self, plain: &str) -> String {
        plain.replace('.', self.0.decimal.encode_utf8(&mut [0; 4]))
    }

    pub(super) const fn decimal(self) -> char {
        self.0.decimal
    }

    /// Returns an example of a typed amount.
    pub(super) fn example(self) -> String {
        self.localized("12.50")
    }

    pub(super) fn day(self, day: Date) -> String {
        day.strftime(self.0.day).to_string()
    }

    /// Returns two days: `26 Oct – 24 Nov 2026`.
    pub(super) fn days(self, start: Date, end: Date) -> String {
        if start == end {
            return self.day(end);
        }
        let is_same_year = start.year() == end.year();
        let pattern = if is_same_year { self.0.short_day } else { self.0.day };
        format!("{} – {}", start.strftime(pattern), self.day(end))
    }

    pub(super) fn moment(self, at: DateTime) -> String {
        at.strftime(self.0.moment).to_string()
    }

    pub(super) fn month(self, day: Date) -> String {
        day.strftime(self.0.month).to_string()
    }

    fn with_symbol(self, minus: &str, symbol: &str, digits: &str) -> String {
        let plain = symbol.trim_end();
        match self.0.symbol {
            _ if plain.is_empty() => format!("{minus}{digits}"),
            Symbol::Before("") => format!("{minus}{symbol}{digits}"),
            Symbol::Before(gap) => format!("{minus}{plain}{gap}{digits}"),
            Symbol::First(gap) => format!("{plain}{gap}{minus}{digits}"),
            Symbol::After(gap) => format!("{minus}{digits}{gap}{plain}"),
        }
    }

    fn signed(self, text: &str) -> (&'static str, &str) {
        text.strip_prefix('-').map_or(("", text), |rest| (self.0.minus, rest))
    }

    /// Returns digits, with an optional decimal point, in groups of three.
    fn digits(self, plain: &str) -> String {
        let (whole, fraction) = plain.split_once('.').map_or((plain, None), |(a, b)| (a, Some(b)));
        let mut text = String::new();
        for (index, digit) in whole.chars().enumerate() {
            let left = whole.len().saturating_sub(index);
            if index > 0 && left.is_multiple_of(3) && whole.len() >= self.0.grouped_from {
                text.push_str(self.0.group);
            }
            text.push(digit);
        }
        if let Some(fraction) = fraction {
            text.push(self.0.decimal);
            text.push_str(fraction);
        }
        text
    }

    /// Returns a text with each English number replaced by this locale's format.
    fn translated(self, text: &str) -> String {
        let mut written = String::new();
        let mut number = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_inside = !number.is_empty() && letters.peek().is_some_and(char::is_ascii_digit);
            match letter {
                digit if digit.is_ascii_digit() => number.push(digit),
                ',' if is_inside => {}
                '.' if is_inside => number.push('.'),
                other => {
                    written.push_str(&self.digits(&std::mem::take(&mut number)));
                    if other == '%' && letters.peek().is_none() {
                        written.push_str(self.0.percent);
                    }
                    written.push(other);
                }
            }
        }
        written.push_str(&self.digits(&number));
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Decimal {
        text.parse().expect("a number")
    }

    #[test]
    fn the_table_has_every_locale_of_the_api() {
        let api: Value = serde_json::from_str(include_str!("../../../openapi.json")).expect("JSON");
        let words = api.pointer("/components/schemas/StoreLocale/enum").expect("words");
        let of = |tag: &str| Value::from(tag);
        assert_eq!(*words, ALL.iter().map(|own| of(own.tag)).collect::<Value>());
        assert_eq!(*words, CHOICES.iter().map(|(tag, _)| of(tag)).collect::<Value>());
    }

    #[test]
    fn amounts_have_the_digits_of_their_currency_and_their_symbol_in_its_place() {
        for (tag, number, symbol, digits, expected) in [
            ("en-GB", "1234567.5", "£", 2, "£1,234,567.50"),
            ("en-GB", "-51.64", "£", 2, "-£51.64"),
            ("en-GB", "999", "¥", 0, "¥999"),
            ("en-GB", "0.0005", "KD ", 3, "KD 0.000"),
            ("en-GB", "-0.001", "£", 2, "£0.00"),
            ("en-GB", "1000", "", 0, "1,000"),
            ("de-DE", "-1234567.5", "€", 2, "-1.234.567,50\u{a0}€"),
            ("nl-NL", "-51.64", "€", 2, "€\u{a0}-51,64"),
            ("pt-BR", "1234.5", "R$", 2, "R$\u{a0}1.234,50"),
            ("es-ES", "1234.5", "€", 2, "1234,50\u{a0}€"),
            ("es-ES", "12345.5", "€", 2, "12.345,50\u{a0}€"),
            ("fr-FR", "1234.5", "€", 2, "1\u{202f}234,50\u{a0}€"),
            ("sv-SE", "-1234.5", "kr", 2, "−1\u{a0}234,50\u{a0}kr"),
            ("xx-YY", "1234.5", "£", 2, "£1,234.50"),
        ] {
            assert_eq!(Locale::of(tag).money(amount(number), symbol, digits), expected, "{tag}");
        }
    }

    #[test]
    fn texts_of_the_api_are_written_as_the_locale_writes_them() {
        let symbols = ["£", "€"];
        for (tag, text, expected) in [
            ("en-GB", "-£1,234.50", "-£1,234.50"),
            ("de-DE", "-£1,234.50", "-1.234,50\u{a0}£"),
            ("de-DE", "CHF 1,234.50", "1.234,50\u{a0}CHF"),
            ("de-DE", "€1.2M", "1,2M\u{a0}€"),
            ("de-DE", "12.4%", "12,4\u{a0}%"),
            ("de-DE", "1,234d 4h", "1.234d 4h"),
            ("de-DE", "null (no_rows)", "null (no_rows)"),
            ("de-DE", "2026-02-04", "04.02.2026"),
            ("es-ES", "1,234", "1234"),
            ("en-US", "2026-02-04", "Feb 4, 2026"),
            ("ja-JP", "£1,234.50", "£1,234.50"),
        ] {
            assert_eq!(Locale::of(tag).figure(text, &symbols), expected, "{tag} {text}");
        }
    }

    #[test]
    fn amounts_are_typed_with_the_sign_of_the_locale_and_no_other() {
        let typed = |tag, text| Locale::of(tag).typed(text).map(|number| number.to_string());
        assert_eq!(typed("en-GB", "7.50").as_deref(), Some("7.50"));
        assert_eq!(typed("en-GB", "7,50"), None);
        assert_eq!(typed("de-DE", "7,50").as_deref(), Some("7.50"));
        // Whoever types it would mean a thousand.
        assert_eq!(typed("de-DE", "1.000"), None);
        assert_eq!(Locale::of("de-DE").localized("7.5"), "7,5");
    }

    #[test]
    fn days_are_in_the_order_of_the_locale() {
        let day = |text: &str| text.parse::<Date>().expect("a day");
        let at = day("2026-02-04").at(14, 5, 0, 0);
        for (tag, expected) in [
            ("en-GB", "4 Feb 2026, 14:05"),
            ("en-US", "Feb 4, 2026, 2:05 PM"),
            ("da-DK", "04.02.2026, 14.05"),
            ("fr-FR", "04/02/2026 14:05"),
            ("nl-NL", "04-02-2026, 14:05"),
            ("ja-JP", "2026/02/04 14:05"),
        ] {
            assert_eq!(Locale::of(tag).moment(at), expected, "{tag}");
        }
        for (tag, expected) in [
            ("en-GB", "Feb 2026"),
            ("da-DK", "02.2026"),
            ("de-DE", "02/2026"),
            ("nl-NL", "02-2026"),
            ("pl-PL", "02.2026"),
            ("ja-JP", "2026/02"),
            ("sv-SE", "2026-02"),
        ] {
            assert_eq!(Locale::of(tag).month(at.date()), expected, "{tag}");
        }
        let days = |tag| Locale::of(tag).days(day("2026-10-26"), day("2026-11-24"));
        assert_eq!(days("en-GB"), "26 Oct – 24 Nov 2026");
        assert_eq!(days("de-DE"), "26.10.2026 – 24.11.2026");
        assert_eq!(
            Locale::of("en-GB").days(day("2025-12-31"), day("2026-01-01")),
            "31 Dec 2025 – 1 Jan 2026"
        );
    }
}
