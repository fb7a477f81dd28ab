//! States as a data source, which is asked before rows are scanned.

use std::collections::BTreeSet;

use super::conditions::Lookup;
use super::range::{Slots, Stretch};
use super::reading::{Reading, columns, filters, group_part, kept};
use super::shape::{Declined, Draft, Range, Site};
use super::state::State;
use crate::data::{Rates, Versions};
use crate::evaluate::{
    AggregateRequest, Context, DataSource, Extent, GroupKey, Part as GroupPart, SourceAnswer,
};
use crate::schema::{Path, SourceId};
use crate::types::Value;

impl DataSource for Reading<'_> {
    fn cells(&self, request: &mut AggregateRequest<'_, '_>) -> SourceAnswer<Vec<Value>> {
        match self.answer(request) {
            Ok(values) => {
                request.note(vec!["from states".to_owned()]);
                Ok(Some(values))
            }
            Err(reason) => match (self.decline(request, &reason)?, self.next) {
                (None, Some(next)) => next.cells(request),
                (found, _) => Ok(found),
            },
        }
    }

    fn groups(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> SourceAnswer<Vec<Vec<GroupPart>>> {
        match self.present(request, keys) {
            Ok(tuples) => Ok(Some(tuples)),
            Err(reason) => match (self.decline(request, &reason)?, self.next) {
                (None, Some(next)) => next.groups(request, keys),
                (found, _) => Ok(found),
            },
        }
    }

    fn extent(&self, context: &Context<'_>, source: SourceId, date: &Path) -> SourceAnswer<Extent> {
        let typed = |_| None;
        let lookup = Lookup { schema: context.schema, typed: &typed };
        let rows = lookup.presence((source, Some(date)), &self.keying(), &[]);
        let whole = |draft: Draft| {
            self.outline(&draft, context.calendar)?;
            Ok(self.cells_in(&draft, &[Some(Stretch::ALL)])?.whole)
        };
        let found = rows.and_then(whole).ok();
        let found = found.and_then(|grid| super::range::extent(&grid, context.calendar));
        match (found, self.next) {
            (None, Some(next)) => next.extent(context, source, date),
            (found, _) => Ok(found),
        }
    }

    fn versions(&self) -> Option<&Versions> {
        self.next.and_then(DataSource::versions)
    }

    fn rates(&self) -> Option<&Rates> {
        self.next.and_then(DataSource::rates)
    }

    fn is_approximate(&self) -> bool {
        self.approximate && self.definitions.keying.approximate
    }
}

impl Reading<'_> {
    /// The tuples of keys that rows have in the frame's periods.
    fn present(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> Result<Vec<Vec<GroupPart>>, Declined> {
        let (owner, id, atom) = (request.owner, request.id, request.atom);
        let place = request.place().cloned().ok_or("there is no frame")?;
        let keying = self.keying();
        let site = Site { owner, id, atom, filters: filters(&place), currency: None };
        let evaluation = &mut *request.evaluation;
        let (draft, extents) = {
            let evaluation = &*evaluation;
            let typed = |owner| evaluation.typed(owner);
            let lookup = Lookup { schema: evaluation.context().schema, typed: &typed };
            let rows = (atom.source, atom.date.as_ref());
            let draft = lookup.presence(rows, &keying, &site.standing())?;
            (draft, self.extents(&lookup, &site, &keying))
        };
        let calendar = evaluation.context().calendar;
        let Some(columns) = columns(keys, &draft)? else { return Ok(Vec::new()) };
        let outline = self.outline(&draft, calendar)?;
        let of = |bucket| extents.stretch(&outline, (Range::Frame, place.state), bucket, calendar);
        let stretches = place.buckets.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let cells = self.cells_in(&draft, &stretches)?;
        let slots: Vec<Slots> = cells.steps.iter().flatten().map(|step| step.slots).collect();
        let all = [Stretch::ALL.slots];
        let edges = cells.edges.iter().map(|(_, edge)| (&**edge, all.as_slice()));
        let mut present = BTreeSet::new();
        for (grid, slots) in std::iter::once((&*cells.whole, slots.as_slice())).chain(edges) {
            let kept = kept(evaluation, &draft, grid);
            let each: Vec<Option<usize>> =
                kept.into_iter().enumerate().map(|(index, kept)| kept.then_some(index)).collect();
            let mut states = vec![State::empty(grid.kind()); each.len()];
            for slots in slots {
                self.note(grid.merged(*slots, &each, &mut states));
            }
            let own = grid.tuples().iter().zip(states).filter(|(_, state)| !state.is_empty());
            present.extend(own.map(|(tuple, _)| {
                let key = columns.iter().filter_map(|at| tuple.get(*at).map(group_part));
                key.collect::<Vec<GroupPart>>()
            }));
        }
        Ok(present.into_iter().collect())
    }
}
