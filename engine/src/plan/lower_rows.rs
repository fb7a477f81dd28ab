//! What changes the place, what reads rows, and what works on values alone.

use std::sync::Arc;

use super::Owner;
use super::lower::{Lowering, Planner, Spot, SpotId};
use super::origins::{PartId, Trace};
use super::place::{Place, Step};
use super::program::{Function, Op, Operand, Program};
use super::rows::{PlannedAtom, PlannedPer, Rows};
use super::schedule;
use super::slot::Content;
use crate::calendar::TimeUnit;
use crate::check::{AggregateFunction, Arithmetic, Atom, Kind, NodeId, Per, TypedNode, Window};
use crate::data::plain_name;
use crate::number::Rounding;
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Type, Value};

impl Planner<'_> {
    /// Expressions over the rows of a source, or over the whole at a place of its own.
    fn program(&self, owner: Owner, nodes: &[NodeId], source: Option<SourceId>) -> Program {
        let mut lowering = Lowering::new(self, source);
        lowering.spots.push(Spot { place: Place::default(), around: Vec::new() });
        let parts: Vec<PartId> = nodes.iter().map(|node| lowering.part(owner, *node, 0)).collect();
        let roots: Vec<_> = parts.iter().map(|part| lowering.value(*part)).collect();
        lowering.graph.round_at_once(&roots);
        schedule::program(&lowering.graph, &roots, &[]).0
    }

    pub(super) fn rows(&self, owner: Owner, source: SourceId, nodes: &[NodeId]) -> Rows {
        let name = self.schema.source_at(source).map_or("", |source| &source.name);
        Rows { source, name: Arc::from(name), program: self.program(owner, nodes, Some(source)) }
    }

    /// `orders.customer.country`: a column of a source, as formulas write it.
    fn column_name(&self, source: SourceId, path: &Path) -> Option<String> {
        let mut at = self.schema.source_at(source)?;
        let mut name = super::listing::name(&at.name);
        for link in &path.links {
            let link = at.links.get(link.0)?;
            name.push('.');
            name.push_str(&super::listing::name(&link.name));
            at = self.schema.source_at(link.target)?;
        }
        name.push('.');
        name.push_str(&super::listing::name(&at.fields.get(path.field.0)?.name));
        Some(name)
    }
}

