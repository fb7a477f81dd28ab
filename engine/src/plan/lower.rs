//! Lowers checked formulas to a plan: metrics are expanded, windows and filters become places.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::graph::Graph;
use super::origins::{Origins, Part, PartId, Trace};
use super::place::{Place, PlaceStep};
use super::program::{Op, Operand};
use super::rows::PlannedAtom;
use super::slot::{Content, Slot};
use super::{NodeRef, Owner, Plan, Planned, Site, schedule};
use crate::check::{Arithmetic, Kind, NodeId, Typed, TypedNode};
use crate::diagnostics::{Code, Diagnostic};
use crate::schema::{Schema, SourceId};
use crate::source::Span;
use crate::types::{Currency, CurrencyOf, Reason, Type, Value};

/// Limit: parts of the formulas of one plan and of the programs inside it, counted once for each place. Windows in metrics
/// that are used under windows multiply, as do values from outside the rows of several aggregates.
const MAX_PARTS: usize = 100_000;

/// The inputs of a plan.
#[derive(Debug)]
pub(crate) struct Planner<'a> {
    pub(crate) schema: &'a Schema,
    /// The engine's metrics by index; `None` for those that do not check.
    pub(crate) metrics: &'a [Option<&'a Typed>],
    /// Their keys.
    pub(crate) keys: &'a [&'a str],
    /// The formulas, in the order of the results.
    pub(crate) formulas: Vec<&'a Typed>,
    /// Normalized names whose values the caller provides: metrics, placeholders, calls, columns of
    /// one value. The plan leaves out what they would be computed from.
    pub(crate) given: BTreeSet<String>,
    /// The currency that every amount is converted to.
    pub(crate) currency: Option<Currency>,
    /// How many parts there are, with those of the programs inside the plan.
    pub(crate) part_count: Cell<usize>,
}

impl<'a> Planner<'a> {
    /// Returns the plan of the formulas.
    ///
    /// # Errors
    /// A finding if the plan would have more than `MAX_PARTS` parts.
    pub(crate) fn plan(&self) -> Result<Plan, Diagnostic> {
        let mut lowering = Lowering::new(self, None);
        let root = PlaceEntry {
            place: Place { steps: self.currency.map(PlaceStep::Convert).into_iter().collect() },
            around: Vec::new(),
        };
        lowering.place_entries.push(root);
        let mut results = Vec::with_capacity(self.formulas.len());
        let mut formulas = Vec::with_capacity(self.formulas.len());
        for (index, typed) in self.formulas.iter().enumerate() {
            results.push(lowering.part(Owner::Formula(index), typed.root, 0));
            let ty = typed.nodes.get(typed.root.0).map_or(Type::Null, |root| root.ty.clone());
            formulas.push(Planned { text: Arc::clone(&typed.text), ty });
        }
        if lowering.is_full() {
            let message = format!("the plan has more than {MAX_PARTS} parts");
            return Err(Diagnostic::new(Code::E706, Span::default(), message).help(
                "use fewer windows around windows, and fewer aggregates in the rows of others",
            ));
        }
        let Lowering { mut graph, mut parts, sites, metrics, .. } = lowering;
        let value = |part: &PartId| parts.get(*part).and_then(|part| part.value);
        let roots: Vec<Operand> = results.iter().filter_map(value).collect();
        graph.round_at_once(&roots);
        let (program, places) = schedule::program(&graph, &roots, &conditions(&parts));
        for part in &mut parts {
            let place = part.value.and_then(|value| places.get(value.index()).copied().flatten());
            part.value = place;
        }
        // The program has its slots in the order of the graph.
        let is_kept = |node: usize| places.get(node).is_some_and(Option::is_some);
        let kept = sites.into_iter().filter(|(node, _)| is_kept(*node));
        let key =
            |id: &usize| Some((u32::try_from(*id).ok()?, Arc::from(self.keys.get(*id).copied()?)));
        Ok(Plan {
            program,
            origins: Origins { parts, results },
            sites: kept.map(|(_, site)| site).collect(),
            formulas,
            currency: self.currency,
            given: self.given.iter().cloned().collect(),
            metrics: metrics.iter().filter_map(key).collect(),
        })
    }

