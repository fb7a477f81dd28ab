//! Queries data sources and answers their questions.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::aggregates::{AtomInFrame, without_unbegun};
use super::evaluator::Evaluator;
use crate::check::{Atom, Kind};
use crate::data::Data;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{BucketRef, FrameId, Frames, GroupKey, GroupValue, Series};
use crate::evaluate::scan::{GivenColumns, RowBatch};
use crate::evaluate::sources::{AggregateRequest, DataSource, Evaluation, Extent, Pushdown};
use crate::plan::{NodeRef, Owner};
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Value};

impl<'a> Evaluator<'a> {
    fn data_source_of(&self, source: SourceId) -> Option<&'a dyn DataSource> {
        self.sources.data_source.filter(|_| self.context.is_supplied(source))
    }

    /// Whether percentiles may be estimates.
    pub(crate) fn may_estimate(&self) -> bool {
        self.sources.data_source.is_some_and(DataSource::is_approximate)
    }

    /// The values of an atom from the data source, if there is one and it answers.
    pub(super) fn supplied(
        &mut self,
        node: NodeRef,
        atom: &Atom,
        frame: FrameId,
    ) -> Option<Series> {
        let source = self.data_source_of(atom.source)?;
        let NodeRef { owner, id } = node;
        let answer =
            source.cells(&mut AggregateRequest { evaluation: self, owner, id, atom, frame });
        let count = self.frames.cell_count(frame).unwrap_or(0);
        match answer {
            Ok(Some(values)) if values.len() == count => Some(Series::new(values)),
            Ok(Some(_)) => Some(self.frames.missing(frame, Reason::NoRows)),
            Ok(None) => None,
            Err(finding) => {
                self.log.report(finding);
                Some(self.frames.missing(frame, Reason::NoRows))
            }
        }
    }

    /// The group tuples of an atom from the data source.
    pub(super) fn supplied_groups(
        &mut self,
        node: NodeRef,
        atom: &Atom,
        frame: FrameId,
        keys: &[GroupKey],
    ) -> Option<Vec<Vec<GroupValue>>> {
        let source = self.data_source_of(atom.source)?;
        let NodeRef { owner, id } = node;
        let mut request = AggregateRequest { evaluation: self, owner, id, atom, frame };
        let answer = source.groups(&mut request, keys);
        answer.unwrap_or_else(|finding| {
            self.log.report(finding);
            Some(Vec::new())
        })
    }

    /// The extent of a source's rows from the data source.
    pub(crate) fn supplied_extent(&mut self, source: SourceId, date: &Path) -> Option<Extent> {
        let answer = self.data_source_of(source)?.extent(&self.context, source, date);
        answer.unwrap_or_else(|finding| {
            self.log.report(finding);
            Some(None)
        })
    }

    /// Runs a computation over other rows, with the frame and request unchanged.
    fn over<T>(
        &mut self,
        data: &Data,
        frame: FrameId,
        compute: impl FnOnce(&mut Evaluator<'_>, FrameId) -> Vec<T>,
    ) -> Vec<T> {
        let Some(frame) = self.frames.get(frame).cloned() else { return Vec::new() };
        let context = Context { data: Some(data), ..self.context };
        let mut evaluator = Evaluator::new(context, self.sources);
        let frame = evaluator.frames.intern(frame);
        let computed = compute(&mut evaluator, frame);
        for finding in evaluator.into_findings() {
            self.log.report(finding);
        }
        computed
    }

    /// How a data source computed the values of an atom.
    pub(crate) fn notes(&self, node: NodeRef, frame: FrameId) -> Vec<String> {
        let shape = self.context.shape(node);
        shape.map_or_else(Vec::new, |shape| self.pushdown.notes(shape, frame))
    }
}

impl<'a> Evaluation<'a> for Evaluator<'a> {
    fn context(&self) -> &Context<'a> {
        &self.context
    }

    fn frames(&self) -> &Frames<'a> {
        &self.frames
    }

    fn frames_mut(&mut self) -> &mut Frames<'a> {
        &mut self.frames
    }

    fn pushdown_mut(&mut self) -> &mut Pushdown {
        &mut self.pushdown
    }

    fn row_constant(&mut self, node: NodeRef, source: SourceId, at: BucketRef) -> Value {
        let outer = self.outer_values(node, source, at);
        let NodeRef { owner, id } = node;
        let batch = RowBatch::new(owner, source, &[0], at, &outer);
        self.row_expressions().values(&batch, id).value(0)
    }

    fn fraction(&mut self, owner: Owner, atom: &Atom, frame: FrameId) -> Option<Decimal> {
        let id = atom.fraction?;
        self.first_value(NodeRef { owner, id }, frame)?.as_number()
    }

    fn required_beside(&mut self, node: NodeRef, frame: FrameId) -> Vec<(NodeRef, &'a Atom)> {
        // A record may provide the value of any node, in which case its atoms are never needed.
        if self.context.record.is_some() {
            return Vec::new();
        }
        let Self { context, frames, pushdown, atoms, .. } = self;
        let mut seen = BTreeSet::new();
        seen.extend(context.shape(node).map(|shape| shape.number));
        let mut found = Vec::new();
        for node in pushdown.required(context, frames, frame) {
            let Some(shape) = context.shape(*node) else { continue };
            if atoms.contains_key(&(shape.number, frame)) || !seen.insert(shape.number) {
                continue;
            }
            if let Some(Kind::Atom(atom)) = context.kind(*node) {
                found.push((*node, &**atom));
            }
        }
        found
    }

    fn keep_cells(&mut self, node: NodeRef, frame: FrameId, cells: Vec<Value>) {
        let count = self.frames.cell_count(frame).unwrap_or(0);
        let shape = self.context.shape(node).filter(|_| cells.len() == count);
        let Some(key) = shape.map(|shape| (shape.number, frame)) else { return };
        if !self.atoms.contains_key(&key) {
            let groups = self.frames.group_count(frame);
            let cells = without_unbegun(Series::new(cells), &self.unbegun(frame), groups);
            let cells = self.take_off_currencies(node, frame, cells);
            self.atoms.insert(key, cells);
        }
    }

    fn conditions_hold(
        &mut self,
        condition: NodeRef,
        columns: GivenColumns,
        count: usize,
    ) -> Vec<bool> {
        let rows: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
        let NodeRef { owner, id } = condition;
        let source = columns.source;
        let at = BucketRef { frame: FrameId::REQUEST, bucket: 0 };
        let outer = self.outer_values(condition, source, at);
        let own = RowBatch::new(owner, source, &rows, at, &outer);
        let batch = RowBatch { given: Some(&columns), ..own };
        self.row_expressions().values(&batch, id).truths(count).into_owned()
    }

    fn scan_over(&mut self, data: &Data, owner: Owner, atom: &Atom, frame: FrameId) -> Vec<Value> {
        self.over(data, frame, |evaluator, frame| {
            evaluator.scan(&AtomInFrame { owner, atom, frame })
        })
    }

    fn tuples_over(
        &mut self,
        data: &Data,
        owner: Owner,
        atom: &Atom,
        (frame, keys): (FrameId, &[GroupKey]),
    ) -> Vec<Vec<GroupValue>> {
        self.over(data, frame, |evaluator, frame| {
            evaluator.scan_tuples(&AtomInFrame { owner, atom, frame }, keys)
        })
    }
}
