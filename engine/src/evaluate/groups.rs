//! Which groups there are, and which one each row belongs to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;

use super::atoms::Site;
use super::evaluator::Evaluator;
use super::frame::{Frame, GroupKey, Groups, Owner, Part};
use super::rows::Batch;
use super::vector::Vector;
use crate::check::{Atom, Key, Kind, NodeId, children};
use crate::data::{NO_CODE, NO_ROW};
use crate::schema::{Path, SourceId, link_chain};
use crate::types::Value;

/// Rows by the tuple of their keys.
struct Keyed {
    /// For each row the index of its tuple.
    ids: Vec<u32>,
    tuples: Vec<Vec<Part>>,
}

/// One key over rows: small numbers, and what each stands for.
struct Coded {
    codes: Vec<u32>,
    parts: Vec<Part>,
}

/// Tables of up to this many tuples are direct; larger ones are sorted maps.
const DIRECT: u64 = 4_000_000;

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
        let mut tuples = BTreeSet::new();
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
        tuples.into_iter().collect()
    }

    pub(super) fn atom_tuples(&mut self, site: &Site<'_>, keys: &[GroupKey]) -> Vec<Vec<Part>> {
        let placed = self.placed(site.atom.source, site.atom.date.as_ref());
        let Some(place) = self.frame(site.frame).cloned() else { return Vec::new() };
        let ranges = self.ranges(site.atom, &placed, &place);
        let mut rows = Vec::new();
        let mut covered = 0;
        let mut sorted: Vec<(usize, usize)> = ranges.into_iter().flatten().collect();
        sorted.sort_unstable();
        for (from, to) in sorted {
            let from = from.max(covered);
            rows.extend_from_slice(placed.rows.get(from..to).unwrap_or_default());
            covered = covered.max(to);
        }
        for (owner, condition) in self.standing(site) {
            let batch = Batch {
                owner,
                source: site.atom.source,
                rows: &rows,
                frame: site.frame,
                bucket: 0,
            };
            let truth = self.rows(&batch, condition).truths(rows.len());
            let mut truth = truth.into_iter();
            rows.retain(|_| truth.next().unwrap_or(false));
        }
        self.keyed(keys, site.atom.source, &rows).map_or_else(Vec::new, |keyed| keyed.tuples)
    }

    /// For each row the index of its group; `None` where all rows are in the one group.
    pub(super) fn group_ids(&mut self, batch: &Batch<'_>) -> Option<Vec<u32>> {
        let groups = Rc::clone(&self.frame(batch.frame)?.groups);
        if groups.keys.is_empty() {
            return None;
        }
        if let Some(entity) = groups.entity() {
            return Some(self.row_of(batch.source, entity, batch.rows));
        }
        let Some(keyed) = self.keyed(&groups.keys, batch.source, batch.rows) else {
            return Some(vec![NO_ROW; batch.rows.len()]);
        };
        let places: Vec<u32> = keyed
            .tuples
            .iter()
            .map(|tuple| groups.find(tuple).and_then(|at| u32::try_from(at).ok()).unwrap_or(NO_ROW))
            .collect();
        let place = |id: &u32| usize::try_from(*id).ok().and_then(|id| places.get(id).copied());
        Some(keyed.ids.iter().map(|id| place(id).unwrap_or(NO_ROW)).collect())
    }

    /// The row of `entity` that each row leads to.
    fn row_of(&self, source: SourceId, entity: SourceId, rows: &[u32]) -> Vec<u32> {
        let Some(links) = link_chain(self.schema(), source, entity) else {
            return vec![NO_ROW; rows.len()];
        };
        let path = Path { links, field: crate::schema::FieldId(0) };
        self.reach(source, &path, rows.to_vec())
    }

    /// Follows the links of a path.
    pub(super) fn reach(&self, source: SourceId, path: &Path, mut rows: Vec<u32>) -> Vec<u32> {
        let mut at = source;
        for link in &path.links {
            let leads = self.data().and_then(|data| data.link(at, *link)).unwrap_or_default();
            for row in &mut rows {
                let next = usize::try_from(*row).ok().and_then(|row| leads.get(row).copied());
                *row = next.unwrap_or(NO_ROW);
            }
            let next = self.schema().source_at(at).and_then(|table| table.links.get(link.0));
            at = next.map_or(at, |link| link.target);
        }
        rows
    }

    /// Rows by their keys; `None` if the source lacks one of them.
    fn keyed(&mut self, keys: &[GroupKey], source: SourceId, rows: &[u32]) -> Option<Keyed> {
        let mut coded = Vec::with_capacity(keys.len());
        for key in keys {
            coded.push(match key {
                GroupKey::RowOf(entity) => rows_coded(self.row_of(source, *entity, rows)),
                GroupKey::Columns(key) => {
                    let (_, path) = key.columns.iter().find(|(of, _)| *of == source)?;
                    code(self.gather(source, path, rows), rows.len())
                }
            });
        }
        Some(combine(&coded, rows.len()))
    }

    /// The first and the last instant of an atom's rows.
    fn atom_extent(&mut self, atom: &Atom) -> Option<(i64, i64)> {
        let supplied = atom.date.as_ref().and_then(|date| self.supplied_extent(atom.source, date));
        supplied.unwrap_or_else(|| {
            let placed = self.placed(atom.source, atom.date.as_ref());
            placed.at.as_ref().and_then(|at| Some((*at.first()?, *at.last()?)))
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

fn rows_coded(rows: Vec<u32>) -> Coded {
    let count =
        rows.iter().filter(|row| **row != NO_ROW).max().map_or(0, |max| max.saturating_add(1));
    let parts = (0..count).map(Part::Row).chain([Part::Null]).collect();
    let codes = rows.into_iter().map(|row| row.min(count)).collect();
    Coded { codes, parts }
}

fn code(vector: Vector, count: usize) -> Coded {
    if let Vector::Codes { codes, entries } = vector {
        let null = u32::try_from(entries.len()).unwrap_or(NO_CODE);
        let parts =
            entries.iter().map(|text| Part::Text(Arc::clone(text))).chain([Part::Null]).collect();
        let codes =
            codes.into_iter().map(|code| if code == NO_CODE { null } else { code }).collect();
        return Coded { codes, parts };
    }
    let mut known: BTreeMap<Part, u32> = BTreeMap::new();
    let mut parts = Vec::new();
    let codes = (0..count)
        .map(|index| {
            let part = Part::of(&vector.value(index));
            let next = u32::try_from(parts.len()).unwrap_or(NO_CODE);
            *known.entry(part).or_insert_with_key(|part| {
                parts.push(part.clone());
                next
            })
        })
        .collect();
    Coded { codes, parts }
}

/// Tuples numbered in order of first appearance.
fn combine(coded: &[Coded], count: usize) -> Keyed {
    let sizes: Vec<u64> =
        coded.iter().map(|key| u64::try_from(key.parts.len().max(1)).unwrap_or(u64::MAX)).collect();
    let product = sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(*size));
    let mixed = |row: usize| -> u64 {
        coded.iter().zip(&sizes).fold(0, |sum: u64, (key, size)| {
            let code = key.codes.get(row).copied().unwrap_or(0);
            sum.wrapping_mul(*size).wrapping_add(u64::from(code))
        })
    };
    let tuple = |row: usize| -> Vec<Part> {
        let part = |key: &Coded| {
            let code = key.codes.get(row).and_then(|code| usize::try_from(*code).ok());
            code.and_then(|code| key.parts.get(code)).cloned().unwrap_or(Part::Null)
        };
        coded.iter().map(part).collect()
    };
    let mut tuples: Vec<Vec<Part>> = Vec::new();
    let mut ids = Vec::with_capacity(count);
    let direct =
        product.filter(|product| *product <= DIRECT).and_then(|size| usize::try_from(size).ok());
    let mut table = vec![NO_ROW; direct.unwrap_or(0)];
    let mut sorted: BTreeMap<u64, u32> = BTreeMap::new();
    for row in 0..count {
        let mixed = mixed(row);
        let next = u32::try_from(tuples.len()).unwrap_or(NO_ROW);
        let slot = match usize::try_from(mixed).ok().and_then(|at| table.get_mut(at)) {
            Some(slot) => slot,
            None => sorted.entry(mixed).or_insert(NO_ROW),
        };
        if *slot == NO_ROW {
            *slot = next;
            tuples.push(tuple(row));
        }
        ids.push(*slot);
    }
    Keyed { ids, tuples }
}
