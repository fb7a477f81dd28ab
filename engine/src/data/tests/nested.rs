//! Rows inside rows of a record.

use std::time::Instant;

use super::{id, schema, shown};
use crate::data::{Record, record_tables};
use crate::schema::FieldId;

#[test]
fn a_field_given_twice_in_a_row_is_refused() {
    let twice = Record::from_json(r#"{"orders": [{"Total": 1, "total": 2}]}"#).unwrap_err();
    assert_eq!(twice.to_string(), "`total` is given twice");
}

#[test]
fn nested_rows_without_a_key_get_one_that_no_other_row_has() {
    let schema = schema();
    let keys = |json: &str| {
        let tables = record_tables(&schema, &Record::from_json(json).unwrap()).unwrap();
        let source = id(&schema, "shops");
        let shops = tables.iter().find(|table| table.source == Some(source)).unwrap();
        let FieldId(no) = schema.source_at(source).unwrap().field("no").unwrap();
        shown(shops.columns[no].as_ref().unwrap())
    };
    for (orders, expected) in [
        (r#"{"shop": {"no": 1, "name": "a"}}, {"shop": {"name": "b"}}"#, "1 2"),
        (r#"{"shop": {"name": "b"}}, {"shop": {"no": 0, "name": "a"}}"#, "1 0"),
        (r#"{"shop": {"name": "b"}}, {"shop_no": 0}"#, "1"),
        (r#"{"shop": {"no": 1, "name": "a"}}, {"shop": {"no": 1.0, "name": "a"}}"#, "1"),
    ] {
        assert_eq!(keys(&format!("{{\"orders\": [{orders}]}}")).join(" "), expected, "{orders}");
    }
}

#[test]
fn many_nested_rows_take_linear_time() {
    let schema = schema();
    let time = |count: usize| {
        let rows = (0..count).map(|no| format!(r#"{{"shop": {{"no": {no}, "name": "a"}}}}"#));
        let json = format!("{{\"orders\": [{}]}}", rows.collect::<Vec<_>>().join(","));
        let record = Record::from_json(&json).unwrap();
        let started = Instant::now();
        record_tables(&schema, &record).unwrap();
        started.elapsed()
    };

    let (few, many) = (time(10_000), time(60_000));

    // Six times as long; 36 times if each row were compared with all others.
    assert!(many < few * 20, "{few:?}, {many:?}");
}
