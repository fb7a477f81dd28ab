//! `--complete`, `--fits` and `--rename`: help with writing formulas, without any data.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use quotient::diagnostics::Suggestion;
use quotient::source::position;
use quotient::suggest::{Candidate, rename};
use serde_json::json;

use crate::arguments::Arguments;
use crate::columns::{Side, columns};
use crate::console::one_line;
use crate::failure::Failure;
use crate::files;
use crate::findings::Findings;
use crate::output::Format;
use crate::session::Session;

/// Candidates that a terminal has room for.
const SHOWN: usize = 20;
/// The maximum length of a description beside a candidate.
const SENTENCE: usize = 60;

/// The candidates at `|`, or at the end of a text without it.
pub(crate) fn complete(session: &Session, arguments: &Arguments, text: &str) -> String {
    let offset = text.find('|').unwrap_or(text.len());
    let text = text.replacen('|', "", 1);
    let completion = session.engine.complete(&text, offset);
    if arguments.output.format == Format::Json {
        let range = completion.replaced.range();
        let whole = json!({
            "start": range.start,
            "end": range.end,
            "candidates": completion.candidates.iter().map(candidate).collect::<Vec<_>>(),
        });
        return crate::json::pretty(&whole);
    }
    let rows = completion.candidates.iter().map(|candidate| row(candidate, &candidate.insert));
    listed(rows.collect())
}

/// The names that fit the holes of a text.
pub(crate) fn fits(
    session: &Session,
    arguments: &Arguments,
    text: &str,
) -> Result<String, Failure> {
    let declared = arguments.declared;
    let fits = session.engine.fitting(text, declared).map_err(|findings| {
        if findings.is_empty() {
            let hint = "write `?` for what is sought: gross_revenue / ?";
            return Failure::usage("the formula has no hole", Some(hint));
        }
        Failure::Findings(Findings::of_text("formula", text, &findings))
    })?;
    if arguments.output.format == Format::Json {
        let fit = |fit: &quotient::suggest::Fit| {
            json!({
                "name": candidate(&fit.name),
                "formula": fit.formula,
                "type": fit.ty.to_string(),
            })
        };
        return Ok(crate::json::pretty(&json!(fits.iter().map(fit).collect::<Vec<_>>())));
    }
    let rows = fits.iter().map(|fit| {
        let title = fit.name.title.as_deref().or(fit.name.documentation.as_deref());
        vec![one_line(&fit.formula), fit.ty.to_string(), sentence(title.unwrap_or_default())]
    });
    Ok(listed(rows.collect()))
}

/// Renames an item in the files, or lists the places.
pub(crate) fn renamed(
    session: &Session,
    arguments: &Arguments,
    (from, to): (&str, &str),
) -> Result<String, Failure> {
    let edits = rename(&session.loaded, from, to)
        .map_err(|error| Failure::usage(&error.to_string(), None))?;
    let mut by_file: BTreeMap<usize, Vec<_>> = BTreeMap::new();
    for (file, edit) in edits {
        by_file.entry(file).or_default().push(edit);
    }
    let mut out = String::new();
    for (index, edits) in by_file {
        let Some(file) = session.loaded.files.get(index) else { continue };
        let renaming = Suggestion::new(edits);
        if arguments.upkeep.write {
            files::replace(Path::new(&file.name), &renaming.apply(&file.text))?;
        }
        for edit in &renaming.edits {
            let at = position(&file.text, edit.span.start);
            let old = edit.span.slice(&file.text);
            writeln!(out, "{}:{}:{}: {old} → {}", file.name, at.line, at.column, edit.text).ok();
        }
    }
    Ok(out)
}

fn row(candidate: &Candidate, written: &str) -> Vec<String> {
    let words = candidate.title.as_deref().or(candidate.documentation.as_deref());
    vec![
        one_line(written),
        candidate.kind.name().to_owned(),
        sentence(candidate.detail.as_deref().unwrap_or_default()),
        sentence(words.unwrap_or_default()),
    ]
}

/// Rows in columns; only the first ones if there are many.
fn listed(mut rows: Vec<Vec<String>>) -> String {
    let more = rows.len().saturating_sub(SHOWN);
    rows.truncate(SHOWN);
    let mut out = columns(&rows, &[Side::Left; 4]);
    if more > 0 {
        writeln!(out, "… and {more} more").ok();
    }
    out
}

/// The first sentence, shortened if necessary.
fn sentence(text: &str) -> String {
    let first = text.split_once(". ").map_or(text, |(first, _)| first);
    let first = one_line(first.lines().next().unwrap_or_default());
    if first.chars().count() <= SENTENCE {
        return first;
    }
    let cut: String = first.chars().take(SENTENCE.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

fn candidate(candidate: &Candidate) -> serde_json::Value {
    json!({
        "label": candidate.label,
        "insert": candidate.insert,
        "kind": candidate.kind.name(),
        "detail": candidate.detail,
        "title": candidate.title,
        "documentation": candidate.documentation,
    })
}
