//! Tables, links and records.

mod cells;
mod nested;

use rust_decimal::Decimal;

use super::{
    Column, Data, DataError, NO_ROW, NULL, Rates, Record, RecordError, RecordValue, RowError,
    Table, TableBuilder, build, record_tables, set_column,
};
use crate::file::load;
use crate::schema::{DataType, FieldId, LinkId, Path, Schema, SourceId};
use crate::types::{Currency, Reason, Value};

const FILE: &str = "
source customers entity from orders.customer_id
    key customer_id text
    field first_at datetime = min(orders.at)

source orders event
    key id text
    date at datetime
    field customer_id text
    field total money
    field is_paid bool
    field due date
    field shop_no number
    field code text = left(id, 1)
    link customer to customers by customer_id
    link shop to shops by shop_no

source items event
    dated by order.at
    field order_id text
    field amount money
    link order to orders by order_id

source shops entity
    key no number
    field name text

source codes entity from orders.code
    key code text
";

fn schema() -> Schema {
    let loaded = load("shop", &mut |_| Ok(FILE.to_owned()));
    assert!(loaded.findings.is_empty(), "{:?}", loaded.findings);
    loaded.schema
}

fn id(schema: &Schema, source: &str) -> SourceId {
    schema.source(source).unwrap()
}

fn table(schema: &Schema, source: &str, header: &[&str], rows: &[&[&str]]) -> Table {
    let mut builder = TableBuilder::new(schema, id(schema, source), header).unwrap();
    for row in rows {
        builder.push(row).unwrap();
    }
    builder.finish()
}

const ORDERS: &[&str] = &["id", "at", "customer_id", "total", "is_paid", "due", "shop_no"];

fn orders(schema: &Schema) -> Table {
    let rows: &[&[&str]] = &[
        &["a1", "2026-01-02 00:00:00", "c2", "1.5", "yes", "2026-01-05", "7"],
        &["a2", "2026-01-01T10:00:00+01:00", "c1", "2", "0", "", "7.0"],
        &["b3", "", "c2", "", "", "2026-02-01", "8"],
        &["b4", "2026-01-01 09:00:00.5", "", "-0.125", "true", "2026-01-05", ""],
    ];
    table(schema, "orders", ORDERS, rows)
}

fn column<'d>(schema: &Schema, data: &'d Data, source: &str, field: &str) -> &'d Column {
    let source = id(schema, source);
    let FieldId(field) = schema.source_at(source).unwrap().field(field).unwrap();
    data.table(source).unwrap().columns[field].as_ref().unwrap()
}

fn shown(column: &Column) -> Vec<String> {
    let text = |row| {
        let value = column.value(row);
        if let Some(missing) = value.as_missing() {
            assert_eq!(missing.reason, Reason::NullValue);
            return String::new();
        }
        let number = value.as_number().map(crate::number::to_plain);
        number.unwrap_or_else(|| crate::format::exact(&value))
    };
    (0..column.len()).map(text).collect()
}

#[test]
fn cells_become_typed_columns() {
    let schema = schema();
    let data = build(&schema, vec![orders(&schema)], Rates::new()).unwrap();
    for (field, expected) in [
        ("id", ["a1", "a2", "b3", "b4"]),
        ("total", ["1.5", "2", "", "-0.125"]),
        ("is_paid", ["true", "false", "", "true"]),
        ("due", ["2026-01-05", "", "2026-02-01", "2026-01-05"]),
        ("shop_no", ["7", "7", "8", ""]),
        ("at", ["2026-01-02T00:00:00Z", "2026-01-01T09:00:00Z", "", "2026-01-01T09:00:00.5Z"]),
    ] {
        assert_eq!(shown(column(&schema, &data, "orders", field)), expected, "{field}");
    }
    let Column::Scaled { values, scale } = column(&schema, &data, "orders", "total") else {
        panic!("small numbers are integers");
    };
    assert_eq!((values.as_slice(), *scale), ([1500, 2000, NULL, -125].as_slice(), 3));
}

