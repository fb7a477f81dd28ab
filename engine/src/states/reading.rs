//! Answers from cells: the data source that is asked before rows are scanned.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::cells::CellStore;
use super::conditions::Lookup;
use super::definition::StateKind;
use super::derive::Definitions;
use super::grid::Grid;
use super::part::Part;
use super::range::{Extents, Slots, Step, Stretch, not_whole, steps};
use super::shape::{Declined, Draft, Keying, Plan, Range, Site};
use super::slot::Grain;
use super::state::State;
use crate::calendar::Calendar;
use crate::check::{AggregateFunction, NodeId};
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{
    AggregateRequest, DataSource, Evaluation, Frame, FrameId, GivenColumns, GroupKey, NodeRef,
    Owner, Part as GroupPart, SourceAnswer,
};
use crate::schema::{Path, SourceId, SourceKind};
use crate::types::{Reason, Value};

/// Limit: parts of slots that are read for one question; with more of them the rows are read at once.
const EDGES_MAX: usize = 4;

/// Cells as the source of answers, for one request after another.
///
/// It answers what its cells cover and declines the rest, which then comes from what stands behind it
/// ([`or_states`](Self::or_states), [`or_store`](Self::or_store)), or from rows in memory. It notes
/// what it declined and how many cells it merged.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(super) definitions: &'a Definitions,
    pub(super) cells: &'a dyn CellStore,
    pub(super) next: Option<&'a dyn DataSource>,
    pub(super) approximate: bool,
    declined: RefCell<BTreeSet<(String, String)>>,
    merged: Cell<usize>,
}

impl<'a> Reading<'a> {
    /// Cells that were folded by these definitions.
    pub const fn new(definitions: &'a Definitions, cells: &'a dyn CellStore) -> Self {
        let declined = RefCell::new(BTreeSet::new());
        let merged = Cell::new(0);
        Self { definitions, cells, next: None, approximate: false, declined, merged }
    }

    /// The same with another data source behind it, which is asked what these states do not answer.
    pub(crate) fn before(self, next: &'a dyn DataSource) -> Self {
        Self { next: Some(next), ..self }
    }

    /// The same with percentiles to within 1 %, where the definitions keep sketches. Their answers
    /// say that they are not exact.
    #[must_use]
    pub fn approximately(self) -> Self {
        Self { approximate: true, ..self }
    }

    /// What the cells did not answer, with the reason: the rows did.
    pub fn declined(&self) -> Vec<(String, String)> {
        self.declined.borrow().iter().cloned().collect()
    }

    /// How many cells and blocks were merged so far.
    pub const fn merged(&self) -> usize {
        self.merged.get()
    }

    pub(super) fn keying(&self) -> Keying {
        let keying = &self.definitions.keying;
        Keying { approximate: self.approximate && keying.approximate, ..keying.clone() }
    }

    /// What is known of the cells of a draft, if they are kept and this calendar can read them.
    pub(super) fn outline(
        &self,
        draft: &Draft,
        calendar: &Calendar,
    ) -> Result<Arc<Grid>, Declined> {
        let zone = &self.definitions.zone;
        let by_zone = draft.is_zoned || draft.definition.grain == Grain::Day;
        if by_zone && calendar.zone_name() != zone {
            return Err(format!("its cells are kept by the days of {zone}"));
        }
        let outline = self.cells.outline(&draft.definition);
        outline.ok_or_else(|| format!("there is no state of {}", draft.definition))
    }

