//! Answers from rollups: the data source that is queried before rows are scanned.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::bucket::Grain;
use super::conditions::Lookup;
use super::definition::AggregateKind;
use super::groups::{GroupOfKey, filters, group_of_key, matching_keys};
use super::partial::PartialAggregate;
use super::period::{BucketRange, BucketSpan, MergeStep, TimeCoverage, merge_steps, not_whole};
use super::scalar::ScalarValue;
use super::schema::RollupSchema;
use super::store::RollupStore;
use super::strategy::{
    AtomSite, DeclineReason, PER_ROW, RangedPlan, RollupLayout, RollupPlan, Strategy,
};
use super::table::Rollup;
use crate::calendar::Calendar;
use crate::check::{AggregateFunction, Atom};
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{AggregateRequest, DataSource, Evaluation, Frame, FrameId};
use crate::schema::SourceKind;
use crate::types::Value;

/// Limit: parts of buckets that are read for one request. With more of them one scan of the rows is faster.
const BOUNDARIES_MAX: usize = 4;

/// A reader that answers aggregates from rollups.
///
/// It declines the aggregates that its rollups do not cover. Those go to the next source
/// ([`or_rollups`](Self::or_rollups), [`or_store`](Self::or_store)), or to rows in memory. It records
/// what it declined and how many partial aggregates it merged.
#[derive(Debug)]
pub struct RollupReader<'a> {
    pub(super) schema: &'a RollupSchema,
    pub(super) store: &'a dyn RollupStore,
    pub(super) next: Option<&'a dyn DataSource>,
    pub(super) approximate: bool,
    declined: RefCell<BTreeSet<(String, String)>>,
    merge_count: Cell<usize>,
}

impl<'a> RollupReader<'a> {
    /// Creates a reader of rollups that were folded by this schema.
    pub const fn new(schema: &'a RollupSchema, store: &'a dyn RollupStore) -> Self {
        let declined = RefCell::new(BTreeSet::new());
        let merge_count = Cell::new(0);
        Self { schema, store, next: None, approximate: false, declined, merge_count }
    }

    /// Adds a data source that answers what these rollups decline.
    pub(crate) fn before(self, next: &'a dyn DataSource) -> Self {
        Self { next: Some(next), ..self }
    }

    /// Answers percentiles to within 1 % where the schema has quantile sketches. Such answers are marked
    /// as not exact.
    #[must_use]
    pub fn approximately(self) -> Self {
        Self { approximate: true, ..self }
    }

    /// Returns the aggregates that the rows answered, with the reasons why rollups declined them.
    pub fn declined(&self) -> Vec<(String, String)> {
        self.declined.borrow().iter().cloned().collect()
    }

    /// Returns the number of partial aggregates merged so far, those of blocks included.
    pub const fn merge_count(&self) -> usize {
        self.merge_count.get()
    }

    pub(super) fn layout(&self) -> RollupLayout {
        let layout = &self.schema.layout;
        RollupLayout { approximate: self.approximate && layout.approximate, ..layout.clone() }
    }

    /// Returns the metadata of a rollup, if it is stored and valid for this calendar.
    pub(super) fn outline(
        &self,
        plan: &RollupPlan,
        calendar: &Calendar,
    ) -> Result<Arc<Rollup>, DeclineReason> {
        let zone = &self.schema.zone;
        let by_zone = plan.is_zoned || plan.definition.grain == Grain::Day;
        if by_zone && calendar.zone_name() != zone {
            return Err(format!("its rollup has the days of {zone}"));
        }
        let outline = self.store.outline(&plan.definition);
        outline.ok_or_else(|| format!("there is no rollup of {}", plan.definition))
    }

    /// Returns the slice of a rollup that covers the spans of all periods.
    pub(super) fn slice(
        &self,
        plan: &RollupPlan,
        spans: &[Option<BucketSpan>],
    ) -> Result<RollupSlice, DeclineReason> {
        let merge_steps = merge_steps(spans);
        let ranges: Vec<BucketRange> =
            merge_steps.iter().flatten().map(|step| step.buckets).collect();
        let not_stored = || format!("there is no rollup of {}", plan.definition);
        let whole = self.store.rollup(&plan.definition, &ranges).ok_or_else(not_stored)?;
        for (from, to) in ranges {
            if let Some(bucket) = whole.dirty_in(from, to) {
                return Err(format!("bucket {bucket} must be rebuilt first"));
            }
        }
        let known = spans.iter().enumerate().filter_map(|(at, own)| Some((at, (*own)?)));
        let ends =
            known.flat_map(|(at, span)| span.boundaries().map(move |boundary| (at, boundary)));
        let ends: Vec<_> = ends.take(BOUNDARIES_MAX.saturating_add(1)).collect();
        let not_whole = || not_whole(whole.grain());
        if ends.len() > BOUNDARIES_MAX {
            return Err(not_whole());
        }
        let read = |(at, (from, to))| {
            let rollup = self.store.boundary(&plan.definition, from, to).ok_or_else(not_whole)?;
            Ok((at, rollup))
        };
        let boundaries = ends.into_iter().map(read).collect::<Result<_, DeclineReason>>()?;
        Ok(RollupSlice { whole, merge_steps, boundaries })
    }

