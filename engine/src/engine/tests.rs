//! The façade's promises to programs.

use std::fmt::Write;

use super::{Answers, Engine, Filter, Formula, Inputs, Request};
use crate::data::{Data, Record};
use crate::functions::{Behaviour, Family, FunctionSpec, Nulls, Parameter, ParameterKind, Scalar};
use crate::syntax::Limits;
use crate::types::{Reason, Type, Value};

#[test]
fn everything_a_program_keeps_may_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Engine>();
    shared::<Formula>();
    shared::<Data>();
    shared::<Record>();
    shared::<Answers>();
}

#[test]
fn a_metric_defined_by_a_program_exists_at_once_and_its_key_is_taken() {
    let mut engine = Engine::new(crate::schema::Schema::default());

    engine.define("ten", "2 * 5").expect("a formula that checks");
    engine.define("twenty", "ten + ten").expect("a formula over the first");

    assert!(engine.compile("twenty / ten").is_ok());
    for taken in ["ten", "TEN", "sum", "period", "Period_End", "last_year"] {
        let refused = engine.define(taken, "1").expect_err(taken);
        assert_eq!(refused.first().map(|finding| finding.code.as_str()), Some("E211"), "{taken}");
    }
    let cycle = engine.define("loop", "loop + 1").expect_err("a cycle");
    assert!(!cycle.is_empty());
}

#[test]
fn metrics_that_do_not_check_over_another_schema_are_kept_without_values() {
    let mut engine = Engine::new(crate::schema::Schema::default());
    engine.define("price", "2 USD").expect("a formula that checks");
    let schema = crate::schema::Schema {
        inputs: vec![crate::schema::Input {
            name: "visits".into(),
            description: None,
            ty: Type::Quantity(crate::types::Unit::NUMBER),
        }],
        ..crate::schema::Schema::default()
    };
    let (mut engine, errors) = engine.with_schema(schema);
    assert!(errors.is_empty() && engine.compile("price").is_ok(), "{errors:#?}");
    engine.define("per_visit", "price / visits").expect("a formula with the input");
    engine.define("doubled", "2 * per_visit").expect("a formula over it");

    let (engine, errors) = engine.with_schema(crate::schema::Schema::default());

    let found = errors.iter().map(|(key, finding)| (key.as_str(), finding.code.as_str()));
    assert_eq!(found.collect::<Vec<_>>(), [("per_visit", "E203"), ("doubled", "E602")]);
    assert!(engine.compile("price").is_ok());
    let findings = engine.compile("doubled").expect_err("it does not check");
    assert_eq!(findings.first().map(|finding| finding.code.as_str()), Some("E602"));
}

#[test]
fn a_formula_knows_the_present_by_its_words_its_windows_and_its_metrics() {
    let text = "
source orders event
    date created_at datetime
    field total number
metric age = max(now() - orders.created_at)
";
    let loaded = crate::file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    for (formula, knows_present) in [
        ("count(orders)", false),
        ("growth(count(orders), 1 month)", false),
        ("to_date(count(orders), month) + lifetime(count(orders))", false),
        ("count(orders where created_at < period_end)", false),
        ("today()", true),
        ("count(orders where created_at < now())", true),
        ("let a = age; a / 2", true),
        ("shift(count(orders), -1 day)", false),
        ("shift(count(orders), 1 day)", true),
        ("growth(shift(count(orders), 1 day), 1 month)", true),
        ("during(count(orders), @2026-Q1)", true),
    ] {
        let compiled =
            engine.compile(formula).unwrap_or_else(|found| panic!("{formula}: {found:#?}"));
        assert_eq!(compiled.knows_present(), knows_present, "{formula}");
    }
}

#[test]
fn a_condition_is_true_or_false_and_anything_else_is_refused_with_its_type() {
    let mut engine = Engine::new(crate::schema::Schema::default());
    engine.define("ten", "2 * 5").expect("a formula that checks");

    assert!(engine.validate_condition("ten > 9").formula.is_some());
    for (text, code) in [("ten", "E322"), ("tn > 9", "E203")] {
        let refused = engine.validate_condition(text);
        let codes: Vec<&str> = refused.diagnostics.iter().map(|one| one.code.as_str()).collect();
        assert!(refused.formula.is_none() && codes.contains(&code), "{text}: {codes:?}");
    }
}