    pub(super) fn typed(&self, owner: Owner) -> Option<&'a Typed> {
        match owner {
            Owner::Metric(index) => self.metrics.get(index).copied().flatten(),
            Owner::Formula(index) => self.formulas.get(index).copied(),
        }
    }

    pub(super) fn node(&self, owner: Owner, id: NodeId) -> Option<&'a TypedNode> {
        self.typed(owner)?.nodes.get(id.0)
    }
}

/// Returns the conditions of choices. Constant ones stay in the program, because tracing a null needs
/// them.
fn conditions(parts: &[Part]) -> Vec<Operand> {
    let mut found = Vec::new();
    for part in parts {
        if let Trace::Choice(branches, _) = &part.trace {
            let when = branches.iter().filter_map(|(when, _)| parts.get(*when));
            found.extend(when.filter_map(|when| when.value));
        }
    }
    found
}

/// A place, and the enclosing nodes that lead to it.
#[derive(Debug, Clone)]
pub(super) struct PlaceEntry {
    pub(super) place: Place,
    pub(super) around: Vec<NodeRef>,
}

/// The index of a place in [`Lowering::place_entries`]; the first is that of the program itself.
pub(super) type PlaceId = usize;

/// The lowering of one program.
pub(super) struct Lowering<'p, 'a> {
    pub(super) planner: &'p Planner<'a>,
    pub(super) graph: Graph,
    pub(super) place_entries: Vec<PlaceEntry>,
    /// Inner places by the outer place and the step between them.
    under: BTreeMap<String, PlaceId>,
    /// Aggregates by node, whatever the place.
    pub(super) atoms: BTreeMap<NodeRef, Box<PlannedAtom>>,
    /// The source of the rows, for the expressions of an aggregate.
    pub(super) source: Option<SourceId>,
    pub(super) parts: Vec<Part>,
    known: BTreeMap<(Owner, NodeId, PlaceId), PartId>,
    /// The nodes of slots in the graph, ascending, with their origins.
    sites: Vec<(usize, Site)>,
    metrics: BTreeSet<usize>,
    /// Whether the program only says what a slot is, and does not run.
    pub(super) is_label: bool,
}

impl<'p, 'a> Lowering<'p, 'a> {
    pub(super) fn new(planner: &'p Planner<'a>, source: Option<SourceId>) -> Self {
        Self {
            planner,
            graph: Graph::default(),
            place_entries: Vec::new(),
            under: BTreeMap::new(),
            atoms: BTreeMap::new(),
            source,
            parts: Vec::new(),
            known: BTreeMap::new(),
            sites: Vec::new(),
            metrics: BTreeSet::new(),
            is_label: false,
        }
    }

    fn is_full(&self) -> bool {
        self.planner.part_count.get() >= MAX_PARTS
    }

    pub(super) fn place(&self, at: PlaceId) -> Place {
        self.place_entries.get(at).map(|entry| entry.place.clone()).unwrap_or_default()
    }

    /// Returns the place one step below `at`, where the node `by` makes the step.
    pub(super) fn under(&mut self, at: PlaceId, step: PlaceStep, by: NodeRef) -> PlaceId {
        let key = format!("{at} {step}");
        if let Some(known) = self.under.get(&key) {
            return *known;
        }
        let Some(mut entry) = self.place_entries.get(at).cloned() else { return at };
        entry.place.steps.push(step);
        entry.around.push(by);
        let inner = self.place_entries.len();
        self.under.insert(key, inner);
        self.place_entries.push(entry);
        inner
    }

    /// Adds a part of a formula, with its value in the graph.
    pub(super) fn add(&mut self, owner: Owner, span: Span, value: Operand, trace: Trace) -> PartId {
        let metric = match owner {
            Owner::Metric(index) => u32::try_from(index).ok(),
            Owner::Formula(_) => None,
        };
        self.planner.part_count.update(|count| count.saturating_add(1));
        self.parts.push(Part { metric, span, value: Some(value), trace });
        self.parts.len().saturating_sub(1)
    }

    pub(super) fn value(&self, part: PartId) -> Operand {
        self.parts.get(part).and_then(|part| part.value).unwrap_or(Operand(u32::MAX))
    }

