//! Display of values of every type by unit, rule and pattern.

use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::TimeZone;

use super::{FormatRules, PatternError, check_pattern, exact, pattern, value};
use crate::calendar::{Period, TimeSpan, TimeUnit};
use crate::number;
use crate::types::{Currency, CurrencyOf, Reason, Type, Unit, Value};

fn quantity(text: &str) -> Value {
    Value::Number(number::parse(text).unwrap())
}

fn money(code: &str) -> Unit {
    Unit::money(CurrencyOf::Fixed(Currency::from_code(code).unwrap()))
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn by_unit(text: &str, unit: &Unit) -> String {
    by_rules(text, unit, &FormatRules::default())
}

fn by_rules(text: &str, unit: &Unit, rules: &FormatRules) -> String {
    value(&quantity(text), &Type::Quantity(unit.clone()), rules, &TimeZone::UTC)
}

#[test]
fn money_has_its_sign_and_its_digits() {
    for (code, amount, expected) in [
        ("USD", "42.49", "$42.49"),
        ("USD", "0.005", "$0.01"),
        ("USD", "-0.005", "-$0.01"),
        ("USD", "-0.004", "$0.00"),
        ("GBP", "1234.5", "£1,234.50"),
        ("GBP", "-3", "-£3.00"),
        ("EUR", "1234567.891", "€1,234,567.89"),
        ("JPY", "1234.5", "¥1,235"),
        ("CHF", "12", "CHF 12.00"),
        ("CHF", "-12", "-CHF 12.00"),
        ("KWD", "1.25", "KWD 1.250"),
        ("USD", "9999999999999999999999999999", "$9,999,999,999,999,999,999,999,999,999.00"),
    ] {
        assert_eq!(by_unit(amount, &money(code)), expected, "{amount} {code}");
    }
    assert_eq!(by_unit("1234.5", &Unit::money(CurrencyOf::Mixed)), "1,234.50");
}

#[test]
fn dimensionless_numbers_are_shown_by_their_flavour() {
    let count = Unit::count("orders");
    for (unit, number, expected) in [
        (&Unit::PERCENT, "0.632", "63.2%"),
        (&Unit::PERCENT, "0.5", "50.0%"),
        (&Unit::PERCENT, "-0.00049", "0.0%"),
        (&Unit::PERCENT, "12.3456", "1,234.6%"),
        (&Unit::PERCENT, "9999999999999999999999999999", "9,999,999,999,999,999,999,999,999,999"),
        (&Unit::RATIO, "3.14159", "3.14"),
        (&Unit::RATIO, "-1.005", "-1.01"),
        (&count, "1234567", "1,234,567"),
        (&count, "0.5", "1"),
        (&Unit::NUMBER, "1234.5000", "1,234.5"),
        (&Unit::NUMBER, "100", "100"),
        (&Unit::NUMBER, "0.3333333333333333333333333333", "0.333333"),
        (&Unit::NUMBER, "0.00000012345", "0.000000123"),
        (&Unit::LITERAL, "-0.5", "-0.5"),
        (&Unit::NUMBER, "-0.0", "0"),
    ] {
        assert_eq!(by_unit(number, unit), expected, "{number}");
    }
}

#[test]
fn a_duration_has_its_two_longest_parts() {
    for (seconds, expected) in [
        ("0", "0s"),
        ("1.5", "1.5s"),
        ("59.9996", "1m"),
        ("0.00025", "0.00025s"),
        ("2710", "45m 10s"),
        ("2700", "45m"),
        ("3599.6", "1h"),
        ("3600", "1h"),
        ("187200", "2d 4h"),
        ("172799", "2d"),
        ("-187200", "-2d 4h"),
        ("86400", "1d"),
        ("100000000", "1,157d 10h"),
        ("999999999999999999999999999", "11,574,074,074,074,074,074,074d 2h"),
    ] {
        assert_eq!(by_unit(seconds, &Unit::DURATION), expected, "{seconds}");
    }
    let rules = FormatRules { decimals: Some(1), ..FormatRules::default() };
    assert_eq!(by_rules("187200", &Unit::DURATION, &rules), "2.2d");
    assert_eq!(by_rules("-0.01", &Unit::DURATION, &rules), "0.0s");
}

#[test]
fn rates_are_shown_per_day() {
    let per_day = Unit { time: -1, ..money("GBP") };
    let per_time = Unit { money: 0, time: -1, ..Unit::NUMBER };
    let per_money = Unit { money: -1, ..money("USD") };
    let odd = Unit { money: 2, time: -2, ..money("USD") };

    assert_eq!(by_unit("0.0000347222222222222222222222", &per_day), "£3.00 per day");
    assert_eq!(by_unit("-0.0000347222222222222222222222", &per_day), "-£3.00 per day");
    assert_eq!(by_unit("0.5", &per_time), "43,200 per day");
    assert_eq!(
        by_unit("9999999999999999999999999999", &per_time),
        "9,999,999,999,999,999,999,999,999,999 per second"
    );
    assert_eq!(by_unit("0.25", &per_money), "0.25 per USD");
    assert_eq!(by_unit("7", &odd), "7 USD^2 s^-2");
}

#[test]
fn rules_override_the_unit() {
    let rules = FormatRules::default;
    let decimals = |count| FormatRules { decimals: Some(count), ..rules() };
    let affixes =
        FormatRules { prefix: Some("US$".into()), suffix: Some(" gross".into()), ..rules() };
    let pattern = |text: &str| FormatRules { pattern: Some(text.into()), ..affixes.clone() };

    assert_eq!(by_rules("42.49", &money("USD"), &decimals(0)), "$42");
    assert_eq!(by_rules("0.12345", &Unit::PERCENT, &decimals(2)), "12.35%");
    assert_eq!(by_rules("1", &Unit::NUMBER, &decimals(u32::MAX)), format!("1.{}", "0".repeat(28)));
    assert_eq!(by_rules("-42.49", &money("USD"), &affixes), "-US$42.49 gross");
    assert_eq!(by_rules("-1234.5", &money("USD"), &pattern("#,##0")), "-US$1,235 gross");
    assert_eq!(by_rules("1.5", &money("USD"), &pattern("not one")), "US$1.50 gross");
}

#[test]
fn large_numbers_can_be_shortened() {
    let compact = FormatRules { compact: true, ..FormatRules::default() };
    let one_decimal = FormatRules { decimals: Some(1), ..compact.clone() };
    for (number, expected) in [
        ("999", "$999.00"),
        ("1000", "$1K"),
        ("1250", "$1.3K"),
        ("-1234567", "-$1.2M"),
        ("999960", "$1M"),
        ("2500000000", "$2.5B"),
        ("7000000000000000", "$7,000T"),
    ] {
        assert_eq!(by_rules(number, &money("USD"), &compact), expected, "{number}");
    }
    assert_eq!(by_rules("3000000", &Unit::NUMBER, &one_decimal), "3.0M");
}

#[test]
fn days_instants_and_periods_are_shown_in_the_zone() {
    let tokyo = zone("Asia/Tokyo");
    let rules = FormatRules::default();
    let shown = |it: &Value, ty: &Type| value(it, ty, &rules, &tokyo);
    let period = |start, end| Value::period(Period::new(at(start), at(end)));

    assert_eq!(shown(&Value::Date(date(2026, 1, 31)), &Type::Date), "2026-01-31");
    let instant = Value::DateTime(at("2026-01-31T05:05:00.75Z"));
    assert_eq!(shown(&instant, &Type::DateTime), "2026-01-31 14:05:00");
    for (it, expected) in [
        (period("2025-12-31T15:00:00Z", "2026-01-31T15:00:00Z"), "2026-01-01 … 2026-01-31"),
        (period("2025-12-31T15:00:00Z", "2026-01-01T15:00:00Z"), "2026-01-01"),
        (period("2025-12-31T15:00:00Z", "2025-12-31T15:00:00Z"), "2026-01-01"),
        (
            period("2026-01-01T00:00:00Z", "2026-01-01T01:30:00Z"),
            "2026-01-01 09:00:00 … 2026-01-01 10:30:00",
        ),
        (Value::period(Period::ALWAYS), "all time"),
        (Value::period(Period::new(Timestamp::MIN, at("2026-01-31T15:00:00Z"))), "… 2026-01-31"),
        (Value::period(Period::new(at("2025-12-31T15:00:00Z"), Timestamp::MAX)), "2026-01-01 …"),
    ] {
        assert_eq!(shown(&it, &Type::Period), expected);
    }
    assert_eq!(shown(&Value::Span(TimeSpan::new(2, TimeUnit::Month)), &Type::Span), "2 months");
}

#[test]
fn other_values_are_shown_as_they_are() {
    let rules = FormatRules::default();
    let words = FormatRules { null_text: Some("–".into()), ..FormatRules::default() };
    let list = Value::List([quantity("1.5"), Value::missing(Reason::NoRate)].into());
    let list_type = Type::List(Type::Quantity(money("USD")).into());
    let missing = Value::missing(Reason::DivisionByZero);
    let shown = |it: &Value, ty: &Type, rules| value(it, ty, rules, &TimeZone::UTC);

    assert_eq!(shown(&Value::Bool(true), &Type::Bool, &rules), "true");
    assert_eq!(shown(&Value::text("a, b"), &Type::Text, &rules), "a, b");
    assert_eq!(shown(&list, &list_type, &rules), "$1.50, null (no_rate)");
    assert_eq!(shown(&missing, &Type::NUMBER, &rules), "null (division_by_zero)");
    assert_eq!(shown(&missing, &Type::NUMBER, &words), "–");
    assert_eq!(shown(&quantity("1.5"), &Type::Null, &rules), "1.5");
    assert_eq!(shown(&Value::text("-x"), &Type::Text, &rules), "-x");
}

#[test]
fn exact_text_rounds_nothing() {
    let list = Value::List([quantity("1.50"), Value::Bool(false)].into());
    let period = Period::new(at("2026-01-01T00:00:00Z"), at("2026-02-01T00:00:00Z"));
    for (it, expected) in [
        (quantity("1234.5000"), "1234.5"),
        (Value::missing(Reason::NoRows), "null"),
        (Value::Date(date(2026, 1, 31)), "2026-01-31"),
        (Value::DateTime(at("2026-01-31T14:05:00+09:00")), "2026-01-31T05:05:00Z"),
        (Value::period(period), "2026-01-01T00:00:00Z/2026-02-01T00:00:00Z"),
        (list, "[1.5, false]"),
    ] {
        assert_eq!(exact(&it), expected);
    }
}

#[test]
fn number_patterns_read_as_in_spreadsheets() {
    for (text, number, expected) in [
        ("#,##0.00", "1234.5", "1,234.50"),
        ("#,##0.00", "-1234.565", "-1,234.57"),
        ("#,##0", "0.4", "0"),
        ("0.0%", "0.6321", "63.2%"),
        ("0%", "-0.004", "0%"),
        ("0", "1234.5", "1235"),
        ("000", "7", "007"),
        ("0,000", "7", "0,007"),
        ("0.0##", "1.25", "1.25"),
        ("0.0##", "1", "1.0"),
        ("#.##", "0.5", ".5"),
        ("#.##", "0", ""),
        ("#", "0", ""),
        ("#", "-0.4", ""),
        ("#%", "0", "%"),
        ("0", "0", "0"),
        ("$#,##0.00", "-3", "-$3.00"),
        ("0 \"days\"", "3", "3 days"),
        ("'n = '0", "3", "n = 3"),
        ("(0)", "3", "(3)"),
        ("\\x0", "3", "x3"),
        ("#,##0", "9999999999999999999999999999", "9,999,999,999,999,999,999,999,999,999"),
    ] {
        let shown = pattern(text, &quantity(number), &TimeZone::UTC);
        assert_eq!(shown.as_deref(), Ok(expected), "{number} by {text}");
    }
}

#[test]
fn date_patterns_read_as_in_spreadsheets() {
    let moment = Value::DateTime(at("2026-03-01T23:05:09Z"));
    let paris = zone("Europe/Paris");
    for (text, expected) in [
        ("yyyy-mm-dd", "2026-03-02"),
        ("yyyy-mm-dd hh:mm:ss", "2026-03-02 00:05:09"),
        ("YYYY-MM-DD\"T\"HH:MM", "2026-03-02T00:05"),
        ("d mmmm yyyy", "2 March 2026"),
        ("ddd, d mmm yy", "Mon, 2 Mar 26"),
        ("dddd", "Monday"),
        ("h:mm am/pm", "12:05 AM"),
        ("mm:ss", "05:09"),
        ("m/d/yyyy", "3/2/2026"),
    ] {
        assert_eq!(pattern(text, &moment, &paris).as_deref(), Ok(expected), "{text}");
    }
    let day = Value::Date(date(-44, 3, 15));
    assert_eq!(pattern("yyyy-mm-dd hh:mm", &day, &paris).as_deref(), Ok("-0044-03-15 00:00"));
}

#[test]
fn patterns_that_mean_nothing_are_refused() {
    let long = "0".repeat(201);
    let fine = "0".repeat(29);
    let decimals = format!("0.{fine}");
    for (text, error) in [
        ("", PatternError::ShowsNothing),
        ("\"0\"", PatternError::ShowsNothing),
        ("--", PatternError::ShowsNothing),
        (long.as_str(), PatternError::TooLong),
        (decimals.as_str(), PatternError::TooManyDecimals),
        ("0 days", PatternError::UnknownLetter('d')),
        ("yyyy-xx", PatternError::UnknownLetter('x')),
        ("yyy", PatternError::UnknownLetter('y')),
        ("0;0", PatternError::TwoNumbers),
        ("0;", PatternError::UnknownLetter(';')),
        ("0.0.0", PatternError::TwoNumbers),
        ("0 0", PatternError::TwoNumbers),
        ("0#", PatternError::HashInsideZeros),
        ("0.#0", PatternError::HashInsideZeros),
        (",0", PatternError::StrayComma),
        ("0,", PatternError::StrayComma),
        ("0,.0", PatternError::StrayComma),
        ("0.0,0", PatternError::StrayComma),
        ("0%%", PatternError::TwoPercents),
        ("0 \"x", PatternError::UnclosedQuote),
        ("0\\", PatternError::UnclosedQuote),
        ("0\u{1b}", PatternError::UnknownLetter('\u{1b}')),
    ] {
        assert_eq!(check_pattern(text), Err(error), "{text}");
    }
}

#[test]
fn a_pattern_shows_only_values_of_its_kind() {
    let day = Value::Date(date(2026, 1, 31));
    assert_eq!(pattern("0.00", &day, &TimeZone::UTC), Err(PatternError::ShowsNumbers));
    assert_eq!(pattern("yyyy", &quantity("1"), &TimeZone::UTC), Err(PatternError::ShowsDates));
    assert_eq!(pattern("0", &Value::Bool(true), &TimeZone::UTC), Err(PatternError::ShowsNumbers));
}
