//! How an invalid formula is displayed: each diagnostic as printed, beside the formula in its
//! folder.

use crate::generated_files;
use crate::invalid_formulas;
use crate::stores;
use std::collections::BTreeSet;

use quotient::diagnostics::Code;
use quotient::diagnostics::Diagnostic;

#[test]
fn each_wrong_formula_is_drawn_as_in_the_file_beside_it() {
    let mut wrong = Vec::new();
    for case in invalid_formulas::all() {
        let path = format!("fixtures/formulas/error/{}.txt", case.file);
        wrong.extend(generated_files::difference(&path, &case.drawn()));
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_wrong_formula_has_exactly_its_code_at_its_place() {
    for case in invalid_formulas::all() {
        let found: Vec<_> = case
            .findings
            .iter()
            .map(|finding| (finding.code.as_str(), finding.span.range()))
            .collect();

        let wanted = (case.code.as_str(), case.place.0..case.place.1);
        // An item that is used by another has its own diagnostic in the file.
        let alone = found.len() == 1 || case.file.ends_with(".metrics");

        assert!(alone && found.contains(&wanted), "{wanted:?}\n{}", case.drawn());
    }
}

#[test]
fn a_suggestion_once_applied_checks() {
    let engine = stores::engine(invalid_formulas::STORE);
    let mut applied = 0;
    for case in invalid_formulas::forty() {
        for finding in &case.findings {
            let Some(suggestion) = &finding.suggestion else { continue };
            let mended = suggestion.apply(&case.text);
            let again = engine.validate(&mended).diagnostics;
            let sound = again.iter().all(|found| !found.is_error() && found.code != finding.code);
            assert!(sound, "{} -> {mended}: {again:#?}", case.text);
            applied += 1;
        }
    }
    assert!(applied >= 25, "only {applied} carry a suggestion");
}

#[test]
fn a_message_is_one_sentence_without_a_full_stop_and_says_what_to_do() {
    for case in invalid_formulas::all() {
        for Diagnostic { code, message, help, .. } in &case.findings {
            let starts_lower = !message.starts_with(|first: char| first.is_ascii_uppercase());
            assert!(starts_lower || message.starts_with(code.as_str()), "{}: {message}", case.file);
            assert!(!message.ends_with('.'), "{}: {message}", case.file);
            assert!(help.is_some(), "{}: no help", case.file);
        }
    }
}

/// Findings about a database, which a formula alone does not draw; `tests/sql` shows them.
const OF_DATABASES: [Code; 2] = [Code::E505, Code::W401];

#[test]
fn every_code_has_a_wrong_formula() {
    let shown: BTreeSet<_> = invalid_formulas::all().into_iter().map(|case| case.code).collect();
    let missing: Vec<_> = Code::ALL
        .iter()
        .filter(|info| !OF_DATABASES.contains(&info.code))
        .map(|info| info.code.as_str())
        .filter(|code| !shown.contains(*code))
        .collect();

    assert!(missing.is_empty(), "no fixture shows {}", missing.join(", "));
}
