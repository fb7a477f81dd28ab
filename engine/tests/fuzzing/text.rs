//! Bytes as the text of a formula, and as the text of a formula file.

use std::sync::LazyLock;

use quotient::data::Data;
use quotient::diagnostics::Diagnostic;
use quotient::diagnostics::render::{Style, render};
use quotient::file::{self, load};
use quotient::syntax::{self, Limits, canonical};
use quotient::{Engine, Inputs, Request};

use crate::model::store::{Order, Settings, Store};

/// Limits under which no formula takes longer than a moment.
const LIMITS: Limits =
    Limits { max_steps: 200_000, max_cells: 20_000, max_buckets: 2_000, ..Limits::DEFAULT };

/// The store of the model, with little time for each formula.
static ENGINE: LazyLock<Engine> =
    LazyLock::new(|| Engine::with_limits(Settings::PLAIN.engine().schema().clone(), LIMITS));

/// An order of each country, and an empty one.
static DATA: LazyLock<Data> = LazyLock::new(|| {
    let empty = Order {
        id: 0,
        placed_at: Some(1_767_225_600),
        total: None,
        cost: None,
        units: None,
        tip: None,
        paid: None,
        code: None,
        rate: None,
        status: None,
        country: None,
        customer: None,
    };
    let order = |id, day: i64, country| Order {
        id,
        placed_at: Some(1_767_225_600 + day * 86_400),
        total: Some(1_250),
        cost: Some(-1),
        status: Some("a"),
        country: Some(country),
        customer: Some("ada"),
        ..empty.clone()
    };
    Store::of(vec![empty.clone(), order(1, 40, "DE"), order(2, 31, "FR")]).data(&ENGINE)
});

/// Any text is read, checked, drawn and, if it checks, computed; findings lie within the text.
pub(super) fn parse(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    as_formula(&text);
    as_file(&text);
}

fn as_formula(text: &str) {
    let validation = ENGINE.validate(text);
    findings_lie_within(text, &validation.diagnostics);
    render("formula", text, &validation.diagnostics, Style::Plain);
    let refused = validation.diagnostics.iter().any(Diagnostic::is_error);
    assert!(validation.formula.is_some() || refused, "neither a formula nor an error: {text:?}");
    let Some(formula) = validation.formula else { return };
    for inputs in [Inputs::data(&DATA), Inputs::default()] {
        if let Ok(answers) = ENGINE.evaluate(&[&formula], inputs, &Request::default()) {
            assert!(answers.first().is_some(), "no answer, and nothing said: {text:?}");
        }
    }
}

fn as_file(text: &str) {
    let loaded = load("any.metrics", &mut |name| match name {
        "any.metrics" => Ok(text.to_owned()),
        _ => Err("not there".to_owned()),
    });
    let (_, findings) = Engine::from_loaded(&loaded);
    for (_, finding) in &findings {
        findings_lie_within(text, std::slice::from_ref(finding));
    }
    let formula = |text: &str| {
        let parsed = syntax::parse(text, &LIMITS);
        let refused = parsed.diagnostics.iter().any(Diagnostic::is_error);
        parsed.expr.filter(|_| !refused).map(|tree| syntax::format(&tree))
    };
    let printed = file::format(text, &formula);
    assert_eq!(
        file::format(&printed, &formula),
        printed,
        "{text:?} is printed alike the next time"
    );
}

fn findings_lie_within(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        let labels = finding.labels.iter().map(|(span, _)| *span);
        for span in labels.chain([finding.span]) {
            let part = text.get(span.range());
            assert!(part.is_some(), "{} at {:?} of {text:?}", finding.code, span.range());
        }
        if let Some(suggestion) = &finding.suggestion {
            for edit in &suggestion.edits {
                let part = text.get(edit.span.range());
                assert!(part.is_some(), "{} edits {:?}", finding.code, edit.span.range());
            }
            suggestion.apply(text);
        }
    }
}

/// A tree printed and read again is the same tree, in either form, and printing is then at its end.
pub(super) fn print_parse(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = syntax::parse(&text, &LIMITS);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let Some(tree) = parsed.expr else { panic!("neither a tree nor an error: {text:?}") };
    // Blanks and brackets may make the printed text longer than the limits allow.
    let open = Limits { max_bytes: 1 << 20, max_tokens: 1 << 20, ..LIMITS };
    for print in [canonical, syntax::format] {
        let printed = print(&tree);
        let again = syntax::parse(&printed, &open);
        let errors: Vec<_> = again.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert!(errors.is_empty(), "{text:?} printed as {printed:?}: {errors:#?}");
        let Some(again) = again.expr else { panic!("{printed:?} has no tree") };
        assert!(again == tree, "{text:?} printed as {printed:?} is another tree");
        assert_eq!(print(&again), printed, "of {text:?}");
    }
}
