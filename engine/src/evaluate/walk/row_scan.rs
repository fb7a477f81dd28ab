//! The assembly of scans: what a scan needs from outside its rows is computed first, then the rows
//! are selected, their values computed, and everything added up.

use std::rc::Rc;

use rust_decimal::Decimal;

use super::aggregates::AtomInFrame;
use super::evaluator::Evaluator;
use crate::check::{AggregateFunction, Atom, NodeId};
use crate::evaluate::frames::{BucketRef, Frame, GroupKey, GroupValue};
use crate::evaluate::scan::{
    AggregateScan, AmountConversion, Amounts, DatedRows, OuterNode, OuterValue, OuterValues,
    PositionRange, RowBatch, RowCurrencies, RowExpressions, Selection, SelectionCache, Vector,
    group_of_each, merged_ranges, no_coverage, outer_nodes, tuples,
};
use crate::evaluate::sources::Evaluation;
use crate::plan::{NodeRef, Owner};
use crate::schema::SourceId;
use crate::types::{Reason, Value};

/// Rows of one source in order of a date, and the bucket that their expressions are computed for.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowsInBucket<'r> {
    pub(super) source: SourceId,
    pub(super) dated: &'r Rc<DatedRows>,
    pub(super) range: PositionRange,
    pub(super) at: BucketRef,
}

impl<'a> Evaluator<'a> {
    pub(super) fn row_expressions(&mut self) -> RowExpressions<'_, 'a> {
        RowExpressions {
            context: &self.context,
            cache: &mut self.selections,
            log: &mut self.log,
            currencies: RowCurrencies::default(),
        }
    }

    /// The values of an atom by a scan over rows in memory.
    pub(crate) fn scan(&mut self, site: &AtomInFrame<'_>) -> Vec<Value> {
        let AtomInFrame { owner, atom, frame: id } = *site;
        let Some(frame) = self.frames.get(id).cloned() else { return Vec::new() };
        let dated = self.row_orders.get(&self.context, atom.source, atom.date.as_ref());
        let ranges = dated.ranges(&self.context, atom, &frame);
        let fraction = self.fraction(owner, atom, id);
        let group_count = frame.group_count();
        let conditions = frame.conditions(owner, atom);
        let rows = |range, bucket| RowsInBucket {
            source: atom.source,
            dated: &dated,
            range,
            at: BucketRef { frame: id, bucket },
        };
        if !self.varies(owner, atom, &conditions) {
            let all = ranges.iter().flatten().copied().reduce(PositionRange::union);
            return match all {
                Some(all) => {
                    let rows = rows(all, 0);
                    let mut scan = self.scanned(site, (&frame, fraction), &conditions, &rows);
                    scan.answers(&ranges)
                }
                None => ranges.iter().flat_map(|_| no_coverage(group_count)).collect(),
            };
        }
        let mut values = Vec::with_capacity(frame.cell_count());
        for (bucket, range) in ranges.iter().enumerate() {
            self.release_row_values();
            match *range {
                Some(range) => {
                    let rows = rows(range, bucket);
                    let mut scan = self.scanned(site, (&frame, fraction), &conditions, &rows);
                    values.extend(scan.answer(range));
                }
                None => values.extend(no_coverage(group_count)),
            }
        }
        values
    }

    /// Whether rows or values differ from bucket to bucket beyond the period itself.
    fn varies(&self, owner: Owner, atom: &Atom, conditions: &[NodeRef]) -> bool {
        let own = [atom.value, atom.condition].into_iter().flatten();
        let own = own.map(|id| NodeRef { owner, id });
        let mut below = conditions.iter().copied().chain(own);
        below.any(|node| self.context.shape(node).is_some_and(|shape| shape.varies))
    }