    /// Adds a part whose value comes from outside.
    pub(super) fn slot(
        &mut self,
        node: NodeRef,
        content: Content,
        ty: &Type,
        at: PlaceId,
    ) -> PartId {
        let NodeRef { owner, id } = node;
        let span = self.planner.node(owner, id).map(|node| node.span).unwrap_or_default();
        let mut place = self.place(at);
        match content {
            // Their values do not depend on the place.
            Content::Literal(_) | Content::Now | Content::Today => place = Place::default(),
            Content::Input(_) if place.is_the_records() => {
                place.steps.retain(|step| !matches!(step, PlaceStep::Window(_)));
            }
            _ => {}
        }
        let (operand, was_known) = self.graph.slot(Slot { content, place, ty: ty.clone() });
        if !was_known {
            let around =
                self.place_entries.get(at).map(|entry| entry.around.clone()).unwrap_or_default();
            self.sites.push((operand.index(), Site { node, around }));
        }
        self.add(owner, span, operand, Trace::Here(Vec::new()))
    }

    /// Adds a part that an operation computes.
    pub(super) fn op(&mut self, owner: Owner, node: &TypedNode, op: Op, trace: Trace) -> PartId {
        let value = self.graph.op(op, &node.ty);
        self.add(owner, node.span, value, trace)
    }

    pub(super) fn null(&mut self, owner: Owner, span: Span, reason: Reason) -> PartId {
        let value = self.graph.constant(Value::missing(reason), &Type::Null);
        self.add(owner, span, value, Trace::Here(Vec::new()))
    }

    /// Lowers a node at a place.
    ///
    /// Recursion is as deep as the checker allows nesting; runs of operators are walked in a loop.
    pub(super) fn part(&mut self, owner: Owner, id: NodeId, at: PlaceId) -> PartId {
        if let Some(known) = self.known.get(&(owner, id, at)) {
            return *known;
        }
        let Some(node) = self.planner.node(owner, id) else {
            return self.null(owner, Span::default(), Reason::NoRows);
        };
        if self.is_full() {
            return self.null(owner, node.span, Reason::Overflow);
        }
        let here = NodeRef { owner, id };
        let part = match &node.kind {
            _ if self.joins_currencies(here, node, at) => {
                let value = Box::new(self.planner.label(here));
                self.slot(here, Content::InCurrencies(value), &node.ty, at)
            }
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => return self.chain(owner, id, at),
            _ => self.single(here, node, at),
        };
        self.known.insert((owner, id, at), part);
        part
    }

    /// Lowers a run of operators, from its left end.
    fn chain(&mut self, owner: Owner, id: NodeId, at: PlaceId) -> PartId {
        let mut run = Vec::new();
        let mut next = id;
        while let Some(node) = self.planner.node(owner, next)
            && !self.known.contains_key(&(owner, next, at))
            && !self.joins_currencies(NodeRef { owner, id: next }, node, at)
            && let Kind::Arithmetic(_, left, right)
            | Kind::And(left, right)
            | Kind::Or(left, right)
            | Kind::Concat(left, right)
            | Kind::Default(left, right) = &node.kind
        {
            run.push((next, node, *right));
            next = *left;
        }
        let mut left = self.part(owner, next, at);
        for (id, node, right) in run.into_iter().rev() {
            let right = self.part(owner, right, at);
            let (a, b) = (self.value(left), self.value(right));
            let (op, trace) = match &node.kind {
                Kind::And(..) => (Op::And(a, b), Trace::Here(vec![left, right])),
                Kind::Or(..) => (Op::Or(a, b), Trace::Here(vec![left, right])),
                Kind::Concat(..) => (Op::Concat(a, b), Trace::Operands(vec![left, right])),
                Kind::Default(..) => (Op::Default(a, b), Trace::Otherwise(left, right)),
                Kind::Arithmetic(op @ Arithmetic::Divide, ..) => {
                    (Op::Arithmetic(*op, a, b), Trace::Quotient(left, right))
                }
                Kind::Arithmetic(op, ..) => {
                    (Op::Arithmetic(*op, a, b), Trace::Operands(vec![left, right]))
                }
                _ => continue,
            };
            left = self.op(owner, node, op, trace);
            self.known.insert((owner, id, at), left);
        }
        left
    }

