//! Which groups there are, and which one each row belongs to.

use std::collections::BTreeSet;
use std::rc::Rc;

use jiff::Timestamp;

use super::atoms::Site;
use super::evaluator::Evaluator;
use super::frame::{Frame, GroupKey, Groups, Owner, Part};
use super::mixed::{Coded, Mixed, code, rows_coded};
use super::rows::{Batch, picked};
use crate::check::{Atom, Key, Kind, NodeId, children};
use crate::data::NO_ROW;
use crate::schema::{Path, SourceId, link_chain};
use crate::types::Value;

impl Evaluator<'_> {
    /// A frame like this one, grouped by keys; its groups are those that rows of the formulas have.
    pub(crate) fn grouped_frame(&mut self, frame: usize, keys: &[Key], owners: &[Owner]) -> usize {
        if keys.is_empty() {
            return frame;
        }
        let keys: Vec<GroupKey> = keys.iter().cloned().map(GroupKey::Columns).collect();
        let mut tuples = Vec::new();
        for owner in owners {
            if let Some(typed) = self.typed(*owner) {
                tuples.extend(self.discover(*owner, typed.root, frame, &keys));
            }
        }
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        let groups = Rc::new(Groups::new(keys, tuples));
        self.intern(Frame { groups, ..outer })
    }

    /// The groups of a frame as values, in order.
    pub(crate) fn groups(&self, frame: usize) -> Vec<Vec<Value>> {
        let tuples = self.frame(frame).map_or(&[][..], |frame| &frame.groups.tuples);
        tuples.iter().map(|tuple| tuple.iter().map(Part::to_value).collect()).collect()
    }

    /// The tuples of keys that rows of the atoms below have, within their periods, populations and
    /// filters; an atom's own condition narrows its value and not its groups.
    pub(super) fn discover(
        &mut self,
        owner: Owner,
        id: NodeId,
        frame: usize,
        keys: &[GroupKey],
    ) -> Vec<Vec<Part>> {
        let mut tuples = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![(owner, id, frame)];
        while let Some((owner, id, frame)) = stack.pop() {
            if !seen.insert((owner, id, frame)) {
                continue;
            }
            let Some(node) = self.node(owner, id) else { continue };
            match &node.kind {
                Kind::Atom(atom) => {
                    let supplied = self.supplied_groups((owner, id), atom, frame, keys);
                    let found = supplied
                        .unwrap_or_else(|| self.atom_tuples(&Site { owner, atom, frame }, keys));
                    tuples.extend(found);
                }
                Kind::Metric(metric) => {
                    let owner = Owner::Metric(metric.0);
                    stack.extend(self.typed(owner).map(|typed| (owner, typed.root, frame)));
                }
                Kind::Window(window, inner) => {
                    stack.extend(
                        self.window_frame(*window, frame).map(|frame| (owner, *inner, frame)),
                    );
                }
                Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                    stack.push((owner, *inner, frame));
                    stack.extend(
                        self.window_frame(*window, frame).map(|frame| (owner, *inner, frame)),
                    );
                }
                Kind::Scoped { value, conditions } => {
                    let inner = self.scoped_frame(owner, conditions, frame);
                    stack.push((owner, *value, inner));
                }
                kind => stack.extend(children(kind).into_iter().map(|child| (owner, child, frame))),
            }
        }
        tuples.sort_unstable();
        tuples.dedup();
        tuples
    }

    pub(super) fn atom_tuples(&mut self, site: &Site<'_>, keys: &[GroupKey]) -> Vec<Vec<Part>> {
        let placed = self.placed(site.atom.source, site.atom.date.as_ref());
        let Some(place) = self.frame(site.frame).cloned() else { return Vec::new() };
        let ranges = self.ranges(site.atom, &placed, &place);
        let owner = site.owner;
        let mut tuples = Vec::new();
        let standing = self.standing(site);
        for range in merged(ranges) {
            let rows =
                self.selection((site.atom.source, site.frame), &standing, &placed, (range, 0));
            let batch = Batch {
                owner,
                source: site.atom.source,
                rows: rows.rows(),
                selection: Some(&rows),
                frame: site.frame,
                bucket: 0,
            };
            let coded = self.coded(keys, &batch);
            tuples.extend(coded.map_or_else(Vec::new, |coded| Mixed::of(coded).tuples()));
        }
        tuples
    }

    /// For each row the index of its group; `None` where all rows are in the one group.
    pub(super) fn group_ids(&mut self, batch: &Batch<'_>) -> Option<Vec<u32>> {
        let groups = Rc::clone(&self.frame(batch.frame)?.groups);
        if groups.keys.is_empty() {
            return None;
        }
        if let Some(entity) = groups.entity() {
            return Some(self.row_of(batch, entity));
        }
        let Some(coded) = self.coded(&groups.keys, batch) else {
            return Some(vec![NO_ROW; batch.len()]);
        };
        Some(Mixed::of(coded).places(&groups))
    }

    /// The row of `entity` that each row leads to.
    fn row_of(&self, batch: &Batch<'_>, entity: SourceId) -> Vec<u32> {
        let Some(links) = link_chain(self.schema(), batch.source, entity) else {
            return vec![NO_ROW; batch.len()];
        };
        let path = Path { links, field: crate::schema::FieldId(0) };
        self.reach(batch.source, &path, batch.rows.to_vec())
    }

    /// Follows the links of a path.
    pub(super) fn reach(&self, source: SourceId, path: &Path, mut rows: Vec<u32>) -> Vec<u32> {
        let mut at = source;
        for link in &path.links {
            let leads = self.data().and_then(|data| data.link(at, *link)).unwrap_or_default();
            rows = picked(leads, &rows, NO_ROW);
            let next = self.schema().source_at(at).and_then(|table| table.links.get(link.0));
            at = next.map_or(at, |link| link.target);
        }
        rows
    }

    /// Rows by their keys; `None` if the source lacks one of them.
    fn coded(&self, keys: &[GroupKey], batch: &Batch<'_>) -> Option<Vec<Coded>> {
        let coded = |key: &GroupKey| {
            Some(match key {
                GroupKey::RowOf(entity) => rows_coded(&self.row_of(batch, *entity)),
                GroupKey::Columns(key) => {
                    let (_, path) = key.columns.iter().find(|(of, _)| *of == batch.source)?;
                    code(&self.gather(batch, path), batch.len())
                }
            })
        };
        keys.iter().map(coded).collect()
    }

    /// The first and the last instant of an atom's rows.
    fn atom_extent(&mut self, atom: &Atom) -> Option<(i64, i64)> {
        let supplied = atom.date.as_ref().and_then(|date| self.supplied_extent(atom.source, date));
        supplied.unwrap_or_else(|| {
            let placed = self.placed(atom.source, atom.date.as_ref());
            placed.at().and_then(|at| Some((*at.first()?, *at.last()?)))
        })
    }

    /// The first and one past the last instant of the rows below a node.
    pub(super) fn extent(&mut self, owner: Owner, id: NodeId) -> Option<(Timestamp, Timestamp)> {
        let mut found: Option<(i64, i64)> = None;
        let mut stack = vec![(owner, id)];
        let mut seen = BTreeSet::new();
        while let Some((owner, id)) = stack.pop() {
            if !seen.insert((owner, id)) {
                continue;
            }
            let Some(node) = self.node(owner, id) else { continue };
            match &node.kind {
                Kind::Atom(atom) => {
                    let ends = self.atom_extent(atom);
                    if let Some((first, last)) = ends {
                        let (low, high) = found.unwrap_or((first, last));
                        found = Some((low.min(first), high.max(last)));
                    }
                }
                Kind::Metric(metric) => {
                    let owner = Owner::Metric(metric.0);
                    stack.extend(self.typed(owner).map(|typed| (owner, typed.root)));
                }
                kind => stack.extend(children(kind).into_iter().map(|child| (owner, child))),
            }
        }
        let (first, last) = found?;
        let after = last.checked_add(1)?;
        Some((Timestamp::from_microsecond(first).ok()?, Timestamp::from_microsecond(after).ok()?))
    }
}

/// Ranges without what they have in common, ascending.
fn merged(ranges: Vec<Option<(usize, usize)>>) -> Vec<(usize, usize)> {
    let mut sorted: Vec<(usize, usize)> = ranges.into_iter().flatten().collect();
    sorted.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (from, to) in sorted {
        match merged.last_mut() {
            Some((_, end)) if from <= *end => *end = to.max(*end),
            Some(_) | None => merged.push((from, to)),
        }
    }
    merged
}
