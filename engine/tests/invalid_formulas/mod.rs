//! The invalid formulas and formula files of `fixtures/formulas/error`, with their diagnostics.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a fixture that cannot be read fails the test"
)]

use quotient::data::Record;
use quotient::diagnostics::Diagnostic;
use quotient::diagnostics::render::{Style, render};
use quotient::file::load;
use quotient::syntax::Limits;
use quotient::{Engine, Inputs, Request};

use crate::stores::{data, engine, fixtures, loaded};

/// The file whose names the invalid formulas use.
pub(crate) const STORE: &str = "stores/platform/kpis.metrics";

/// A wrong formula, or a wrong formula file.
#[derive(Debug)]
pub(crate) struct InvalidFormula {
    /// Its file name.
    pub(crate) file: String,
    /// The code that its finding must have.
    pub(crate) code: String,
    /// The first byte of the place and the one after the last.
    pub(crate) place: (usize, usize),
    /// The text, without its last newline.
    pub(crate) text: String,
    /// Its diagnostics.
    pub(crate) findings: Vec<Diagnostic>,
}

impl InvalidFormula {
    /// The findings as a terminal shows them.
    pub(crate) fn drawn(&self) -> String {
        render(&self.file, &self.text, &self.findings, Style::Plain)
    }
}

/// The forty wrong formulas of `spans.tsv`.
pub(crate) fn forty() -> Vec<InvalidFormula> {
    listed("spans.tsv")
}

/// Those, and the ones of `more.tsv`.
pub(crate) fn all() -> Vec<InvalidFormula> {
    let mut all = forty();
    all.extend(listed("more.tsv"));
    all.sort_by(|a, b| (&a.file, a.place).cmp(&(&b.file, b.place)));
    all
}

fn listed(table: &str) -> Vec<InvalidFormula> {
    let folder = fixtures().join("formulas/error");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    let engine = engine(STORE);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, code, start, end, given @ ..] = cells.as_slice() else { panic!("{line}") };
        let given = match (*code, given) {
            (_, [given]) => given,
            ("E601", _) => "as aov",
            ("E501", _) => r#"record {"net_sales": 100}"#,
            _ => "",
        };
        let text = read(file).trim_end_matches('\n').to_owned();
        let is_formula = file.ends_with(".formula");
        let findings =
            if is_formula { findings(&engine, &text, given) } else { findings_of_file(&text) };
        let place = (start.parse().expect(line), end.parse().expect(line));
        InvalidFormula { file: (*file).to_owned(), code: (*code).to_owned(), place, text, findings }
    };
    read(table).lines().skip(1).map(row).collect()
}

/// The diagnostics of a formula. `given` states the circumstances in which it is invalid: none, `as
/// KEY` to save it under, `record JSON` to compute it from, or `limit NAME NUMBER`.
fn findings(engine: &Engine, text: &str, given: &str) -> Vec<Diagnostic> {
    let (word, rest) = given.split_once(' ').unwrap_or((given, ""));
    match word {
        "" => engine.validate(text).diagnostics,
        "as" => engine.validate_as(text, Some(rest)).diagnostics,
        "record" => {
            let record = Record::from_json(rest).expect(rest);
            let formula = engine.compile(text).expect(text);
            engine
                .evaluate(&[&formula], Inputs::record(&record), &Request::default())
                .expect_err(text)
        }
        "limit" => limited(text, rest),
        _ => panic!("{given}"),
    }
}

fn limited(text: &str, setting: &str) -> Vec<Diagnostic> {
    let (name, number) = setting.split_once(' ').expect(setting);
    let number: usize = number.parse().expect(setting);
    let mut limits = Limits::DEFAULT;
    match name {
        "max_bytes" => limits.max_bytes = number,
        "max_tokens" => limits.max_tokens = number,
        "max_nesting" => limits.max_nesting = number,
        "max_total_nesting" => limits.max_total_nesting = number,
        "max_arguments" => limits.max_arguments = number,
        "warn_nodes" => limits.warn_nodes = number,
        "max_nodes" => limits.max_nodes = number,
        "max_steps" => limits.max_steps = u64::try_from(number).expect(setting),
        "max_cells" => limits.max_cells = number,
        _ => panic!("{setting}"),
    }
    // The store's own metrics exceed some of these limits; only the formula is checked.
    let (engine, _) = Engine::from_loaded_with(&loaded(STORE), limits);
    let validation = engine.validate(text);
    match name {
        "max_steps" => computed(&engine, text, &Request::default()),
        "max_cells" => {
            let group_by = vec!["country".to_owned()];
            computed(&engine, text, &Request { group_by, ..Request::default() })
        }
        _ => validation.diagnostics,
    }
}

fn computed(engine: &Engine, text: &str, request: &Request) -> Vec<Diagnostic> {
    let formula = engine.compile(text).expect(text);
    engine.evaluate(&[&formula], Inputs::data(&data(engine)), request).expect_err(text)
}

/// The diagnostics of a formula file, including its examples.
fn findings_of_file(text: &str) -> Vec<Diagnostic> {
    let loaded = load("shop.metrics", &mut |name| match name {
        "shop.metrics" => Ok(text.to_owned()),
        _ => Err("there is no such file".to_owned()),
    });
    let (engine, mut findings) = Engine::from_loaded(&loaded);
    let examples = engine.run_examples(&loaded);
    findings.extend(examples.failed);
    findings.extend(examples.warnings);
    findings.into_iter().map(|(_, finding)| finding).collect()
}
