//! Streaming: for an aggregate that a database cannot compute as the evaluator does, the needed
//! columns of the needed tables become rows in memory, and the evaluator scans them.

use std::collections::BTreeSet;

use super::compile::{Compiler, FromClause};
use super::database::Database;
use super::nested::where_all;
use super::ranges;
use super::read::{self, ColumnType};
use super::select::AtomRef;
use super::term::{CompileFailure, Compiled};
use crate::check::{AggregateFunction, Atom, Kind, NodeId, children, descend_in_row};
use crate::data::{Data, Table, linked};
use crate::evaluate::{Evaluation, FrameId, GroupKey, GroupValue, NodeRef, Owner};
use crate::schema::{Columns, FieldId, Path, SourceId, link_chain};
use crate::types::Value;

#[derive(Debug, Default)]
struct RequiredColumns {
    columns: Columns,
    /// Whether an aggregate inside rows reads periods other than the frame's.
    by_row: bool,
}

/// Computes the answers of one atom over streamed rows.
pub(super) fn cells(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    site: AtomRef<'_>,
    frame: FrameId,
) -> Compiled<Vec<Value>> {
    let AtomRef { owner, atom, .. } = site;
    let Some(place) = evaluation.frame(frame).cloned() else { return Ok(Vec::new()) };
    let data = rows(database, evaluation, (owner, atom), (frame, &place.groups.keys))?;
    Ok(evaluation.scan_over(&data, owner, atom, frame))
}

/// Returns the group tuples of one atom over streamed rows.
pub(super) fn groups(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    (owner, atom): (Owner, &Atom),
    (frame, keys): (FrameId, &[GroupKey]),
) -> Compiled<Vec<Vec<GroupValue>>> {
    let data = rows(database, evaluation, (owner, atom), (frame, keys))?;
    Ok(evaluation.tuples_over(&data, owner, atom, (frame, keys)))
}

impl RequiredColumns {
    /// Requires the field of a path and the fields of its links.
    fn path(&mut self, evaluation: &dyn Evaluation<'_>, source: SourceId, path: &Path) {
        self.columns.path(evaluation.context().schema, source, path);
    }

    fn key(
        &mut self,
        evaluation: &mut dyn Evaluation<'_>,
        source: SourceId,
        frame: FrameId,
        key: &GroupKey,
    ) {
        if let Some(root) = key.root(source) {
            self.node(evaluation, (root.owner, root.id), (source, frame));
        }
        if let GroupKey::Columns(key) = key {
            for (of, path) in &key.columns {
                if *of == source {
                    self.path(evaluation, source, path);
                }
            }
        }
    }

    fn atom(
        &mut self,
        evaluation: &mut dyn Evaluation<'_>,
        owner: Owner,
        atom: &Atom,
        frame: FrameId,
    ) {
        let schema = evaluation.context().schema;
        self.columns.source(atom.source);
        // A row's key is as long as the rest of it, and only decides which of two rows at one instant is the first.
        let is_ordered =
            matches!(atom.function, AggregateFunction::First | AggregateFunction::Last);
        let key = schema.source_at(atom.source).and_then(|source| source.key);
        if let Some(key) = key.filter(|_| is_ordered) {
            self.columns.field(atom.source, key);
        }
        if let Some(date) = &atom.date {
            self.path(evaluation, atom.source, date);
        }
        let conditions = evaluation.conditions(owner, atom, frame);
        let own = [atom.value, atom.condition].into_iter().flatten();
        let own = own.map(|id| NodeRef { owner, id });
        for NodeRef { owner, id } in conditions.into_iter().chain(own) {
            self.node(evaluation, (owner, id), (atom.source, frame));
        }
    }

    fn node(
        &mut self,
        evaluation: &mut dyn Evaluation<'_>,
        (owner, id): (Owner, NodeId),
        (source, frame): (SourceId, FrameId),
    ) {
        let Some(typed) = evaluation.typed(owner) else { return };
        for node in descend_in_row(&typed.nodes, id) {
            match &node.kind {
                Kind::Column(path) => self.path(evaluation, source, path),
                Kind::PerRow(inner) => {
                    self.by_row = true;
                    let frame = evaluation.frames_mut().of_rows(frame);
                    self.inner(evaluation, (owner, *inner), (source, frame));
                }
                _ => {}
            }
        }
    }

