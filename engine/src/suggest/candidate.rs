//! Completion candidates.

use crate::check::{MetricId, State};
use crate::engine::Engine;
use crate::functions::FunctionSpec;
use crate::schema::{Field, Source};
use crate::syntax::reads_bare;

/// A completion candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The name for display in a list.
    pub label: String,
    /// The text to insert, with brackets if the name needs them.
    pub insert: String,
    /// The kind of the candidate.
    pub kind: CandidateKind,
    /// Its type or signature.
    pub detail: Option<String>,
    /// The display name, if it has one.
    pub title: Option<String>,
    /// The meaning, in prose.
    pub documentation: Option<String>,
}

/// The kind of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CandidateKind {
    /// A field of a source.
    Field,
    /// A link to another source.
    Link,
    /// A dimension shared by sources.
    Dimension,
    /// A name that the formula itself declares.
    Let,
    /// A metric.
    Metric,
    /// A placeholder.
    Placeholder,
    /// A value that only a record gives.
    Input,
    /// A source of rows.
    Source,
    /// A source with a standing condition.
    Population,
    /// A function.
    Function,
    /// The name of an argument.
    Argument,
    /// A known text value of the field.
    Value,
    /// A unit of time, a span, or a word that an argument takes.
    Word,
    /// `period`, `period_start`, `period_end`
    Period,
    /// A word of the language.
    Keyword,
}

impl CandidateKind {
    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Link => "link",
            Self::Dimension => "dimension",
            Self::Let => "let",
            Self::Metric => "metric",
            Self::Placeholder => "placeholder",
            Self::Input => "input",
            Self::Source => "source",
            Self::Population => "population",
            Self::Function => "function",
            Self::Argument => "argument",
            Self::Value => "value",
            Self::Word => "word",
            Self::Period => "period",
            Self::Keyword => "keyword",
        }
    }
}

impl Candidate {
    pub(super) fn new(kind: CandidateKind, name: &str) -> Self {
        Self {
            label: name.to_owned(),
            insert: spelt(name),
            kind,
            detail: None,
            title: None,
            documentation: None,
        }
    }

    /// A word that is inserted as it is.
    pub(super) fn word(kind: CandidateKind, word: &str, documentation: &str) -> Self {
        let documentation = (!documentation.is_empty()).then(|| documentation.to_owned());
        Self { insert: word.to_owned(), documentation, ..Self::new(kind, word) }
    }

    fn typed(self, ty: &impl std::fmt::Display) -> Self {
        Self { detail: Some(ty.to_string()), ..self }
    }

    fn about(self, documentation: Option<&String>) -> Self {
        Self { documentation: documentation.cloned(), ..self }
    }

    pub(super) fn metric(engine: &Engine, index: usize) -> Option<Self> {
        let metric = engine.metrics().get(index)?;
        let own =
            Self { title: metric.title.clone(), ..Self::new(CandidateKind::Metric, &metric.key) };
        let own = own.about(metric.description.as_ref());
        let state = engine.library.entry(MetricId(index)).map(|entry| &entry.state);
        Some(match state {
            Some(State::Ready(checked)) => own.typed(&checked.ty),
            Some(State::Unchecked | State::Broken) | None => own,
        })
    }

    pub(super) fn function(spec: &FunctionSpec) -> Self {
        let example = spec
            .examples
            .first()
            .map(|example| format!("\n{} gives {}", example.formula, example.result));
        let close = if spec.parameters.is_empty() { ")" } else { "" };
        Self {
            insert: format!("{}({close}", spec.name),
            detail: Some(spec.signature.to_owned()),
            documentation: Some(format!(
                "{} {}{}",
                spec.summary,
                spec.details,
                example.unwrap_or_default()
            )),
            ..Self::new(CandidateKind::Function, spec.name)
        }
    }

