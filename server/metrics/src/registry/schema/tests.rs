//! Tests of the store's schema.

use quotient::Engine;
use quotient::types::Currency;

use super::placeholders::resolve;
use super::{PlaceholderError, binding, loaded, schema};
use crate::clock::Timestamp;
use crate::ids::PlaceholderId;
use crate::registry::queries::placeholders::PlaceholderRow;
use crate::registry::vocabulary::DataType;

fn pounds() -> Currency {
    super::currency("gbp").expect("a currency")
}

fn refunded() -> PlaceholderRow {
    PlaceholderRow {
        id: PlaceholderId::new(),
        key: "refunded".to_owned(),
        display_name: "Refunded".to_owned(),
        description: None,
        data_source: "refunds".to_owned(),
        source_field: "amount".to_owned(),
        data_type: DataType::Currency,
        default_aggregation: Some("sum".to_owned()),
        category: None,
        created_by: None,
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(0),
    }
}

#[test]
fn the_file_of_the_store_checks() {
    let (_, findings) = Engine::from_loaded(&loaded());
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn every_source_lies_in_a_view_that_has_its_fields() {
    let schema = schema(pounds(), "Europe/London").expect("a zone");
    let binding = binding(&schema);
    let connection = rusqlite::Connection::open_in_memory().expect("a database");
    for migration in crate::database::MIGRATIONS {
        connection.execute_batch(migration).expect("a migration");
    }
    for (index, source) in schema.sources.iter().enumerate() {
        let table = binding.table(quotient::schema::SourceId(index)).expect("a table");
        let mut columns: Vec<&str> =
            table.columns.iter().map(|column| column.name.as_str()).collect();
        columns.extend(table.only.as_ref().map(|(column, _)| column.as_str()));
        let text = format!("select {} from {}", columns.join(", "), table.name);
        connection.prepare(&text).unwrap_or_else(|error| panic!("{}: {error}", source.name));
    }
}

#[test]
fn a_placeholder_alone_means_its_aggregate() {
    let schema = schema(pounds(), "UTC").expect("a zone");
    let wider = resolve(&schema, &refunded()).expect("a placeholder");
    let engine = Engine::new(wider);
    let formula = engine.compile("refunded / count(orders)").expect("a formula");
    assert_eq!(formula.ty().to_string(), "money(GBP)");
}

#[test]
fn a_placeholder_that_cannot_be_says_why() {
    let schema = schema(pounds(), "UTC").expect("a zone");
    let refused = |change: fn(&mut PlaceholderRow)| {
        let mut new = refunded();
        change(&mut new);
        resolve(&schema, &new).expect_err("a refusal").to_string()
    };
    assert_eq!(refused(|new| new.key = "orders".into()), "`orders` is a source already");
    assert_eq!(refused(|new| new.key = "sum".into()), "`sum` is a function already");
    assert!(refused(|new| new.key = "2nd try".into()).contains("cannot be a key"));
    assert!(refused(|new| new.data_source = "refund".into()).ends_with("did you mean `refunds`?"));
    assert!(refused(|new| new.source_field = "amunt".into()).ends_with("did you mean `amount`?"));
    assert!(
        refused(|new| new.source_field = "order.nothing".into()).contains("`orders` has no field")
    );
    assert!(refused(|new| new.data_type = DataType::Duration).contains("is not duration"));
    let of_text = refused(|new| {
        new.source_field = "order.status".into();
        new.data_type = DataType::String;
    });
    assert!(of_text.contains("`sum` needs numbers"), "{of_text}");
}

#[test]
fn a_value_of_the_context_is_an_input() {
    let schema = schema(pounds(), "UTC").expect("a zone");
    let new = PlaceholderRow { data_source: "input".into(), key: "target".into(), ..refunded() };
    let wider = resolve(&schema, &new).expect("a placeholder");
    assert!(wider.input("target").is_some());
    let taken = PlaceholderError::Taken { key: "target".into(), by: "a placeholder" };
    assert_eq!(resolve(&wider, &new).err(), Some(taken));
}