    /// Requires the fields of the atoms of an aggregate inside a row, and the links from their rows
    /// to the row. The checker bounds the nesting.
    fn inner(
        &mut self,
        evaluation: &mut dyn Evaluation<'_>,
        (owner, id): (Owner, NodeId),
        (entity, frame): (SourceId, FrameId),
    ) {
        let schema = evaluation.context().schema;
        let mut stack = vec![(owner, id)];
        let mut seen = BTreeSet::new();
        while let Some((owner, id)) = stack.pop() {
            if !seen.insert(NodeRef { owner, id }) {
                continue;
            }
            match evaluation.node(owner, id).map(|node| &node.kind) {
                Some(Kind::Atom(atom)) => {
                    self.atom(evaluation, owner, atom, frame);
                    let chain = link_chain(schema, atom.source, entity).unwrap_or_default();
                    let key = schema.source_at(entity).and_then(|source| source.key);
                    if let Some(field) = key {
                        self.path(evaluation, atom.source, &Path { links: chain, field });
                    }
                }
                Some(Kind::Metric(metric)) => {
                    let owner = Owner::Metric(metric.0);
                    stack.extend(evaluation.typed(owner).map(|typed| (owner, typed.root)));
                }
                Some(Kind::Scoped { value, conditions }) => {
                    stack.push((owner, *value));
                    for (source, condition) in conditions {
                        self.node(evaluation, (owner, *condition), (*source, frame));
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

/// Reads the columns into memory that an atom with these keys requires.
fn rows(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    (owner, atom): (Owner, &Atom),
    (frame, keys): (FrameId, &[GroupKey]),
) -> Compiled<Data> {
    let mut needs = RequiredColumns::default();
    needs.atom(evaluation, owner, atom, frame);
    for key in keys {
        needs.key(evaluation, atom.source, frame, key);
    }
    let schema = evaluation.context().schema;
    let rates = evaluation.context().rates.cloned().unwrap_or_default();
    let mut tables = Vec::new();
    for (source, fields) in &needs.columns.fields {
        let fields: Vec<FieldId> = fields.iter().copied().collect();
        // Aggregates inside rows read rows of other periods too.
        let whole = *source != atom.source || needs.by_row;
        let placed = if whole { None } else { Some((atom, frame)) };
        tables.push(table(database, evaluation, *source, &fields, placed)?);
    }
    let mut data =
        linked(schema, tables, rates).map_err(|error| CompileFailure::fail(&error.to_string()))?;
    data.given.fill(true);
    data.is_store = true;
    Ok(data)
}

/// Reads one table: all of its rows, or those in the periods of a frame.
fn table(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    source: SourceId,
    fields: &[FieldId],
    placed: Option<(&Atom, FrameId)>,
) -> Compiled<Table> {
    let schema = evaluation.context().schema;
    let mut compiler = Compiler::new(database, evaluation, vec![0]);
    let mut from = FromClause::new(source);
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
        let plain = compiler.evaluation.frames_mut().ungrouped(frame);
        let ranges = ranges::of(&mut compiler, atom, plain)?;
        conditions.extend(ranges::union(&mut compiler, &mut from, date, &ranges)?);
    }
    let select = if columns.is_empty() { "1".to_owned() } else { columns.join(", ") };
    let tables = compiler.from(&from, false)?;
    let order = if columns.is_empty() { "" } else { "\nORDER BY " };
    let body =
        format!("SELECT {select}\n{tables}{}{order}{}", where_all(&conditions), columns.join(", "));
    let query = compiler.statement.finish(&body);
    let mut rows = read::Rows::new(fields.iter().copied().zip(shapes));
    database.each_row(&query, |row| rows.push(row))?;
    Ok(rows.table(schema, source))
}
