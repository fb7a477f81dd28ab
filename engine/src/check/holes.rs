//! Holes (`?`): the names that fit.

use super::checker::{Scope, Whole};
use super::{Environment, Report};
use crate::diagnostics::{Code, Diagnostic, Edit, Suggestion};
use crate::source::Span;
use crate::syntax::Expr;

/// Limit: names tried for a hole.
const TRIALS: usize = 256;
/// Limit: names listed in a help line.
const SHOWN: usize = 12;

/// Adds E210 for each hole, with the names that check in its place.
pub(super) fn answer(
    env: &Environment<'_>,
    expr: &Expr,
    text: &str,
    (mut report, holes): (Report, Vec<Span>),
) -> Report {
    if holes.is_empty() || !report.needs.is_empty() {
        return report;
    }
    let fits = fitting(env, expr, text);
    for span in holes.iter().copied() {
        let mut finding = Diagnostic::new(Code::E210, span, "`?` waits for a value");
        finding = match fits.as_slice() {
            [] => finding.help("no declared name fits here"),
            [only] => {
                let edit = |span: &Span| Edit { span: *span, text: (*only).to_owned() };
                let edits = holes.iter().map(edit).collect();
                finding.help(format!("this fits: {only}")).suggest(Suggestion::new(edits))
            }
            [first @ .., _] if first.len() < SHOWN => {
                finding.help(format!("these fit: {}", fits.join(", ")))
            }
            several => {
                let (shown, rest) = several.split_at(SHOWN);
                let more = rest.len();
                finding.help(format!("these fit: {}, and {more} more", shown.join(", ")))
            }
        };
        report.findings.push(finding);
    }
    report
}

/// Returns the names that fit every hole of the formula, in order of declaration.
pub(super) fn fitting<'a>(env: &Environment<'a>, expr: &Expr, text: &str) -> Vec<&'a str> {
    let schema = env.schema;
    let names = env
        .metrics
        .keys()
        .chain(schema.placeholders.iter().map(|placeholder| placeholder.key.as_str()))
        .chain(schema.inputs.iter().map(|input| input.name.as_str()));
    names
        .take(TRIALS)
        .filter(|name| {
            let trial = env.check_in(expr, text, Scope::Whole(Whole::default()), Some(name)).0;
            let fits =
                |ty: &crate::types::Type| env.declared.is_none_or(|declared| declared.fits(ty));
            trial.checked.is_some_and(|checked| fits(&checked.ty))
        })
        .collect()
}