    pub(super) fn note(&self, merges: usize) {
        self.merge_count.set(self.merge_count.get().saturating_add(merges));
    }

    /// Leaves a declined aggregate to the rows; without rows it is a finding.
    pub(super) fn decline(
        &self,
        request: &AggregateRequest<'_, '_>,
        reason: &str,
    ) -> Result<(), Diagnostic> {
        let text = request.text();
        let has_rows = request.context().has_rows(request.atom.source);
        // An aggregate for each row is part of another one, which has been declined already.
        if !request.is_by_row() {
            self.declined.borrow_mut().insert((text.clone(), reason.to_owned()));
        }
        if has_rows || self.next.is_some() {
            return Ok(());
        }
        let span = request.context().asked_span(request.node());
        let message = format!("rollups do not answer `{text}`: {reason}");
        Err(Diagnostic::new(Code::E503, span, message).help("give the rows beside the rollups"))
    }

    pub(super) fn answer(
        &self,
        request: &mut AggregateRequest<'_, '_>,
    ) -> Result<Vec<Value>, DeclineReason> {
        if request.is_by_row() {
            return Err(PER_ROW.to_owned());
        }
        let (node, atom) = (request.node(), request.atom);
        let frame = request.place().cloned().ok_or("there is no frame")?;
        let fraction = request.fraction();
        let layout = self.layout();
        let site = AtomSite { node, atom, filters: filters(&frame), currency: frame.currency };
        let frame_id = request.frame;
        let evaluation = &mut *request.evaluation;
        let (strategy, coverage) = {
            let evaluation = &*evaluation;
            let typed = |owner| evaluation.typed(owner);
            let schema = evaluation.context().schema;
            let lookup = Lookup { schema, typed: &typed, layout: &layout };
            (lookup.strategy(&site)?, self.coverage(&lookup, atom))
        };
        let request = ReadRequest {
            frame: &frame,
            frame_id,
            coverage: &coverage,
            function: atom.function,
            fraction,
        };
        match strategy {
            Strategy::Merge(ranged) => self.merge(evaluation, &request, &ranged),
            Strategy::Difference { opened, closed } => {
                self.difference(evaluation, &request, &opened, &closed)
            }
            Strategy::Intersection(plan, sets) => {
                self.intersection(evaluation, &request, plan, &sets)
            }
            Strategy::CountCondition(members, condition) => {
                self.count_condition(evaluation, &request, &members, &condition)
            }
        }
    }

    /// Returns the time coverage of the source of an aggregate.
    pub(super) fn coverage(&self, lookup: &Lookup<'_>, atom: &Atom) -> TimeCoverage {
        let table = lookup.schema.source_at(atom.source);
        let kind = table.map(|table| table.kind);
        let present = || {
            let rows = lookup.presence(atom.source, atom.date.as_ref(), &[]).ok()?;
            self.store.rollup(&rows.definition, &[(i32::MIN, i32::MAX)])
        };
        TimeCoverage {
            kind,
            coverage: table.and_then(|table| table.coverage).filter(|_| atom.date.is_some()),
            present: (kind == Some(SourceKind::Snapshot)).then(present).flatten(),
        }
    }

    /// Returns the merged partials of each period and group; `None` where the source does not cover
    /// the period.
    pub(super) fn partials(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        ranged: &RangedPlan,
    ) -> Result<PeriodPartials, DeclineReason> {
        let spans = self.spans(evaluation.context().calendar, request, ranged)?;
        let plan = &ranged.plan;
        let slice = self.slice(plan, &spans)?;
        let codes = slice.codes(plan);
        let per_group = codes.len().max(1);
        let count = request.frame.group_count().saturating_mul(per_group);
        let assign =
            |rollup: &Rollup| group_of_key(evaluation, request.frame, plan, rollup, &codes);
        let periods = self.merge_slice(&slice, &spans, count, assign)?;
        let scale = slice.rollups().map(Rollup::scale).max().unwrap_or(0);
        Ok(PeriodPartials { kind: slice.whole.kind(), scale, codes, periods })
    }

