//! Metrics over time: what creates a version, what a rename affects, what is refused.

#![expect(clippy::unwrap_used, reason = "a failing step fails the test")]

use std::fmt::Write;

use crate::stores;
use quotient::registry::{
    Definition, Difference, Example, Registry, RegistryError, Signed, Snapshot, State, Version,
};
use quotient::schema::{Input, Schema};
use quotient::syntax::Limits;
use quotient::types::{Currency, CurrencyOf, DeclaredType, Type, Unit};
use quotient::{Engine, Inputs, Request, data::Record};

fn signed() -> Signed {
    Signed::new("ada", "2026-03-01T09:00:00Z".parse().unwrap())
}

fn engine() -> Engine {
    let input = |name: &str, unit: Unit| Input {
        name: name.into(),
        description: None,
        ty: Type::Quantity(unit),
    };
    let money = || Unit::money(CurrencyOf::Fixed(Currency::USD));
    let inputs = vec![
        input("gross", money()),
        input("refunds", money()),
        input("orders", Unit::count("orders")),
        input("visits", Unit::count("visits")),
    ];
    Engine::new(Schema { inputs, ..Schema::default() })
}

/// `net`, `aov` over it, `change` over that, and a title.
fn shop() -> Registry {
    let mut registry = Registry::new(engine());
    let net =
        Definition { title: Some("Net sales".into()), ..Definition::new("net", "gross - refunds") };
    registry.define(net, &signed()).unwrap();
    registry.define(Definition::new("aov", "net / orders"), &signed()).unwrap();
    let text = "/* growth */ growth( AOV ) -- ";
    let text = text.trim_end_matches("-- ");
    registry.define(Definition::new("change_of_aov", text), &signed()).unwrap();
    registry
}

fn edit(registry: &mut Registry, key: &str, formula: &str) -> Result<Option<u32>, RegistryError> {
    let edited = registry.edit(key, |definition| definition.formula = formula.into(), &signed())?;
    Ok(edited.version)
}

fn text<'r>(registry: &'r Registry, key: &str) -> &'r str {
    &registry.metric(key).unwrap().definition.formula
}

fn value(registry: &Registry, key: &str, record: &Record) -> String {
    let formula = registry.engine().compile(key).unwrap();
    let answers =
        registry.engine().evaluate(&[&formula], Inputs::record(record), &Request::default());
    answers.unwrap().first().unwrap().formatted.clone()
}

