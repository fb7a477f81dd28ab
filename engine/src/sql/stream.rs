//! Rows brought here, where a database cannot compute an aggregate as the evaluator does: the
//! needed columns of the needed tables become rows in memory, and the evaluator scans them.

use std::collections::BTreeSet;

use super::compile::{Compiler, From};
use super::database::Database;
use super::nested::where_all;
use super::ranges;
use super::read::{self, ColumnType};
use super::select::AtomRef;
use super::term::Compiled;
use crate::check::{Atom, Kind, NodeId, children};
use crate::data::{Data, Table, linked};
use crate::evaluate::{Context, Evaluator, GroupKey, Owner, Part};
use crate::schema::{Columns, FieldId, Path, SourceId, link_chain};
use crate::types::Value;

/// The columns that rows in memory need, by source.
#[derive(Debug, Default)]
struct RequiredColumns {
    columns: Columns,
    /// Whether an aggregate inside rows looks at other periods than the frame's.
    by_row: bool,
}

/// The answers of one site over rows brought here.
pub(super) fn cells(
    database: &Database<'_>,
    evaluator: &mut Evaluator<'_>,
    site: AtomRef<'_>,
    frame: usize,
) -> Compiled<Vec<Value>> {
    let Some(place) = evaluator.frame(frame).cloned() else { return Ok(Vec::new()) };
    let mut needs = RequiredColumns::default();
    needs.atom(evaluator, (site.owner, site.atom), frame);
    for key in &place.groups.keys {
        needs.key(evaluator, site.atom.source, key);
    }
    let data = rows(database, evaluator, (site.atom, frame), &needs)?;
    let context = Context { data: Some(&data), ..evaluator.context };
    let mut own = Evaluator::new(context, evaluator.asked());
    let inner = own.adopt(place);
    let values = own.scanned(site.owner, site.atom, inner);
    let findings = std::mem::take(&mut own.findings);
    for finding in findings {
        evaluator.report(finding);
    }
    Ok(values)
}

/// The group tuples of one atom over rows brought here.
pub(super) fn groups(
    database: &Database<'_>,
    evaluator: &mut Evaluator<'_>,
    (owner, atom): (Owner, &Atom),
    (frame, keys): (usize, &[GroupKey]),
) -> Compiled<Vec<Vec<Part>>> {
    let Some(place) = evaluator.frame(frame).cloned() else { return Ok(Vec::new()) };
    let mut needs = RequiredColumns::default();
    needs.atom(evaluator, (owner, atom), frame);
    for key in keys {
        needs.key(evaluator, atom.source, key);
    }
    let data = rows(database, evaluator, (atom, frame), &needs)?;
    let context = Context { data: Some(&data), ..evaluator.context };
    let mut own = Evaluator::new(context, evaluator.asked());
    let inner = own.adopt(place);
    let tuples = own.scanned_groups(owner, atom, (inner, keys));
    let findings = std::mem::take(&mut own.findings);
    for finding in findings {
        evaluator.report(finding);
    }
    Ok(tuples)
}

impl RequiredColumns {
    /// A path: its field, and the fields that its links go by.
    fn path(&mut self, evaluator: &Evaluator<'_>, source: SourceId, path: &Path) {
        self.columns.path(evaluator.context.schema, source, path);
    }

    fn key(&mut self, evaluator: &Evaluator<'_>, source: SourceId, key: &GroupKey) {
        if let GroupKey::Columns(key) = key {
            for (of, path) in &key.columns {
                if *of == source {
                    self.path(evaluator, source, path);
                }
            }
        }
    }

    fn atom(&mut self, evaluator: &Evaluator<'_>, (owner, atom): (Owner, &Atom), frame: usize) {
        let schema = evaluator.context.schema;
        self.columns.source(atom.source);
        if let Some(key) = schema.source_at(atom.source).and_then(|source| source.key) {
            self.columns.field(atom.source, key);
        }
        if let Some(date) = &atom.date {
            self.path(evaluator, atom.source, date);
        }
        let conditions = evaluator.atom_conditions((owner, atom), frame);
        let own = [atom.value, atom.condition].into_iter().flatten().map(|id| (owner, id));
        for (owner, id) in conditions.into_iter().chain(own) {
            self.node(evaluator, (owner, id), (atom.source, frame));
        }
    }

