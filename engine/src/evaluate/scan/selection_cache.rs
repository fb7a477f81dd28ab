//! Cached selections, vectors and group numbers, shared by scans of the same rows.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::dated_rows::{DatedRows, PositionRange};
use super::selection::Selection;
use super::vector::Vector;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{BucketRef, Groups};
use crate::plan::NodeRef;

/// Limit: bytes cached by one evaluation; past it the cache is cleared.
const CACHE_BYTES: usize = 256 << 20;

/// The key of a computation over a selection: its shape, and the bucket if the answer depends on it.
pub(crate) type Computation = (u128, Option<BucketRef>);

#[derive(Debug, Default)]
pub(crate) struct SelectionCache {
    selections: u64,
    bytes: usize,
    whole: BTreeMap<(*const DatedRows, PositionRange), Rc<Selection>>,
    narrowed: BTreeMap<(u64, Computation), Rc<Selection>>,
    vectors: BTreeMap<(u64, Computation), Rc<Vector>>,
    groups: BTreeMap<(u64, *const Groups), Rc<Vec<u32>>>,
}

impl SelectionCache {
    /// The key of a computation over rows; `None` if the node does not exist.
    pub(crate) fn computation(
        context: &Context<'_>,
        node: NodeRef,
        at: BucketRef,
    ) -> Option<Computation> {
        let shape = context.shape(node)?;
        Some((shape.number, (!shape.is_steady).then_some(at)))
    }

    /// Selects all rows of a range.
    pub(crate) fn whole(&mut self, dated: &Rc<DatedRows>, range: PositionRange) -> Rc<Selection> {
        let key = (Rc::as_ptr(dated), range);
        if let Some(known) = self.whole.get(&key) {
            return Rc::clone(known);
        }
        let selection = Rc::new(Selection::whole(self.next_number(), dated, range));
        self.reserve(selection.bytes());
        self.whole.insert(key, Rc::clone(&selection));
        selection
    }

    /// The cached rows of a selection that meet a condition, if any.
    pub(crate) fn narrowed(
        &self,
        selection: &Selection,
        condition: Computation,
    ) -> Option<Rc<Selection>> {
        self.narrowed.get(&(selection.number, condition)).map(Rc::clone)
    }

    /// The rows of a selection that meet a condition.
    pub(crate) fn narrow(
        &mut self,
        selection: &Rc<Selection>,
        condition: Option<Computation>,
        truth: &Vector,
    ) -> Rc<Selection> {
        let number = self.next_number();
        let narrower = match selection.narrow(truth, number) {
            Some(narrower) => Rc::new(narrower),
            None => Rc::clone(selection),
        };
        if let Some(condition) = condition {
            self.reserve(narrower.bytes());
            self.narrowed.insert((selection.number, condition), Rc::clone(&narrower));
        }
        narrower
    }

    pub(crate) fn vector(
        &self,
        selection: &Selection,
        computation: Computation,
    ) -> Option<Rc<Vector>> {
        self.vectors.get(&(selection.number, computation)).map(Rc::clone)
    }

    pub(super) fn keep_vector(
        &mut self,
        selection: &Selection,
        computation: Computation,
        vector: &Rc<Vector>,
    ) {
        self.reserve(vector.bytes());
        self.vectors.insert((selection.number, computation), Rc::clone(vector));
    }

    /// The group number of each selected row, computed if not cached.
    pub(super) fn group_numbers(
        &mut self,
        selection: &Selection,
        groups: &Rc<Groups>,
        compute: impl FnOnce() -> Vec<u32>,
    ) -> Rc<Vec<u32>> {
        let key = (selection.number, Rc::as_ptr(groups));
        if let Some(known) = self.groups.get(&key) {
            return Rc::clone(known);
        }
        let numbers = Rc::new(compute());
        self.reserve(numbers.len().saturating_mul(4));
        self.groups.insert(key, Rc::clone(&numbers));
        numbers
    }

    fn next_number(&mut self) -> u64 {
        self.selections = self.selections.saturating_add(1);
        self.selections
    }

    /// Reserves space; past the limit the whole cache is dropped.
    fn reserve(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > CACHE_BYTES {
            *self = Self { selections: self.selections, bytes, ..Self::default() };
        }
    }
}
