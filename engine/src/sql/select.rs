//! SELECT statements for aggregates; those with the same source, date and frame share one.

use super::compile::{Compiler, FromClause, RowContext};
use super::database::Database;
use super::measure::AggregateColumns;
use super::nested::where_all;
use super::query::SqlValue;
use super::ranges::{self, BucketRows};
use super::read::{ColumnType, misread, whole};
use super::term::{CompileFailure, Compiled, Term};
use crate::check::{Atom, NodeId};
use crate::evaluate::{Evaluation, FrameId, GroupKey, GroupValue, Groups, Owner, too_much_memory};
use crate::schema::SourceId;
use crate::source::Span;
use crate::types::{Reason, Value};

/// Limit: buckets of one statement; more need several statements.
const MAX_BUCKETS: usize = 1_000;

#[derive(Debug, Clone, Copy)]
pub(super) struct AtomRef<'s> {
    pub(super) owner: Owner,
    pub(super) id: NodeId,
    pub(super) atom: &'s Atom,
}

/// A compiled statement, with the layout of its rows.
#[derive(Debug)]
pub(super) struct SelectStatement {
    pub(super) body: String,
    /// By atom, the positions of its columns after the keys; equal columns are shared.
    pub(super) places: Vec<Vec<usize>>,
    pub(super) head: KeyColumns,
}

/// The leading columns of every row: its bucket and its keys.
#[derive(Debug)]
pub(super) struct KeyColumns {
    /// `b.i` and the keys, for SELECT and for GROUP BY.
    pub(super) columns: Vec<String>,
    pub(super) keys: Vec<ColumnType>,
    pub(super) per_bucket: bool,
}

impl Compiler<'_, '_> {
    /// Compiles the columns of the grouping keys; `None` if the source lacks one.
    pub(super) fn keys(
        &mut self,
        from: &mut FromClause,
        keys: &[GroupKey],
    ) -> Compiled<Option<(Vec<String>, Vec<ColumnType>)>> {
        let mut columns = Vec::with_capacity(keys.len());
        let mut shapes = Vec::with_capacity(keys.len());
        for key in keys {
            let key = match key {
                GroupKey::Columns(key) => key,
                GroupKey::Expression { .. } => {
                    return Err(CompileFailure::Stream("groups of an expression"));
                }
                GroupKey::RowOf(_) => return Ok(None),
            };
            let path = key.columns.iter().find(|(source, _)| *source == from.source);
            let Some((_, path)) = path else { return Ok(None) };
            let term = self.column(from, path)?;
            let shape = ColumnType::of(&term);
            if let (Some(text), Some(shape)) = (term.nullable(), shape) {
                columns.push(text.to_owned());
                shapes.push(shape);
            }
        }
        Ok(Some((columns, shapes)))
    }

    pub(super) fn head(&mut self, columns: Vec<String>, keys: Vec<ColumnType>) -> KeyColumns {
        let per_bucket = self.statement.is_per_bucket();
        let bucket = per_bucket.then(|| "b.i".to_owned());
        KeyColumns { columns: bucket.into_iter().chain(columns).collect(), keys, per_bucket }
    }
}