    fn node(
        &mut self,
        evaluator: &Evaluator<'_>,
        (owner, id): (Owner, NodeId),
        (source, frame): (SourceId, usize),
    ) {
        let mut stack = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match evaluator.node(owner, id).map(|node| &node.kind) {
                Some(Kind::Column(path)) => self.path(evaluator, source, path),
                Some(Kind::PerRow(inner)) => {
                    self.by_row = true;
                    self.inner(evaluator, (owner, *inner), (source, frame));
                }
                Some(Kind::Outer(_)) | None => {}
                Some(kind) => stack.extend(children(kind)),
            }
        }
    }

    /// What the atoms of an aggregate inside a row need, and the links from their rows to the row.
    /// The checker bounds how deep they are nested.
    fn inner(
        &mut self,
        evaluator: &Evaluator<'_>,
        (owner, id): (Owner, NodeId),
        (entity, frame): (SourceId, usize),
    ) {
        let schema = evaluator.context.schema;
        let mut stack = vec![(owner, id)];
        let mut seen = BTreeSet::new();
        while let Some((owner, id)) = stack.pop() {
            if !seen.insert((owner, id)) {
                continue;
            }
            match evaluator.node(owner, id).map(|node| &node.kind) {
                Some(Kind::Atom(atom)) => {
                    self.atom(evaluator, (owner, atom), frame);
                    let chain = link_chain(schema, atom.source, entity).unwrap_or_default();
                    let key = schema.source_at(entity).and_then(|source| source.key);
                    if let Some(field) = key {
                        self.path(evaluator, atom.source, &Path { links: chain, field });
                    }
                }
                Some(Kind::Metric(metric)) => {
                    let owner = Owner::Metric(metric.0);
                    stack.extend(evaluator.typed(owner).map(|typed| (owner, typed.root)));
                }
                Some(Kind::Scoped { value, conditions }) => {
                    stack.push((owner, *value));
                    for (source, condition) in conditions {
                        self.node(evaluator, (owner, *condition), (*source, frame));
                    }
                }
                Some(kind) => {
                    stack.extend(children(kind).into_iter().map(|child| (owner, child)));
                }
                None => {}
            }
        }
    }
}

/// The needed columns as rows in memory.
fn rows(
    database: &Database<'_>,
    evaluator: &mut Evaluator<'_>,
    (atom, frame): (&Atom, usize),
    needs: &RequiredColumns,
) -> Compiled<Data> {
    let schema = evaluator.context.schema;
    let rates = evaluator.rates().cloned().unwrap_or_default();
    let mut tables = Vec::new();
    for (source, fields) in &needs.columns.fields {
        let fields: Vec<FieldId> = fields.iter().copied().collect();
        // Whoever aggregates inside rows looks at rows of other periods too.
        let whole = *source != atom.source || needs.by_row;
        let placed = if whole { None } else { Some((atom, frame)) };
        tables.push(table(database, evaluator, (*source, &fields), placed)?);
    }
    let mut data = linked(schema, tables, rates).map_err(|error| {
        super::term::CompileFailure::Fail(Box::new(super::finding(&error.to_string())))
    })?;
    data.given.fill(true);
    data.is_store = true;
    Ok(data)
}

/// One table: all of its rows, or those of the periods that a frame has.
fn table(
    database: &Database<'_>,
    evaluator: &mut Evaluator<'_>,
    (source, fields): (SourceId, &[FieldId]),
    placed: Option<(&Atom, usize)>,
) -> Compiled<Table> {
    let schema = evaluator.context.schema;
    let mut compiler = Compiler::new(database, evaluator, vec![0]);
    let mut from = From::new(source);
    let mut columns = Vec::with_capacity(fields.len());
    let mut shapes = Vec::with_capacity(fields.len());
    for field in fields {
        let term = compiler.column(&mut from, &Path::field(*field))?;
        columns.push(term.nullable().unwrap_or("NULL").to_owned());
        shapes.extend(ColumnType::of(&term));
    }
    let mut conditions = Vec::new();
    if let Some((atom, frame)) = placed
        && let Some(date) = &atom.date
    {
        let plain = compiler.evaluator.whole_frame(frame);
        let ranges = ranges::of(&mut compiler, atom, plain)?;
        conditions.extend(ranges::union(&mut compiler, &mut from, date, &ranges)?);
    }
    let select = if columns.is_empty() { "1".to_owned() } else { columns.join(", ") };
    let tables = compiler.from(&from, false)?;
    let order = if columns.is_empty() { "" } else { "\nORDER BY " };
    let body =
        format!("SELECT {select}\n{tables}{}{order}{}", where_all(&conditions), columns.join(", "));
    let query = compiler.statement.finish(&body);
    let rows = database.ask(&query)?;
    let columns_read: Vec<(FieldId, ColumnType)> = fields.iter().copied().zip(shapes).collect();
    read::table(schema, source, &columns_read, &rows)
}