impl<'a> Lowering<'_, 'a> {
    /// A program of its own, whose places begin where it is used.
    pub(super) fn nested(&self, owner: Owner, node: NodeId) -> Program {
        self.planner.program(owner, &[node], None)
    }

    pub(super) fn column(
        &mut self,
        (owner, id): (Owner, NodeId),
        path: &Path,
        ty: &Type,
        at: SpotId,
    ) -> PartId {
        let name = self.source.and_then(|source| self.planner.column_name(source, path));
        let span = self.planner.node(owner, id).map(|node| node.span).unwrap_or_default();
        match name {
            Some(name) => {
                self.slot((owner, id), Content::Column(path.clone(), Arc::from(name)), ty, at)
            }
            None => self.null(owner, span, Reason::NoRows),
        }
    }

    /// An aggregate inside a row, or a value from outside of it.
    pub(super) fn around_rows(
        &mut self,
        (owner, id): (Owner, NodeId),
        node: &TypedNode,
        inner: NodeId,
        at: SpotId,
    ) -> PartId {
        if self.source.is_none() {
            let inner = self.part(owner, inner, at);
            let value = self.value(inner);
            return self.add(owner, node.span, value, Trace::From(inner));
        }
        let program = Box::new(self.nested(owner, inner));
        let content = match node.kind {
            Kind::PerRow(_) => Content::PerRow(program),
            _ => Content::Outer(program),
        };
        self.slot((owner, id), content, &node.ty, at)
    }

    pub(super) fn atom(
        &mut self,
        (owner, id): (Owner, NodeId),
        atom: &Atom,
        node: &TypedNode,
        at: SpotId,
    ) -> PartId {
        if let Some(name) = self.given_sum(owner, atom, at) {
            return self.slot((owner, id), Content::Input(name), &node.ty, at);
        }
        let nodes: Vec<NodeId> =
            [atom.value, atom.condition, atom.population].into_iter().flatten().collect();
        let condition = usize::from(atom.value.is_some());
        let population = condition.saturating_add(usize::from(atom.condition.is_some()));
        let date_name = atom.date.as_ref();
        let date_name = date_name.and_then(|date| self.planner.column_name(atom.source, date));
        let planned = PlannedAtom {
            function: atom.function,
            rows: self.planner.rows(owner, atom.source, &nodes),
            value: atom.value.map(|_| 0),
            condition: atom.condition.map(|_| condition),
            population: atom.population.map(|_| population),
            date: atom.date.clone(),
            date_name: date_name.map(Arc::from),
            fraction: atom.fraction.map(|fraction| self.nested(owner, fraction)),
        };
        self.slot((owner, id), Content::Atom(Box::new(planned)), &node.ty, at)
    }

    /// The name under which a record may give a plain sum of a column.
    fn given_sum(&self, owner: Owner, atom: &Atom, at: SpotId) -> Option<Arc<str>> {
        if atom.function != AggregateFunction::Sum
            || atom.condition.is_some()
            || atom.population.is_some()
        {
            return None;
        }
        let Kind::Column(path) = &self.planner.node(owner, atom.value?)?.kind else { return None };
        let schema = self.planner.schema;
        let source = schema.source_at(atom.source)?;
        let field = source.fields.get(path.field.0).filter(|_| path.links.is_empty())?;
        let is_summed = schema.placeholders.iter().any(|placeholder| {
            placeholder.source == atom.source
                && placeholder.field == *path
                && placeholder.aggregation.as_deref() == Some("sum")
        });
        if !is_summed {
            return None;
        }
        self.given(&format!("{}.{}", source.name, field.name), at)
    }

    pub(super) fn per(
        &mut self,
        (owner, id): (Owner, NodeId),
        per: &Per,
        node: &TypedNode,
        at: SpotId,
    ) -> PartId {
        let planned = PlannedPer {
            function: per.function,
            unit: per.unit,
            keys: per.keys.clone(),
            value: self.nested(owner, per.value),
            fraction: per.fraction.map(|fraction| self.nested(owner, fraction)),
        };
        self.slot((owner, id), Content::Per(Box::new(planned)), &node.ty, at)
    }

    /// A node whose operand is computed at another place.
    pub(super) fn elsewhere(
        &mut self,
        (owner, id): (Owner, NodeId),
        node: &'a TypedNode,
        at: SpotId,
    ) -> PartId {
        let here = (owner, id);
        match &node.kind {
            Kind::Window(window, inner) => match self.given_call(owner, node, at) {
                Some(name) => self.slot(here, Content::Input(name), &node.ty, at),
                None => self.windowed(here, *window, *inner, at),
            },
            Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                if let Some(name) = self.given_call(owner, node, at) {
                    return self.slot(here, Content::Input(name), &node.ty, at);
                }
                let current = self.part(owner, *inner, at);
                let earlier = self.earlier(here, *window, *inner, at);
                let (a, b) = (self.value(current), self.value(earlier));
                let op = match node.kind {
                    Kind::Growth(..) => Op::Growth(a, b),
                    _ => Op::Arithmetic(Arithmetic::Subtract, a, b),
                };
                self.op(owner, node, op, Trace::Operands(vec![current, earlier]))
            }
            Kind::Total { value, keep } => {
                let inner = self.under(at, Step::Total(keep.clone()), here);
                self.moved(here, node, *value, inner)
            }
            Kind::Share(value) => {
                let part = self.part(owner, *value, at);
                let inner = self.under(at, Step::Total(Vec::new()), here);
                let total = self.part(owner, *value, inner);
                let op = Op::Arithmetic(Arithmetic::Divide, self.value(part), self.value(total));
                self.op(owner, node, op, Trace::Quotient(part, total))
            }
            Kind::Scoped { value, conditions } => {
                let rows = |(source, condition): &(SourceId, NodeId)| {
                    self.planner.rows(owner, *source, &[*condition])
                };
                let step = Step::Filter(conditions.iter().map(rows).collect());
                let inner = self.under(at, step, here);
                self.moved(here, node, *value, inner)
            }
            Kind::Convert { value, to } => {
                let is_converted = self.place(at).currency().is_some();
                let inner =
                    if is_converted { at } else { self.under(at, Step::Convert(*to), here) };
                self.moved(here, node, *value, inner)
            }
            _ => self.null(owner, node.span, Reason::NoRows),
        }
    }

    fn moved(
        &mut self,
        (owner, _): (Owner, NodeId),
        node: &TypedNode,
        inner: NodeId,
        at: SpotId,
    ) -> PartId {
        let inner = self.part(owner, inner, at);
        let value = self.value(inner);
        self.add(owner, node.span, value, Trace::From(inner))
    }

    /// The operand under a window. Where the window leaves the calendar the whole is null, which
    /// slots at that place tell; what does not pass their null on asks for the period itself.
    fn windowed(
        &mut self,
        (owner, id): (Owner, NodeId),
        window: Window,
        inner: NodeId,
        at: SpotId,
    ) -> PartId {
        let span = self.planner.node(owner, id).map(|node| node.span).unwrap_or_default();
        let moved = self.under(at, Step::Window(window), (owner, id));
        let inner = self.part(owner, inner, moved);
        let value = self.value(inner);
        if self.is_strict(inner, self.place(moved).steps.len()) {
            return self.add(owner, span, value, Trace::From(inner));
        }
        let reach = self.slot((owner, id), Content::Reach, &Type::Period, moved);
        let ty = match self.planner.node(owner, id) {
            Some(node) => node.ty.clone(),
            None => Type::Null,
        };
        let guarded = self.graph.op(Op::Given(self.value(reach), value), &ty);
        self.add(owner, span, guarded, Trace::Operands(vec![reach, inner]))
    }

    /// The earlier value of a growth or change.
    fn earlier(
        &mut self,
        here: (Owner, NodeId),
        window: Window,
        inner: NodeId,
        at: SpotId,
    ) -> PartId {
        let Some(node) = self.planner.node(here.0, inner) else {
            return self.windowed(here, window, inner, at);
        };
        let text = self.planner.typed(here.0).map_or("", |typed| node.span.slice(&typed.text));
        let name = window_name(window, &plain_name(text));
        match name.and_then(|name| self.given(&name, at)) {
            Some(name) => self.slot(here, Content::Input(name), &node.ty, at),
            None => self.windowed(here, window, inner, at),
        }
    }

    /// The text of a call, if the caller gives its value.
    fn given_call(&self, owner: Owner, node: &TypedNode, at: SpotId) -> Option<Arc<str>> {
        if self.planner.given.is_empty() {
            return None;
        }
        self.given(node.span.slice(&self.planner.typed(owner)?.text), at)
    }

    /// What works on the values of its operands and on nothing else.
    pub(super) fn operation(&mut self, owner: Owner, node: &'a TypedNode, at: SpotId) -> PartId {
        match &node.kind {
            Kind::Case(branches, otherwise) => self.case(owner, node, (branches, *otherwise), at),
            Kind::Call(spec, arguments) => {
                let parts: Vec<PartId> =
                    arguments.iter().map(|argument| self.part(owner, *argument, at)).collect();
                let values: Vec<Operand> = parts.iter().map(|part| self.value(*part)).collect();
                let op = self.rounding(spec.name, &values);
                let op = op.unwrap_or(Op::Call(Function(spec), values));
                self.op(owner, node, op, Trace::Operands(parts))
            }
            Kind::InList(operand, values) => {
                let operand = self.part(owner, *operand, at);
                let mut parts: Vec<PartId> =
                    values.iter().map(|value| self.part(owner, *value, at)).collect();
                let values = parts.iter().map(|part| self.value(*part)).collect();
                let op = Op::InList(self.value(operand), values);
                parts.insert(0, operand);
                self.op(owner, node, op, Trace::Here(parts))
            }
            Kind::Compare(_, left, right) | Kind::InPeriod(left, right) => {
                let parts = vec![self.part(owner, *left, at), self.part(owner, *right, at)];
                let values: Vec<Operand> = parts.iter().map(|part| self.value(*part)).collect();
                let [left, right] = values.as_slice() else {
                    return self.null(owner, node.span, Reason::NoRows);
                };
                let op = match &node.kind {
                    Kind::Compare(op, ..) => Op::Compare(*op, *left, *right),
                    _ => Op::InPeriod(*left, *right),
                };
                self.op(owner, node, op, Trace::Here(parts))
            }
            Kind::Negate(operand) => {
                let operand = self.part(owner, *operand, at);
                let trace = Trace::Operands(vec![operand]);
                self.op(owner, node, Op::Negate(self.value(operand)), trace)
            }
            Kind::ListAggregate(function, list) => {
                let list = self.part(owner, *list, at);
                let trace = Trace::Operands(vec![list]);
                self.op(owner, node, Op::OfList(*function, self.value(list)), trace)
            }
            Kind::Not(operand)
            | Kind::IsNull(operand)
            | Kind::IsError(operand)
            | Kind::Like(operand, _) => {
                let part = self.part(owner, *operand, at);
                let operand = self.value(part);
                let op = match &node.kind {
                    Kind::Not(_) => Op::Not(operand),
                    Kind::IsNull(_) => Op::IsNull(operand),
                    Kind::Like(_, pattern) => Op::Like(operand, Arc::clone(pattern)),
                    _ => Op::IsError(operand),
                };
                self.op(owner, node, op, Trace::Here(vec![part]))
            }
            _ => self.null(owner, node.span, Reason::NoRows),
        }
    }

    /// A rounding to digits that are known.
    fn rounding(&self, name: &str, arguments: &[Operand]) -> Option<Op> {
        let [value, digits, mode] = arguments else { return None };
        let (Value::Number(digits), Value::Text(mode)) =
            (self.graph.known(*digits)?, self.graph.known(*mode)?)
        else {
            return None;
        };
        if name != "round" || !digits.is_integer() {
            return None;
        }
        let rounding = Rounding::from_name(mode)?;
        let digits = u32::try_from(digits.normalize().mantissa()).ok()?;
        Some(Op::Round { value: *value, digits, rounding })
    }

    /// Conditions with values, as choices one in another.
    fn case(
        &mut self,
        owner: Owner,
        node: &TypedNode,
        (branches, otherwise): (&[(NodeId, NodeId)], Option<NodeId>),
        at: SpotId,
    ) -> PartId {
        let mut parts = Vec::with_capacity(branches.len());
        for (when, then) in branches {
            let when = self.part(owner, *when, at);
            parts.push((when, self.part(owner, *then, at)));
        }
        let otherwise = otherwise.map(|value| self.part(owner, value, at));
        let mut value = match otherwise {
            Some(otherwise) => self.value(otherwise),
            None => self.graph.constant(Value::missing(Reason::NoBranch), &Type::Null),
        };
        for (when, then) in parts.iter().rev() {
            let op = Op::Choose(self.value(*when), self.value(*then), value);
            value = self.graph.op(op, &node.ty);
        }
        self.add(owner, node.span, value, Trace::Choice(parts, otherwise))
    }
}

/// The name under which a record gives an operand under a window.
pub(crate) fn window_name(window: Window, text: &str) -> Option<String> {
    Some(match window {
        Window::Previous { periods: 1, .. } => format!("previous({text})"),
        Window::Previous { periods, .. } => format!("previous({text},{periods})"),
        Window::Shift(span) if span.count == -1 && span.unit == TimeUnit::Week => {
            format!("last_week({text})")
        }
        Window::Shift(span) if span.count == -1 && span.unit == TimeUnit::Month => {
            format!("last_month({text})")
        }
        Window::Shift(span) if span.count == -1 && span.unit == TimeUnit::Year => {
            format!("last_year({text})")
        }
        Window::Shift(span) => format!("shift({text},{})", plain_name(&span.to_string())),
        Window::Trailing { .. }
        | Window::ToDate(_)
        | Window::During(_)
        | Window::Lifetime
        | Window::Running
        | Window::Opening
        | Window::Closing => return None,
    })
}
