//! Candidates for a value, by the context of the cursor.

use super::candidate::{Candidate, CandidateKind, periods};
use super::complete::{compared_path, keywords};
use super::cursor::{Bracket, Clause, Cursor, is_name};
use crate::engine::Engine;
use crate::functions::{self, FunctionSpec, Parameter, ParameterKind, Presence};
use crate::schema::{DataType, Field, SourceId, link_chain};
use crate::syntax::TokenKind;

impl Engine {
    /// Returns all candidates where a value is expected, nearest first.
    pub(super) fn operands(&self, cursor: &Cursor<'_>) -> Vec<Candidate> {
        let mut found = self.arguments(cursor);
        found.extend(self.known_values(cursor, None));
        let row = self.row_source(cursor);
        let bracket = cursor.brackets.last();
        match bracket.map(|bracket| bracket.clause) {
            Some(Clause::Per) => return self.per_keys(row),
            Some(Clause::Dated) => return self.dates(row),
            Some(Clause::Value | Clause::Where) | None => {}
        }
        if bracket.is_some_and(|bracket| bracket.is_aggregate() && bracket.clause == Clause::Value)
        {
            found.extend(Candidate::rows(self));
        }
        let mut rows: Vec<SourceId> = row.into_iter().collect();
        if let Some(source) = row.and_then(|id| self.schema().source_at(id)) {
            found.extend(Candidate::columns(self, source));
            found.extend(self.dimensions_of(row));
        } else if let Some(sources) = self.narrowed_sources(cursor) {
            found.extend(Candidate::dimensions(self));
            let narrowed = sources.iter().filter_map(|id| self.schema().source_at(*id));
            found.extend(narrowed.flat_map(|source| Candidate::columns(self, source)));
            rows = sources;
        }
        let lets = cursor.lets().into_iter();
        found.extend(lets.map(|name| Candidate::new(CandidateKind::Let, name)));
        let values = Candidate::values(self).into_iter();
        found.extend(values.filter(|own| rows.iter().all(|row| self.is_of_row(own, *row))));
        let functions = functions::ALL.iter().chain(&self.library.functions);
        found.extend(functions.map(|spec| Candidate::function(spec)));
        if row.is_some() {
            found.extend(Candidate::rows(self));
        }
        found.extend(periods());
        found.extend(keywords(&["not", "case", "true", "false", "null"]));
        found
    }

    /// Returns whether a value can be computed for each row of a source: from the rows that link to it.
    fn is_of_row(&self, value: &Candidate, row: SourceId) -> bool {
        let links = |from| from != row && link_chain(self.schema(), from, row).is_some();
        if value.kind == CandidateKind::Metric {
            let metric = self.library.find(&value.label).and_then(|id| self.library.checked(id));
            return metric.is_none_or(|checked| {
                let mut sources = checked.atoms.iter().map(|atom| atom.source);
                !checked.typed.is_over_buckets && sources.all(links)
            });
        }
        let placeholder = self.schema().placeholder(&value.label);
        let placeholder = placeholder.filter(|_| value.kind == CandidateKind::Placeholder);
        placeholder
            .is_none_or(|own| own.aggregation.is_none() || own.source == row || links(own.source))
    }

    /// Returns the source of the innermost aggregate around the cursor.
    pub(super) fn row_source(&self, cursor: &Cursor<'_>) -> Option<SourceId> {
        let mut aggregates = cursor.brackets.iter().rev().filter(|bracket| bracket.is_aggregate());
        aggregates.find_map(|bracket| self.rows_of(cursor, bracket))
    }

    fn rows_of(&self, cursor: &Cursor<'_>, bracket: &Bracket) -> Option<SourceId> {
        let before = cursor.before.get(bracket.start..).unwrap_or_default();
        let tokens: Vec<_> = before.iter().chain(&cursor.after).collect();
        let mut previous = None;
        let mut depth = 0_usize;
        for token in tokens {
            match token.kind {
                TokenKind::Open => depth = depth.saturating_add(1),
                TokenKind::Close if depth == 0 => return None,
                TokenKind::Close => depth = depth.saturating_sub(1),
                // What is named after `per` are keys.
                TokenKind::Keyword if depth == 0 && cursor.is_keyword(Some(*token), "per") => {
                    return None;
                }
                kind if is_name(kind) && previous != Some(TokenKind::Dot) => {
                    let found = self.source_named(cursor.word(*token));
                    if found.is_some() {
                        return found;
                    }
                }
                _ => {}
            }
            previous = Some(token.kind);
        }
        None
    }

