//! Completion at every place of real and of broken texts, names that fit, and renames everywhere.
#![expect(
    clippy::expect_used,
    clippy::string_slice,
    reason = "an expectation that does not hold fails the test"
)]

use crate::requests::request;
use crate::stores::{data, engine, fixtures, loaded};
use proptest::prelude::*;
use quotient::file::{Loaded, load};
use quotient::suggest::{CandidateKind, RenameError, rename};
use quotient::types::DeclaredType;
use quotient::{Engine, Inputs};

const SHOP: &str = "online-retail/shop.metrics";
const PLATFORM: &str = "stores/platform/kpis.metrics";

/// The labels offered at `|`.
fn offered(engine: &Engine, text: &str) -> Vec<String> {
    let offset = text.find('|').expect("a cursor");
    let completion = engine.complete(&text.replacen('|', "", 1), offset);
    completion.candidates.into_iter().map(|candidate| candidate.label).collect()
}

/// The text with the first candidate put in.
fn completed(engine: &Engine, text: &str) -> String {
    let offset = text.find('|').expect("a cursor");
    let mut text = text.replacen('|', "", 1);
    let completion = engine.complete(&text, offset);
    let first = completion.candidates.first().map(|candidate| candidate.insert.clone());
    text.replace_range(completion.replaced.range(), &first.unwrap_or_default());
    text
}

#[test]
fn the_first_candidate_is_what_the_place_asks_for() {
    let engine = engine(SHOP);
    for (text, expected) in [
        ("gross_rev|", "gross_revenue"),
        ("gross_rev| / order_count", "gross_revenue / order_count"),
        ("gro|ss_rev / 2", "gross_revenue / 2"),
        ("sum(sale_lines.am|)", "sum(sale_lines.amount)"),
        ("sum(sale_l|", "sum(sale_lines"),
        ("sum(lines.order.customer|", "sum(lines.order.customer"),
        ("sum(lines.amount where order.is_c|)", "sum(lines.amount where order.is_cancelled)"),
        ("sum(lines.amount where qu|)", "sum(lines.amount where quantity)"),
        ("(gross_revenue where cou|", "(gross_revenue where country"),
        ("avg(gross_revenue per d|)", "avg(gross_revenue per day)"),
        ("trailing(gross_revenue, 30 d|)", "trailing(gross_revenue, 30 days)"),
        ("trailing(gross_revenue, 30 days, ex|)", "trailing(gross_revenue, 30 days, exclude: )"),
        (
            "trailing(gross_revenue, 30 days, exclude: c|)",
            "trailing(gross_revenue, 30 days, exclude: current)",
        ),
        ("to_date(gross_revenue, mo|)", "to_date(gross_revenue, month)"),
        ("aov def|", "aov default"),
        ("percentile|", "percentile("),
        ("moving_a|", "moving_avg("),
        ("previous_b|", "previous_bucket("),
        ("rank(aov, b|)", "rank(aov, by: )"),
        ("rank(aov, by: per|)", "rank(aov, by: period)"),
        ("weighted_avg(lines.unit_pr|", "weighted_avg(lines.unit_price"),
        ("weighted_avg(lines.unit_price, qua|)", "weighted_avg(lines.unit_price, quantity)"),
        ("mode(lines.order.coun|)", "mode(lines.order.country)"),
        ("let half = aov / 2; hal|", "let half = aov / 2; half"),
        ("[gross_r|] / 2", "[gross_revenue] / 2"),
        ("case when aov > 5 th|", "case when aov > 5 then"),
        (
            "count(customers where first_order_at in pe|)",
            "count(customers where first_order_at in period)",
        ),
    ] {
        assert_eq!(completed(&engine, text), expected, "{text}");
    }
    let engine = self::engine(PLATFORM);
    for (text, expected) in [
        ("count(orders where status = 'comp|')", "count(orders where status = 'completed')"),
        ("count(orders where status = 'comp|", "count(orders where status = 'completed'"),
        (
            "count(orders where status in ('completed', 'can|",
            "count(orders where status in ('completed', 'cancelled'",
        ),
        ("count(orders where status = comp|)", "count(orders where status = 'completed')"),
        (
            "sum(refunds.subtotal dated by order.cr|)",
            "sum(refunds.subtotal dated by order.created_at)",
        ),
    ] {
        assert_eq!(completed(&engine, text), expected, "{text}");
    }
}

