//! The rows that an aggregate counts, read a page at a time.

use super::compile::{Compiler, FromClause, RowContext};
use super::database::Database;
use super::nested::where_all;
use super::query::SqlValue;
use super::ranges::{self, BucketRows};
use super::read::{ColumnType, count};
use super::term::{CompileFailure, Compiled, Term};
use crate::check::{Atom, Kind};
use crate::diagnostics::Diagnostic;
use crate::evaluate::{Evaluation, FrameId, NodeRef};
use crate::schema::Path;
use crate::types::{Reason, Value};

/// A run of rows in the order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowsPage {
    /// The rows to skip.
    pub offset: u32,
    /// The most rows to read.
    pub limit: u32,
}

/// The rows of an aggregate: how many there are, and the cells of a page of them.
#[derive(Debug, Default)]
pub(crate) struct ReadRows {
    pub(crate) count: u64,
    pub(crate) rows: Vec<RowCells>,
}

/// The cells of a row by which a person finds it; missing where the source has no such column.
#[derive(Debug)]
pub(crate) struct RowCells {
    pub(crate) key: Value,
    pub(crate) date: Value,
    /// What the aggregate reads of it.
    pub(crate) value: Value,
    /// By link of the source.
    pub(crate) links: Vec<Value>,
}

/// Reads a page of the rows that an aggregate counts in a frame, the newest first. The inner error is the operation for which
/// the database cannot find them.
pub(crate) fn rows(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    (node, frame): (NodeRef, FrameId),
    page: RowsPage,
) -> Result<Result<ReadRows, &'static str>, Diagnostic> {
    match read(database, evaluation, (node, frame), page) {
        Ok(read) => Ok(Ok(read)),
        Err(CompileFailure::Stream(reason)) => Ok(Err(reason)),
        Err(CompileFailure::Fail(finding)) => Err(*finding),
    }
}

fn read(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    (node, frame): (NodeRef, FrameId),
    page: RowsPage,
) -> Compiled<ReadRows> {
    let Some(Kind::Atom(atom)) = evaluation.context().kind(node) else {
        return Ok(ReadRows::default());
    };
    let frame = evaluation.frames_mut().ungrouped(frame);
    let mut compiler = Compiler::new(database, evaluation, vec![0]);
    let ranges = ranges::of(&mut compiler, atom, frame)?;
    if !ranges.iter().any(BucketRows::has_answers) {
        return Ok(ReadRows::default());
    }
    let mut from = FromClause::new(atom.source);
    let conditions = compiler.row_conditions(&mut from, (node.owner, atom, frame), &ranges)?;
    let conditions = where_all(&conditions);
    let tables = compiler.from(&from, false)?;
    // The columns of the page are added to the statement only after it has counted.
    let counting = compiler.statement.clone();
    let found =
        database.rows(&counting.finish(&format!("SELECT count(*)\n{tables}{conditions}")))?;
    let cell = found.first().and_then(|row| row.first()).unwrap_or(&SqlValue::Null);
    let count = count(cell)?;
    let rows = listed(compiler, from, &conditions, (node, frame, atom), page)?;
    Ok(ReadRows { count, rows })
}

fn listed(
    mut compiler: Compiler<'_, '_>,
    mut from: FromClause,
    conditions: &str,
    (node, frame, atom): (NodeRef, FrameId, &Atom),
    page: RowsPage,
) -> Compiled<Vec<RowCells>> {
    let source = compiler.schema().source_at(atom.source);
    let key = source.and_then(|source| source.key).map(Path::field);
    let links = source.map_or(&[][..], |source| &source.links);
    let links = links.iter().map(|link| Some(Path::field(link.by)));
    let paths: Vec<Option<Path>> = [key, atom.date.clone()].into_iter().chain(links).collect();
    let mut columns = Columns::default();
    for path in paths {
        let term = path.map(|path| compiler.column(&mut from, &path)).transpose()?;
        columns.add(term.as_ref());
    }
    // A value that the database does not compute for each row is not shown.
    let at = RowContext { owner: node.owner, frame };
    let value = atom.value.and_then(|value| compiler.term(&mut from, at, value).ok());
    let is_whole = |term: &&Term| !matches!(term, Term::Number(own) if !own.beside.is_zero());
    columns.add(value.as_ref().filter(is_whole));
    let tables = compiler.from(&from, false)?;
    let [select, order] = [columns.texts.join(", "), columns.order()];
    let RowsPage { offset, limit } = page;
    let body =
        format!("SELECT {select}\n{tables}{conditions}{order}\nLIMIT {limit} OFFSET {offset}");
    let found = compiler.database.rows(&compiler.statement.finish(&body))?;
    found.iter().map(|row| columns.cells(row)).collect()
}

/// The columns of a page: the key, the date, the key of each linked row, the value.
#[derive(Debug, Default)]
struct Columns {
    texts: Vec<String>,
    shapes: Vec<Option<ColumnType>>,
}

impl Columns {
    /// Adds a column; NULL if it does not exist.
    fn add(&mut self, term: Option<&Term>) {
        let shape = term.and_then(ColumnType::of);
        let text = term.and_then(Term::nullable).filter(|_| shape.is_some());
        self.texts.push(text.unwrap_or("NULL").to_owned());
        self.shapes.push(shape);
    }

    /// Orders by the date, the newest first, and then by the key, so that pages do not overlap.
    fn order(&self) -> String {
        let by = |(index, direction): (usize, &str)| {
            (*self.shapes.get(index)?)?;
            Some(format!("{}{direction}", self.texts.get(index)?))
        };
        let by: Vec<String> = [(1, " DESC"), (0, "")].into_iter().filter_map(by).collect();
        if by.is_empty() { String::new() } else { format!("\nORDER BY {}", by.join(", ")) }
    }

    fn cells(&self, row: &[SqlValue]) -> Compiled<RowCells> {
        let mut values = Vec::with_capacity(self.shapes.len());
        for (shape, cell) in self.shapes.iter().zip(row) {
            values.push(match shape {
                Some(shape) => shape.value(cell)?,
                None => Value::missing(Reason::NullValue),
            });
        }
        let mut next = values.into_iter();
        let mut take = || next.next().unwrap_or(Value::missing(Reason::NullValue));
        let (key, date) = (take(), take());
        let links = (3..self.shapes.len()).map(|_| take()).collect();
        Ok(RowCells { key, date, value: take(), links })
    }
}