#[test]
fn numbers_keep_every_digit() {
    let schema = schema();
    for (cells, is_scaled) in [
        (vec!["1", "0.000000001", "9"], true),
        (vec!["9223372036854775807"], true),
        (vec!["9223372036854775807", "0.1"], false),
        (vec!["1", "0.0000000001"], false),
        (vec!["1.25", "12345678901234567890.12345678", "2"], false),
        (vec![".5", "+3", "-0", "1."], true),
    ] {
        let mut builder =
            TableBuilder::new(&schema, id(&schema, "items"), &["order_id", "amount"]).unwrap();
        let mut expected = Vec::new();
        for cell in &cells {
            let row = ["x", cell];
            match (builder.push(&row), crate::number::parse(cell)) {
                (Ok(()), Some(number)) => expected.push(crate::number::to_plain(number)),
                (Err(_), None) => {}
                (found, read) => panic!("{cell}: {found:?}, {read:?}"),
            }
        }
        let data = build(&schema, vec![builder.finish()], Rates::new()).unwrap();
        let amounts = column(&schema, &data, "items", "amount");
        assert_eq!(shown(amounts), expected, "{cells:?}");
        assert_eq!(matches!(amounts, Column::Scaled { .. }), is_scaled, "{cells:?}");
    }
}

#[test]
fn a_header_must_have_every_declared_column_and_may_have_more() {
    let schema = schema();
    let items = id(&schema, "items");

    let error = TableBuilder::new(&schema, items, &["order_id", "price"]).unwrap_err();
    assert_eq!(error.to_string(), "`items` needs a column `amount`; there are: order_id, price");

    let error = TableBuilder::new(&schema, items, &[&*"x".repeat(1_000_000); 60]).unwrap_err();
    let text = error.to_string();
    assert!(text.len() < 4_000 && text.ends_with("xxx, …"), "{} bytes", text.len());

    let error = TableBuilder::new(&schema, items, &["order_id", "amount", "AMOUNT"]).unwrap_err();
    assert_eq!(error.to_string(), "`items` has the column `amount` twice");

    let mut builder =
        TableBuilder::new(&schema, items, &["\u{feff}AMOUNT", "note", " order_id "]).unwrap();
    builder.push(&["3", "hello", "a1"]).unwrap();
    let data = build(&schema, vec![builder.finish()], Rates::new()).unwrap();
    assert_eq!(shown(column(&schema, &data, "items", "amount")), ["3"]);
    assert_eq!(shown(column(&schema, &data, "items", "order_id")), ["a1"]);

    let error = TableBuilder::new(&schema, id(&schema, "customers"), &["customer_id"]).unwrap_err();
    assert_eq!(error, DataError::DerivedSource("customers".to_owned()));
}

#[test]
fn a_row_that_cannot_be_read_leaves_nothing_behind() {
    let schema = schema();
    let mut builder = TableBuilder::new(&schema, id(&schema, "orders"), ORDERS).unwrap();
    let good = ["a1", "2026-01-02 00:00:00", "c2", "1.5", "yes", "2026-01-05", "7"];
    for (place, cell, expected) in [
        (
            1,
            "yesterday",
            "column `at`: `yesterday` is not a date and time such as 2026-01-31 14:05:00",
        ),
        (
            1,
            "2026-02-30 00:00:00",
            "column `at`: `2026-02-30 00:00:00` is not a date and time such as 2026-01-31 14:05:00",
        ),
        (
            1,
            "2026-01-01 24:00:00",
            "column `at`: `2026-01-01 24:00:00` is not a date and time such as 2026-01-31 14:05:00",
        ),
        (5, "31.01.2026", "column `due`: `31.01.2026` is not a date such as 2026-01-31"),
        (6, "seven", "column `shop_no`: `seven` is not a number"),
    ] {
        let mut row = good;
        row[place] = cell;
        assert_eq!(builder.push(&row).unwrap_err().to_string(), expected);
    }
    assert_eq!(builder.push(&["a1"]).unwrap_err(), RowError::CellCount { expected: 7, found: 1 });
    builder.push(&good).unwrap();
    let data = build(&schema, vec![builder.finish()], Rates::new()).unwrap();
    assert_eq!(data.row_count(id(&schema, "orders")), 1);
    for field in ["id", "at", "total", "is_paid", "due", "shop_no"] {
        assert_eq!(column(&schema, &data, "orders", field).len(), 1, "{field}");
    }
}

#[test]
fn links_lead_to_rows_and_lost_keys_are_counted() {
    let schema = schema();
    let items: &[&[&str]] = &[&["b3", "1"], &["a2", "2"], &["zz", "3"], &["", "4"], &["zz", "5"]];
    let tables = vec![
        orders(&schema),
        table(&schema, "items", &["order_id", "amount"], items),
        table(&schema, "shops", &["no", "name"], &[&["8", "North"], &["7.00", "South"]]),
    ];
    let data = build(&schema, tables, Rates::new()).unwrap();
    let link = |source: &str, link: usize| data.link(id(&schema, source), LinkId(link)).unwrap();

    assert_eq!(link("items", 0), [2, 1, NO_ROW, NO_ROW, NO_ROW]);
    // 7, 7.0 and 7.00 are the same key.
    assert_eq!(link("orders", 1), [1, 1, 0, NO_ROW]);
    assert_eq!(data.unlinked(), [("items.order".to_owned(), 2)]);
}