    /// The rows that meet every condition, their values and groups.
    fn scanned<'s>(
        &'s mut self,
        site: &AtomInFrame<'s>,
        (frame, fraction): (&Frame, Option<Decimal>),
        conditions: &[NodeRef],
        rows: &RowsInBucket<'_>,
    ) -> AggregateScan<'s, 'a> {
        let AtomInFrame { owner, atom, .. } = *site;
        let selection = self.selection(conditions, rows);
        let counted_rows = selection.len();
        self.log.step(counted_rows);
        let is_share = atom.function == AggregateFunction::ShareOf;
        let counted = atom.value.or(atom.condition).filter(|_| is_share);
        let amounts = match (counted, atom.value) {
            (Some(counted), _) => {
                let truths = self.values(owner, counted, &selection, rows);
                let truths = truths.truths(selection.len()).into_owned();
                Some(Amounts::unchanged(Rc::new(Vector::Truth(truths))))
            }
            (None, Some(value)) => Some(self.amounts(site, value, &selection, rows)),
            (None, None) => None,
        };
        let outer = OuterValues::new();
        let batch = batch(owner, rows, &selection, &outer);
        let computed = self.key_values(&frame.groups.keys, &selection, rows);
        let keyed = (&batch, computed.as_slice());
        let groups = group_of_each(&self.context, &mut self.selections, keyed, &frame.groups);
        let (value, currencies) = amounts.map_or((None, None), |a| (Some(a.values), a.currencies));
        AggregateScan {
            context: &self.context,
            atom,
            fraction,
            group_count: frame.group_count(),
            rows: selection,
            value,
            groups,
            currencies,
            counted_rows,
            log: &mut self.log,
        }
    }

    /// The aggregated values, row by row, as amounts in one currency.
    pub(super) fn amounts(
        &mut self,
        site: &AtomInFrame<'_>,
        value: NodeId,
        selection: &Rc<Selection>,
        rows: &RowsInBucket<'_>,
    ) -> Amounts {
        let values = self.values(site.owner, value, selection, rows);
        // Amounts of other rows have their own currencies.
        let node = NodeRef { owner: site.owner, id: value };
        let outer = if self.is_amount(node) {
            self.outer_values(node, rows.source, rows.at)
        } else {
            OuterValues::new()
        };
        let conversion = AmountConversion {
            context: &self.context,
            batch: &batch(site.owner, rows, selection, &outer),
            selection,
            target: self.frames.get(site.frame).and_then(|frame| frame.currency),
        };
        conversion.apply(site.atom, value, values)
    }

    /// The values of a row's expression over a selection.
    pub(super) fn values(
        &mut self,
        owner: Owner,
        id: NodeId,
        selection: &Rc<Selection>,
        rows: &RowsInBucket<'_>,
    ) -> Rc<Vector> {
        let node = NodeRef { owner, id };
        let computation = SelectionCache::computation(&self.context, node, rows.at);
        let known = computation.and_then(|known| self.selections.vector(selection, known));
        if let Some(known) = known {
            return known;
        }
        let outer = self.outer_values(node, rows.source, rows.at);
        self.row_expressions().values(&batch(owner, rows, selection, &outer), id)
    }

    /// The values of the keys that are expressions, for each key.
    fn key_values(
        &mut self,
        keys: &[GroupKey],
        selection: &Rc<Selection>,
        rows: &RowsInBucket<'_>,
    ) -> Vec<Option<Rc<Vector>>> {
        let values = |key: &GroupKey| {
            let root = key.root(rows.source)?;
            Some(self.values(root.owner, root.id, selection, rows))
        };
        keys.iter().map(values).collect()
    }

    /// The rows that meet conditions, applied one after another.
    pub(super) fn selection(
        &mut self,
        conditions: &[NodeRef],
        rows: &RowsInBucket<'_>,
    ) -> Rc<Selection> {
        let mut selection = self.selections.whole(rows.dated, rows.range);
        for condition in conditions {
            let key = SelectionCache::computation(&self.context, *condition, rows.at);
            if let Some(known) = key.and_then(|key| self.selections.narrowed(&selection, key)) {
                selection = known;
                continue;
            }
            let frame = self.frames.around(*condition, rows.at.frame);
            let at = BucketRef { frame, ..rows.at };
            let outer = self.outer_values(*condition, rows.source, at);
            let batch = batch(condition.owner, rows, &selection, &outer);
            let truth = self.row_expressions().uncached_values(&batch, condition.id);
            selection = self.selections.narrow(&selection, key, &truth);
        }
        selection
    }

    /// The tuples of keys that an atom's rows have, by a scan over rows in memory.
    pub(crate) fn scan_tuples(
        &mut self,
        site: &AtomInFrame<'_>,
        keys: &[GroupKey],
    ) -> Vec<Vec<GroupValue>> {
        let AtomInFrame { owner, atom, frame: id } = *site;
        let Some(frame) = self.frames.get(id).cloned() else { return Vec::new() };
        let dated = self.row_orders.get(&self.context, atom.source, atom.date.as_ref());
        let ranges = dated.ranges(&self.context, atom, &frame);
        let conditions = frame.standing_conditions(owner, atom);
        let at = BucketRef { frame: id, bucket: 0 };
        let mut found = Vec::new();
        for range in merged_ranges(ranges) {
            let rows = RowsInBucket { source: atom.source, dated: &dated, range, at };
            let selection = self.selection(&conditions, &rows);
            let outer = OuterValues::new();
            let batch = batch(owner, &rows, &selection, &outer);
            let computed = self.key_values(keys, &selection, &rows);
            found.extend(tuples(&self.context, (&batch, &computed), keys));
        }
        found
    }

    /// Computes the parts of a row's expression that depend on other rows or on the period.
    pub(super) fn outer_values(
        &mut self,
        root: NodeRef,
        source: SourceId,
        at: BucketRef,
    ) -> OuterValues {
        let nodes = outer_nodes(&self.context, root);
        nodes
            .into_iter()
            .map(|(node, kind)| (node, self.outer_value(node, kind, source, at)))
            .collect()
    }

    fn outer_value(
        &mut self,
        node: NodeRef,
        kind: OuterNode,
        source: SourceId,
        at: BucketRef,
    ) -> OuterValue {
        let (inner, frame, index) = match kind {
            OuterNode::PerRow(id) => {
                let count = self.context.data.map_or(0, |data| data.row_count(source));
                let frame = self.frames.entity_rows(source, count, at);
                let inner = NodeRef { id, ..node };
                self.row_depth = self.row_depth.saturating_add(1);
                let series = self.series(inner, frame);
                self.row_depth = self.row_depth.saturating_sub(1);
                return OuterValue::PerRow(series, self.currencies(inner, frame));
            }
            OuterNode::WholeBucket(id) => {
                let frame = self.frames.one_bucket_whole(at);
                (NodeRef { id, ..node }, frame, 0)
            }
            OuterNode::Bucket => {
                let groups = self.frames.get(at.frame).map_or(1, Frame::group_count);
                (node, at.frame, at.bucket.saturating_mul(groups))
            }
        };
        let value = self.series(inner, frame).get(index).cloned();
        let currency = self.currencies(inner, frame).and_then(|own| own.get(index).cloned());
        OuterValue::Same(
            value.unwrap_or(Value::missing(Reason::NoRows)),
            currency.unwrap_or_default(),
        )
    }
}

fn batch<'r>(
    owner: Owner,
    rows: &RowsInBucket<'_>,
    selection: &'r Selection,
    outer: &'r OuterValues,
) -> RowBatch<'r> {
    let own = RowBatch::new(owner, rows.source, selection.rows(), rows.at, outer);
    RowBatch { selection: Some(selection), ..own }
}