    /// Returns the source with this name, or that of the population or placeholder.
    fn source_named(&self, name: &str) -> Option<SourceId> {
        let schema = self.schema();
        let population = || schema.population(name).map(|population| population.source);
        let placeholder = || schema.placeholder(name).map(|placeholder| placeholder.source);
        schema.source(name).or_else(population).or_else(placeholder)
    }

    /// Returns the source at the end of a path.
    pub(super) fn source_along(&self, path: &[&str], row: Option<SourceId>) -> Option<SourceId> {
        let (first, rest) = path.split_first()?;
        let linked = row.and_then(|row| self.link_target(row, first));
        let start = linked.or_else(|| self.source_named(first))?;
        rest.iter().try_fold(start, |source, name| self.link_target(source, name))
    }

    /// Returns the source that a link leads to.
    pub(super) fn link_target(&self, source: SourceId, name: &str) -> Option<SourceId> {
        let source = self.schema().source_at(source)?;
        source.links.get(source.link(name)?.0).map(|link| link.target)
    }

    /// Returns the known texts of the compared field.
    pub(super) fn known_values(&self, cursor: &Cursor<'_>, quote: Option<char>) -> Vec<Candidate> {
        let path = compared_path(cursor);
        let Some(field) = self.field_along(&path, self.row_source(cursor)) else {
            return Vec::new();
        };
        let is_closed = |quote: char| {
            let rest = cursor.text.get(cursor.replaced.range().end..).unwrap_or_default();
            rest.starts_with(quote)
        };
        let value = |text: &String| {
            let insert = match quote {
                Some(quote) => {
                    let text = text.replace(quote, &format!("{quote}{quote}"));
                    if is_closed(quote) { text } else { format!("{text}{quote}") }
                }
                None => format!("'{}'", text.replace('\'', "''")),
            };
            Candidate { insert, ..Candidate::new(CandidateKind::Value, text) }
        };
        field.known_values.iter().flatten().map(value).collect()
    }

    fn field_along(&self, path: &[&str], row: Option<SourceId>) -> Option<&Field> {
        let (last, before) = path.split_last()?;
        let schema = self.schema();
        let in_source = |id: SourceId| {
            let source = schema.source_at(id)?;
            source.fields.get(source.field(last)?.0)
        };
        if !before.is_empty() {
            return in_source(self.source_along(before, row)?);
        }
        let of_dimension = || {
            let dimension = schema.dimension(last)?;
            let mut columns = dimension.columns.iter();
            columns.find_map(|(source, path)| Some(schema.field_at(*source, path)?.1))
        };
        row.and_then(in_source).or_else(of_dimension).or_else(|| {
            let mut sources = (0..schema.sources.len()).map(SourceId);
            sources.find_map(in_source)
        })
    }

    /// Inside `(x where …)`: returns the sources below `x`.
    fn narrowed_sources(&self, cursor: &Cursor<'_>) -> Option<Vec<SourceId>> {
        let scoped =
            |bracket: &&Bracket| bracket.function.is_none() && bracket.clause == Clause::Where;
        let bracket = cursor.brackets.iter().rev().find(scoped)?;
        let within = cursor.before.get(bracket.start..)?;
        let end = within.iter().find(|token| cursor.is_keyword(Some(**token), "where"))?;
        let start = within.first()?.span.range().start;
        let value = cursor.text.get(start..end.span.range().start).unwrap_or_default();
        let checked = self.compile(value).ok()?;
        Some(checked.checked.atoms.iter().map(|atom| atom.source).collect())
    }

    fn dimensions_of(&self, row: Option<SourceId>) -> Vec<Candidate> {
        let has = |name: &str| {
            let dimension = self.schema().dimension(name);
            dimension.is_some_and(|found| found.columns.iter().any(|(of, _)| Some(*of) == row))
        };
        Candidate::dimensions(self).into_iter().filter(|found| has(&found.label)).collect()
    }

