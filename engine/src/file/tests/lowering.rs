//! Lowering of the names of all files to one schema.

use super::{SHOP, findings, load_text};
use crate::calendar::Retail454;
use crate::schema::{DataType, FieldId, MixedCurrency, SourceId, SourceKind};
use crate::types::{Bases, Basis, Currency, Type, Unit};

#[test]
fn the_store_has_the_settings_of_the_file() {
    let store = load_text(SHOP).schema.store;

    assert_eq!(store.currency.code(), "GBP");
    assert_eq!(store.calendar.zone_name(), "Europe/London");
    assert_eq!(store.calendar.fiscal_start(), 2);
    assert_eq!(store.mixed_currency, MixedCurrency::Convert);
}

#[test]
fn a_retail_calendar_starts_where_the_store_says() {
    let plain = load_text("store\n    calendar retail 4-5-4\n").schema.store.calendar;
    let moved =
        "store\n    calendar retail 4-5-4\n    fiscal_year_start july\n    week_start monday\n";
    let moved = load_text(moved).schema.store.calendar;

    assert_eq!(plain.retail(), Some(Retail454::NRF));
    assert_eq!(moved.retail().map(Retail454::start_month), Some(7));
}

#[test]
fn columns_links_and_origins_become_indices_whatever_their_order() {
    let loaded = load_text(SHOP);
    let schema = &loaded.schema;
    let [orders, _, _] = schema.sources.as_slice() else { panic!("three sources") };

    assert_eq!(orders.kind, SourceKind::Event);
    assert_eq!(orders.description.as_deref(), Some("Every invoice, cancellations too."));
    assert_eq!(orders.key, Some(FieldId(0)));
    assert_eq!(orders.data.as_deref(), Some("orders.csv.gz"));
    let known = orders.fields[3].known_values.clone();
    assert_eq!(known, Some(vec!["pending".to_owned(), "completed".to_owned()]));
    assert_eq!(orders.fields[4].bases, Bases::NONE.with(Basis::Goods).with(Basis::Tax));
    assert_eq!(orders.fields[5].data_type, DataType::Money(Currency::from_code("EUR")));
    let paid = DataType::MoneyBy { currency: FieldId(7), rate: Some(FieldId(6)) };
    assert_eq!(orders.fields[8].data_type, paid);
    assert_eq!(orders.fields[9].data_type, DataType::Count("orders".to_owned()));
    assert_eq!(orders.fields[9].description.as_deref(), Some("How many things were bought."));
    assert_eq!(orders.fields[10].data_type, DataType::Count("sessions".to_owned()));
    assert_eq!(orders.links[0].target, SourceId(2));
}

#[test]
fn dates_origins_and_computed_columns_follow_links() {
    let loaded = load_text(SHOP);
    let schema = &loaded.schema;
    let [_, lines, customers] = schema.sources.as_slice() else { panic!("three sources") };

    let date = lines.date.clone().unwrap();
    assert_eq!(schema.field_at(SourceId(1), &date).unwrap().1.name, "invoiced_at");
    assert_eq!(lines.data.as_deref(), Some("data/lines.csv.gz"));

    assert_eq!(customers.derived_from, Some((SourceId(0), FieldId(2))));
    assert!(customers.fields[1].computed.is_some());
    assert_eq!(loaded.computed.len(), 2);
    assert_eq!(loaded.conditions[0].text, schema.populations[0].condition);
}

#[test]
fn names_on_top_of_sources_are_resolved() {
    let loaded = load_text(SHOP);
    let schema = &loaded.schema;

    assert_eq!(schema.dimension("country").unwrap().columns.len(), 2);
    let buyer = schema.placeholder("buyer").unwrap();
    assert_eq!(buyer.field.links.len(), 1);
    assert_eq!(schema.placeholder("revenue").unwrap().aggregation.as_deref(), Some("sum"));
    assert_eq!(schema.input("visitors").unwrap().ty, Type::Quantity(Unit::count("visitors")));
    assert_eq!(loaded.rates.as_deref(), Some("rates.csv"));
}

#[test]
fn a_metric_has_all_its_properties() {
    let loaded = load_text(SHOP);
    let [aov, long] = loaded.metrics.as_slice() else { panic!("two metrics") };

    assert_eq!(aov.title.as_deref(), Some("Average order value"));
    assert_eq!(aov.description.as_deref(), Some("What a customer spends\nin one order."));
    assert_eq!(aov.formula.text, "net_sales / order_count");
    assert_eq!(aov.format.decimals, Some(2));
    assert_eq!(aov.format.null_text.as_deref(), Some("n/a"));
    assert_eq!(aov.category.as_deref(), Some("sales"));
    assert!(aov.unlisted);
    assert_eq!(aov.examples[1].expected.text, "null (division_by_zero)");
    assert_eq!(long.formula.text, "net_sales\n        / order_count");
}

#[test]
fn names_that_nothing_has_are_answered_with_the_nearest() {
    let text = "\
source orders event
    key id text
    date at datetime
    field n number
    field m money by curency
    link customer to custmers by id
    link buyer to customers by n
    link owner to customers by customer
source customers entity
    key id text
    date at datetime
source lines event
    link order to orders by order_id
    field order_id text
    dated by ordr.at
source visits event
    field n number
source people event from orders.customer.id
    key id text
    date at date
    field name text
placeholder a = orders.totl
placeholder b = order.n
placeholder c = orders.cust.id
placeholder d = orders
dimension country
    orders n
    orders id
population sales = ordrs where n > 1
metric lines = 1
metric d = 2
metric period = 3
input orders money by n
";
    insta::assert_snapshot!(findings(text).join("\n"));
}

#[test]
fn many_wrong_names_are_answered_without_the_nearest() {
    let fields: Vec<_> = (0..600).map(|n| format!("    field f{n} money by c\n")).collect();
    let fields = fields.concat();

    let findings = findings(&format!("source s event\n    date at date\n{fields}"));

    let helped = findings.iter().filter(|finding| finding.contains("known: ")).count();
    assert_eq!((helped, findings.len()), (500, 600));
}