#[test]
fn some_rows_of_a_metric_are_shown_as_the_metric_is() {
    let text = "
source orders entity
    field total money
    field tax money
    field country text
metric tax_rate = sum(orders.tax) / sum(orders.total)
    type percentage
";
    let loaded = crate::file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let mut orders = engine.table("orders", &["total", "tax", "country"]).expect("a source");
    orders.push(&["40.00", "8.00", "DE"]).expect("a row");
    orders.push(&["10.00", "1.00", "FR"]).expect("a row");
    let data = engine.data(vec![orders.finish()], crate::data::Rates::new()).expect("rows");
    for (text, formatted) in [
        ("tax_rate", "18.0%"),
        ("(tax_rate where country = 'DE')", "20.0%"),
        ("tax_rate + 0", "0.18"),
    ] {
        let formula = engine.compile(text).expect(text);
        let request = Request::default();
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), &request);
        assert_eq!(answers.expect(text).first().expect(text).formatted, formatted, "{text}");
    }
}

#[test]
fn lets_that_double_in_a_column_are_refused_before_a_row_is_computed() {
    let mut doubling = String::new();
    for step in 1..=40 {
        write!(doubling, "let a{step} = a{0} + a{0}; ", step - 1).expect("text grows");
    }
    let text = format!(
        "source orders event\n    date at datetime\n    field total money\n    \
         field many money = let a0 = total; {doubling}a40\n"
    );
    let loaded = crate::file::load("shop", &mut |_| Ok(text.clone()));

    let (_, findings) = Engine::from_loaded(&loaded);

    let codes: Vec<_> = findings.iter().map(|(_, finding)| finding.code.as_str()).collect();
    assert_eq!(codes, ["E703"]);
}

#[test]
fn a_formula_is_compiled_once_for_its_text_and_anew_when_a_metric_is_defined() {
    let mut engine = Engine::new(crate::schema::Schema::default());
    engine.define("ten", "2 * 5").expect("a formula that checks");
    let first = engine.compiled("ten + 1").expect("a formula that checks");

    assert!(std::sync::Arc::ptr_eq(&first, &engine.compiled("ten + 1").expect("kept")));
    assert!(std::sync::Arc::ptr_eq(&first, &engine.clone().compiled("ten + 1").expect("kept")));
    assert!(engine.compiled("eleven").is_err(), "what is refused is not kept");

    let before = engine.clone();
    engine.define("eleven", "ten + 1").expect("a formula that checks");

    assert!(engine.compiled("eleven").is_ok());
    assert!(before.compiled("eleven").is_err(), "the clone has no such metric");
    let again = engine.compiled("ten + 1").expect("a formula that checks");
    assert!(!std::sync::Arc::ptr_eq(&first, &again));
}

#[test]
fn equal_numbers_of_different_units_have_different_fingerprints() {
    let engine = Engine::new(crate::schema::Schema::default());
    let of = |text: &str| {
        let typed = engine.compile(text).expect(text).checked.typed;
        crate::check::fingerprint(&typed, typed.root, 0)
    };

    assert_eq!(of("50 EUR"), of("(50 EUR)"));
    assert_ne!(of("50 EUR"), of("50 USD"));
    assert_ne!(of("50 EUR"), of("50"));
}

#[test]
fn the_nearest_names_are_found_for_the_first_findings_alone() {
    let mut text = String::new();
    for index in 0..400 {
        writeln!(text, "metric known_{index} = {index}").expect("a text");
        writeln!(text, "metric wrong_{index} = knwon_{index} + 1").expect("a text");
    }
    let loaded = crate::file::load("shop.metrics", &mut |_| Ok(text.clone()));
    let (_engine, findings) = Engine::from_loaded(&loaded);

    let hinted = findings.iter().filter(|(_, finding)| finding.help.is_some());
    assert_eq!((findings.len(), hinted.count()), (400, 250));
}

#[test]
fn a_function_of_the_program_is_checked_and_called_like_those_of_the_language() {
    let text = "
source orders event
    date created_at datetime
    field total number
metric doubled = sum(twice(orders.total))
";
    let loaded = crate::file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
    let (without, findings) = Engine::from_loaded(&loaded);
    assert_eq!(findings.first().map(|(_, finding)| finding.code.as_str()), Some("E202"));
    assert!(without.compile("doubled").is_err());
    let (mut engine, findings) =
        Engine::from_loaded_and(&loaded, &[&TWICE]).expect("a function that can be added");
    assert!(findings.is_empty(), "{findings:#?}");

    let mut orders = engine.table("orders", &["created_at", "total"]).expect("a table");
    for total in ["1.5", "", "4"] {
        orders.push(&["2026-02-03 09:30:00", total]).expect("a row");
    }
    let data = engine.data(vec![orders.finish()], crate::data::Rates::new()).expect("rows");
    for (formula, expected) in [
        ("doubled", "11"),
        ("TWICE(doubled) + double(1)", "24"),
        ("count(orders where twice(total) > 4)", "1"),
        ("(count(orders) where twice(total) = 3)", "1"),
        ("twice(null) default 7", "7"),
    ] {
        let compiled = engine.compile(formula).unwrap_or_else(|found| panic!("{found:#?}"));
        let answers = engine.evaluate(&[&compiled], Inputs::data(&data), &Request::default());
        let answers = answers.unwrap_or_else(|found| panic!("{found:#?}"));
        assert_eq!(answers.first().expect("one").formatted, expected, "{formula}");
    }
    for (formula, code) in [("twice('x')", "E208"), ("twice(1, 2)", "E207"), ("twic(1)", "E202")] {
        let found = engine.compile(formula).expect_err(formula);
        assert_eq!(found.first().map(|finding| finding.code.as_str()), Some(code), "{formula}");
    }
    let offered = engine.complete("twi", 3).candidates;
    assert_eq!(offered.first().map(|own| own.insert.as_str()), Some("twice("));
    assert!(engine.define("twice", "2").is_err(), "a key may not be a function's");
}