/// Computes the answers of each atom, by bucket, then by group.
pub(super) fn cells(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    sites: &[AtomRef<'_>],
    frame: FrameId,
    in_halves: bool,
) -> Compiled<Vec<Vec<Value>>> {
    let Some(first) = sites.first() else { return Ok(Vec::new()) };
    let Some(place) = evaluation.frame(frame).cloned() else { return Ok(Vec::new()) };
    let plain = evaluation.frames_mut().ungrouped(frame);
    let mut compiler = Compiler::new(database, evaluation, Vec::new());
    let ranges = ranges::of(&mut compiler, first.atom, plain)?;
    let groups = std::rc::Rc::clone(&place.groups);
    let count = groups.tuples.len();
    let mut answers: Vec<Vec<Value>> = Vec::new();
    let filled = ranges::filled(&ranges);
    let mut chunks: Vec<&[usize]> = filled.chunks(MAX_BUCKETS).collect();
    if chunks.is_empty() {
        // For the answers over no rows.
        chunks.push(&[]);
    }
    for buckets in chunks {
        let mut compiler = Compiler::new(database, evaluation, buckets.to_vec());
        let (selected, measures) =
            selected(&mut compiler, sites, (plain, &groups), (&ranges, in_halves))?;
        if answers.is_empty() {
            let unknown = |measure: &AggregateColumns| blank(&ranges, count, &measure.empty());
            answers = measures.iter().map(unknown).collect();
        }
        let (Some(selected), false) = (selected, buckets.is_empty()) else { continue };
        let query = compiler.statement.finish(&selected.body);
        let reader = Reader { selected: &selected, buckets, groups: &groups };
        database.each_row(&query, |row| {
            let (cells, rest) = reader.places(row)?;
            let answered = measures.iter().zip(&selected.places).zip(&mut answers);
            for ((measure, places), answers) in answered {
                let own: Vec<SqlValue> =
                    places.iter().filter_map(|place| rest.get(*place).cloned()).collect();
                let value = measure.answer(&own)?;
                for cell in &cells {
                    if let Some(slot) = answers.get_mut(*cell) {
                        slot.clone_from(&value);
                    }
                }
            }
            Ok(())
        })?;
    }
    Ok(answers)
}

/// Returns whether an atom can share a statement.
pub(super) fn compiles(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    site: AtomRef<'_>,
    frame: FrameId,
) -> bool {
    let plain = evaluation.frames_mut().ungrouped(frame);
    let mut compiler = Compiler::new(database, evaluation, vec![0]);
    let (groups, range) = (Groups::whole(), BucketRows::Dated { from: None, to: 0 });
    selected(&mut compiler, &[site], (plain, &groups), (&[range], false)).is_ok()
}

/// Returns the answers over no rows, and the reasons of buckets without an answer.
pub(super) fn blank(ranges: &[BucketRows], count: usize, empty: &Value) -> Vec<Value> {
    let of = |range: &BucketRows| match range {
        BucketRows::Uncovered => Value::missing(Reason::NoCoverage),
        BucketRows::Stateless => Value::missing(Reason::NoRows),
        BucketRows::All | BucketRows::Dated { .. } => empty.clone(),
    };
    ranges.iter().flat_map(|range| std::iter::repeat_n(of(range), count)).collect()
}

/// Compiles one statement for all atoms, and their aggregate columns; no statement if no row has
/// the keys.
fn selected(
    compiler: &mut Compiler<'_, '_>,
    sites: &[AtomRef<'_>],
    (frame, groups): (FrameId, &Groups),
    (ranges, in_halves): (&[BucketRows], bool),
) -> Compiled<(Option<SelectStatement>, Vec<AggregateColumns>)> {
    let Some(first) = sites.first() else { return Err(CompileFailure::Stream("nothing")) };
    let mut from = FromClause::new(first.atom.source);
    let keys = compiler.keys(&mut from, &groups.keys)?;
    let mut conditions = ranges::condition(compiler, &mut from, first.atom, ranges)?;
    let mut own: Vec<Vec<String>> = Vec::with_capacity(sites.len());
    for site in sites {
        let conditions = compiler.evaluation.conditions(site.owner, site.atom, frame);
        own.push(compiler.conditions(&mut from, conditions, frame)?);
    }
    let shared: Vec<String> = own.first().map_or_else(Vec::new, |texts| {
        let everywhere = |text: &&String| own.iter().all(|texts| texts.contains(text));
        texts.iter().filter(everywhere).cloned().collect()
    });
    let mut measures = Vec::with_capacity(sites.len());
    for (site, texts) in sites.iter().zip(&own) {
        let case: Vec<String> =
            texts.iter().filter(|text| !shared.contains(text)).cloned().collect();
        let at = RowContext { owner: site.owner, frame };
        measures.push(AggregateColumns::of(
            compiler,
            &mut from,
            (at, site.atom),
            &case,
            in_halves,
        )?);
    }
    conditions.extend(shared);
    let Some((columns, shapes)) = keys else { return Ok((None, measures)) };
    let head = compiler.head(columns, shapes);
    let tables = compiler.from(&from, head.per_bucket)?;
    let (listed, places) = listed(&measures);
    let select: Vec<&str> = head.columns.iter().map(String::as_str).chain(listed).collect();
    let by = if head.columns.is_empty() {
        String::new()
    } else {
        format!("\nGROUP BY {}", head.columns.join(", "))
    };
    let body = format!("SELECT {}\n{tables}{}{by}", select.join(",\n    "), where_all(&conditions));
    Ok((Some(SelectStatement { body, places, head }), measures))
}

/// Deduplicates the columns and returns the positions for each aggregate.
fn listed(measures: &[AggregateColumns]) -> (Vec<&str>, Vec<Vec<usize>>) {
    let mut listed: Vec<&str> = Vec::new();
    let mut places = Vec::with_capacity(measures.len());
    for measure in measures {
        let mut own = Vec::with_capacity(measure.columns.len());
        for column in &measure.columns {
            let known = listed.iter().position(|known| known == column);
            own.push(known.unwrap_or(listed.len()));
            if known.is_none() {
                listed.push(column);
            }
        }
        places.push(own);
    }
    (listed, places)
}

/// Maps the rows of a result to cells.
pub(super) struct Reader<'r> {
    pub(super) selected: &'r SelectStatement,
    pub(super) buckets: &'r [usize],
    pub(super) groups: &'r Groups,
}

impl Reader<'_> {
    /// Returns the cells that a row answers, and the row without bucket and keys.
    pub(super) fn places<'w>(&self, row: &'w [SqlValue]) -> Compiled<(Vec<usize>, &'w [SqlValue])> {
        let lost = || misread("a row of that length");
        let (buckets, row) = if self.selected.head.per_bucket {
            let (bucket, row) = row.split_first().ok_or_else(lost)?;
            let bucket = usize::try_from(whole(bucket)?).ok();
            let bucket = bucket.and_then(|bucket| self.buckets.get(bucket)).copied();
            (bucket.into_iter().collect(), row)
        } else {
            (self.buckets.to_vec(), row)
        };
        let (keys, rest) = row.split_at_checked(self.selected.head.keys.len()).ok_or_else(lost)?;
        let tuple = tuple(&self.selected.head.keys, keys)?;
        let count = self.groups.tuples.len();
        let group = self.groups.find(&tuple);
        let cells = buckets.iter().filter_map(|bucket| {
            group.map(|group| bucket.saturating_mul(count).saturating_add(group))
        });
        Ok((cells.collect(), rest))
    }
}

