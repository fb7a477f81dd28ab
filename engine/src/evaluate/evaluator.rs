//! The walk over a checked formula, with what was computed already kept.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use jiff::Timestamp;

use super::cached::Cached;
use super::frame::{Frame, Groups, Owner};
use super::observed::StandIn;
use super::placed::Placed;
use super::selection::Kept;
use super::supply::Supply;
use super::wanted::Supplying;
use crate::calendar::{Calendar, Period, TimeUnit};
use crate::check::{Kind, MetricId, NodeId, PeriodPart, Shape, Typed, TypedNode};
use crate::data::{Data, Record};
use crate::diagnostics::{Code, Diagnostic};
use crate::functions::Environment;
use crate::schema::{Schema, SourceId};
use crate::source::Span;
use crate::syntax::Limits;
use crate::types::{Currency, Missing, Origin, Reason, Type, Value};

/// What an evaluation works on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) schema: &'a Schema,
    /// The engine's metrics by index; none for those that do not check.
    pub(crate) metrics: &'a [Option<&'a Typed>],
    pub(crate) keys: &'a [&'a str],
    pub(crate) data: Option<&'a Data>,
    pub(crate) record: Option<&'a Record>,
    pub(crate) limits: &'a Limits,
    pub(crate) calendar: &'a Calendar,
    pub(crate) now: Timestamp,
    /// What keeps answers of atoms between evaluations.
    pub(crate) cached: Option<Cached<'a>>,
    /// What is asked for aggregates before rows in memory.
    pub(crate) supply: Option<&'a dyn Supply>,
}

/// One value for each bucket and group of a frame, bucket by bucket.
pub(crate) type Cells = Rc<Vec<Value>>;

/// What few frames have in common: the first and the last bucket, how many there are, how many filters.
type FrameKey = (Option<Period>, Option<Period>, usize, usize);

