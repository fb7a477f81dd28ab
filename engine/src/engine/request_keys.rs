//! The keys of a request's groups: dimensions, fields and expressions of rows.

use std::sync::Arc;

use super::{Engine, Formula, Request};
use crate::check::{Key, NodeId, RowKey, Typed};
use crate::diagnostics::Diagnostic;
use crate::evaluate::{GroupKey, NodeRef, Owner};
use crate::schema::{Schema, SourceId};
use crate::source::Span;
use crate::syntax::{Limits, parse};
use crate::types::Type;

/// A key by which a request groups.
#[derive(Debug)]
pub(super) enum RequestKey {
    /// A dimension or a field.
    Column(Key),
    /// An expression with its name, checked for the rows of each source.
    Expression { name: Arc<str>, key: Box<RowKey> },
}

impl RequestKey {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Column(key) => &key.name,
            Self::Expression { name, .. } => name,
        }
    }

    /// The type of the values of the groups.
    pub(super) fn ty(&self, schema: &Schema) -> Option<Type> {
        match self {
            Self::Column(key) => {
                let (source, path) = key.columns.first()?;
                let (_, field) = schema.field_at(*source, path)?;
                Some(field.data_type.to_type(schema.store.currency))
            }
            Self::Expression { key, .. } => {
                let (_, root) = key.roots.first()?;
                Some(key.typed.nodes.get(root.0)?.ty.clone())
            }
        }
    }

    pub(super) fn typed(&self) -> Option<&Typed> {
        match self {
            Self::Column(_) => None,
            Self::Expression { key, .. } => Some(&key.typed),
        }
    }
}

/// Returns the keys in the evaluator's form. It holds the expressions after the formulas.
pub(super) fn of_evaluation(keys: &[RequestKey], formulas: usize) -> Vec<GroupKey> {
    let mut next = formulas;
    let mut converted = Vec::with_capacity(keys.len());
    for key in keys {
        converted.push(match key {
            RequestKey::Column(key) => GroupKey::Columns(key.clone()),
            RequestKey::Expression { name, key } => {
                let owner = Owner::Formula(next);
                next = next.saturating_add(1);
                let root =
                    |(source, id): &(SourceId, NodeId)| (*source, NodeRef { owner, id: *id });
                GroupKey::Expression {
                    name: Arc::clone(name),
                    roots: key.roots.iter().map(root).collect(),
                }
            }
        });
    }
    converted
}

impl Engine {
    /// Resolves the grouping keys for every source below the formulas.
    pub(super) fn keys(
        &self,
        formulas: &[&Formula],
        request: &Request,
        limits: &Limits,
    ) -> Result<Vec<RequestKey>, Vec<Diagnostic>> {
        let mut sources: Vec<_> = formulas
            .iter()
            .flat_map(|formula| formula.checked.atoms.iter().map(|atom| atom.source))
            .collect();
        sources.sort_unstable();
        sources.dedup();
        let mut keys = Vec::new();
        let mut findings = Vec::new();
        for text in &request.group_by {
            match self.request_key(text, &sources, limits) {
                Ok(key) => keys.push(key),
                Err(found) => findings.extend(found),
            }
        }
        // The spans point into the text of the key, which is not part of a formula.
        for finding in &mut findings {
            finding.span = Span::default();
            finding.suggestion = None;
        }
        if findings.is_empty() { Ok(keys) } else { Err(findings) }
    }

    fn request_key(
        &self,
        text: &str,
        sources: &[SourceId],
        limits: &Limits,
    ) -> Result<RequestKey, Vec<Diagnostic>> {
        let env = self.environment();
        let (expression, name) = named(text);
        let is_letter = |letter: char| letter.is_alphanumeric() || " _.[]".contains(letter);
        if name.is_none() && text.chars().all(is_letter) {
            return env.group_key(text, sources).map(RequestKey::Column);
        }
        let expr = parse(expression, limits).ok()?;
        let key = Box::new(env.group_expression(&expr, expression, sources)?);
        Ok(RequestKey::Expression { name: Arc::from(name.unwrap_or(expression)), key })
    }
}

/// Splits `expression as name`.
pub(super) fn named(text: &str) -> (&str, Option<&str>) {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    match text.rsplit_once(" as ") {
        Some((expression, name)) if is_name(name.trim()) => (expression.trim(), Some(name.trim())),
        Some(_) | None => (text.trim(), None),
    }
}