static TWICE: FunctionSpec = FunctionSpec {
    name: "twice",
    aliases: &["double"],
    family: Family::Numbers,
    signature: "twice(x)",
    summary: "A number twice.",
    details: "",
    parameters: &[Parameter::required("x", ParameterKind::Number)],
    examples: &[],
    exact: true,
    behaviour: Behaviour::Scalar(Scalar {
        result: |_types| Ok(Type::NUMBER),
        call: |arguments, _environment| match arguments {
            [Value::Number(x)] => {
                x.checked_add(*x).map_or(Value::missing(Reason::Overflow), Value::Number)
            }
            _ => Value::missing(Reason::Domain),
        },
        nulls: Nulls::Propagate,
    }),
};

#[test]
fn a_function_that_formulas_could_not_call_is_refused() {
    const BY: &[Parameter] = &[Parameter::required("by", ParameterKind::Dimension)];
    let text = "input revenue number\nmetric margin = revenue\n";
    let loaded = crate::file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
    let refused = |changed: FunctionSpec| {
        let spec: &'static FunctionSpec = Box::leak(Box::new(changed));
        Engine::from_loaded_and(&loaded, &[&TWICE, spec]).expect_err(spec.name).to_string()
    };
    let named = |name| refused(FunctionSpec { name, aliases: &[], ..TWICE });

    assert_eq!(named("double"), "`double` is a function already");
    assert_eq!(named("sum"), "`sum` is a function already");
    assert_eq!(named("margin"), "`margin` is a metric already");
    assert_eq!(named("revenue"), "`revenue` is a placeholder or an input already");
    assert_eq!(named("period"), "`period` is a name that every formula has already");
    for name in ["", "Half", "where", "true", "2nd", "a b"] {
        assert!(named(name).contains("is no name of a function"), "{name}");
    }
    let behaviour = Behaviour::Special(crate::functions::Special::Now);
    let special = FunctionSpec { name: "half", aliases: &[], behaviour, ..TWICE };
    assert_eq!(refused(special), "`half` is no scalar function");
    let grouped = FunctionSpec { name: "half", aliases: &[], parameters: BY, ..TWICE };
    assert_eq!(refused(grouped), "`by` of `half` takes a dimension or has no default value");
}

#[test]
fn a_filter_uses_the_parameters_that_stand_in_it() {
    let filter = Filter::new("country = :land and note != ':where' and total > :least2");
    for (name, expected) in
        [("land", true), ("least2", true), ("least", false), ("where", false), ("country", false)]
    {
        assert_eq!(filter.uses(name), expected, "{name}");
    }
}

#[test]
fn two_filters_keep_the_values_of_parameters_of_one_name() {
    let of = |condition, value| Filter::new(condition).with("land", value);
    let two = of("country = :land", "DE").and(&of("home != :land and land_ = :land", "FR"));
    let expected = "(country = :land) and (home != :land_ and land_ = :land_)";
    assert_eq!(two, Filter::new(expected).with("land", "DE").with("land_", "FR"));
    let both = of("a = :land and b = :land_", "FR").with("land_", "US");
    let two = of("c = :land and d = :land_", "DE").with("land_", "GB").and(&both);
    let expected = "(c = :land and d = :land_) and (a = :land__ and b = :land___)";
    let values = of(expected, "DE").with("land_", "GB").with("land__", "FR").with("land___", "US");
    assert_eq!(two, values);
    let one = of("country = :land", "DE").and(&of("home = :land", "DE"));
    assert_eq!(one, of("(country = :land) and (home = :land)", "DE"));
    let long =
        format!("{} or country = :land", vec!["1 = 1"; Limits::DEFAULT.max_tokens].join(" or "));
    assert!(of(&long, "DE").uses("land"));
}
