//! The difference between two versions of a metric.

use std::collections::BTreeSet;

use super::parts::differing;
use super::{MetricId, Version};
use crate::source::Span;

/// The difference between two versions, without the parts that are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The formulas as written.
    pub text: Option<(String, String)>,
    /// The formulas in canonical spelling.
    pub canonical: Option<(String, String)>,
    /// The inferred types.
    pub ty: Option<(String, String)>,
    /// Changes outside the formula: name of the property, value before, value after.
    pub metadata: Vec<(&'static str, String, String)>,
    /// Inputs and placeholders used only by the second version.
    pub inputs_added: Vec<String>,
    /// Inputs and placeholders used only by the first version.
    pub inputs_removed: Vec<String>,
    /// Metrics named only by the second version.
    pub metrics_added: Vec<MetricId>,
    /// Metrics named only by the first version.
    pub metrics_removed: Vec<MetricId>,
    /// The smallest differing parts of the formulas.
    pub parts: Vec<DifferingPart>,
}

/// A differing part of two formulas, in canonical spelling with its place in the text. For a `let`
/// line in only one of them, one side is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingPart {
    /// The part of the first formula.
    pub before: Option<(String, Span)>,
    /// The part of the second formula.
    pub after: Option<(String, Span)>,
}

impl Difference {
    /// Compares two versions.
    pub fn between(before: &Version, after: &Version) -> Self {
        let texts = |old: &String, new: &String| (old != new).then(|| (old.clone(), new.clone()));
        let (old, new) = (&before.definition, &after.definition);
        let names = |version: &Version| -> BTreeSet<MetricId> {
            version.references.iter().map(|reference| reference.metric).collect()
        };
        let (old_names, new_names) = (names(before), names(after));
        let only = |these: &[String], those: &[String]| {
            these.iter().filter(|name| !those.contains(name)).cloned().collect::<Vec<_>>()
        };
        let parts = if before.hash == after.hash {
            Vec::new()
        } else {
            differing(&old.formula, &new.formula)
        };
        Self {
            text: texts(&old.formula, &new.formula),
            canonical: texts(&before.canonical, &after.canonical),
            ty: texts(&before.ty, &after.ty),
            metadata: metadata(before, after),
            inputs_added: only(&after.inputs, &before.inputs),
            inputs_removed: only(&before.inputs, &after.inputs),
            metrics_added: new_names.difference(&old_names).copied().collect(),
            metrics_removed: old_names.difference(&new_names).copied().collect(),
            parts,
        }
    }

    /// Returns whether the versions are equal in every respect.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn metadata(before: &Version, after: &Version) -> Vec<(&'static str, String, String)> {
    let rows = |version: &Version| {
        let definition = &version.definition;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let format = &definition.format;
        let decimals = format.decimals.map(|decimals| decimals.to_string());
        vec![
            ("key", definition.key.clone()),
            ("title", text(&definition.title)),
            ("description", text(&definition.description)),
            ("category", text(&definition.category)),
            ("unlisted", definition.unlisted.to_string()),
            ("type", definition.data_type.map_or("", crate::types::DeclaredType::name).to_owned()),
            ("pattern", text(&format.pattern)),
            ("decimals", decimals.unwrap_or_default()),
            ("prefix", text(&format.prefix)),
            ("suffix", text(&format.suffix)),
            ("null_text", text(&format.null_text)),
            ("compact", format.compact.to_string()),
        ]
    };
    let pairs = rows(before).into_iter().zip(rows(after));
    pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((what, old), (_, new))| (what, old, new))
        .collect()
}