    pub(super) fn field(engine: &Engine, field: &Field) -> Self {
        let ty = field.data_type.to_type(engine.schema().store.currency);
        Self::new(CandidateKind::Field, &field.name).typed(&ty).about(field.description.as_ref())
    }

    /// The fields of a source, then its links.
    pub(super) fn columns(engine: &Engine, source: &Source) -> Vec<Self> {
        let fields = source.fields.iter().map(|field| Self::field(engine, field));
        let links = source.links.iter().map(|link| {
            let target = engine.schema().source_at(link.target);
            let own = Self::new(CandidateKind::Link, &link.name);
            let words = target.map(|target| format!("to {}", target.name)).unwrap_or_default();
            own.typed(&words).about(target.and_then(|target| target.description.as_ref()))
        });
        fields.chain(links).collect()
    }

    /// Sources and populations.
    pub(super) fn rows(engine: &Engine) -> Vec<Self> {
        let schema = engine.schema();
        let sources = schema.sources.iter().map(|source| {
            Self::new(CandidateKind::Source, &source.name).about(source.description.as_ref())
        });
        let populations = schema.populations.iter().map(|population| {
            Self::new(CandidateKind::Population, &population.name)
                .typed(&format!("where {}", population.condition))
                .about(population.description.as_ref())
        });
        populations.chain(sources).collect()
    }

    /// Metrics, placeholders and inputs.
    pub(super) fn values(engine: &Engine) -> Vec<Self> {
        let schema = engine.schema();
        let metrics = (0..engine.metrics().len()).filter_map(|index| Self::metric(engine, index));
        let placeholders = schema.placeholders.iter().map(|placeholder| {
            let own = Self::new(CandidateKind::Placeholder, &placeholder.key)
                .about(placeholder.description.as_ref());
            match schema.field_at(placeholder.source, &placeholder.field) {
                Some((_, field)) => own.typed(&field.data_type.to_type(schema.store.currency)),
                None => own,
            }
        });
        let inputs = schema.inputs.iter().map(|input| {
            Self::new(CandidateKind::Input, &input.name)
                .typed(&input.ty)
                .about(input.description.as_ref())
        });
        metrics.chain(placeholders).chain(inputs).collect()
    }

    pub(super) fn dimensions(engine: &Engine) -> Vec<Self> {
        let dimensions = engine.schema().dimensions.iter();
        dimensions
            .map(|dimension| {
                Self::new(CandidateKind::Dimension, &dimension.name)
                    .about(dimension.description.as_ref())
            })
            .collect()
    }

    /// Returns the rank of the match with the typed text, best first; `None` without a match.
    pub(super) fn rank(&self, typed: &str) -> Option<u8> {
        let (typed, label) = (typed.to_lowercase(), self.label.to_lowercase());
        let in_title =
            || self.title.as_ref().is_some_and(|title| title.to_lowercase().contains(&typed));
        if label == typed {
            Some(0)
        } else if label.starts_with(&typed) {
            Some(1)
        } else if label.split(['_', ' ']).any(|part| part.starts_with(&typed)) {
            Some(2)
        } else if in_title() || label.contains(&typed) {
            Some(3)
        } else {
            None
        }
    }
}

pub(super) fn periods() -> Vec<Candidate> {
    let word = |name, words| Candidate::word(CandidateKind::Period, name, words);
    vec![
        word("period", "The period that is being computed."),
        word("period_start", "Its first instant."),
        word("period_end", "One past its last instant."),
    ]
}

/// Writes the name for a formula, in brackets if needed.
pub(super) fn spelt(name: &str) -> String {
    if reads_bare(name) { name.to_owned() } else { format!("[{name}]") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_other_than_words_are_in_brackets() {
        for (name, spelt) in [
            ("net_sales", "net_sales"),
            ("Net Sales", "[Net Sales]"),
            ("default", "[default]"),
            ("True", "[True]"),
            ("größe", "[größe]"),
            ("2nd", "[2nd]"),
        ] {
            assert_eq!(super::spelt(name), spelt);
        }
    }
}