    /// The cells of a draft in some stretches, one of each bucket; `None` where there are none.
    pub(super) fn cells_in(
        &self,
        draft: &Draft,
        stretches: &[Option<Stretch>],
    ) -> Result<CellsIn, Declined> {
        let known = || stretches.iter().enumerate().filter_map(|(at, own)| Some((at, (*own)?)));
        let steps = steps(stretches);
        let ranges: Vec<Slots> = steps.iter().flatten().map(|step| step.slots).collect();
        let not_kept = || format!("there is no state of {}", draft.definition);
        let whole = self.cells.grid(&draft.definition, &ranges).ok_or_else(not_kept)?;
        for (from, to) in ranges {
            if let Some(slot) = whole.dirty_in(from, to) {
                return Err(format!("the cells of slot {slot} must be rebuilt first"));
            }
        }
        let ends = known().flat_map(|(at, stretch)| stretch.edges().map(move |edge| (at, edge)));
        let ends: Vec<_> = ends.take(EDGES_MAX.saturating_add(1)).collect();
        let not_whole = || not_whole(whole.grain());
        if ends.len() > EDGES_MAX {
            return Err(not_whole());
        }
        let read = |(at, edge)| {
            let grid = self.cells.edge(&draft.definition, edge).ok_or_else(not_whole)?;
            Ok((at, grid))
        };
        let edges = ends.into_iter().map(read).collect::<Result<_, Declined>>()?;
        Ok(CellsIn { whole, steps, edges })
    }

    pub(super) fn note(&self, merges: usize) {
        self.merged.set(self.merged.get().saturating_add(merges));
    }

    /// Declines a request: the rows answer it, or there is a finding where there are none.
    pub(super) fn decline<T>(
        &self,
        request: &AggregateRequest<'_, '_>,
        reason: &str,
    ) -> SourceAnswer<T> {
        let text = request.text();
        let has_rows = request.context().has_rows(request.atom.source);
        // What is asked for each row follows from an aggregate that was declined already.
        if !request.is_by_row() {
            self.declined.borrow_mut().insert((text.clone(), reason.to_owned()));
        }
        if has_rows || self.next.is_some() {
            return Ok(None);
        }
        let is_asked = matches!(request.owner, Owner::Asked(_));
        let node = request.context().node(request.node()).filter(|_| is_asked);
        let message = format!("states do not answer `{text}`: {reason}");
        let finding =
            Diagnostic::new(Code::E503, node.map(|node| node.span).unwrap_or_default(), message);
        Err(finding.help("give the rows beside the states"))
    }

    pub(super) fn answer(
        &self,
        request: &mut AggregateRequest<'_, '_>,
    ) -> Result<Vec<Value>, Declined> {
        if request.is_by_row() {
            return Err("an aggregate for each row needs the rows".to_owned());
        }
        let (owner, id, atom) = (request.owner, request.id, request.atom);
        let place = request.place().cloned().ok_or("there is no frame")?;
        let fraction = request.fraction();
        let keying = self.keying();
        let site = Site { owner, id, atom, filters: filters(&place), currency: place.currency };
        let frame = request.frame;
        let evaluation = &mut *request.evaluation;
        let (plan, extents) = {
            let evaluation = &*evaluation;
            let typed = |owner| evaluation.typed(owner);
            let lookup = Lookup { schema: evaluation.context().schema, typed: &typed };
            (lookup.plan(&site, &keying)?, self.extents(&lookup, &site, &keying))
        };
        let ask =
            Ask { place: &place, frame, extents: &extents, function: atom.function, fraction };
        match plan {
            Plan::Over(draft, range) => self.over(evaluation, &ask, &draft, range),
            Plan::Running(both, part) => self.running(evaluation, &ask, &both, part),
            Plan::Also(draft, sets) => self.also(evaluation, &ask, &draft, &sets),
            Plan::Among(draft, range, tree) => self.among(evaluation, &ask, (&draft, range), &tree),
        }
    }

    /// What the periods of a source's rows are told by.
    pub(super) fn extents(&self, lookup: &Lookup<'_>, site: &Site<'_>, keying: &Keying) -> Extents {
        let table = lookup.schema.source_at(site.atom.source);
        let kind = table.map(|table| table.kind);
        let present = || {
            let date = site.atom.date.as_ref();
            let rows = lookup.presence((site.atom.source, date), keying, &[]).ok()?;
            self.cells.grid(&rows.definition, &[(i32::MIN, i32::MAX)])
        };
        Extents {
            kind,
            coverage: table.and_then(|table| table.coverage).filter(|_| site.atom.date.is_some()),
            present: (kind == Some(SourceKind::Snapshot)).then(present).flatten(),
        }
    }

