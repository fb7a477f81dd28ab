//! Renaming of anything with a name, everywhere it is used.
//!
//! Which words of a formula refer to the renamed thing is not guessed: the formula is checked with
//! the new name declared, and the words are chosen so that its meaning stays the same. If no choice
//! of words preserves the meaning, nothing is changed. Quoted texts and comments are not words.
//! Start at [`rename()`] for files, or at [`Engine::rename`] for an engine without files.

mod declarations;
mod formulas;
mod meaning;
mod occurrences;

pub use declarations::rename;

use crate::check::MetricId;
use crate::diagnostics::Edit;
use crate::engine::Engine;
use crate::schema::{DataType, FieldId, LinkId, SourceId, same_name};
use crate::syntax::{is_predefined, reads_bare};
use crate::types::{Flavour, Type, Unit};

/// The reason why a name cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// Nothing has the name.
    #[error("nothing is called `{0}`")]
    Unknown(String),
    /// The new name is not a word, is reserved, or is predefined.
    #[error("`{0}` cannot be a name")]
    NotAName(String),
    /// The name is taken.
    #[error("`{name}` is {what} already")]
    Taken {
        /// The name.
        name: String,
        /// The kind of its owner.
        what: &'static str,
    },
    /// The meaning of a formula would change, whichever words were changed.
    #[error("{place} would mean something else")]
    Unclear {
        /// The formula: a metric, a population or a column.
        place: String,
    },
}

/// An engine with a name changed, and the edits in its formulas.
#[derive(Debug, Clone)]
pub struct RenameOutcome {
    /// The engine with the new name.
    pub engine: Engine,
    /// The edits of each changed formula, at places in its own text.
    pub formulas: Vec<(FormulaSite, Vec<Edit>)>,
}

/// A formula of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormulaSite {
    /// The formula of the metric at this index of [`Engine::metrics`].
    Metric(usize),
    /// The condition of the population at this index of the schema.
    Population(usize),
    /// The formula of a computed column.
    Column(SourceId, FieldId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Metric(MetricId),
    Placeholder(usize),
    Input(usize),
    Source(SourceId),
    Population(usize),
    Dimension(usize),
    Field(SourceId, FieldId),
    Link(SourceId, LinkId),
}

impl Target {
    /// Resolves a name: `aov`, or `orders.total` for a field or a link.
    pub(super) fn of(engine: &Engine, name: &str) -> Option<Self> {
        let schema = engine.schema();
        if let Some((source, column)) = name.split_once('.') {
            let id = schema.source(source.trim())?;
            let source = schema.source_at(id)?;
            let field = source.field(column.trim()).map(|field| Self::Field(id, field));
            return field.or_else(|| source.link(column.trim()).map(|link| Self::Link(id, link)));
        }
        let is_named = |own: &String| same_name(own, name);
        let placeholder = || schema.placeholders.iter().position(|own| is_named(&own.key));
        let input = || schema.inputs.iter().position(|own| is_named(&own.name));
        let population = || schema.populations.iter().position(|own| is_named(&own.name));
        let dimension = || schema.dimensions.iter().position(|own| is_named(&own.name));
        let metric = engine.library.find(name).map(Self::Metric);
        metric
            .or_else(|| placeholder().map(Self::Placeholder))
            .or_else(|| input().map(Self::Input))
            .or_else(|| schema.source(name).map(Self::Source))
            .or_else(|| population().map(Self::Population))
            .or_else(|| dimension().map(Self::Dimension))
    }

    pub(super) fn name(self, engine: &Engine) -> Option<String> {
        let schema = engine.schema();
        let name = match self {
            Self::Metric(id) => &engine.metrics().get(id.0)?.key,
            Self::Placeholder(index) => &schema.placeholders.get(index)?.key,
            Self::Input(index) => &schema.inputs.get(index)?.name,
            Self::Source(id) => &schema.source_at(id)?.name,
            Self::Population(index) => &schema.populations.get(index)?.name,
            Self::Dimension(index) => &schema.dimensions.get(index)?.name,
            Self::Field(source, id) => &schema.source_at(source)?.fields.get(id.0)?.name,
            Self::Link(source, id) => &schema.source_at(source)?.links.get(id.0)?.name,
        };
        Some(name.clone())
    }

