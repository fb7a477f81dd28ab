//! Where the values of aggregates come from, if not from rows in memory: a database that runs
//! queries, states that were kept, answers that were given before.
//!
//! A [`Supply`] is asked for one atom in one frame, and for nothing above it: windows, `per`,
//! division, currency of the whole and formats stay with the evaluator, so that an answer does not
//! depend on who supplied its atoms. What a supply gives must equal, to the last digit and with the
//! reason of every null, what a scan of the same rows gives.

use std::fmt;

use super::evaluator::{Cells, Context, Evaluator};
use super::frame::{Frame, GroupKey, Owner, Part};
use crate::check::{Atom, NodeId, TypedNode};
use crate::data::{Rates, Versions};
use crate::diagnostics::Diagnostic;
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Value};

/// What was supplied; `None` where the supply does not know, so that whoever stands behind it is
/// asked, and rows in memory last. A finding refuses the request.
pub(crate) type Supplied<T> = Result<Option<T>, Diagnostic>;

/// The first and the last instant of rows, in microseconds; `None` where no row has a date.
pub(crate) type Extent = Option<(i64, i64)>;

/// Gives the values of atoms without rows in memory.
///
/// Frames whose groups are the rows of an entity ([`Asking::is_by_row`]) number rows as they lie in
/// memory; a supply that does not know those numbers declines them.
pub(crate) trait Supply: fmt::Debug {
    /// One value for each bucket and group of the frame, bucket by bucket: as many as
    /// [`Asking::cell_count`].
    fn cells(&self, asking: &mut Asking<'_, '_>) -> Supplied<Vec<Value>>;

    /// The tuples of keys that rows of the atom's source have within the frame's periods, under the
    /// [standing conditions](Evaluator::standing_conditions), which are computed in the first bucket. Order and repetition
    /// do not matter.
    fn groups(&self, asking: &mut Asking<'_, '_>, keys: &[GroupKey]) -> Supplied<Vec<Vec<Part>>>;

    /// From the first to the last instant of a source's rows by a date.
    fn extent(&self, context: &Context<'_>, source: SourceId, date: &Path) -> Supplied<Extent>;

    /// Whether percentiles may be estimates.
    fn is_approximate(&self) -> bool {
        false
    }

    /// The versions of the rows, where the supply reads one state of them and knows which.
    fn versions(&self) -> Option<&Versions> {
        None
    }

    /// Exchange rates, where the supply brings them along.
    fn rates(&self) -> Option<&Rates> {
        None
    }
}

/// The question to a supply: an atom, where it is computed, and the evaluator that asks.
#[derive(Debug)]
pub(crate) struct Asking<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    pub(crate) owner: Owner,
    /// The node of the atom.
    pub(crate) id: NodeId,
    pub(crate) atom: &'e Atom,
    /// The frame by its number, which is the same for equal frames of one evaluation.
    pub(crate) frame: usize,
}

impl<'a> Asking<'_, 'a> {
    /// Schema, calendar, the present, metrics.
    pub(crate) fn context(&self) -> Context<'a> {
        self.evaluator.context
    }

    /// Buckets, groups, filters, currency and state.
    pub(crate) fn place(&self) -> Option<&Frame> {
        self.evaluator.frame(self.frame)
    }

    /// Whether rows of an entity, by their numbers in memory, are among the keys of the groups.
    pub(crate) fn is_by_row(&self) -> bool {
        let by_row = |key: &GroupKey| matches!(key, GroupKey::RowOf(_));
        self.place().is_some_and(|place| place.groups.keys.iter().any(by_row))
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.place().map_or(0, Frame::cell_count)
    }

    pub(crate) fn node(&self, owner: Owner, id: NodeId) -> Option<&'a TypedNode> {
        self.evaluator.node(owner, id)
    }

    /// The aggregate as it is written, in one line.
    pub(crate) fn text(&self) -> String {
        let typed = self.evaluator.typed(self.owner);
        let span = self.node(self.owner, self.id).map(|node| node.span);
        let text = typed.zip(span).map_or("", |(typed, span)| span.slice(&typed.text));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The fraction of a percentile.
    pub(crate) fn fraction(&mut self) -> Option<rust_decimal::Decimal> {
        self.evaluator.fraction(self.owner, self.atom, self.frame)
    }

    /// The evaluator, for what is computed in other frames than this one.
    pub(crate) fn evaluator(&mut self) -> &mut Evaluator<'a> {
        self.evaluator
    }

    /// Gives the cells of another atom in the same frame, before it is asked for.
    pub(crate) fn keep(&mut self, atom: (Owner, NodeId), cells: Vec<Value>) {
        self.evaluator.keep(atom, self.frame, cells);
    }

    /// Says how the cells came about, for whoever asks why.
    pub(crate) fn note(&mut self, lines: Vec<String>) {
        self.evaluator.note((self.owner, self.id), self.frame, lines);
    }
}

impl<'a> Evaluator<'a> {
    /// The cells of an atom from the supply, if there is one and it knows.
    ///
    /// Rows that a context record gives are nearer than any supply.
    pub(super) fn supplied(
        &mut self,
        (owner, id): (Owner, NodeId),
        atom: &Atom,
        frame: usize,
    ) -> Option<Cells> {
        let supply = self.supply_of(atom.source)?;
        let given = supply.cells(&mut Asking { evaluator: self, owner, id, atom, frame });
        let count = self.frame(frame).map_or(0, Frame::cell_count);
        match given {
            Ok(Some(cells)) if cells.len() == count => Some(Cells::new(cells)),
            Ok(Some(_)) => Some(self.same(frame, &Value::missing(Reason::NoRows))),
            Ok(None) => None,
            Err(finding) => {
                self.report(finding);
                Some(self.same(frame, &Value::missing(Reason::NoRows)))
            }
        }
    }

    /// The group tuples of an atom from the supply.
    pub(super) fn supplied_groups(
        &mut self,
        (owner, id): (Owner, NodeId),
        atom: &Atom,
        frame: usize,
        keys: &[GroupKey],
    ) -> Option<Vec<Vec<Part>>> {
        let supply = self.supply_of(atom.source)?;
        let given = supply.groups(&mut Asking { evaluator: self, owner, id, atom, frame }, keys);
        given.unwrap_or_else(|finding| {
            self.report(finding);
            Some(Vec::new())
        })
    }

    /// The extent of a source's rows from the supply.
    pub(crate) fn supplied_extent(&mut self, source: SourceId, date: &Path) -> Option<Extent> {
        let supply = self.supply_of(source)?;
        let given = supply.extent(&self.context, source, date);
        given.unwrap_or_else(|finding| {
            self.report(finding);
            Some(None)
        })
    }

    /// Whether percentiles may come as estimates.
    pub(crate) fn may_estimate(&self) -> bool {
        self.context.supply.is_some_and(Supply::is_approximate)
    }

    pub(super) fn supply_of(&self, source: SourceId) -> Option<&'a dyn Supply> {
        let supply = self.context.supply?;
        let recorded = self.context.record.is_some() && self.has_rows(source);
        (!recorded).then_some(supply)
    }

    /// Exchange rates, from the supply or beside the rows.
    pub(crate) fn rates(&self) -> Option<&'a Rates> {
        let supplied = self.context.supply.and_then(Supply::rates);
        supplied.or_else(|| self.data().map(|data| &data.rates))
    }

    pub(crate) fn report(&mut self, finding: Diagnostic) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}
