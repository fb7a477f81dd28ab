//! SQL functions of the store.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use memchr::memmem;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{FromSqlError, Value};

use super::like::Pattern;
use crate::clock;
use crate::money::Currency;

/// Characters as they appear in JSON and in forms, in lower case.
const ESCAPED: [(&str, &str); 9] = [
    ("\\n", " "),
    ("\\r", " "),
    ("\\t", " "),
    ("\\u003c", "<"),
    ("%20", " "),
    ("%22", "\""),
    ("%2b", "+"),
    ("%3c", "<"),
    ("%40", "@"),
];

/// Adds the functions to a connection.
pub(crate) fn add(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    for argument_count in [2, 3] {
        connection.create_scalar_function("like", argument_count, flags, like)?;
    }
    connection.create_scalar_function("contains_address", 2, flags, |arguments| {
        let body = arguments.get_raw(0).as_bytes_or_null()?;
        let address = arguments.get_raw(1).as_str()?;
        Ok(body.is_some_and(|body| contains_address(body, address)))
    })?;
    connection.create_scalar_function("amount", 2, flags, |arguments| {
        let (minor, currency) = (arguments.get::<Option<i64>>(0)?, arguments.get::<Currency>(1)?);
        Ok(minor.map(|minor| currency.amount(minor).text()))
    })?;
    connection.create_scalar_function("instant_of", 3, flags, |arguments| {
        let value: Value = arguments.get(0)?;
        let (is_end, zone) = (arguments.get(1)?, arguments.get::<Option<String>>(2)?);
        Ok(match &value {
            Value::Text(day) => {
                day.parse().map_or(Value::Null, |day| instant_of(day, is_end, zone))
            }
            Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => value,
        })
    })
}

/// `text like pattern escape character`, called as `like(pattern, text, character)`.
fn like(arguments: &Context<'_>) -> rusqlite::Result<Option<bool>> {
    let Some(text) = arguments.get_raw(1).as_bytes_or_null()? else { return Ok(None) };
    let pattern = arguments.get_or_create_aux(0, |pattern| {
        let escape = if arguments.len() > 2 { arguments.get_raw(2).as_str()? } else { "" };
        Ok::<_, FromSqlError>(Pattern::new(pattern.as_str()?, escape.chars().next()))
    })?;
    Ok(Some(pattern.matches(text)))
}

/// Returns the first millisecond of a day in a time zone, or the last one; in UTC without a store or a known zone.
fn instant_of(day: Date, is_end: bool, zone: Option<String>) -> Value {
    let zone = zone.and_then(|name| clock::time_zone(&name)).unwrap_or(TimeZone::UTC);
    let start = |day| clock::day_start(day, &zone);
    let at = if is_end {
        day.tomorrow().ok().and_then(start).map(|next| next.minus_ms(1))
    } else {
        start(day)
    };
    Value::Integer(at.unwrap_or_else(|| jiff::Timestamp::MAX.into()).as_millis())
}

/// Returns whether a text (plain, JSON or form-encoded) contains an e-mail address: as a whole, because the end of an
/// address can be the address of another person.
fn contains_address(body: &[u8], address: &str) -> bool {
    if !may_contain(body, address) {
        return false;
    }
    let (text, address) =
        (String::from_utf8_lossy(body).to_ascii_lowercase(), address.to_ascii_lowercase());
    let text =
        ESCAPED.iter().fold(text, |text, (escape, character)| text.replace(escape, character));
    let is_part = |next: char| next.is_ascii_alphanumeric() || next == '-' || !next.is_ascii();
    text.match_indices(&address).any(|(start, found)| {
        let (before, rest) = text.split_at(start);
        let after = rest.strip_prefix(found).unwrap_or_default();
        !before.ends_with(|last| is_part(last) || matches!(last, '.' | '_' | '+'))
            && !after.strip_prefix('.').unwrap_or(after).starts_with(is_part)
    })
}

/// Rejects most texts without a copy of them.
fn may_contain(body: &[u8], address: &str) -> bool {
    let Some((local, domain)) = address.split_once('@') else { return false };
    // A form escapes the `+`.
    let local = local.rsplit_once('+').map_or(local, |(_, end)| end);
    ["@", "%40"].into_iter().any(|at| {
        memmem::find_iter(body, at).any(|start| {
            let (before, rest) = body.split_at(start);
            let after = rest.iter().copied().skip(at.len());
            starts_with(before.iter().copied().rev(), local.bytes().rev())
                && starts_with(after, domain.bytes())
        })
    })
}

/// Compares as far as the start goes, without regard to the case of letters.
fn starts_with(mut text: impl Iterator<Item = u8>, mut start: impl Iterator<Item = u8>) -> bool {
    start.all(|byte| text.next().is_some_and(|other| other.eq_ignore_ascii_case(&byte)))
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, Row};

    use super::{add, contains_address};
    use crate::money::{Amount, Currency};

    #[test]
    fn an_amount_is_read_in_the_units_of_its_currency() {
        let connection = Connection::open_in_memory().unwrap();
        add(&connection).unwrap();
        let read = |row: &Row<'_>| row.get::<_, Option<Amount>>(0);
        for minor in [Some(-1_250), Some(0), Some(i64::MAX), None] {
            for code in ["gbp", "jpy", "kwd"] {
                let amount = connection.query_one("select amount(?, ?)", (minor, code), read);
                let expected = minor.map(|minor| Currency::from_code(code).unwrap().amount(minor));
                assert_eq!(amount.unwrap(), expected, "{minor:?} {code}");
            }
        }
    }

    #[test]
    fn an_address_is_found_in_every_form_and_only_as_a_whole() {
        for text in [
            "na+x@shop.example",
            "To: Na <NA+x@Shop.example>.",
            r#"{"to":"na+x@shop.example"}"#,
            r#"{"text":"wrote:\nna+x@shop.example"}"#,
            r#"{"to":"\u003cna+x@shop.example\u003e"}"#,
            "to=na%2bx%40shop.example&name=Na",
            "to=na+x%40shop.example",
            "to=na%2Bx@shop.example",
            "to=%22Na%22%20%3Cna%2Bx%40shop.example%3E",
            "anna+x@shop.example, na+x@shop.example",
            "na+x@shop.example..",
        ] {
            assert!(contains_address(text.as_bytes(), "Na+x@shop.example"), "{text}");
        }
        for text in [
            "",
            "anna+x@shop.example",
            "a.na+x@shop.example",
            "a%2Bna+x@shop.example",
            "éna+x@shop.example",
            "na+x@shop.example.com",
            "na+x@shop.examples",
            "na+x@shop.example-shop.com",
            "na@shop.example",
        ] {
            assert!(!contains_address(text.as_bytes(), "na+x@shop.example"), "{text}");
        }
        assert!(!contains_address(b"na@shop.example", ""));
        assert!(contains_address(b"\xff na@shop.example \xff", "na@shop.example"));
    }
}