    /// Returns where its name is stored.
    fn slot(self, engine: &mut Engine) -> Option<&mut String> {
        let schema = &mut engine.schema;
        Some(match self {
            Self::Metric(id) => &mut engine.metrics.get_mut(id.0)?.key,
            Self::Placeholder(index) => &mut schema.placeholders.get_mut(index)?.key,
            Self::Input(index) => &mut schema.inputs.get_mut(index)?.name,
            Self::Source(id) => &mut schema.sources.get_mut(id.0)?.name,
            Self::Population(index) => &mut schema.populations.get_mut(index)?.name,
            Self::Dimension(index) => &mut schema.dimensions.get_mut(index)?.name,
            Self::Field(source, id) => {
                &mut schema.sources.get_mut(source.0)?.fields.get_mut(id.0)?.name
            }
            Self::Link(source, id) => {
                &mut schema.sources.get_mut(source.0)?.links.get_mut(id.0)?.name
            }
        })
    }

    /// Sets the new name, only in the engine's tables.
    pub(super) fn declare(self, engine: &mut Engine, to: &str) {
        if let Self::Source(id) = self {
            let own = engine.schema.source_at(id).map(|source| source.name.clone());
            recount(engine, &own.unwrap_or_default(), to);
        }
        if let Self::Metric(id) = self {
            engine.library.rename(id, to);
        }
        if let Self::Population(index) = self
            && let Some(standing) = engine.library.populations.get_mut(index)
        {
            to.clone_into(&mut standing.name);
        }
        if let Some(slot) = self.slot(engine) {
            to.clone_into(slot);
        }
    }

    /// Returns what else has this name in the same scope.
    fn taken(self, engine: &Engine, to: &str) -> Option<&'static str> {
        let other = match self {
            Self::Field(source, _) | Self::Link(source, _) => {
                let name = &engine.schema().source_at(source)?.name;
                Self::of(engine, &format!("{name}.{to}"))
            }
            Self::Dimension(_) => {
                let mut dimensions = engine.schema().dimensions.iter();
                dimensions.position(|own| same_name(&own.name, to)).map(Self::Dimension)
            }
            Self::Metric(_)
            | Self::Placeholder(_)
            | Self::Input(_)
            | Self::Source(_)
            | Self::Population(_) => {
                if engine.library.function(to).is_some() {
                    return Some("a function");
                }
                Self::of(engine, to).filter(|other| !matches!(other, Self::Dimension(_)))
            }
        };
        // Its own name in another case is not a collision.
        other.filter(|other| *other != self).map(Self::what)
    }

    const fn what(self) -> &'static str {
        match self {
            Self::Metric(_) => "a metric",
            Self::Placeholder(_) => "a placeholder",
            Self::Input(_) => "an input",
            Self::Source(_) => "a source",
            Self::Population(_) => "a population",
            Self::Dimension(_) => "a dimension",
            Self::Field(..) => "a field",
            Self::Link(..) => "a link",
        }
    }
}

/// Renames the unit in counts of a source's rows.
fn recount(engine: &mut Engine, from: &str, to: &str) {
    for field in engine.schema.sources.iter_mut().flat_map(|source| &mut source.fields) {
        if let DataType::Count(entity) = &mut field.data_type
            && same_name(entity, from)
        {
            to.clone_into(entity);
        }
    }
    for input in &mut engine.schema.inputs {
        if let Type::Quantity(Unit { flavour: Flavour::Count(Some(entity)), .. }) = &mut input.ty
            && same_name(entity, from)
        {
            *entity = to.into();
        }
    }
}

/// Finds what to rename, and refuses invalid names.
pub(super) fn accepted(engine: &Engine, from: &str, to: &str) -> Result<Target, RenameError> {
    let target = Target::of(engine, from).ok_or_else(|| RenameError::Unknown(from.to_owned()))?;
    if !reads_bare(to) || is_predefined(to) {
        return Err(RenameError::NotAName(to.to_owned()));
    }
    match target.taken(engine, to) {
        Some(what) => Err(RenameError::Taken { name: to.to_owned(), what }),
        None => Ok(target),
    }
}
