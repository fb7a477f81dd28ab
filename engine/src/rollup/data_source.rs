//! The rollup reader as a data source, which is queried before rows are scanned.

use std::collections::BTreeSet;

use super::conditions::Lookup;
use super::groups::{filters, group_value, key_positions, matching_keys};
use super::partial::PartialAggregate;
use super::period::{BucketRange, BucketSpan};
use super::reader::RollupReader;
use super::strategy::{AtomSite, DeclineReason, RollupPlan, TimeRange};
use crate::data::{Rates, Versions};
use crate::evaluate::{
    AggregateRequest, Context, DataSource, Extent, GroupKey, GroupValue, SourceAnswer,
};
use crate::schema::{Path, SourceId};
use crate::types::Value;

impl DataSource for RollupReader<'_> {
    fn cells(&self, request: &mut AggregateRequest<'_, '_>) -> SourceAnswer<Vec<Value>> {
        match self.answer(request) {
            Ok(values) => {
                request.note(vec!["from rollups".to_owned()]);
                Ok(Some(values))
            }
            Err(reason) => {
                self.decline(request, &reason)?;
                self.next.map_or(Ok(None), |next| next.cells(request))
            }
        }
    }

    fn groups(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> SourceAnswer<Vec<Vec<GroupValue>>> {
        match self.present(request, keys) {
            Ok(groups) => Ok(Some(groups)),
            Err(reason) => {
                self.decline(request, &reason)?;
                self.next.map_or(Ok(None), |next| next.groups(request, keys))
            }
        }
    }

    fn extent(&self, context: &Context<'_>, source: SourceId, date: &Path) -> SourceAnswer<Extent> {
        let (typed, layout) = (|_| None, self.layout());
        let lookup = Lookup { schema: context.schema, typed: &typed, layout: &layout };
        let rows = lookup.presence(source, Some(date), &[]);
        let whole = |plan: RollupPlan| {
            self.outline(&plan, context.calendar)?;
            Ok(self.slice(&plan, &[Some(BucketSpan::ALL)])?.whole)
        };
        let found = rows.and_then(whole).ok();
        let found = found.and_then(|rollup| super::period::extent(&rollup, context.calendar));
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
        self.approximate && self.schema.layout.approximate
    }
}

impl RollupReader<'_> {
    /// Returns the groups that have rows in the periods of the frame.
    fn present(
        &self,
        request: &mut AggregateRequest<'_, '_>,
        keys: &[GroupKey],
    ) -> Result<Vec<Vec<GroupValue>>, DeclineReason> {
        let (node, atom) = (request.node(), request.atom);
        let frame = request.place().cloned().ok_or("there is no frame")?;
        let layout = self.layout();
        let site = AtomSite { node, atom, filters: filters(&frame), currency: None };
        let evaluation = &mut *request.evaluation;
        let (plan, coverage) = {
            let evaluation = &*evaluation;
            let typed = |owner| evaluation.typed(owner);
            let schema = evaluation.context().schema;
            let lookup = Lookup { schema, typed: &typed, layout: &layout };
            let plan = lookup.presence(atom.source, atom.date.as_ref(), &site.standing())?;
            (plan, self.coverage(&lookup, atom))
        };
        let calendar = evaluation.context().calendar;
        let Some(positions) = key_positions(keys, &plan)? else { return Ok(Vec::new()) };
        let outline = self.outline(&plan, calendar)?;
        let of_frame = (TimeRange::Frame, frame.state);
        let span = |period| coverage.span(&outline, of_frame, period, calendar);
        let begun = frame.buckets.iter().filter(|bucket| !frame.is_unbegun(bucket));
        let spans = begun.map(span).collect::<Result<Vec<_>, _>>()?;
        let slice = self.slice(&plan, &spans)?;
        let buckets: Vec<BucketRange> =
            slice.merge_steps.iter().flatten().map(|step| step.buckets).collect();
        let all = [BucketSpan::ALL.buckets];
        let boundaries = slice.boundaries.iter().map(|(_, boundary)| (&**boundary, all.as_slice()));
        let mut present = BTreeSet::new();
        for (rollup, buckets) in
            std::iter::once((&*slice.whole, buckets.as_slice())).chain(boundaries)
        {
            let matching = matching_keys(evaluation, &plan, rollup).into_iter().enumerate();
            let each: Vec<Option<usize>> =
                matching.map(|(index, matches)| matches.then_some(index)).collect();
            let mut partials = vec![PartialAggregate::empty(rollup.kind()); each.len()];
            for buckets in buckets {
                self.note(rollup.merge_range(*buckets, &each, &mut partials));
            }
            let own = rollup.keys().iter().zip(partials).filter(|(_, partial)| !partial.is_empty());
            present.extend(own.map(|(key, _)| {
                let group = positions.iter().filter_map(|at| key.get(*at).map(group_value));
                group.collect::<Vec<GroupValue>>()
            }));
        }
        Ok(present.into_iter().collect())
    }
}