#[test]
fn only_a_change_of_meaning_creates_a_version() {
    let mut registry = shop();
    let cases = [
        ("  gross-refunds // the same", None),
        ("GROSS - (refunds)", None),
        ("gross - refunds - 0 USD", Some(2)),
        ("gross - refunds - 0 USD", None),
        ("gross - refunds", Some(3)),
    ];
    for (formula, version) in cases {
        assert_eq!(edit(&mut registry, "net", formula).unwrap(), version, "{formula}");
        assert_eq!(text(&registry, "net"), formula);
    }
    let titled =
        registry.edit("NET", |net| net.description = Some("after refunds".into()), &signed());
    assert_eq!(titled.unwrap().version, Some(4));
    let numbers: Vec<u32> =
        registry.metric("net").unwrap().versions.iter().map(|version| version.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let hashes: Vec<quotient::plan::Hash> =
        registry.metric("net").unwrap().versions.iter().map(|version| version.hash).collect();
    assert!(hashes[0] == hashes[2] && hashes[0] != hashes[1]);
}

#[test]
fn a_formula_longer_than_the_usual_limit_has_versions_under_a_larger_one() {
    let limits = Limits { max_bytes: 64 * 1024, ..Limits::DEFAULT };
    let mut registry = Registry::new(Engine::with_limits(engine().schema().clone(), limits));
    let long = |formula: &str| format!("{formula} // {}", "why ".repeat(Limits::DEFAULT.max_bytes));
    registry.define(Definition::new("twice", &long("orders * 2")), &signed()).unwrap();

    assert_eq!(edit(&mut registry, "twice", &long("orders * 3")), Ok(Some(2)));
    assert_eq!(edit(&mut registry, "twice", "orders * 3"), Ok(None));
    let versions = &registry.metric("twice").unwrap().versions;
    assert_eq!(Difference::between(&versions[0], &versions[1]).parts.len(), 1);
}

#[test]
fn a_renamed_metric_stays_itself_and_formulas_follow() {
    let mut registry = shop();
    let id = registry.metric("aov").unwrap().id;
    registry
        .define(Definition::new("mixed", "[Net Sales] + net + [net] - /* net */ net"), &signed())
        .unwrap();
    registry
        .set_examples(
            "aov",
            vec![Example {
                context: r#"{"Net": 10, "orders": 4, "previous(net)": 3, "note": "net"}"#.into(),
                expected: "2.5 USD".into(),
            }],
        )
        .unwrap();

    let renamed = registry.rename("net", "net_sales", &signed()).unwrap();

    assert_eq!(renamed.rewritten, ["aov", "mixed"]);
    assert_eq!(text(&registry, "aov"), "net_sales / orders");
    assert_eq!(
        text(&registry, "mixed"),
        "[Net Sales] + net_sales + [net_sales] - /* net */ net_sales"
    );
    assert_eq!(
        registry.metric("aov").unwrap().examples[0].context,
        r#"{"net_sales": 10, "orders": 4, "previous(net_sales)": 3, "note": "net"}"#
    );
    assert!(registry.metric("net").is_none());
    let users = registry.graph().dependents("net_sales").unwrap();
    let users: Vec<&str> = users.iter().map(|user| user.key).collect();
    assert_eq!(users, ["aov", "mixed", "change_of_aov"]);

    registry.rename("aov", "mean_order", &signed()).unwrap();
    assert_eq!(registry.metric("mean_order").unwrap().id, id);
    assert_eq!(text(&registry, "change_of_aov"), "/* growth */ growth( mean_order ) ");
    let record = Record::new().with("gross", "12").with("refunds", "2").with("orders", 4);
    assert_eq!(value(&registry, "mean_order", &record), "$2.50");
}

#[test]
fn a_renamed_title_is_followed_where_it_is_named() {
    let mut registry = shop();
    registry.define(Definition::new("twice", "2 * [net SALES]"), &signed()).unwrap();

    let change = |net: &mut Definition| net.title = Some("Sales, net".into());
    let edited = registry.edit("net", change, &signed()).unwrap();

    assert_eq!(edited.rewritten, ["twice"]);
    assert_eq!(text(&registry, "twice"), "2 * [Sales, net]");
    registry.edit("net", |net| net.title = None, &signed()).unwrap();
    assert_eq!(text(&registry, "twice"), "2 * [net]");
}

#[test]
fn a_name_that_would_mean_something_else_is_not_taken() {
    let mut registry = shop();
    registry
        .define(Definition::new("with_let", "let extra = 1 USD; net + extra"), &signed())
        .unwrap();
    let before = registry.snapshot();

    let cases = [
        ("extra", RegistryError::Captured("with_let".into())),
        ("aov", RegistryError::Taken { name: "aov".into(), by: "a metric".into() }),
        (
            "gross",
            RegistryError::Taken { name: "gross".into(), by: "a placeholder or an input".into() },
        ),
        ("sum", RegistryError::Taken { name: "sum".into(), by: "a function".into() }),
        ("net sales", RegistryError::Key("net sales".into())),
        ("where", RegistryError::Key("where".into())),
    ];
    for (key, refusal) in cases {
        assert_eq!(registry.rename("net", key, &signed()), Err(refusal), "{key}");
    }
    assert_eq!(registry.snapshot(), before);
    assert!(registry.engine().compile("net + with_let").is_ok());
}

#[test]
fn a_refused_edit_says_why_and_leaves_everything() {
    let mut registry = shop();
    let before = registry.snapshot();
    let order: Vec<String> = registry.graph().order().iter().map(ToString::to_string).collect();

    let Err(RegistryError::Formula(cycle)) = edit(&mut registry, "net", "gross * change_of_aov")
    else {
        panic!("a cycle");
    };
    let Err(RegistryError::Formula(wrong)) = edit(&mut registry, "net", "gross +") else {
        panic!("no formula");
    };
    let Err(RegistryError::Breaks(broken)) = edit(&mut registry, "net", "'a text'") else {
        panic!("others break");
    };

    let cycle: Vec<_> = cycle
        .iter()
        .map(|finding| (finding.code.as_str(), finding.message.as_str(), finding.span.start))
        .collect();
    let way = "it would use itself: net → change_of_aov → aov → net";
    assert_eq!(cycle, [("E601", way, 8)]);
    assert_eq!(wrong[0].code.as_str(), "E102");
    let broken: Vec<&str> = broken.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(broken, ["aov", "change_of_aov"]);
    assert_eq!(registry.snapshot(), before);
    assert_eq!(registry.graph().order(), order);
    let record = Record::new().with("gross", "12").with("refunds", "2").with("orders", 4);
    assert_eq!(value(&registry, "aov", &record), "$2.50");
}

#[test]
fn a_rollback_makes_a_version_and_speaks_of_metrics_as_they_are_called_today() {
    let mut registry = shop();
    edit(&mut registry, "aov", "net / orders * 2").unwrap();
    registry.rename("net", "net_sales", &signed()).unwrap();

    let rolled = registry.rollback("aov", 1, &signed()).unwrap();

    assert_eq!(rolled.version, Some(4));
    assert_eq!(text(&registry, "aov"), "net_sales / orders");
    let last = registry.metric("aov").unwrap().version().unwrap();
    assert_eq!(last.restored_from, Some(1));
    let refused = registry.rollback("aov", 9, &signed());
    assert_eq!(refused, Err(RegistryError::NoVersion { key: "aov".into(), number: 9 }));
}

#[test]
fn a_metric_becomes_active_when_its_examples_hold_and_the_metrics_it_uses_are_active() {
    let mut registry = shop();
    let example = |expected: &str| Example {
        context: r#"{"gross": 12, "refunds": 2}"#.into(),
        expected: expected.into(),
    };
    registry.set_examples("net", vec![example("10 USD"), example("11 USD")]).unwrap();

    let Err(RegistryError::Examples(failed)) = registry.set_state("net", State::Active) else {
        panic!("an example does not hold");
    };
    assert_eq!(failed[0].0, 1);
    registry.set_examples("net", vec![example("10 USD")]).unwrap();
    let idle = registry.set_state("aov", State::Active);
    assert_eq!(idle, Err(RegistryError::Inactive(vec!["net".into()])));
    registry.set_state("net", State::Active).unwrap();
    registry.set_state("aov", State::Active).unwrap();

    let Err(RegistryError::Examples(_)) = edit(&mut registry, "net", "gross - refunds * 2") else {
        panic!("a metric in use holds its examples");
    };
    let used = RegistryError::Used { key: "net".into(), users: vec!["aov".into()] };
    assert_eq!(registry.set_state("net", State::Archived), Err(used.clone()));
    assert_eq!(registry.remove("net"), Err(used));
    let back = RegistryError::Transition { from: State::Active, to: State::Draft };
    assert_eq!(registry.set_state("aov", State::Draft), Err(back));
}

#[test]
fn every_change_of_state_is_in_one_table() {
    use State::{Active, Archived, Deprecated, Draft};
    let allowed = [
        (Draft, Active),
        (Draft, Archived),
        (Active, Deprecated),
        (Active, Archived),
        (Deprecated, Active),
        (Deprecated, Archived),
        (Archived, Draft),
    ];
    for from in [Draft, Active, Deprecated, Archived] {
        for to in [Draft, Active, Deprecated, Archived] {
            assert_eq!(from.leads_to(to), allowed.contains(&(from, to)), "{from:?} {to:?}");
        }
    }
}

#[test]
fn a_removed_metric_keeps_its_key_and_comes_back() {
    let mut registry = shop();
    registry.remove("change_of_aov").unwrap();

    assert!(registry.engine().compile("change_of_aov").is_err());
    assert!(!registry.graph().contains("change_of_aov"));
    let taken = registry.define(Definition::new("change_of_aov", "1"), &signed());
    assert!(matches!(taken, Err(RegistryError::Taken { .. })));
    assert!(matches!(edit(&mut registry, "change_of_aov", "1"), Err(RegistryError::Unknown(_))));

    registry.rename("aov", "mean_order", &signed()).unwrap();
    registry.set_state("change_of_aov", State::Draft).unwrap();
    assert_eq!(text(&registry, "change_of_aov"), "/* growth */ growth( mean_order ) ");
    assert_eq!(registry.metric("change_of_aov").unwrap().versions.len(), 1);
    assert!(registry.engine().compile("change_of_aov").is_ok());
}

#[test]
fn a_removed_metric_stays_in_the_drafts_that_use_it() {
    let mut registry = shop();
    registry.remove("net").unwrap();

    let refused = RegistryError::Inactive(vec!["net".into()]);
    let new = registry.define(Definition::new("fresh", "net + net"), &signed());
    assert_eq!(new, Err(refused.clone()));
    assert_eq!(registry.set_state("aov", State::Active), Err(refused));
    assert!(matches!(edit(&mut registry, "net", "gross"), Err(RegistryError::Unknown(_))));
    let restored = Registry::restore(engine(), registry.snapshot()).unwrap();
    for registry in [&registry, &restored] {
        assert!(registry.engine().compile("aov").is_ok());
        assert!(registry.graph().contains("net"));
    }

    edit(&mut registry, "aov", "net / orders + net / orders").unwrap();
    edit(&mut registry, "aov", "gross / orders").unwrap();
    let restored = Registry::restore(engine(), registry.snapshot()).unwrap();
    for registry in [&registry, &restored] {
        assert!(registry.engine().compile("net").is_err());
        assert!(!registry.graph().contains("net"));
    }
    registry.set_state("net", State::Draft).unwrap();
    assert!(registry.engine().compile("net").is_ok());
}

#[test]
fn a_removed_metric_comes_back_under_the_drafts_that_use_it() {
    let mut registry = shop();
    registry.remove("net").unwrap();
    registry.set_state("net", State::Draft).unwrap();

    edit(&mut registry, "net", "gross").unwrap();
    registry.define(Definition::new("fresh", "net + net"), &signed()).unwrap();
    assert!(registry.graph().users("net").unwrap().len() > 1);
}

#[test]
fn two_versions_differ_only_in_the_changed_fields() {
    let mut registry = shop();
    let first = "let kept = gross - refunds; if(orders > 10, kept / orders, 0 USD)";
    let second = "let kept = gross; if(orders > 20, kept / visits, 0 USD)";
    registry.define(Definition::new("rich", first), &signed()).unwrap();
    let change = |rich: &mut Definition| {
        rich.formula = second.into();
        rich.data_type = Some(DeclaredType::Currency);
        rich.format.decimals = Some(1);
    };
    registry.edit("rich", change, &signed()).unwrap();

    let difference = registry.difference("rich", (1, 2)).unwrap();

    assert_eq!(difference.text, Some((first.into(), second.into())));
    assert_eq!(difference.ty, None);
    assert_eq!(
        difference.metadata,
        [
            ("type", String::new(), "currency".to_owned()),
            ("decimals", String::new(), "1".to_owned())
        ]
    );
    assert_eq!(
        (difference.inputs_added, difference.inputs_removed),
        (vec!["visits".to_owned()], vec!["refunds".to_owned()])
    );
    let parts: Vec<_> = difference
        .parts
        .iter()
        .map(|part| {
            let side = |side: &Option<(String, quotient::source::Span)>, text: &str| {
                side.as_ref().map(|(canonical, span)| {
                    assert!(!span.slice(text).is_empty());
                    canonical.clone()
                })
            };
            (side(&part.before, first).unwrap(), side(&part.after, second).unwrap())
        })
        .collect();
    let pair = |before: &str, after: &str| (before.to_owned(), after.to_owned());
    assert_eq!(
        parts,
        [pair("gross - refunds", "gross"), pair("10", "20"), pair("orders", "visits")]
    );
    assert!(registry.difference("rich", (2, 2)).unwrap().is_empty());
}

#[test]
fn a_snapshot_written_and_read_is_the_same_registry() {
    let mut registry = shop();
    registry.set_state("net", State::Active).unwrap();
    registry.rename("aov", "mean_order", &signed().note("clearer")).unwrap();
    registry.remove("change_of_aov").unwrap();

    let written = serde_json::to_string(&registry.snapshot()).unwrap();
    let read: Snapshot = serde_json::from_str(&written).unwrap();
    let mut restored = Registry::restore(engine(), read.clone()).unwrap();

    assert_eq!(restored.snapshot(), registry.snapshot());
    assert_eq!(restored.graph().order(), registry.graph().order());
    let id = restored.define(Definition::new("fresh", "net * 2"), &signed()).unwrap();
    assert_eq!(restored.by_id(id).unwrap().versions.len(), 1);

    let mut twice = read.clone();
    twice.metrics.push(twice.metrics[0].clone());
    assert!(matches!(Registry::restore(engine(), twice), Err(RegistryError::Snapshot(_))));

    let mut titled = read;
    titled.metrics[0].definition.title = Some("Äpfel".to_owned());
    titled.metrics[1].definition.title = Some("äpfel".to_owned());
    assert_eq!(
        Registry::restore(engine(), titled).err(),
        Some(RegistryError::Snapshot("two metrics have one title".to_owned()))
    );
}

#[test]
fn formula_files_become_active_metrics_with_their_examples_and_a_first_version() {
    let loaded = stores::loaded("online-retail/shop.metrics");

    let outcome = Registry::from_loaded(&loaded, &signed());

    assert!(outcome.findings.iter().all(|(_, finding)| !finding.is_error()));
    let registry = outcome.registry;
    assert_eq!(registry.metrics().count(), loaded.metrics.len());
    for metric in registry.metrics() {
        let key = &metric.definition.key;
        assert_eq!(metric.state, State::Active, "{key}");
        let [version] = metric.versions.as_slice() else { panic!("{key}: one version") };
        let Version { number, canonical, hash, .. } = &**version;
        let formula = registry.engine().compile(&metric.definition.formula).unwrap();
        assert_eq!((*number, canonical.as_str()), (1, formula.canonical()));
        assert_eq!(*hash, formula.hash());
    }
    let snapshot = registry.snapshot();
    let engine = Engine::new(loaded.schema);
    let restored = Registry::restore(engine, snapshot.clone()).unwrap();
    assert_eq!(restored.snapshot(), snapshot);
}

#[test]
fn a_rename_of_every_metric_in_turn_changes_no_meaning() {
    let loaded = stores::loaded("online-retail/shop.metrics");
    let mut registry = Registry::from_loaded(&loaded, &signed()).registry;
    let types = |registry: &Registry| -> Vec<String> {
        let metrics = registry.metrics();
        metrics.map(|metric| metric.version().unwrap().ty.clone()).collect()
    };
    let before = types(&registry);
    let edges = |registry: &Registry| -> Vec<usize> {
        let keys = registry.metrics().map(|metric| metric.definition.key.clone());
        keys.map(|key| registry.graph().uses(&key).unwrap().len()).collect()
    };
    let uses = edges(&registry);

    let keys: Vec<String> =
        registry.metrics().map(|metric| metric.definition.key.clone()).collect();
    for key in &keys {
        registry.rename(key, &format!("{key}_renamed"), &signed()).expect(key);
    }

    assert_eq!(types(&registry), before);
    assert_eq!(edges(&registry), uses);
    for key in &keys {
        registry.rename(&format!("{key}_renamed"), key, &signed()).expect(key);
    }
    for (metric, definition) in registry.metrics().zip(&loaded.metrics) {
        assert_eq!(metric.definition.formula, definition.formula.text);
    }
}

#[test]
fn a_metric_that_a_column_of_the_schema_names_keeps_its_name_and_type() {
    let shop = "
source orders event
    date at datetime
    field total money
    field share money = total / parts

metric unused = 1
metric parts = 4
";
    let load = |shop: &str| quotient::file::load("shop", &mut |_| Ok(shop.to_owned()));
    let loaded = load(shop);
    let outcome = Registry::from_loaded(&loaded, &signed());
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    let mut registry = outcome.registry;
    let used = || RegistryError::Used { key: "parts".into(), users: vec!["orders.share".into()] };

    registry.remove("unused").unwrap();
    assert_eq!(registry.rename("parts", "pieces", &signed()), Err(used()));
    assert_eq!(registry.remove("parts"), Err(used()));

    let largest = |engine: &Engine| {
        let mut orders = engine.table("orders", &["at", "total"]).unwrap();
        orders.push(&["2026-02-03 10:00:00", "10"]).unwrap();
        orders.push(&["2026-02-03 11:00:00", "30"]).unwrap();
        let data = engine.data(vec![orders.finish()], quotient::data::Rates::new()).unwrap();
        let formula = engine.compile("max(orders.share)").unwrap();
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), &Request::default());
        answers.unwrap().first().unwrap().value.clone()
    };
    assert_eq!(largest(registry.engine()), largest(&Engine::from_loaded(&loaded).0));

    let RegistryError::Breaks(columns) = edit(&mut registry, "parts", "true").unwrap_err() else {
        panic!("an edit that breaks a column")
    };
    let codes = columns.iter().map(|(column, findings)| {
        (column.as_str(), findings.iter().map(|finding| finding.code.to_string()).collect())
    });
    assert_eq!(codes.collect::<Vec<(_, Vec<_>)>>(), [("orders.share", vec!["E321".to_owned()])]);
    assert_eq!(text(&registry, "parts"), "4");
    assert_eq!(largest(registry.engine()), largest(&Engine::from_loaded(&loaded).0));
    edit(&mut registry, "parts", "2.5").unwrap();
    let edited = Engine::from_loaded(&load(&shop.replace("parts = 4", "parts = 2.5"))).0;
    assert_eq!(largest(registry.engine()), largest(&edited));
}

#[test]
fn many_metrics_that_do_not_check_are_left_out_at_once() {
    let mut text = String::new();
    for index in 0..1_500 {
        writeln!(text, "metric known_{index} = {index}").unwrap();
        writeln!(text, "metric wrong_{index} = unknown + {index}").unwrap();
    }
    let loaded = quotient::file::load("shop.metrics", &mut |_| Ok(text.clone()));

    let registry = Registry::from_loaded(&loaded, &signed()).registry;

    assert_eq!(registry.metrics().count(), 1_500);
    assert_eq!(registry.engine().metrics().len(), 1_500);
    assert!(Registry::new(registry.engine().clone()).engine().metrics().is_empty());
}
