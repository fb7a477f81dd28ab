//! Renaming in formula files: in the declaration, in declarations that refer to it, in formulas and
//! in the records of examples.

use std::collections::BTreeSet;

use super::occurrences::occurrences;
use super::{FormulaSite, RenameError, RenameOutcome, Target, accepted};
use crate::diagnostics::Edit;
use crate::engine::Engine;
use crate::file::{
    DateSyntax, FormulaSource, ItemKind, Loaded, Located, PathSyntax, RowsOrigin, SourceSyntax,
    TypeSyntax, parse,
};
use crate::schema::{SourceId, same_name};
use crate::source::Span;
use crate::syntax::{Limits, TokenKind, tokens};

/// Returns the edits that rename something in loaded files, each with the index of its file, in
/// order of place. Comments, texts and layout stay unchanged, as do the headers of data files.
///
/// `from` is written as for [`Engine::rename`].
///
/// # Errors
/// As for [`Engine::rename`].
pub fn rename(loaded: &Loaded, from: &str, to: &str) -> Result<Vec<(usize, Edit)>, RenameError> {
    let (engine, _) = Engine::from_loaded(loaded);
    let target = accepted(&engine, from, to)?;
    let name = target.name(&engine).unwrap_or_default();
    let RenameOutcome { formulas, .. } = engine.rename(from, to)?;
    let mut edits: BTreeSet<(usize, Span, String)> = BTreeSet::new();
    for (site, own) in formulas {
        if let Some(source) = source_of(loaded, &site) {
            let place = |edit: Edit| (source.file, source.place(edit.span), edit.text);
            edits.extend(own.into_iter().map(place));
        }
    }
    for (index, file) in loaded.files.iter().enumerate() {
        let mut found = Declarations {
            engine: &engine,
            target,
            name: &name,
            text: &file.text,
            places: Vec::new(),
        };
        for item in parse(&file.text).0.items {
            found.item(&item.kind);
        }
        edits.extend(found.places.into_iter().map(|span| (index, span, to.to_owned())));
    }
    for metric in &loaded.metrics {
        for example in &metric.examples {
            let context = &example.context;
            let places = keys(&engine, &context.text, &name, target);
            let place = |span: Span| (context.file, context.place(span), to.to_owned());
            edits.extend(places.into_iter().map(place));
        }
    }
    Ok(edits.into_iter().map(|(file, span, text)| (file, Edit { span, text })).collect())
}

fn source_of<'l>(loaded: &'l Loaded, site: &FormulaSite) -> Option<&'l FormulaSource> {
    match site {
        FormulaSite::Metric(index) => loaded.metrics.get(*index).map(|metric| &metric.formula),
        FormulaSite::Population(index) => loaded.conditions.get(*index),
        FormulaSite::Column(source, field) => {
            let mut columns = loaded.computed.iter();
            let own = columns.find(|own| (own.source, own.field) == (*source, *field));
            own.map(|own| &own.formula)
        }
    }
}

/// The places of a name in the declarations of a file.
struct Declarations<'e> {
    engine: &'e Engine,
    target: Target,
    name: &'e str,
    text: &'e str,
    places: Vec<Span>,
}