    /// After `per`: units of time, dimensions, columns and sources.
    fn per_keys(&self, row: Option<SourceId>) -> Vec<Candidate> {
        let mut found = unit_words();
        found.extend(Candidate::dimensions(self));
        let sources = self.schema().sources.iter().enumerate();
        let of_row = sources.filter(|(index, _)| row.is_none_or(|row| row.0 == *index));
        found.extend(of_row.flat_map(|(_, source)| Candidate::columns(self, source)));
        found.extend(Candidate::rows(self));
        found
    }

    /// After `dated by`: dates, and links to them.
    fn dates(&self, row: Option<SourceId>) -> Vec<Candidate> {
        let Some(source) = row.and_then(|id| self.schema().source_at(id)) else {
            return keywords(&["by"]);
        };
        let is_date = |candidate: &Candidate| {
            let field = source.field(&candidate.label).and_then(|id| source.fields.get(id.0));
            candidate.kind == CandidateKind::Link
                || field.is_some_and(|field| {
                    matches!(field.data_type, DataType::Date | DataType::DateTime)
                })
        };
        Candidate::columns(self, source).into_iter().filter(is_date).collect()
    }

    /// Returns what else the argument at the cursor accepts: words, units, argument names.
    fn arguments(&self, cursor: &Cursor<'_>) -> Vec<Candidate> {
        let Some(bracket) = cursor.brackets.last() else { return Vec::new() };
        let Some(spec) = bracket.function else { return Vec::new() };
        let named = cursor.last().filter(|token| token.kind == TokenKind::Colon).and_then(|_| {
            let name = cursor.before.len().checked_sub(2)?;
            let name = cursor.word(*cursor.before.get(name)?);
            spec.parameters.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))
        });
        if let Some(parameter) = named {
            return self.words(parameter);
        }
        let starts = cursor
            .last()
            .is_some_and(|token| matches!(token.kind, TokenKind::Open | TokenKind::Comma));
        if !starts || bracket.clause != Clause::Value {
            return Vec::new();
        }
        let mut found = spec
            .parameters
            .get(bracket.argument)
            .map(|parameter| self.words(parameter))
            .unwrap_or_default();
        found.extend(names(spec, bracket.argument));
        found
    }

    /// Returns the words that a parameter accepts.
    fn words(&self, parameter: &Parameter) -> Vec<Candidate> {
        let words = |words: &[&str]| -> Vec<Candidate> {
            words.iter().map(|word| Candidate::word(CandidateKind::Word, word, "")).collect()
        };
        match parameter.kind {
            ParameterKind::Unit => unit_words(),
            ParameterKind::Word(allowed) => words(allowed),
            ParameterKind::Bool => words(&["true", "false"]),
            ParameterKind::Span => words(&[
                "7 days",
                "30 days",
                "1 week",
                "1 month",
                "1 year",
                "last_week",
                "last_month",
                "last_year",
            ]),
            ParameterKind::Dimension => Candidate::dimensions(self),
            ParameterKind::DimensionOrPeriod => {
                let period = "The buckets of the request.";
                let period = Candidate::word(CandidateKind::Period, "period", period);
                Candidate::dimensions(self).into_iter().chain([period]).collect()
            }
            ParameterKind::Currency => self.currencies(),
            ParameterKind::Period => periods(),
            ParameterKind::Any
            | ParameterKind::Quantity
            | ParameterKind::Number
            | ParameterKind::Text
            | ParameterKind::Date
            | ParameterKind::Duration
            | ParameterKind::List => Vec::new(),
        }
    }
}

/// Returns the named arguments from the one at the cursor on.
fn names(spec: &'static FunctionSpec, from: usize) -> Vec<Candidate> {
    let optional = spec.parameters.iter().skip(from);
    let optional = optional.filter(|parameter| matches!(parameter.presence, Presence::Optional(_)));
    optional
        .map(|parameter| Candidate {
            insert: format!("{}: ", parameter.name),
            detail: Some(spec.signature.to_owned()),
            ..Candidate::new(CandidateKind::Argument, parameter.name)
        })
        .collect()
}

fn unit_words() -> Vec<Candidate> {
    let words = ["day", "week", "month", "quarter", "year", "hour"];
    words.iter().map(|word| Candidate::word(CandidateKind::Word, word, "")).collect()
}