    /// Returns the merged partial of each period over all groups.
    pub(super) fn whole(
        &self,
        evaluation: &mut dyn Evaluation<'_>,
        request: &ReadRequest<'_>,
        ranged: &RangedPlan,
    ) -> Result<Vec<Option<PartialAggregate>>, DeclineReason> {
        let spans = self.spans(evaluation.context().calendar, request, ranged)?;
        let plan = &ranged.plan;
        let slice = self.slice(plan, &spans)?;
        let assign = |rollup: &Rollup| {
            let matching = matching_keys(evaluation, plan, rollup);
            Ok(matching.into_iter().map(|matches| matches.then_some(0)).collect())
        };
        let periods = self.merge_slice(&slice, &spans, 1, assign)?;
        let only = |period: GroupPartials| period.partials.into_iter().next();
        Ok(periods.into_iter().map(|period| period.and_then(only)).collect())
    }

    /// Returns the buckets of each period.
    fn spans(
        &self,
        calendar: &Calendar,
        request: &ReadRequest<'_>,
        ranged: &RangedPlan,
    ) -> Result<Vec<Option<BucketSpan>>, DeclineReason> {
        let outline = self.outline(&ranged.plan, calendar)?;
        let state = request.frame.state;
        let span =
            |period| request.coverage.span(&outline, (ranged.range, state), period, calendar);
        request.frame.buckets.iter().map(span).collect()
    }

    /// Returns the merged partials of each period. `group_of_key` assigns the dimension keys of a
    /// rollup to `count` groups.
    fn merge_slice(
        &self,
        slice: &RollupSlice,
        spans: &[Option<BucketSpan>],
        count: usize,
        mut group_of_key: impl FnMut(&Rollup) -> Result<GroupOfKey, DeclineReason>,
    ) -> Result<Vec<Option<GroupPartials>>, DeclineReason> {
        let (rollup, groups) = (&slice.whole, group_of_key(&slice.whole)?);
        let mut periods: Vec<Option<GroupPartials>> = Vec::with_capacity(spans.len());
        for (span, step) in spans.iter().zip(&slice.merge_steps) {
            let next = span.zip(*step).map(|(span, step)| {
                let before = step.after.and_then(|at| periods.get(at).cloned().flatten());
                let none = || vec![PartialAggregate::empty(rollup.kind()); count];
                let mut partials = before.map_or_else(none, |before| before.partials);
                self.note(rollup.merge_range(step.buckets, &groups, &mut partials));
                GroupPartials { buckets: span.buckets, partials }
            });
            periods.push(next);
        }
        for (at, boundary) in &slice.boundaries {
            let groups = group_of_key(boundary)?;
            if let Some(Some(period)) = periods.get_mut(*at) {
                let partials = &mut period.partials;
                self.note(boundary.merge_range(BucketSpan::ALL.buckets, &groups, partials));
            }
        }
        Ok(periods)
    }
}

/// The part of a rollup that covers some periods.
pub(super) struct RollupSlice {
    /// The partials of whole buckets.
    pub(super) whole: Arc<Rollup>,
    /// Merge steps of whole buckets, by period.
    pub(super) merge_steps: Vec<Option<MergeStep>>,
    /// Partials of parts of buckets, each with the index of its period.
    pub(super) boundaries: Vec<(usize, Arc<Rollup>)>,
}

impl RollupSlice {
    pub(super) fn rollups(&self) -> impl Iterator<Item = &Rollup> {
        std::iter::once(&self.whole)
            .chain(self.boundaries.iter().map(|(_, boundary)| boundary))
            .map(Arc::as_ref)
    }

    /// Returns the currency codes of a rollup that keeps currencies apart, in order.
    fn codes(&self, plan: &RollupPlan) -> Vec<ScalarValue> {
        if plan.currency.is_none() {
            return Vec::new();
        }
        let keys = self.rollups().flat_map(Rollup::keys);
        let codes: BTreeSet<&ScalarValue> = keys.filter_map(|key| key.last()).collect();
        codes.into_iter().cloned().collect()
    }
}

/// The merged partials of each period.
pub(super) struct PeriodPartials {
    pub(super) kind: AggregateKind,
    /// The minimal number of decimal places of a sum.
    pub(super) scale: u32,
    /// The currencies in order; none where the rollup does not keep them apart.
    pub(super) codes: Vec<ScalarValue>,
    /// By period; `None` where the source does not cover it.
    pub(super) periods: Vec<Option<GroupPartials>>,
}

/// The buckets of a period, and the merged partial of each group.
#[derive(Clone)]
pub(super) struct GroupPartials {
    pub(super) buckets: BucketRange,
    pub(super) partials: Vec<PartialAggregate>,
}

/// A request for an aggregate, as every strategy needs it.
pub(super) struct ReadRequest<'q> {
    pub(super) frame: &'q Frame,
    pub(super) frame_id: FrameId,
    pub(super) coverage: &'q TimeCoverage,
    pub(super) function: AggregateFunction,
    pub(super) fraction: Option<rust_decimal::Decimal>,
}
