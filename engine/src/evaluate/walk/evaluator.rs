//! The state of an evaluation, and the one `match` over the kinds of nodes.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::null_origins::with_origin;
use crate::calendar::Period;
use crate::check::{Kind, MetricId, PeriodPart, TypedNode};
use crate::diagnostics::Diagnostic;
use crate::evaluate::amount_currency::Currencies;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{FrameId, Frames, Series};
use crate::evaluate::log::EvaluationLog;
use crate::evaluate::scan::{RowOrders, SelectionCache, amount_in_bucket};
use crate::evaluate::sources::{CacheAccess, CacheKeys, DataSource, Pushdown};
use crate::plan::{NodeRef, Owner};
use crate::types::{Reason, Type, Value};

/// The cache and data source that are asked before rows in memory are scanned.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sources<'a> {
    pub(crate) cache: Option<CacheAccess<'a>>,
    pub(crate) data_source: Option<&'a dyn DataSource>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeInFrame {
    pub(crate) node: NodeRef,
    pub(crate) frame: FrameId,
}

/// Limit: values of single rows that are held for another use.
const MAX_ROW_VALUES: usize = 200_000;

/// Evaluates the formulas of one request, sharing frames, metrics and atoms.
#[derive(Debug)]
pub(crate) struct Evaluator<'a> {
    pub(crate) context: Context<'a>,
    pub(super) sources: Sources<'a>,
    pub(crate) frames: Frames<'a>,
    pub(crate) pushdown: Pushdown,
    pub(super) cache_keys: CacheKeys,
    pub(super) row_orders: RowOrders,
    pub(super) selections: SelectionCache,
    pub(crate) log: EvaluationLog<'a>,
    /// Atoms by shape and frame, across formulas.
    pub(super) atoms: BTreeMap<(u128, FrameId), Series>,
    computed: BTreeMap<NodeInFrame, Series>,
    /// The currencies of values, by node and frame, where values keep the currencies of their rows.
    pub(crate) currencies: BTreeMap<NodeInFrame, Currencies>,
    /// The currencies of atoms, by shape and frame.
    pub(crate) atom_currencies: BTreeMap<(u128, FrameId), Currencies>,
    /// How many values are held that each belong to a row of an entity.
    row_values: usize,
    /// How many were counted since the currencies of rows were last dropped.
    row_currencies: usize,
    /// How deep inside rows the aggregate lies that is being computed.
    pub(super) row_depth: usize,
    /// Values that replace those of nodes; set only within [`Self::supposing`].
    supposed: BTreeMap<NodeInFrame, Value>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(context: Context<'a>, sources: Sources<'a>) -> Self {
        Self {
            context,
            sources,
            frames: Frames::new(context.calendar, context.now, context.limits.max_periods),
            pushdown: Pushdown::default(),
            cache_keys: CacheKeys::default(),
            row_orders: RowOrders::default(),
            selections: SelectionCache::default(),
            log: EvaluationLog::new(context.limits),
            atoms: BTreeMap::new(),
            computed: BTreeMap::new(),
            currencies: BTreeMap::new(),
            atom_currencies: BTreeMap::new(),
            row_values: 0,
            row_currencies: 0,
            row_depth: 0,
            supposed: BTreeMap::new(),
        }
    }

    /// The periods of a frame.
    pub(crate) fn buckets(&self, frame: FrameId) -> Vec<Period> {
        self.frames.get(frame).map(|frame| frame.buckets.clone()).unwrap_or_default()
    }

    /// The period of the first bucket of a frame.
    pub(crate) fn first_period(&self, frame: FrameId) -> Option<Period> {
        self.frames.get(frame)?.buckets.first().copied()
    }

    pub(crate) fn formula(&mut self, owner: Owner, frame: FrameId) -> Series {
        match self.context.root(owner) {
            Some(root) => self.series(root, frame),
            None => self.frames.missing(frame, Reason::MissingInput),
        }
    }

    /// The values of a node, computed once for each frame.
    pub(crate) fn series(&mut self, node: NodeRef, frame: FrameId) -> Series {
        let Some(typed) = self.context.node(node) else {
            return self.frames.missing(frame, Reason::NoRows);
        };
        let key = NodeInFrame { node, frame };
        if !self.supposed.is_empty()
            && let Some(value) = self.supposed.get(&key)
        {
            return self.frames.constant(frame, value);
        }
        if let Kind::Constant(value) = &typed.kind {
            let series = self.constant(value, &typed.ty, frame);
            return with_origin(node.owner, typed.span, series);
        }
        if let Some(series) = self.computed.get(&key) {
            return Rc::clone(series);
        }
        self.log.step(self.frames.cell_count(frame).unwrap_or(1));
        let series = if self.is_exhausted() {
            self.frames.missing(frame, Reason::Overflow)
        } else {
            let mut series = self.compute(node, typed, frame);
            if self.keeps_currencies(frame) {
                series = self.null_where_mixed(node, &typed.kind, frame, series);
            }
            with_origin(node.owner, typed.span, series)
        };
        self.computed.insert(key, Rc::clone(&series));
        self.count_row_values(frame, series.len());
        series
    }

    /// Whether the computation stops because of a limit; reports a finding if there are too many frames.
    pub(super) fn is_exhausted(&mut self) -> bool {
        if self.frames.is_full() {
            self.log.too_many_frames();
        }
        self.log.is_exhausted()
    }

    /// Ends the evaluation. A finding rejects the whole request.
    pub(crate) fn into_findings(mut self) -> Vec<Diagnostic> {
        self.is_exhausted();
        self.log.findings
    }

    /// Counts values that are stored for further uses, if the frame has a group for each row of an
    /// entity.
    pub(super) fn count_row_values(&mut self, frame: FrameId, count: usize) {
        if self.frames.is_by_row(frame) {
            self.row_values = self.row_values.saturating_add(count);
            self.row_currencies = self.row_currencies.saturating_add(count);
        }
    }

    /// Drops the values of single rows once there are many: each period has its own, and a later period
    /// rarely needs those of an earlier one. Inside a row their currencies stay, because an operation looks up
    /// those of its operands after it has their values.
    pub(super) fn release_row_values(&mut self) {
        let is_in_row = self.row_depth > 0;
        let held = if is_in_row { self.row_values } else { self.row_currencies };
        if held <= MAX_ROW_VALUES {
            return;
        }
        let Self { frames, atoms, computed, currencies, atom_currencies, .. } = self;
        atoms.retain(|(_, frame), _| !frames.is_by_row(*frame));
        computed.retain(|key, _| !frames.is_by_row(key.frame));
        self.row_values = 0;
        if !is_in_row {
            atom_currencies.retain(|(_, frame), _| !frames.is_by_row(*frame));
            currencies.retain(|key, _| !frames.is_by_row(key.frame));
            self.row_currencies = 0;
        }
    }

    /// The value of a node in the first cell of a frame.
    pub(super) fn first_value(&mut self, node: NodeRef, frame: FrameId) -> Option<Value> {
        self.series(node, frame).first().cloned()
    }

    /// The value that a node would have in the first cell of a frame if other nodes had these values.
    pub(crate) fn supposing(
        &mut self,
        node: NodeInFrame,
        values: BTreeMap<NodeInFrame, Value>,
    ) -> Value {
        let computed = std::mem::take(&mut self.computed);
        self.supposed = values;
        let value = self.first_value(node.node, node.frame);
        self.supposed.clear();
        self.computed = computed;
        value.unwrap_or(Value::missing(Reason::NoRows))
    }

    fn constant(&self, value: &Value, ty: &Type, id: FrameId) -> Series {
        let Some(frame) = self.frames.get(id).filter(|frame| frame.currency.is_some()) else {
            return self.frames.constant(id, value);
        };
        let groups = frame.group_count();
        let series = (0..frame.buckets.len()).flat_map(|bucket| {
            let amount = amount_in_bucket(&self.context, value, ty, (frame, bucket));
            std::iter::repeat_n(amount, groups)
        });
        Rc::new(series.collect())
    }

    fn compute(&mut self, node: NodeRef, typed: &'a TypedNode, frame: FrameId) -> Series {
        let below = |id| NodeRef { id, ..node };
        match &typed.kind {
            Kind::Literal(literal) => {
                let period = self.context.calendar.resolve(*literal);
                let period = period.map_or(Value::missing(Reason::Domain), Value::period);
                self.frames.constant(frame, &period)
            }
            Kind::Input(name) => self.input(name, &typed.ty, frame),
            Kind::Metric(metric) => self.metric(node.owner, *metric, typed, frame),
            Kind::Placeholder(name, atom) => match self.recorded(name, &typed.ty, frame) {
                Some(value) => self.frames.constant(frame, &value),
                None => self.series(below(*atom), frame),
            },
            Kind::Shared(inner)
            | Kind::PerRow(inner)
            | Kind::Outer(inner)
            | Kind::WeightedAverage(inner) => self.series(below(*inner), frame),
            Kind::Column(_) => self.frames.missing(frame, Reason::NoRows),
            Kind::Atom(atom) => self.atom(node, atom, frame),
            Kind::Per(per) => self.per(node, per, frame),
            Kind::Window(window, inner) => self.window(node, below(*inner), *window, frame),
            Kind::Growth(window, inner) => self.growth(node, below(*inner), *window, frame),
            Kind::Change(window, inner) => self.change(node, below(*inner), *window, frame),
            Kind::Total { value, keep } => self.total(below(*value), keep, frame),
            Kind::Share(value) => self.share(below(*value), frame),
            Kind::Rank { value, by } => self.rank(node, below(*value), by.as_ref(), frame),
            Kind::OverBuckets(window, value) => {
                self.over_buckets(node, *window, below(*value), frame)
            }
            Kind::Scoped { value, conditions } => {
                let inner = self.frames.scoped(node.owner, conditions, frame);
                self.series(below(*value), inner)
            }
            Kind::Convert { value, to } => {
                let inner = self.frames.converted(*to, frame);
                self.series(below(*value), inner)
            }
            Kind::CurrentPeriod(part) => self.current_period(*part, frame),
            Kind::Now => self.frames.constant(frame, &Value::DateTime(self.context.now)),
            Kind::Today => {
                let today = self.context.calendar.date_of(self.context.now);
                self.frames.constant(frame, &Value::Date(today))
            }
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => self.chain(node, frame),
            kind => self.operation(node.owner, kind, frame),
        }
    }

    fn metric(
        &mut self,
        owner: Owner,
        metric: MetricId,
        typed: &TypedNode,
        frame: FrameId,
    ) -> Series {
        let key = self.context.keys.get(metric.0).copied().unwrap_or_default();
        if let Some(value) = self.recorded(key, &typed.ty, frame) {
            let series = self.frames.constant(frame, &value);
            return with_origin(owner, typed.span, series);
        }
        self.formula(Owner::Metric(metric.0), frame)
    }

    fn current_period(&mut self, part: PeriodPart, frame: FrameId) -> Series {
        let Some(frame) = self.frames.get(frame) else { return Series::default() };
        let groups = frame.group_count();
        let unknown =
            self.context.record.is_some() && frame.buckets.iter().any(|period| period.is_always());
        let of = |period: &Period| match part {
            _ if unknown => Value::missing(Reason::MissingInput),
            PeriodPart::Whole => Value::period(*period),
            PeriodPart::Start => Value::DateTime(period.start),
            PeriodPart::End => Value::DateTime(period.end),
        };
        let periods = frame.buckets.iter();
        let values = periods.flat_map(|period| std::iter::repeat_n(of(period), groups)).collect();
        if unknown {
            self.log.missing_inputs.insert("period".to_owned());
        }
        Rc::new(values)
    }
}
