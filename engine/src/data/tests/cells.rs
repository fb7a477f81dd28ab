//! Unreadable cells, and the messages about them.

use crate::data::{ColumnReader, TableBuilder};
use crate::file::load;
use crate::schema::{DataType, Schema};
use crate::types::Value;

fn refusal(field: &str, cell: &str) -> String {
    let file = "source o entity\n    key id text\n    field n number\n    field day date\n    \
                field at datetime\n    field is_paid bool\n";
    let schema: Schema = load("shop", &mut |_| Ok(file.to_owned())).schema;
    let header = ["id", "n", "day", "at", "is_paid"];
    let row = header.map(|name| if name == field { cell } else { "" });
    let source = schema.source("o").unwrap();
    let mut builder = TableBuilder::new(&schema, source, &header).unwrap();
    builder.push(&row).unwrap_err().to_string()
}

#[test]
fn invalid_cells_are_answered_with_a_readable_form() {
    for (field, cell, expected) in [
        ("n", "1e3", "`1e3` is not a number: write it without an exponent: 1000"),
        ("n", "-1.5E-2", "write it without an exponent: -0.015"),
        ("n", " 5 ", "remove the blanks: `5`"),
        ("n", "2 days", "write a length of time as its seconds: 172800"),
        ("n", "1.5 hours", "write a length of time as its seconds: 5400"),
        ("n", "2 months", "write only the number, 2; the type of the field gives the unit"),
        ("n", " ", "leave the cell empty"),
        ("n", "NaN", "declare it: null \"NaN\""),
        ("n", "NULL", "declare it: null \"NULL\""),
        ("day", "n/a", "declare it: null \"n/a\""),
        ("n", "15%", "write a percentage as a fraction: 0.15"),
        ("n", "1,5", "with a decimal point: 1.5"),
        ("n", "1,000", "with a decimal point: 1000"),
        ("n", "1,234.50", "with a decimal point: 1234.5"),
        ("n", "1.234,50", "with a decimal point: 1234.5"),
        ("n", "1 234,50", "with a decimal point: 1234.5"),
        ("n", "1.234.567", "with a decimal point: 1234567"),
        ("n", "5 EUR", "write only the number, 5;"),
        ("n", "$-5", "write only the number, -5;"),
        ("n", "0.12345678901234567890123456789", "it has more than 28 digits"),
        ("at", "1767225600", "Unix time is not supported"),
        ("is_paid", "Y", "write true, false, yes, no, 1 or 0"),
    ] {
        let said = refusal(field, cell);
        assert!(said.contains(expected), "{cell}: {said}");
    }
}

#[test]
fn unrecognised_cells_have_no_help() {
    assert_eq!(refusal("n", "forty"), "column `n`: `forty` is not a number");
    assert_eq!(refusal("n", "..."), "column `n`: `...` is not a number");
    assert_eq!(
        refusal("day", "31.01.2026"),
        "column `day`: `31.01.2026` is not a date such as 2026-01-31"
    );
}

#[test]
fn the_smallest_integer_of_64_bits_is_a_number() {
    let mut reader = ColumnReader::new(&DataType::Number);
    let smallest = Value::Number(i64::MIN.into());
    reader.push_value(&smallest);
    assert_eq!(reader.finish().value(0), smallest);
}

#[test]
fn the_date_of_a_date_and_time_is_read_and_other_text_after_a_date_refused() {
    for time in
        ["T14:05:00Z", " 14:05:00", "T14:05:00+02:00", " 14:05", " 00:00:00.000", " 14:05:00 UTC"]
    {
        let mut reader = ColumnReader::new(&DataType::Date);
        reader.push(&format!("2026-01-31{time}")).unwrap();
        let Value::Date(date) = reader.finish().value(0) else { panic!("a date") };
        assert_eq!(date.to_string(), "2026-01-31", "{time}");
    }
    for cell in [
        "2026-01-311",
        "2026-01-31 or later",
        "2026-01-31T",
        "2026-01-31 25:00:00",
        "2026-01-31 14:05:00+02:00 UTC",
    ] {
        assert!(refusal("day", cell).contains("is not a date such as"), "{cell}");
    }
}

#[test]
fn an_instant_may_be_followed_by_utc() {
    for (cell, same) in [
        ("2026-01-31 14:05:00 UTC", "2026-01-31T14:05:00Z"),
        ("2026-01-31 14:05:00.25 UTC", "2026-01-31T14:05:00.25Z"),
        ("9999-12-31 23:59:59 UTC", "9999-12-31"),
    ] {
        let read = |cell: &str| {
            let mut reader = ColumnReader::new(&DataType::DateTime);
            reader.push(cell).unwrap();
            reader.finish().value(0)
        };
        assert_eq!(read(cell), read(same), "{cell}");
    }
    for cell in ["2026-01-31 UTC", "2026-01-31 14:05:00 UTC UTC", "2026-01-31 14:05:00+02:00 UTC"] {
        assert!(refusal("at", cell).contains("is not"), "{cell}");
    }
}