#[test]
fn derived_entities_are_the_values_that_occur() {
    let schema = schema();
    let data = build(&schema, vec![orders(&schema)], Rates::new()).unwrap();

    assert_eq!(shown(column(&schema, &data, "customers", "customer_id")), ["c2", "c1"]);
    assert_eq!(data.link(id(&schema, "orders"), LinkId(0)).unwrap(), [0, 1, 0, NO_ROW]);
    assert!(data.given[id(&schema, "customers").0] && !data.given[id(&schema, "items").0]);
    assert_eq!(data.row_count(id(&schema, "items")), 0);
}

#[test]
fn a_computed_column_brings_what_hangs_on_it() {
    let schema = schema();
    let mut data = build(&schema, vec![orders(&schema)], Rates::new()).unwrap();
    assert_eq!(data.row_count(id(&schema, "codes")), 0);
    let source = id(&schema, "orders");
    let field = schema.source_at(source).unwrap().field("code").unwrap();

    let values = ["a", "a", "b", "b"].map(Value::text);
    let codes = Column::of_values(&DataType::Text, &values);
    set_column(&schema, &mut data, source, field, codes).unwrap();

    assert_eq!(shown(column(&schema, &data, "codes", "code")), ["a", "b"]);
}

#[test]
fn two_rows_with_one_key_are_refused() {
    let schema = schema();
    let shops = table(
        &schema,
        "shops",
        &["no", "name"],
        &[&["1", "a"], &["", "b"], &["", "c"], &["1.0", "d"]],
    );
    let error = build(&schema, vec![shops], Rates::new()).unwrap_err();
    assert_eq!(error.to_string(), "`shops` has two rows with the key `1`");
    assert!(matches!(error, DataError::DuplicateKey { rows: (0, 3), .. }), "{error:?}");
}

#[test]
fn rows_are_in_order_of_time_without_those_that_have_none() {
    let schema = schema();
    let items: &[&[&str]] = &[&["a1", "1"], &["a2", "2"], &["b3", "3"], &["b4", "4"], &["a2", "5"]];
    let tables = vec![orders(&schema), table(&schema, "items", &["order_id", "amount"], items)];
    let data = build(&schema, tables, Rates::new()).unwrap();
    let rows = |source: &str| data.dated[id(&schema, source).0].as_ref().unwrap().rows.clone();

    assert_eq!(rows("orders"), [1, 3, 0]);
    assert_eq!(rows("items"), [1, 4, 3, 0]);
    let undated = [("orders".to_owned(), 1), ("items".to_owned(), 1)];
    assert_eq!(data.undated(&schema), undated);
    assert!(
        super::order::instants(&schema, &data, id(&schema, "orders"), &Path::field(FieldId(5)))
            .is_none()
    );
}

#[test]
fn a_rate_holds_until_the_next() {
    let (usd, eur, gbp) = (Currency::USD, currency("EUR"), currency("GBP"));
    let mut rates = Rates::new();
    rates.set("2026-01-10".parse().unwrap(), eur, Decimal::new(110, 2)).unwrap();
    rates.set("2026-01-20".parse().unwrap(), eur, Decimal::new(120, 2)).unwrap();
    let rate = |day: &str, code| rates.rate(day.parse().unwrap(), code, usd);

    assert_eq!(rate("2026-01-09", eur), Err(Reason::NoRate));
    assert_eq!(rate("2026-01-10", eur), Ok(Decimal::new(110, 2)));
    assert_eq!(rate("2026-01-19", eur), Ok(Decimal::new(110, 2)));
    assert_eq!(rate("2030-01-01", eur), Ok(Decimal::new(120, 2)));
    assert_eq!(rate("2026-01-10", gbp), Err(Reason::NoRate));
    assert_eq!(rate("1999-01-10", usd), Ok(Decimal::ONE));
    for wrong in [Decimal::ZERO, Decimal::NEGATIVE_ONE] {
        assert_eq!(rates.set("2026-01-10".parse().unwrap(), gbp, wrong), Err(wrong));
    }
}

fn currency(code: &str) -> Currency {
    Currency::from_code(code).unwrap()
}

