//! Computes aggregates over the rows of a source: from the cache, a data source, or a scan.

use std::rc::Rc;

use super::evaluator::Evaluator;
use crate::calendar::Period;
use crate::check::Atom;
use crate::evaluate::frames::{Frame, FrameId, Series};
use crate::evaluate::sources::{BucketAnswers, CacheQuestion, DataSource};
use crate::plan::{NodeRef, Owner};
use crate::types::{Reason, Value};

#[derive(Debug, Clone, Copy)]
pub(crate) struct AtomInFrame<'s> {
    pub(crate) owner: Owner,
    pub(crate) atom: &'s Atom,
    pub(crate) frame: FrameId,
}

/// The values with nulls in the buckets that have not begun.
pub(super) fn without_unbegun(series: Series, unbegun: &[Option<Reason>], groups: usize) -> Series {
    if unbegun.is_empty() {
        return series;
    }
    let mut values = Rc::unwrap_or_clone(series);
    for (cells, reason) in values.chunks_mut(groups.max(1)).zip(unbegun) {
        if let Some(reason) = reason {
            cells.fill(Value::missing(*reason));
        }
    }
    Rc::new(values)
}

impl Evaluator<'_> {
    /// The values of an atom. Equal atoms of one frame are computed once, even across formulas.
    pub(super) fn atom(&mut self, node: NodeRef, atom: &Atom, frame: FrameId) -> Series {
        let Some(shape) = self.context.shape(node) else {
            return self.frames.missing(frame, Reason::NoRows);
        };
        let key = (shape.number, frame);
        if let Some(series) = self.atoms.get(&key) {
            return Rc::clone(series);
        }
        let count = self.frames.cell_count(frame).unwrap_or(0);
        let series = if self.log.admits(count, self.context.span(node)) {
            self.begun(node, atom, frame)
        } else {
            self.frames.missing(frame, Reason::Overflow)
        };
        let series = self.take_off_currencies(node, frame, series);
        self.atoms.insert(key, Rc::clone(&series));
        self.count_row_values(frame, series.len());
        series
    }

    /// The values of an atom; null for the buckets that have not begun.
    fn begun(&mut self, node: NodeRef, atom: &Atom, frame: FrameId) -> Series {
        let is_placed = |path| self.context.has_column(atom.source, path);
        let is_dated =
            self.context.is_store(atom.source) || atom.date.as_ref().is_some_and(is_placed);
        let unbegun = if is_dated { self.unbegun(frame) } else { Vec::new() };
        let groups = self.frames.get(frame).map_or(1, Frame::group_count);
        if !unbegun.is_empty() && unbegun.iter().all(Option::is_some) {
            let reasons = unbegun.into_iter().flatten();
            let nulls =
                reasons.flat_map(|reason| std::iter::repeat_n(Value::missing(reason), groups));
            return Rc::new(nulls.collect());
        }
        let series = match self.cached(node, atom, frame) {
            Some(values) => Rc::new(values),
            None => self.uncached(node, atom, frame),
        };
        without_unbegun(series, &unbegun, groups)
    }

    /// For each bucket of a frame that has not begun, why it has no value; empty if all have begun.
    pub(super) fn unbegun(&self, frame: FrameId) -> Vec<Option<Reason>> {
        let Some(frame) = self.frames.get(frame) else { return Vec::new() };
        if !frame.buckets.iter().any(|bucket| frame.is_unbegun(bucket)) {
            return Vec::new();
        }
        let now = self.context.now;
        let reason = |bucket: &Period| match frame.is_unbegun(bucket) {
            true if bucket.start >= now => Some(Reason::NotYet),
            true => Some(Reason::NoCoverage),
            false => None,
        };
        frame.buckets.iter().map(reason).collect()
    }

    /// The values of an atom, from a data source or else a scan.
    fn uncached(&mut self, node: NodeRef, atom: &Atom, frame: FrameId) -> Series {
        if let Some(series) = self.supplied(node, atom, frame) {
            return series;
        }
        let site = AtomInFrame { owner: node.owner, atom, frame };
        match self.without_rows(&site, self.context.asked_span(node)) {
            Some(series) => series,
            None => Rc::new(self.scan(&site)),
        }
    }

    /// The values of an atom through the cache; `None` if none can be cached.
    fn cached(&mut self, node: NodeRef, atom: &Atom, id: FrameId) -> Option<Vec<Value>> {
        let access = self.sources.cache?;
        let frame = self.frames.get(id)?;
        let bucket_count = frame.buckets.len();
        if self.context.record.is_some() || frame.groups.is_by_row() || frame.group_count() == 0 {
            return None;
        }
        let supplied = self.sources.data_source.and_then(DataSource::versions);
        let versions = supplied.or(self.context.data.and_then(|data| data.versions.as_ref()));
        let question = CacheQuestion { node, atom, frame, id };
        let keyed = self.cache_keys.keyed_buckets(&self.context, access, versions, &question)?;
        let mut compute = |missing: &[_]| {
            let places = keyed.place_by_key();
            let buckets: Vec<usize> =
                missing.iter().filter_map(|key| places.get(key).copied()).collect();
            self.cacheable_answers(node, atom, id, &buckets)
        };
        let holds = |versions: &_| keyed.hold(versions);
        let answers = access.cache.fetch(&keyed.keys(), &holds, &mut compute);
        let mut rows: Vec<Option<BucketAnswers>> = vec![None; bucket_count];
        for (bucket, answer) in keyed.places().zip(answers) {
            *rows.get_mut(bucket)? = Some(answer?);
        }
        self.fill_open_buckets(node, atom, id, rows)
    }

    /// Computes some buckets of a frame; `None` after an error that must not be cached.
    fn cacheable_answers(
        &mut self,
        node: NodeRef,
        atom: &Atom,
        frame: FrameId,
        buckets: &[usize],
    ) -> Option<Vec<BucketAnswers>> {
        let before = (self.log.findings.len(), self.log.missing_inputs.len());
        let answers = self.bucket_answers(node, atom, frame, buckets);
        let is_clean = before == (self.log.findings.len(), self.log.missing_inputs.len());
        // A null with an origin refers to places in one text.
        let has_origin =
            |value: &Value| value.as_missing().is_some_and(|null| null.origin.is_some());
        let is_free = !answers.iter().any(|row| row.iter().any(has_origin));
        (is_clean && is_free && !self.is_exhausted()).then_some(answers)
    }

    fn bucket_answers(
        &mut self,
        node: NodeRef,
        atom: &Atom,
        frame: FrameId,
        buckets: &[usize],
    ) -> Vec<BucketAnswers> {
        let Some(frame) = self.frames.get(frame) else { return Vec::new() };
        let part = buckets.iter().filter_map(|bucket| frame.buckets.get(*bucket).copied());
        let inner = Frame { buckets: part.collect(), ..frame.clone() };
        let group_count = inner.group_count().max(1);
        let inner = self.frames.intern(inner);
        let series = self.uncached(node, atom, inner);
        series.chunks(group_count).map(BucketAnswers::from).collect()
    }

    /// Completes the values of a frame by computing the buckets that are still open.
    fn fill_open_buckets(
        &mut self,
        node: NodeRef,
        atom: &Atom,
        frame: FrameId,
        mut answers: Vec<Option<BucketAnswers>>,
    ) -> Option<Vec<Value>> {
        let open = answers.iter().enumerate().filter(|(_, answer)| answer.is_none());
        let open: Vec<usize> = open.map(|(bucket, _)| bucket).collect();
        if !open.is_empty() {
            let computed = self.bucket_answers(node, atom, frame, &open);
            for (bucket, answer) in open.iter().zip(computed) {
                *answers.get_mut(*bucket)? = Some(answer);
            }
        }
        let answers: Option<Vec<BucketAnswers>> = answers.into_iter().collect();
        Some(answers?.iter().flat_map(|answer| answer.iter().cloned()).collect())
    }
}