    fn single(&mut self, here: NodeRef, node: &'a TypedNode, at: PlaceId) -> PartId {
        let owner = here.owner;
        match &node.kind {
            Kind::Constant(value) => self.constant(here, node, value, at),
            Kind::Literal(literal) => self.slot(here, Content::Literal(*literal), &node.ty, at),
            Kind::Input(name) => self.slot(here, Content::Input(Arc::clone(name)), &node.ty, at),
            Kind::Placeholder(name, atom) => match self.given(name, at) {
                Some(name) => self.slot(here, Content::Input(name), &node.ty, at),
                None => self.inner(owner, node, *atom, at),
            },
            Kind::Metric(metric) => {
                let key = self.planner.keys.get(metric.0).copied().unwrap_or_default();
                if let Some(name) = self.given(key, at) {
                    return self.slot(here, Content::Input(name), &node.ty, at);
                }
                self.metrics.insert(metric.0);
                let inner = Owner::Metric(metric.0);
                match self.planner.typed(inner) {
                    Some(typed) => self.part(inner, typed.root, at),
                    None => self.null(owner, node.span, Reason::MissingInput),
                }
            }
            Kind::Shared(inner) | Kind::WeightedAverage(inner) => {
                self.inner(owner, node, *inner, at)
            }
            Kind::Column(path) => self.column(here, path, node, at),
            Kind::PerRow(inner) | Kind::Outer(inner) => self.around_rows(here, node, *inner, at),
            Kind::Atom(atom) => self.atom(here, atom, node, at),
            Kind::Per(per) => self.per(here, per, node, at),
            Kind::Rank { value, by } => {
                let value = Box::new(self.nested(owner, *value));
                self.slot(here, Content::Rank { value, by: by.clone() }, &node.ty, at)
            }
            Kind::OverBuckets(window, value) => {
                if let Some(name) = self.given_call(owner, node, at) {
                    return self.slot(here, Content::Input(name), &node.ty, at);
                }
                let value = Box::new(self.nested(owner, *value));
                self.slot(here, Content::OverBuckets { window: *window, value }, &node.ty, at)
            }
            Kind::Window(..)
            | Kind::Growth(..)
            | Kind::Change(..)
            | Kind::Total { .. }
            | Kind::Share(_)
            | Kind::Scoped { .. }
            | Kind::Convert { .. } => self.elsewhere(here, node, at),
            Kind::CurrentPeriod(part) => self.slot(here, Content::Period(*part), &node.ty, at),
            Kind::Now => self.slot(here, Content::Now, &node.ty, at),
            Kind::Today => self.slot(here, Content::Today, &node.ty, at),
            _ => self.operation(owner, node, at),
        }
    }

    /// Lowers a node whose value is that of another node, at the place `at`.
    pub(super) fn inner(
        &mut self,
        owner: Owner,
        node: &TypedNode,
        inner: NodeId,
        at: PlaceId,
    ) -> PartId {
        let inner = self.part(owner, inner, at);
        let value = self.value(inner);
        self.add(owner, node.span, value, Trace::From(inner))
    }

    fn constant(&mut self, here: NodeRef, node: &TypedNode, value: &Value, at: PlaceId) -> PartId {
        let target = self.place_entries.get(at).and_then(|entry| entry.place.currency());
        let unit = node.ty.unit().filter(|unit| unit.is_money() && !value.is_missing());
        if let (Some(unit), Some(target)) = (unit, target)
            && let CurrencyOf::Fixed(own) = unit.currency
            && own != target
        {
            let amount = Content::Amount(value.clone(), own);
            return self.slot(here, amount, &node.ty, at);
        }
        let value = self.graph.constant(value.clone(), &node.ty);
        self.add(here.owner, node.span, value, Trace::Here(Vec::new()))
    }

    /// Returns the normalized name, if the caller provides its value and the value applies to the
    /// place.
    pub(super) fn given(&self, name: &str, at: PlaceId) -> Option<Arc<str>> {
        if self.planner.given.is_empty() || !self.place_entries.get(at)?.place.is_the_records() {
            return None;
        }
        let name = crate::data::plain_name(name);
        self.planner.given.contains(&name).then(|| Arc::from(name))
    }
}