impl Declarations<'_> {
    fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Metric(metric) => {
                self.note(&metric.key, matches!(self.target, Target::Metric(_)));
            }
            ItemKind::Placeholder { key, path, .. } => {
                self.note(key, matches!(self.target, Target::Placeholder(_)));
                self.path(path, None);
            }
            ItemKind::Input { name, data_type } => {
                self.note(name, matches!(self.target, Target::Input(_)));
                self.counted(data_type.span);
            }
            ItemKind::Population { name, source, .. } => {
                self.note(name, matches!(self.target, Target::Population(_)));
                self.source(source);
            }
            ItemKind::Dimension { name, columns } => {
                self.note(name, matches!(self.target, Target::Dimension(_)));
                for (source, path) in columns {
                    self.source(source);
                    self.path(path, self.engine.schema().source(&source.value));
                }
            }
            ItemKind::Source(source) => self.declared(source),
            ItemKind::Use(_) | ItemKind::Store(_) | ItemKind::Rates(_) => {}
        }
    }

    fn declared(&mut self, source: &SourceSyntax) {
        self.source(&source.name);
        let id = self.engine.schema().source(&source.name.value);
        for field in &source.fields {
            self.field(id, &field.name);
            self.counted(field.data_type.span);
            if let TypeSyntax::MoneyBy { currency, rate } = &field.data_type.value {
                for column in std::iter::once(currency).chain(rate) {
                    self.field(id, column);
                }
            }
        }
        for link in &source.links {
            self.link(id, &link.name);
            self.source(&link.target);
            self.field(id, &link.by);
        }
        if let Some(DateSyntax::Path(path)) = &source.date {
            self.path(path, id);
        }
        if let Some(RowsOrigin::Field(path)) = &source.origin {
            self.path(path, None);
        }
    }

    /// Renames the source in `count(orders)`.
    fn counted(&mut self, span: Span) {
        if matches!(self.target, Target::Source(_)) {
            let found = occurrences(span.slice(self.text), self.name, &Limits::DEFAULT);
            self.places.extend(found.into_iter().map(|place| place.shifted(span.start)));
        }
    }

    fn note(&mut self, name: &Located<String>, is_target: bool) {
        if is_target && same_name(&name.value, self.name) && !self.places.contains(&name.span) {
            self.places.push(name.span);
        }
    }

    fn source(&mut self, name: &Located<String>) {
        self.note(name, matches!(self.target, Target::Source(_)));
    }

    fn field(&mut self, source: Option<SourceId>, name: &Located<String>) {
        self.note(name, matches!(self.target, Target::Field(of, _) if Some(of) == source));
    }

    fn link(&mut self, source: Option<SourceId>, name: &Located<String>) {
        self.note(name, matches!(self.target, Target::Link(of, _) if Some(of) == source));
    }

    /// Follows a path from a source; without one, its first name is the source.
    fn path(&mut self, path: &PathSyntax, from: Option<SourceId>) {
        let mut at = from;
        let mut names = path.segments.iter();
        if at.is_none()
            && let Some(first) = names.next()
        {
            self.source(first);
            at = self.engine.schema().source(&first.value);
        }
        for name in names {
            self.field(at, name);
            self.link(at, name);
            at = at.and_then(|id| self.engine.link_target(id, &name.value));
        }
    }
}

/// Returns the places of a name in the keys of a record: `"aov"`, `"previous(aov)"`,
/// `"orders.total"`, and `"total"` in the rows of `"orders"`.
fn keys(engine: &Engine, json: &str, name: &str, target: Target) -> Vec<Span> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    // By depth: the source whose rows the objects there are.
    let mut sources: Vec<Option<SourceId>> = Vec::new();
    while let Some((start, end)) = next_text(json, at) {
        let between = json.get(at..start).unwrap_or_default();
        depth = depth.saturating_add(between.matches(['{', '[']).count());
        depth = depth.saturating_sub(between.matches(['}', ']']).count());
        at = end.saturating_add(1);
        let is_key = json.get(at..).is_some_and(|rest| rest.trim_start().starts_with(':'));
        let key = json.get(start..end).filter(|_| is_key).unwrap_or_default();
        let row = sources.get(depth).copied().flatten();
        if is_key {
            // Rows are objects in an array in the record, and a linked row is an object in its row.
            let (below, source) = if depth == 1 {
                (3, engine.schema().source(key))
            } else {
                (depth.saturating_add(1), row.and_then(|row| engine.link_target(row, key)))
            };
            sources.resize(below, None);
            sources.push(source);
        }
        for span in occurrences(key, name, &Limits::DEFAULT) {
            let before = key.get(..span.range().start).unwrap_or_default();
            let is_target = match target {
                Target::Field(source, _) | Target::Link(source, _) => {
                    let of = if depth < 3 { source_before(engine, before) } else { row };
                    of == Some(source)
                }
                _ => depth == 1 && !before.ends_with('.'),
            };
            if is_target {
                let shift = u32::try_from(start).unwrap_or(u32::MAX);
                found.push(span.shifted(shift));
            }
        }
    }
    found
}

/// Returns the source at the end of `orders.customer.`, in front of a column's name.
fn source_before(engine: &Engine, text: &str) -> Option<SourceId> {
    let text = text.strip_suffix('.')?;
    // The key of a column has names without brackets; any other key is a formula.
    let names: Vec<_> = text.split('.').collect();
    engine.source_along(&names, None).or_else(|| {
        let mut path = Vec::new();
        let mut tokens = tokens(text, &Limits::DEFAULT).into_iter().rev();
        while let Some(name) = tokens.next() {
            path.push(name.span.slice(text).trim_matches(['[', ']']));
            if tokens.next().is_none_or(|token| token.kind != TokenKind::Dot) {
                break;
            }
        }
        path.reverse();
        engine.source_along(&path, None)
    })
}

/// Returns the content of the next quoted text after an offset.
fn next_text(json: &str, from: usize) -> Option<(usize, usize)> {
    let start = from.saturating_add(json.get(from..)?.find('"')?).saturating_add(1);
    let mut is_escaped = false;
    for (index, letter) in json.get(start..)?.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some((start, start.saturating_add(index))),
            _ => {}
        }
    }
    None
}