#[test]
fn json_keeps_numbers_exact_and_names_plain() {
    let text = r#"{
        "Net Sales": 0.1234567890123456789012345678,
        "big": 1e3, "small": 1.5E-3, "zero": 0e-99, "many": 12e26, "text": "7", "none": null, "yes": true,
        "price": {"amount": "12.30", "currency": "eur"},
        "orders": [{"Total": 1}, {}], "previous( net_sales )": -4
    }"#;
    let record = Record::from_json(text).unwrap();
    let number = |text: &str| RecordValue::Number(text.parse().unwrap());

    for (name, expected) in [
        ("net sales", number("0.1234567890123456789012345678")),
        ("NETSALES", number("0.1234567890123456789012345678")),
        ("big", number("1000")),
        ("small", number("0.0015")),
        ("zero", number("0")),
        ("many", number("1200000000000000000000000000")),
        ("text", RecordValue::Text("7".to_owned())),
        ("none", RecordValue::Null),
        ("yes", RecordValue::Bool(true)),
        ("price", RecordValue::Money("12.30".parse().unwrap(), currency("EUR"))),
        ("previous(net_sales)", number("-4")),
    ] {
        assert_eq!(record.get(name), Some(&expected), "{name}");
    }
    assert_eq!(record.get("other"), None);
}

#[test]
fn json_other_than_a_record_is_refused_with_the_reason() {
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(500), "]".repeat(500));
    for (text, expected) in [
        ("[1]", "the context is not a JSON object: it is another kind of value"),
        (
            "{\"a\": {\"amount\": 1, \"currency\": \"XXX\"}}",
            "`a`: `XXX` is no currency of ISO 4217",
        ),
        (
            "{\"a\": 12345678901234567890123456789012}",
            "`a`: 12345678901234567890123456789012 has more than 28 digits",
        ),
        (
            "{\"a\": 1.2345678901234567890123456789012e1}",
            "`a`: 1.2345678901234567890123456789012e+1 has more than 28 digits",
        ),
        ("{\"a\": 1e400}", "`a`: 1e+400 has more than 28 digits"),
    ] {
        assert_eq!(Record::from_json(text).unwrap_err().to_string(), expected);
    }
    let twice = Record::from_json("{\"a\": 1, \"A\": 2}").unwrap_err();
    assert!(matches!(twice, RecordError::Duplicate(_)), "{twice}");
    for malformed in ["", "{", "{\"a\": NaN}", deep.as_str()] {
        let error = Record::from_json(malformed).unwrap_err();
        assert!(matches!(error, RecordError::Malformed(_)), "{error}");
    }
}

#[test]
fn rows_of_a_record_have_the_columns_they_name() {
    let schema = schema();
    let tables = |json: &str| record_tables(&schema, &Record::from_json(json).unwrap());
    let given = |table: &Table| table.columns.iter().map(Option::is_some).collect::<Vec<_>>();
    let field = |name: &str| schema.source_at(id(&schema, "items")).unwrap().field(name).unwrap().0;

    let rows = tables(r#"{"items": [{"amount": 1}, {"amount": "2.5", "other": 1}]}"#).unwrap();
    let [items] = rows.as_slice() else { panic!("one table") };
    assert_eq!((items.row_count(), items.source), (2, schema.source("items")));
    assert!(given(items)[field("amount")] && !given(items)[field("order_id")]);

    let columns = tables(r#"{"items.amount": [1, null], "items.order_id": ["a", "b"]}"#).unwrap();
    let [items] = columns.as_slice() else { panic!("one table") };
    assert!(items.row_count() == 2 && given(items)[field("order_id")]);

    let none = tables(r#"{"items": [], "orders.total": 5}"#).unwrap();
    let [items] = none.as_slice() else { panic!("one table") };
    assert!(items.row_count() == 0 && given(items)[field("order_id")]);

    for (json, expected) in [
        (r#"{"items": [1]}"#, "items: a row is an object with a value for each field"),
        (r#"{"items": [{"amount": "x"}]}"#, "items: column `amount`: `x` is not a number"),
        (r#"{"items": [{"amount": [1]}]}"#, "items.amount: one value for each row is expected"),
        (
            r#"{"items.amount": [1], "items.order_id": ["a", "b"]}"#,
            "items.order_id: 2 values where another column of the source has 1",
        ),
        (
            r#"{"items": [{"amount": {"amount": 1, "currency": "EUR"}}]}"#,
            "items.amount: the amount is in EUR, the field in USD",
        ),
    ] {
        let misfit = tables(json).unwrap_err();
        assert_eq!(format!("{}: {}", misfit.name, misfit.message), expected, "{json}");
    }
}