/// Computes formulas over one request, sharing frames, metrics and atoms between them.
#[derive(Debug)]
pub(crate) struct Evaluator<'a> {
    pub(crate) context: Context<'a>,
    pub(super) asked: Vec<&'a Typed>,
    pub(super) frames: Vec<Frame>,
    frames_by_period: BTreeMap<FrameKey, Vec<usize>>,
    computed: BTreeMap<(Owner, NodeId, usize), Cells>,
    /// Values that stand in place of what a node would compute; set under [`Self::supposing`] alone.
    supposed: BTreeMap<(Owner, NodeId, usize), Value>,
    pub(super) atoms: BTreeMap<(u128, usize), Cells>,
    pub(super) placed: BTreeMap<(SourceId, Option<crate::schema::Path>), Rc<Placed>>,
    pub(super) entities: BTreeMap<SourceId, Rc<Groups>>,
    pub(super) kept: Kept,
    /// By frame, and by whether the present and the start of the request count: what an atom's
    /// answers depend on besides its rows and its own meaning.
    pub(super) surroundings: BTreeMap<(usize, bool, bool), u128>,
    /// Values instead of rows, while a condition is computed over them.
    pub(super) stand_in: Option<StandIn>,
    steps: u64,
    /// What a supply is told, and has said.
    pub(crate) supplying: Supplying,
    /// Names the record does not give.
    pub(crate) missing_inputs: BTreeSet<String>,
    /// Names the record gave and that were used.
    pub(crate) used_inputs: BTreeSet<String>,
    /// What a record or a limit refuses.
    pub(crate) findings: Vec<Diagnostic>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(context: Context<'a>, asked: Vec<&'a Typed>) -> Self {
        Self {
            context,
            asked,
            frames: Vec::new(),
            frames_by_period: BTreeMap::new(),
            computed: BTreeMap::new(),
            supposed: BTreeMap::new(),
            atoms: BTreeMap::new(),
            placed: BTreeMap::new(),
            entities: BTreeMap::new(),
            kept: Kept::default(),
            surroundings: BTreeMap::new(),
            stand_in: None,
            steps: 0,
            supplying: Supplying::default(),
            missing_inputs: BTreeSet::new(),
            used_inputs: BTreeSet::new(),
            findings: Vec::new(),
        }
    }

    /// The frame of a request, without groups yet.
    pub(crate) fn root_frame(
        &mut self,
        buckets: Vec<Period>,
        request_start: Timestamp,
        currency: Option<Currency>,
    ) -> usize {
        self.intern(Frame {
            buckets,
            groups: Groups::whole(),
            filters: Vec::new(),
            currency,
            shifted: false,
            state: None,
            request_start,
        })
    }

    pub(super) fn intern(&mut self, frame: Frame) -> usize {
        let same = |known: &Frame| {
            Rc::ptr_eq(&known.groups, &frame.groups)
                && known.buckets == frame.buckets
                && known.filters == frame.filters
                && (known.currency, known.shifted, known.state, known.request_start)
                    == (frame.currency, frame.shifted, frame.state, frame.request_start)
        };
        let ends = (frame.buckets.first().copied(), frame.buckets.last().copied());
        let key = (ends.0, ends.1, frame.buckets.len(), frame.filters.len());
        let alike = self.frames_by_period.entry(key).or_default();
        let known = alike.iter().find(|index| self.frames.get(**index).is_some_and(same));
        if let Some(index) = known {
            return *index;
        }
        let index = self.frames.len();
        alike.push(index);
        self.frames.push(frame);
        index
    }

    pub(crate) fn frame(&self, frame: usize) -> Option<&Frame> {
        self.frames.get(frame)
    }

    /// The period of the first bucket of a frame.
    pub(crate) fn first_period(&self, frame: usize) -> Option<Period> {
        self.frame(frame)?.buckets.first().copied()
    }

    pub(crate) fn schema(&self) -> &'a Schema {
        self.context.schema
    }

    pub(super) fn data(&self) -> Option<&'a Data> {
        self.context.data
    }

    /// Whether the rows of a source are a store's, which knows the days that the source declares;
    /// those of a record cover whatever they are asked for.
    pub(crate) fn is_store(&self, source: SourceId) -> bool {
        self.data().is_some_and(|data| data.is_store) || self.supply_of(source).is_some()
    }

    pub(super) fn environment(&self) -> Environment<'a> {
        Environment { calendar: self.context.calendar, now: self.context.now }
    }

    pub(crate) fn typed(&self, owner: Owner) -> Option<&'a Typed> {
        match owner {
            Owner::Metric(index) => self.context.metrics.get(index).copied().flatten(),
            Owner::Asked(index) => self.asked.get(index).copied(),
        }
    }

    /// The shape of a node.
    pub(super) fn shape(&self, owner: Owner, id: NodeId) -> Option<Shape> {
        self.typed(owner)?.shape(id)
    }

    pub(crate) fn node(&self, owner: Owner, id: NodeId) -> Option<&'a TypedNode> {
        self.typed(owner)?.nodes.get(id.0)
    }

    /// Counts work; past the limit everything is skipped and the finding stays.
    pub(super) fn step(&mut self, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let before = self.steps;
        self.steps = self.steps.saturating_add(count).saturating_add(1);
        let limit = self.context.limits.max_steps;
        if before <= limit && self.steps > limit {
            let message = format!("the computation takes more than {limit} steps");
            self.findings.push(
                Diagnostic::new(Code::E706, Span::default(), message)
                    .help("ask for a shorter range, fewer groups or coarser buckets"),
            );
        }
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.steps > self.context.limits.max_steps
    }

    /// Refuses frames of too many cells; gives whether this one may be computed.
    pub(super) fn admits(&mut self, cells: usize, span: Span) -> bool {
        let limit = self.context.limits.max_cells;
        if cells <= limit {
            return true;
        }
        if !self.findings.iter().any(|finding| finding.code == Code::E707) {
            let message = format!("{cells} values at once, {limit} are allowed");
            self.findings.push(
                Diagnostic::new(Code::E707, span, message)
                    .help("ask for a shorter range, fewer groups or coarser buckets"),
            );
        }
        false
    }

    /// Refuses a period cut into too many pieces.
    pub(super) fn too_many_pieces(&mut self, unit: TimeUnit, span: Span) {
        let limit = self.context.limits.max_buckets;
        let message = format!("the period has more than {limit} {}s", unit.name());
        let finding = Diagnostic::new(Code::E707, span, message)
            .help("ask for a shorter period or a longer unit");
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// The whole formula.
    pub(crate) fn formula(&mut self, owner: Owner, frame: usize) -> Cells {
        match self.typed(owner) {
            Some(typed) => self.cells(owner, typed.root, frame),
            None => self.same(frame, &Value::missing(Reason::MissingInput)),
        }
    }

    /// One value for every cell of the frame.
    pub(super) fn same(&self, frame: usize, value: &Value) -> Cells {
        let count = self.frame(frame).map_or(1, Frame::cell_count);
        Rc::new(vec![value.clone(); count])
    }

    pub(crate) fn cells(&mut self, owner: Owner, id: NodeId, frame: usize) -> Cells {
        let Some(node) = self.node(owner, id) else {
            return self.same(frame, &Value::missing(Reason::NoRows));
        };
        let key = (owner, id, frame);
        if !self.supposed.is_empty()
            && let Some(value) = self.supposed.get(&key)
        {
            return self.same(frame, value);
        }
        if let Kind::Constant(value) = &node.kind {
            let cells = self.constant(value, &node.ty, frame);
            return Self::with_origin(owner, node.span, cells);
        }
        if let Some(cells) = self.computed.get(&key) {
            return Rc::clone(cells);
        }
        self.step(self.frame(frame).map_or(1, Frame::cell_count));
        let cells = if self.is_exhausted() {
            self.same(frame, &Value::missing(Reason::Overflow))
        } else {
            let cells = self.compute(owner, id, frame);
            Self::with_origin(owner, node.span, cells)
        };
        self.computed.insert(key, Rc::clone(&cells));
        cells
    }

    /// What a node would be in the first cell of a frame, if other nodes had these values.
    pub(crate) fn supposing(
        &mut self,
        (owner, id, frame): (Owner, NodeId, usize),
        values: BTreeMap<(Owner, NodeId, usize), Value>,
    ) -> Value {
        let kept = std::mem::take(&mut self.computed);
        self.supposed = values;
        let cells = self.cells(owner, id, frame);
        self.supposed.clear();
        self.computed = kept;
        cells.first().cloned().unwrap_or(Value::missing(Reason::NoRows))
    }

    fn constant(&self, value: &Value, ty: &Type, frame: usize) -> Cells {
        let Some(place) = self.frame(frame).filter(|place| place.currency.is_some()) else {
            return self.same(frame, value);
        };
        let groups = place.group_count();
        let cells = (0..place.buckets.len()).flat_map(|bucket| {
            std::iter::repeat_n(self.amount_in_frame(value, ty, frame, bucket), groups)
        });
        Rc::new(cells.collect())
    }

    /// Notes on every null that began here where it began.
    pub(super) fn with_origin(owner: Owner, span: Span, cells: Cells) -> Cells {
        let fresh = |value: &Value| matches!(value, Value::Missing(Missing { origin: None, .. }));
        if !cells.iter().any(fresh) {
            return cells;
        }
        let metric = match owner {
            Owner::Metric(index) => u32::try_from(index).ok(),
            Owner::Asked(_) => None,
        };
        let origin = Some(Origin { metric, span });
        let mut cells = Rc::unwrap_or_clone(cells);
        for value in &mut cells {
            if let Value::Missing(missing) = value {
                missing.origin = missing.origin.or(origin);
            }
        }
        Rc::new(cells)
    }

    fn compute(&mut self, owner: Owner, id: NodeId, frame: usize) -> Cells {
        let Some(node) = self.node(owner, id) else {
            return self.same(frame, &Value::missing(Reason::NoRows));
        };
        match &node.kind {
            Kind::Constant(value) => self.constant(value, &node.ty, frame),
            Kind::Literal(literal) => {
                let period = self.context.calendar.resolve(*literal);
                let period = period.map_or(Value::missing(Reason::Domain), Value::Period);
                self.same(frame, &period)
            }
            Kind::Input(name) => self.input(name, &node.ty, frame),
            Kind::Metric(metric) => self.metric(owner, *metric, node, frame),
            Kind::Placeholder(name, atom) => match self.recorded(name, &node.ty, frame) {
                Some(value) => self.same(frame, &value),
                None => self.cells(owner, *atom, frame),
            },
            Kind::Shared(inner) | Kind::PerRow(inner) | Kind::Outer(inner) => {
                self.cells(owner, *inner, frame)
            }
            Kind::Column(_) => self.same(frame, &Value::missing(Reason::NoRows)),
            Kind::Atom(atom) => self.atom(owner, id, atom, frame),
            Kind::Per(per) => self.per(owner, per, frame),
            Kind::Window(window, inner) => self.window(owner, (id, *inner), *window, frame),
            Kind::Growth(window, inner) => self.growth(owner, (id, *inner), *window, frame),
            Kind::Change(window, inner) => self.change(owner, (id, *inner), *window, frame),
            Kind::Total { value, keep } => self.total(owner, *value, keep, frame),
            Kind::Share(value) => self.share(owner, *value, frame),
            Kind::Rank { value, by } => self.rank(owner, *value, by.as_ref(), frame),
            Kind::Scoped { value, conditions } => self.scoped(owner, *value, conditions, frame),
            Kind::Convert { value, to } => {
                let inner = self.converted_frame(*to, frame);
                self.cells(owner, *value, inner)
            }
            Kind::CurrentPeriod(part) => self.current_period(*part, frame),
            Kind::Now => self.same(frame, &Value::DateTime(self.context.now)),
            Kind::Today => {
                let today = self.context.calendar.date_of(self.context.now);
                self.same(frame, &Value::Date(today))
            }
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => self.chain(owner, id, frame),
            kind => self.operation(owner, kind, frame),
        }
    }

    fn metric(&mut self, owner: Owner, metric: MetricId, node: &TypedNode, frame: usize) -> Cells {
        let key = self.context.keys.get(metric.0).copied().unwrap_or_default();
        if let Some(value) = self.recorded(key, &node.ty, frame) {
            let cells = self.same(frame, &value);
            return Self::with_origin(owner, node.span, cells);
        }
        self.formula(Owner::Metric(metric.0), frame)
    }

    fn current_period(&mut self, part: PeriodPart, frame: usize) -> Cells {
        let Some(place) = self.frame(frame) else { return Rc::new(Vec::new()) };
        let groups = place.group_count();
        let unknown = place.buckets.contains(&Period::ALWAYS) && self.context.record.is_some();
        let of = |period: &Period| match part {
            _ if unknown => Value::missing(Reason::MissingInput),
            PeriodPart::Whole => Value::Period(*period),
            PeriodPart::Start => Value::DateTime(period.start),
            PeriodPart::End => Value::DateTime(period.end),
        };
        let values: Vec<Value> = place
            .buckets
            .iter()
            .flat_map(|period| std::iter::repeat_n(of(period), groups))
            .collect();
        if unknown {
            self.missing_inputs.insert("period".to_owned());
        }
        Rc::new(values)
    }
}