    /// The states of each bucket and group over a range; `None` where the source does not cover
    /// the bucket.
    pub(super) fn states(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        draft: &Draft,
        range: Range,
    ) -> Result<Loaded, Declined> {
        let stretches = self.stretches(evaluation.context().calendar, ask, draft, range)?;
        let cells = self.cells_in(draft, &stretches)?;
        let codes = codes(draft, &cells);
        let per_group = codes.len().max(1);
        let count = ask.place.group_count().saturating_mul(per_group);
        let parts = |grid: &Grid| parts(evaluation, (ask.place, draft), (grid, &codes));
        let found = self.merged_by(&cells, &stretches, (count, parts))?;
        let scale = cells.grids().map(Grid::scale).max().unwrap_or(0);
        Ok(Loaded { kind: cells.whole.kind(), scale, codes, found })
    }

    /// The state of each bucket over a range, whatever the groups.
    pub(super) fn whole(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        ask: &Ask<'_>,
        draft: &Draft,
        range: Range,
    ) -> Result<Vec<Option<State>>, Declined> {
        let stretches = self.stretches(evaluation.context().calendar, ask, draft, range)?;
        let cells = self.cells_in(draft, &stretches)?;
        let parts = |grid: &Grid| {
            let kept = kept(evaluation, draft, grid);
            Ok(kept.into_iter().map(|kept| kept.then_some(0)).collect())
        };
        let found = self.merged_by(&cells, &stretches, (1, parts))?;
        let alone = |(_, states): Found| states.into_iter().next();
        Ok(found.into_iter().map(|found| found.and_then(alone)).collect())
    }

    /// Where the rows of each bucket are over a range.
    fn stretches(
        &self,
        calendar: &Calendar,
        ask: &Ask<'_>,
        draft: &Draft,
        range: Range,
    ) -> Result<Vec<Option<Stretch>>, Declined> {
        let outline = self.outline(draft, calendar)?;
        let of = |bucket| ask.extents.stretch(&outline, (range, ask.place.state), bucket, calendar);
        ask.place.buckets.iter().map(of).collect()
    }

    /// The states of each bucket, each tuple's cells merged into the one of so many that `parts` says.
    fn merged_by(
        &self,
        cells: &CellsIn,
        stretches: &[Option<Stretch>],
        (count, mut parts): (usize, impl FnMut(&Grid) -> Result<Parts, Declined>),
    ) -> Result<Vec<Option<Found>>, Declined> {
        let (grid, own) = (&cells.whole, parts(&cells.whole)?);
        let mut found: Vec<Option<Found>> = Vec::with_capacity(stretches.len());
        for (stretch, step) in stretches.iter().zip(&cells.steps) {
            let next = stretch.zip(*step).map(|(stretch, step)| {
                let before = step.after.and_then(|at| found.get(at).cloned().flatten());
                let none = || vec![State::empty(grid.kind()); count];
                let mut states = before.map_or_else(none, |(_, states)| states);
                self.note(grid.merged(step.slots, &own, &mut states));
                (stretch.slots, states)
            });
            found.push(next);
        }
        for (at, edge) in &cells.edges {
            let own = parts(edge)?;
            if let Some(Some((_, states))) = found.get_mut(*at) {
                self.note(edge.merged(Stretch::ALL.slots, &own, states));
            }
        }
        Ok(found)
    }
}

/// The cells of a draft in the stretches of some buckets.
pub(super) struct CellsIn {
    /// Those of whole slots.
    pub(super) whole: Arc<Grid>,
    /// How these are merged, by bucket.
    pub(super) steps: Vec<Option<Step>>,
    /// Those of parts of slots, each with its bucket.
    pub(super) edges: Vec<(usize, Arc<Grid>)>,
}

impl CellsIn {
    /// All of them.
    pub(super) fn grids(&self) -> impl Iterator<Item = &Grid> {
        std::iter::once(&self.whole).chain(self.edges.iter().map(|(_, edge)| edge)).map(Arc::as_ref)
    }
}

/// For each tuple of a grid which state its cells are merged into, if any.
type Parts = Vec<Option<usize>>;

/// The states of each bucket, `None` where the source does not cover it.
pub(super) struct Loaded {
    pub(super) kind: StateKind,
    /// Digits after the point that a sum has at least.
    pub(super) scale: u32,
    /// The currencies that there is a state of, in order; none where they are not kept apart.
    pub(super) codes: Vec<Part>,
    pub(super) found: Vec<Option<Found>>,
}

