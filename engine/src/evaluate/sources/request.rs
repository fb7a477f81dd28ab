//! The request to a data source, and the evaluation that it can query.

use std::fmt;

use rust_decimal::Decimal;

use super::required_aggregates::Pushdown;
use crate::check::{Atom, NodeId, Typed, TypedNode};
use crate::data::Data;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{BucketRef, Frame, FrameId, Frames, GroupKey, GroupValue};
use crate::evaluate::scan::GivenColumns;
use crate::plan::{NodeRef, Owner};
use crate::schema::SourceId;
use crate::source::one_line;
use crate::types::Value;

/// The evaluation behind a request: its context, its frames, and values that only it can compute.
pub(crate) trait Evaluation<'a>: fmt::Debug {
    /// Schema, calendar, the present, formulas.
    fn context(&self) -> &Context<'a>;

    fn frames(&self) -> &Frames<'a>;

    fn frames_mut(&mut self) -> &mut Frames<'a>;

    /// The atoms still to be computed, and notes on answered ones.
    fn pushdown_mut(&mut self) -> &mut Pushdown;

    /// The value in one bucket of a part of a row's expression that is the same for all rows.
    fn row_constant(&mut self, node: NodeRef, source: SourceId, at: BucketRef) -> Value;

    /// The fraction of a percentile.
    fn fraction(&mut self, owner: Owner, atom: &Atom, frame: FrameId) -> Option<Decimal>;

    /// Other atoms needed in the frame that have not been computed yet.
    fn required_beside(&mut self, node: NodeRef, frame: FrameId) -> Vec<(NodeRef, &'a Atom)>;

    /// Stores the cells of an atom that was answered in advance.
    fn keep_cells(&mut self, node: NodeRef, frame: FrameId, cells: Vec<Value>);

    /// For each of `count` rows with exactly these columns, whether a condition holds.
    fn conditions_hold(
        &mut self,
        condition: NodeRef,
        columns: GivenColumns,
        count: usize,
    ) -> Vec<bool>;

    /// The cells of an atom, by a scan over other rows than the evaluation's.
    fn scan_over(&mut self, data: &Data, owner: Owner, atom: &Atom, frame: FrameId) -> Vec<Value>;

    /// The group tuples of an atom, by a scan over other rows than the evaluation's.
    fn tuples_over(
        &mut self,
        data: &Data,
        owner: Owner,
        atom: &Atom,
        groups: (FrameId, &[GroupKey]),
    ) -> Vec<Vec<GroupValue>>;

    fn frame<'s>(&'s self, frame: FrameId) -> Option<&'s Frame>
    where
        'a: 's,
    {
        self.frames().get(frame)
    }

    fn typed(&self, owner: Owner) -> Option<&'a Typed> {
        self.context().typed(owner)
    }

    fn node(&self, owner: Owner, id: NodeId) -> Option<&'a TypedNode> {
        self.context().node(NodeRef { owner, id })
    }

    /// All conditions on the rows of an atom in a frame.
    fn conditions(&self, owner: Owner, atom: &Atom, frame: FrameId) -> Vec<NodeRef> {
        self.frame(frame).map_or_else(Vec::new, |frame| frame.conditions(owner, atom))
    }
}

/// A request to a data source: an atom and its frame.
#[derive(Debug)]
pub(crate) struct AggregateRequest<'e, 'a> {
    pub(crate) evaluation: &'e mut dyn Evaluation<'a>,
    pub(crate) owner: Owner,
    pub(crate) id: NodeId,
    pub(crate) atom: &'e Atom,
    pub(crate) frame: FrameId,
}

impl<'a> AggregateRequest<'_, 'a> {
    pub(crate) fn context(&self) -> &Context<'a> {
        self.evaluation.context()
    }

    pub(crate) fn node(&self) -> NodeRef {
        NodeRef { owner: self.owner, id: self.id }
    }

    /// Buckets, groups, filters, currency and state.
    pub(crate) fn place(&self) -> Option<&Frame> {
        self.evaluation.frame(self.frame)
    }

    /// Whether the grouping keys include entity rows, by their numbers in memory.
    pub(crate) fn is_by_row(&self) -> bool {
        self.place().is_some_and(|place| place.groups.is_by_row())
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.place().map_or(0, Frame::cell_count)
    }

    /// The aggregate's source text, on one line.
    pub(crate) fn text(&self) -> String {
        let typed = self.context().typed(self.owner);
        let span = self.context().span(self.node());
        one_line(typed.map_or("", |typed| span.slice(&typed.text)))
    }

    pub(crate) fn fraction(&mut self) -> Option<Decimal> {
        self.evaluation.fraction(self.owner, self.atom, self.frame)
    }

    /// Records how the cells were computed, for explanations.
    pub(crate) fn note(&mut self, lines: Vec<String>) {
        if let Some(shape) = self.context().shape(self.node()) {
            self.evaluation.pushdown_mut().note(shape, self.frame, lines);
        }
    }
}