fn tuple(shapes: &[ColumnType], cells: &[SqlValue]) -> Compiled<Vec<GroupValue>> {
    shapes.iter().zip(cells).map(|(shape, cell)| Ok(GroupValue::of(&shape.value(cell)?))).collect()
}

/// Returns the key tuples of the rows within the ranges of a frame.
pub(super) fn groups(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    (owner, atom): (Owner, &Atom),
    (frame, keys): (FrameId, &[GroupKey]),
) -> Compiled<Vec<Vec<GroupValue>>> {
    let plain = evaluation.frames_mut().ungrouped(frame);
    let mut compiler = Compiler::new(database, evaluation, vec![0]);
    let ranges = ranges::of(&mut compiler, atom, plain)?;
    let mut from = FromClause::new(atom.source);
    let Some((columns, shapes)) = compiler.keys(&mut from, keys)? else { return Ok(Vec::new()) };
    if !ranges.iter().any(BucketRows::has_answers) {
        return Ok(Vec::new());
    }
    let mut conditions = Vec::new();
    if let Some(date) = &atom.date {
        conditions.extend(ranges::union(&mut compiler, &mut from, date, &ranges)?);
    }
    let place = compiler.evaluation.frame(frame);
    let standing = place.map_or_else(Vec::new, |place| place.standing_conditions(owner, atom));
    conditions.extend(compiler.conditions(&mut from, standing, plain)?);
    let tables = compiler.from(&from, false)?;
    let columns = columns.join(", ");
    // Not `SELECT DISTINCT`, for which SQLite reads every row of a joined subquery.
    let body = format!("SELECT {columns}\n{tables}{}\nGROUP BY {columns}", where_all(&conditions));
    let query = compiler.statement.finish(&body);
    // Atoms that differ only in their own conditions have the same groups.
    let key = format!("{}\n{:?}", query.text, query.values);
    if let Some(known) = evaluation.pushdown_mut().known_tuples(&key) {
        return Ok(known.clone());
    }
    let limit = evaluation.context().limits.max_cells;
    let mut tuples: Vec<Vec<GroupValue>> = Vec::new();
    database.each_row(&query, |row| {
        if tuples.len() >= limit {
            let message = format!("more than {limit} groups at once");
            let finding = too_much_memory(message, Span::default());
            return Err(CompileFailure::Fail(Box::new(finding)));
        }
        tuples.push(tuple(&shapes, row)?);
        Ok(())
    })?;
    evaluation.pushdown_mut().keep_tuples(key, &tuples);
    Ok(tuples)
}

/// Returns the first and the last stored date of a source.
pub(super) fn extent(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    source: SourceId,
    date: &crate::schema::Path,
) -> Compiled<Option<(i64, i64)>> {
    let calendar = evaluation.context().calendar;
    let mut compiler = Compiler::new(database, evaluation, vec![0]);
    let clock = ranges::clock(&compiler, source, date)?;
    let mut from = FromClause::new(source);
    let column = compiler.column(&mut from, date)?;
    let (Term::Instant(text, _) | Term::Day(text)) = &column else { return Ok(None) };
    let tables = compiler.from(&from, false)?;
    let query = compiler.statement.finish(&format!("SELECT min({text}), max({text})\n{tables}"));
    let rows = database.rows(&query)?;
    let Some([first, last]) = rows.first().map(Vec::as_slice) else { return Ok(None) };
    if *first == SqlValue::Null {
        return Ok(None);
    }
    let micros = |cell: &SqlValue| -> Compiled<Option<i64>> {
        let value = i64::try_from(whole(cell)?).unwrap_or(i64::MAX);
        Ok(clock.microsecond(value, calendar))
    };
    Ok(micros(first)?.zip(micros(last)?))
}