/// The slots of a bucket, and the state of each group over them.
pub(super) type Found = (Slots, Vec<State>);

/// For each tuple of a grid the state it is merged into: there is one for each group, times one for each
/// currency where those are kept apart.
fn parts(
    evaluation: &mut dyn Evaluation<'_>,
    (place, draft): (&Frame, &Draft),
    (grid, codes): (&Grid, &[Part]),
) -> Result<Parts, Declined> {
    let kept = kept(evaluation, draft, grid);
    let columns = columns(&place.groups.keys, draft)?;
    let per_group = codes.len().max(1);
    let part = |(tuple, kept): (&Vec<Part>, bool)| {
        let columns = columns.as_ref().filter(|_| kept)?;
        let own = columns.iter().map(|at| tuple.get(*at).map(group_part));
        let group = place.groups.find(&own.collect::<Option<Vec<_>>>()?)?;
        let code = tuple.last().and_then(|code| codes.binary_search(code).ok()).unwrap_or(0);
        Some(group.saturating_mul(per_group).saturating_add(code))
    };
    Ok(grid.tuples().iter().zip(kept).map(part).collect())
}

/// A question, as every plan needs it.
pub(super) struct Ask<'q> {
    pub(super) place: &'q Frame,
    pub(super) frame: FrameId,
    pub(super) extents: &'q Extents,
    pub(super) function: AggregateFunction,
    pub(super) fraction: Option<rust_decimal::Decimal>,
}

/// The filters of a frame, each with the source that it narrows.
pub(super) fn filters(place: &Frame) -> Vec<(Owner, SourceId, NodeId)> {
    let each = place.filters.iter().flat_map(|filter| {
        filter.conditions.iter().map(|(source, id)| (filter.owner, *source, *id))
    });
    each.collect()
}

/// For each tuple whether it meets the conditions on dimensions.
pub(super) fn kept(evaluation: &mut dyn Evaluation<'_>, draft: &Draft, grid: &Grid) -> Vec<bool> {
    let count = grid.tuples().len();
    let mut kept = vec![true; count];
    for (owner, id) in &draft.residual {
        let column = |(index, path): (usize, &Path)| {
            let value = |tuple: &Vec<Part>| {
                tuple.get(index).map_or(Value::missing(Reason::NullValue), Part::to_value)
            };
            (path.clone(), grid.tuples().iter().map(value).collect())
        };
        let columns = draft.dimensions.iter().enumerate().map(column).collect();
        let columns = GivenColumns { source: draft.source, columns };
        let condition = NodeRef { owner: *owner, id: *id };
        let holds = evaluation.conditions_hold(condition, columns, count);
        for (kept, holds) in kept.iter_mut().zip(holds) {
            *kept &= holds;
        }
    }
    kept
}

/// The places of keys in a tuple; `None` if the source lacks one of them, and so has no groups.
pub(super) fn columns(keys: &[GroupKey], draft: &Draft) -> Result<Option<Vec<usize>>, Declined> {
    let mut places = Vec::with_capacity(keys.len());
    for key in keys {
        let GroupKey::Columns(key) = key else {
            return Err("an aggregate for each row needs the rows".to_owned());
        };
        let own = key.columns.iter().find(|(source, _)| *source == draft.source);
        let Some((_, path)) = own else { return Ok(None) };
        let place = draft.dimensions.iter().position(|dimension| dimension == path);
        places.push(place.ok_or_else(|| format!("its cells are not kept by {}", key.name))?);
    }
    Ok(Some(places))
}

/// The currency codes of cells that keep currencies apart, in order.
fn codes(draft: &Draft, cells: &CellsIn) -> Vec<Part> {
    if draft.currency.is_none() {
        return Vec::new();
    }
    let tuples = cells.grids().flat_map(Grid::tuples);
    let codes: BTreeSet<&Part> = tuples.filter_map(|tuple| tuple.last()).collect();
    codes.into_iter().cloned().collect()
}

/// A part of a cell's key as one of a group's.
pub(super) fn group_part(part: &Part) -> GroupPart {
    GroupPart::of(&part.to_value())
}