#[test]
fn a_row_is_offered_the_metrics_that_it_can_have() {
    let engine = engine(SHOP);
    for (text, name, expected) in [
        ("count(customers where net_rev|", "net_revenue", true),
        ("count(orders where net_rev|", "net_revenue", true),
        ("sum(lines.amount where net_rev|)", "net_revenue", false),
        ("sum(sale_lines.amount where net_rev|)", "net_revenue", false),
        ("(gross_revenue where net_rev|)", "net_revenue", false),
        ("count(customers where order_co|", "order_count", true),
        ("count(orders where order_co|", "order_count", false),
        ("gross_revenue / order_co|", "order_count", true),
        ("avg(order_co| per orders)", "order_count", true),
        ("(gross_rev| where country = 'EIRE')", "gross_revenue", true),
    ] {
        assert_eq!(offered(&engine, text).iter().any(|label| label == name), expected, "{text}");
    }
}

#[test]
fn nothing_is_offered_in_comments_and_for_names_of_ones_own() {
    let engine = engine(SHOP);
    for text in ["aov // gro|", "aov /* gro|", "let gro|", "'gro|"] {
        assert_eq!(offered(&engine, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_candidate_states_its_kind() {
    let engine = engine(SHOP);
    let of = |text: &str| {
        let found = engine.complete(text, text.len()).candidates;
        found.into_iter().next().expect("a candidate")
    };
    let metric = of("gross_r");
    assert_eq!(metric.kind, CandidateKind::Metric);
    assert_eq!(metric.title.as_deref(), Some("Gross revenue"));
    assert_eq!(metric.detail.as_deref(), Some("money(GBP)"));
    assert!(metric.documentation.expect("its description").starts_with("All that was sold"));
    let function = of("perc");
    assert_eq!(function.kind, CandidateKind::Function);
    assert!(function.detail.expect("a signature").starts_with("percentile("));
}

/// The formulas of the fixtures with the engine that knows their names.
fn formulas() -> Vec<(Engine, Vec<String>)> {
    let of = |path: &str| {
        let engine = engine(path);
        let texts = engine.metrics().iter().map(|metric| metric.formula.clone()).collect();
        (engine, texts)
    };
    vec![of(SHOP), of(PLATFORM)]
}

/// Words of a formula that name something: no keyword, nothing in quotes, no number's unit.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut quote = None;
    let mut start = None;
    for (index, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_word = letter.is_ascii_alphanumeric() || letter == '_';
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, _) if is_word => start = start.or(Some(index)),
            (Some(_) | None, _) => {}
        }
        if !is_word && let Some(start) = start.take() {
            found.push(start..index);
        }
    }
    found.retain(|word| text[word.clone()].starts_with(|c: char| c.is_ascii_alphabetic()));
    found
}

#[test]
fn a_name_taken_out_of_a_formula_is_offered_where_it_was() {
    let mut missed = Vec::new();
    let mut count = 0;
    for (engine, texts) in formulas() {
        for text in texts {
            for word in words(&text) {
                let name = &text[word.clone()];
                let is_period = word.start > 0 && text[..word.start].ends_with(['@', '-']);
                let follows_let = text[..word.start].trim_end().ends_with("let");
                if is_period || follows_let || name == "let" {
                    continue;
                }
                // Cut at the word, cut in it, and taken out of the middle.
                let half = word.start + name.len().div_ceil(2);
                let without = format!("{}{}", &text[..word.start], &text[word.end..]);
                for (text, at) in [
                    (&text[..word.start], word.start),
                    (&text[..half], half),
                    (&without, word.start),
                ] {
                    count += 1;
                    let found = engine.complete(text, at).candidates;
                    let has = |candidate: &quotient::suggest::Candidate| {
                        let label = &candidate.label;
                        label.eq_ignore_ascii_case(name)
                            || label.split(' ').any(|part| part.eq_ignore_ascii_case(name))
                    };
                    if !found.iter().any(has) {
                        missed.push(format!("{name} at `{text}`[{at}]"));
                    }
                }
            }
        }
    }
    assert!(count > 1_000, "{count}");
    assert!(missed.is_empty(), "{} of {count}:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn any_place_of_any_text_is_answered() {
    let engine = engine(PLATFORM);
    let texts = [
        "sum(orders.total where status = 'größe' and [Größe €",
        "((((((((((",
        "))))",
        "'",
        "[",
        "@",
        "....",
        "a.b.c.d.e(",
        "/* 🙂",
        "// 🙂\n🙂",
        "case when case when",
        "30 days days 30",
        "sum(,,,,)",
        "let let = ;",
        "per per per dated by by",
        "\u{0}\u{7f}",
        "orders.customer.orders.customer.",
        "count(orders where status in ('a','b',",
    ];
    for text in texts {
        for offset in 0..=text.len() + 3 {
            let completion = engine.complete(text, offset);
            let replaced = completion.replaced.range();
            assert!(text.get(replaced.clone()).is_some(), "{text}[{offset}]: {replaced:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_and_no_place_in_it_is_too_odd(text in "[a-z0-9 .,:;()'\"\\[\\]@/*+?\\-€🙂]{0,40}|\\PC{0,20}", offset in 0_usize..64) {
        let engine = Engine::new(quotient::schema::Schema::default());
        let completion = engine.complete(&text, offset);
        prop_assert!(text.get(completion.replaced.range()).is_some());
        // Everything that fits, or why nothing can.
        engine.fitting(&text, None).ok();
    }
}

#[test]
fn a_hole_is_filled_with_names_of_matching_units() {
    let engine = engine(SHOP);
    let fits = engine.fitting("gross_revenue / ?", Some(DeclaredType::Currency)).expect("a hole");
    let names: Vec<&str> = fits.iter().map(|fit| fit.name.label.as_str()).collect();
    assert!(names.contains(&"order_count"), "{names:?}");
    assert!(!names.contains(&"net_revenue"), "{names:?}");
    let first = fits.first().expect("a fit");
    assert!(first.formula.starts_with("gross_revenue / ") && !first.formula.contains('?'));
    let shares = engine.fitting("? / order_count", Some(DeclaredType::Percentage)).expect("a hole");
    assert!(shares.iter().all(|fit| fit.formula == format!("{} / order_count", fit.name.insert)));
    assert!(engine.fitting("gross_revenue / order_count", None).is_err());
    assert!(engine.fitting("'a' + ? + (", None).is_err());
}

#[test]
fn new_formulas_with_matching_units_are_proposed() {
    let engine = engine(SHOP);
    let proposals = engine.proposals(
        &["gross_revenue", "order_count", "cancelled_revenue", "buyers", "nothing"],
        DeclaredType::Currency,
    );
    let formulas: Vec<&str> = proposals.iter().map(|fit| fit.formula.as_str()).collect();
    assert!(formulas.contains(&"gross_revenue / buyers"), "{formulas:?}");
    // Saved as `aov` and `net_revenue`.
    assert!(!formulas.contains(&"gross_revenue / order_count"), "{formulas:?}");
    assert!(!formulas.contains(&"gross_revenue - cancelled_revenue"), "{formulas:?}");
    assert!(!formulas.contains(&"order_count / gross_revenue"), "{formulas:?}");
    assert!(!formulas.contains(&"gross_revenue"), "it is a metric itself: {formulas:?}");
}

/// The files after edits, loaded again.
fn reloaded(loaded: &Loaded, edits: &[(usize, quotient::diagnostics::Edit)]) -> Loaded {
    let mut texts: Vec<(String, String)> =
        loaded.files.iter().map(|file| (file.name.clone(), file.text.clone())).collect();
    for (file, edit) in edits.iter().rev() {
        let (_, text) = texts.get_mut(*file).expect("a file");
        text.replace_range(edit.span.range(), &edit.text);
    }
    let root = loaded.files.first().expect("a file").name.clone();
    load(&root, &mut |name| {
        let text = texts.iter().find(|(known, _)| known == name);
        text.map(|(_, text)| text.clone()).ok_or_else(|| "no such file".to_owned())
    })
}

#[test]
fn after_any_rename_every_formula_checks_and_means_the_same() {
    for path in [SHOP, PLATFORM] {
        let files = loaded(path);
        let (engine, _) = Engine::from_loaded(&files);
        let schema = engine.schema();
        let mut names: Vec<String> =
            engine.metrics().iter().map(|metric| metric.key.clone()).step_by(7).collect();
        names.extend(schema.placeholders.iter().map(|own| own.key.clone()).step_by(5));
        names.extend(schema.inputs.iter().map(|own| own.name.clone()).take(2));
        names.extend(schema.sources.iter().map(|own| own.name.clone()).step_by(3));
        names.extend(schema.populations.iter().map(|own| own.name.clone()));
        names.extend(schema.dimensions.iter().map(|own| own.name.clone()).take(3));
        for source in schema.sources.iter().step_by(2) {
            let fields = source.fields.iter().map(|field| &field.name).step_by(4);
            let links = source.links.iter().map(|link| &link.name);
            names.extend(fields.chain(links).map(|name| format!("{}.{name}", source.name)));
        }
        for name in names {
            let edits = rename(&files, &name, "another_name")
                .unwrap_or_else(|error| panic!("{path}, {name}: {error}"));
            assert!(!edits.is_empty(), "{name}");
            let after = reloaded(&files, &edits);
            let (renamed, findings) = Engine::from_loaded(&after);
            let errors: Vec<_> =
                findings.iter().filter(|(_, finding)| finding.is_error()).collect();
            assert!(errors.is_empty(), "{path}, {name}: {errors:#?}");
            assert_eq!(renamed.metrics().len(), engine.metrics().len());
            // And back again, to the letter.
            let own = name.rsplit('.').next().expect("a name");
            let back = match name.split_once('.') {
                Some((source, _)) => format!("{source}.another_name"),
                None => "another_name".to_owned(),
            };
            let edits = rename(&after, &back, own).expect("a way back");
            let before = reloaded(&after, &edits);
            for (old, new) in files.files.iter().zip(&before.files) {
                assert_eq!(old.text, new.text, "{path}, {name}");
            }
        }
    }
}

#[test]
fn answers_do_not_change_with_names() {
    let files = loaded("stores/corner/corner.metrics");
    let (engine, _) = Engine::from_loaded(&files);
    let request = request("2026-01-01", "2026-03-31", "2026-04-01T00:00:00Z");
    let answers = |engine: &Engine| -> Vec<String> {
        let data = data(engine);
        let metrics = engine.metrics().iter();
        let formulas: Vec<_> =
            metrics.map(|metric| engine.compile(&metric.formula).expect("a formula")).collect();
        let formulas: Vec<_> = formulas.iter().collect();
        let answers = engine.evaluate(&formulas, Inputs::data(&data), &request).expect("answers");
        (0..formulas.len())
            .map(|index| format!("{:?}", answers.get(index, 0, 0).map(|answer| &answer.value)))
            .collect()
    };
    let plain = |answers: Vec<String>| -> Vec<String> {
        // The origin of a null is a place in a text, which may have moved.
        answers
            .into_iter()
            .map(|answer| answer.split("origin").next().unwrap_or_default().to_owned())
            .collect()
    };
    let before = plain(answers(&engine));
    for metric in engine.metrics() {
        let edits = rename(&files, &metric.key, "another_name").expect("another name");
        let (renamed, _) = Engine::from_loaded(&reloaded(&files, &edits));
        assert_eq!(plain(answers(&renamed)), before, "{}", metric.key);
    }
}

#[test]
fn an_engine_is_renamed_as_a_whole_and_reads_the_rows_it_had() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let request = request("2026-01-01", "2026-03-31", "2026-04-01T00:00:00Z");
    let answer = |engine: &Engine, text: &str| {
        let formula = engine.compile(text).expect(text);
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), &request).expect(text);
        answers.first().expect("one").formatted.clone()
    };
    for (from, to, old, new) in [
        ("orders", "bookings", "aov + sum(orders.total)", "aov + sum(bookings.total)"),
        ("orders.total", "amount", "max(orders.total)", "max(orders.amount)"),
        ("sales", "takings", "sales - aov", "takings - aov"),
        ("country", "land", "(aov where country = 'DE')", "(aov where land = 'DE')"),
    ] {
        let renamed = engine.rename(from, to).expect(to).engine;
        assert_eq!(answer(&renamed, new), answer(&engine, old), "{new}");
        assert!(from == "country" || renamed.compile(old).is_err(), "{old}");
        assert_eq!(renamed.metrics().len(), engine.metrics().len());
    }
}

#[test]
fn words_that_only_look_like_the_name_stay() {
    let text = "\
source orders event
    date at datetime
    field total money
    field status text values 'total', 'paid'

/// The total of everything.
metric total = sum(orders.total where status != 'total') // not the total of 'total'
metric twice = total * 2 /* total */ + sum(orders.total) - [Total]
metric inside = sum(orders.total where total > 5 USD)
    example { \"total\": 5 } = 5
";
    let files = load("shop", &mut |_| Ok(text.to_owned()));
    let edits = rename(&files, "total", "all").expect("another name");
    let after = reloaded(&files, &edits);
    let wanted = text
        .replace("metric total", "metric all")
        .replace("twice = total", "twice = all")
        .replace("[Total]", "[all]")
        .replace("\"total\": 5", "\"all\": 5");
    assert_eq!(after.files.first().expect("a file").text, wanted);
    let edits = rename(&files, "orders.total", "amount").expect("another name");
    let after = reloaded(&files, &edits);
    let wanted = text
        .replace("field total", "field amount")
        .replace("orders.total", "orders.amount")
        .replace("where total", "where amount");
    assert_eq!(after.files.first().expect("a file").text, wanted);
}

#[test]
fn a_column_is_renamed_in_the_keys_of_its_own_source() {
    let text = "\
source orders event
    key id text
    date at datetime
    field total money
source lines event
    link order to orders by order_id
    date at datetime
    field order_id text
    field total money
metric both = sum(orders.total) + sum(lines.total)
    example { \"orders.total\": 5, \"lines.total\": 1, \"lines.order.total\": 2 } = 6
";
    let files = load("shop", &mut |_| Ok(text.to_owned()));
    let edits = rename(&files, "orders.total", "amount").expect("another name");
    let after = reloaded(&files, &edits);
    let text = &after.files.first().expect("a file").text;
    let keys = "\"orders.amount\": 5, \"lines.total\": 1, \"lines.order.amount\": 2";
    assert!(text.contains(keys), "{text}");
}

#[test]
fn keys_have_names_with_hyphens_and_rows_have_linked_rows() {
    let text = "\
source [web-orders] event
    key id text
    date at datetime
    field total money
source orders event
    date at datetime
    field total money
source lines event
    link order to [web-orders] by order_id
    date at datetime
    field order_id text
metric web = sum([web-orders].total)
    example { \"web-orders.total\": [7], \"orders.total\": [1] } = 7
    example { \"previous(sum([web-orders].total))\": 7, \"web-orders.total\": [7] } = 7
    example { \"lines\": [{ \"order\": { \"total\": 5 } }] } = 5
";
    let files = load("shop", &mut |_| Ok(text.to_owned()));
    let renamed = |from: &str| {
        let after = reloaded(&files, &rename(&files, from, "amount").expect("another name"));
        after.files.first().expect("a file").text.clone()
    };

    let web = renamed("web-orders.total");
    for keys in [
        "{ \"web-orders.amount\": [7], \"orders.total\": [1] }",
        "{ \"previous(sum([web-orders].amount))\": 7, \"web-orders.amount\": [7] }",
        "[{ \"order\": { \"amount\": 5 } }]",
    ] {
        assert!(web.contains(keys), "{web}");
    }
    let orders = renamed("orders.total");
    assert!(orders.contains("{ \"web-orders.total\": [7], \"orders.amount\": [1] }"), "{orders}");
}

#[test]
fn the_keys_of_rows_are_columns() {
    let text = "\
source orders event
    date at datetime
    field total money
input total number
metric all = sum(orders.total)
    example { \"orders\": [{ \"at\": \"2026-01-01\", \"total\": 5 }, { \"total\": 6 }], \"total\": 1 } = 11
";
    let files = load("shop", &mut |_| Ok(text.to_owned()));
    for (from, to, keys) in [
        ("orders.total", "amount", "\"amount\": 5 }, { \"amount\": 6 }], \"total\": 1 }"),
        ("total", "whole", "\"total\": 5 }, { \"total\": 6 }], \"whole\": 1 }"),
    ] {
        let after = reloaded(&files, &rename(&files, from, to).expect("another name"));
        let text = &after.files.first().expect("a file").text;
        assert!(text.contains(keys), "{text}");
    }
}

#[test]
fn unavailable_names_are_refused() {
    let files = loaded(SHOP);
    let refused = |from: &str, to: &str| rename(&files, from, to).expect_err(to);
    for to in ["order_count", "Orders", "sum", "sale_lines"] {
        assert!(matches!(refused("aov", to), RenameError::Taken { .. }), "{to}");
    }
    for to in ["where", "Default", "true", "period", "a b", "", "1st", "größe"] {
        assert!(matches!(refused("aov", to), RenameError::NotAName(_)), "{to}");
    }
    assert!(matches!(refused("nobody", "somebody"), RenameError::Unknown(_)));
    assert!(matches!(refused("orders.nothing", "x"), RenameError::Unknown(_)));
    assert!(matches!(refused("orders.country", "customer"), RenameError::Taken { .. }));
    // Its own name in another case is not a rival.
    assert!(rename(&files, "aov", "AOV").is_ok());
}

#[test]
fn a_let_is_renamed_in_its_formula_alone() {
    let engine = engine(SHOP);
    let text = "let half = aov / 2; // half\nhalf + [half] * 2 & 'half'";
    assert!(engine.rename_let(text, "half", "x").is_err(), "what does not check stays");
    let text = "let half = aov / 2; // half\nhalf + [half] * 2";
    let edits = engine.rename_let(text, "half", "part").expect("another name");
    let mut changed = text.to_owned();
    for edit in edits.iter().rev() {
        changed.replace_range(edit.span.range(), &edit.text);
    }
    assert_eq!(changed, "let part = aov / 2; // half\npart + [part] * 2");
    // A metric would be hidden.
    let text = "let half = aov / 2; half + buyers * 1 GBP";
    assert!(matches!(engine.rename_let(text, "half", "buyers"), Err(RenameError::Unclear { .. })));
    assert!(engine.rename_let(text, "aov", "x").is_err());
    assert!(fixtures().is_dir());
}
