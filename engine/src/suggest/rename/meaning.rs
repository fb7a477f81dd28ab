//! The meaning of a formula, independent of its names.

use std::sync::Arc;

use crate::check::{Checked, Kind, Typed, fingerprint};
use crate::engine::Engine;
use crate::schema::{SourceId, same_name};
use crate::syntax::{Expr, parse};
use crate::types::{Flavour, Type, Unit};

/// The level at which a formula is checked.
#[derive(Debug, Clone, Copy)]
pub(super) enum FormulaLevel {
    /// One value for each period and group.
    Whole,
    /// One value for each row.
    Row(SourceId),
}

pub(super) struct CheckedText {
    pub(super) expr: Expr,
    pub(super) checked: Checked,
}

/// Parses and checks a text; `None` if it has errors.
pub(super) fn read(engine: &Engine, text: &str, place: FormulaLevel) -> Option<CheckedText> {
    let expr = parse(text, engine.limits()).ok().ok()?;
    let env = engine.environment();
    let report = match place {
        FormulaLevel::Whole => env.check(&expr, text),
        FormulaLevel::Row(source) => env.check_row(&expr, text, source),
    };
    let refused = report.findings.iter().any(crate::diagnostics::Diagnostic::is_error);
    Some(CheckedText { expr, checked: report.checked.filter(|_| !refused)? })
}

/// A name that differs though the meaning does not.
#[derive(Clone, Copy)]
pub(super) struct NameChange<'n> {
    pub(super) from: &'n str,
    pub(super) to: &'n str,
}

/// Returns the meaning as text, which is equal for formulas that differ only in this name.
pub(super) fn meaning(checked: &Checked, names: NameChange<'_>) -> String {
    let mut typed: Typed = checked.typed.clone();
    let plain = |name: &Arc<str>| -> Arc<str> {
        let is_one = same_name(name, names.from) || same_name(name, names.to);
        if is_one { Arc::from("the one") } else { Arc::clone(name) }
    };
    for node in &mut typed.nodes {
        match &mut node.kind {
            Kind::Input(name) | Kind::Placeholder(name, _) => *name = plain(name),
            Kind::Per(per) => {
                for key in &mut per.keys {
                    key.name = Arc::from("");
                }
            }
            Kind::Total { keep, .. } => {
                for key in keep {
                    key.name = Arc::from("");
                }
            }
            Kind::Rank { by: Some(key), .. } => key.name = Arc::from(""),
            _ => {}
        }
    }
    let mut ty = checked.ty.clone();
    if let Type::Quantity(Unit { flavour: Flavour::Count(Some(entity)), .. }) = &mut ty {
        *entity = plain(entity);
    }
    format!("{} {ty}", fingerprint(&typed, typed.root, 0))
}
