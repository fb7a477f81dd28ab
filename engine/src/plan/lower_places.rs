//! Lowers expressions at another place: in another period, under a filter, in one currency, in total.

use std::sync::Arc;

use super::graph::Node;
use super::lower::{Lowering, PlaceId};
use super::origins::{PartId, Trace};
use super::place::PlaceStep;
use super::program::Op;
use super::slot::Content;
use super::{NodeRef, Owner};
use crate::calendar::TimeUnit;
use crate::check::{Arithmetic, Kind, NodeId, TypedNode, Window};
use crate::data::plain_name;
use crate::schema::SourceId;
use crate::types::{Reason, Type};

impl<'a> Lowering<'_, 'a> {
    /// Lowers a node whose operand is computed at another place.
    pub(super) fn elsewhere(&mut self, here: NodeRef, node: &'a TypedNode, at: PlaceId) -> PartId {
        let owner = here.owner;
        match &node.kind {
            Kind::Window(window, inner) => match self.given_call(owner, node, at) {
                Some(name) => self.slot(here, Content::Input(name), &node.ty, at),
                None => self.windowed(here, node, (*window, *inner), at),
            },
            Kind::Growth(window, inner) | Kind::Change(window, inner) => {
                if let Some(name) = self.given_call(owner, node, at) {
                    return self.slot(here, Content::Input(name), &node.ty, at);
                }
                let current = self.part(owner, *inner, at);
                let earlier = self.earlier(here, node, (*window, *inner), at);
                let (a, b) = (self.value(current), self.value(earlier));
                let op = match node.kind {
                    Kind::Growth(..) => Op::Growth(a, b),
                    _ => Op::Arithmetic(Arithmetic::Subtract, a, b),
                };
                self.op(owner, node, op, Trace::Operands(vec![current, earlier]))
            }
            Kind::Total { value, keep } => {
                let inner = self.under(at, PlaceStep::Total(keep.clone()), here);
                self.inner(owner, node, *value, inner)
            }
            Kind::Share(value) => {
                let part = self.part(owner, *value, at);
                let inner = self.under(at, PlaceStep::Total(Vec::new()), here);
                let total = self.part(owner, *value, inner);
                let op = Op::Arithmetic(Arithmetic::Divide, self.value(part), self.value(total));
                self.op(owner, node, op, Trace::Quotient(part, total))
            }
            Kind::Scoped { value, conditions } => {
                let rows = |(source, condition): &(SourceId, NodeId)| {
                    self.planner.rows(owner, *source, &[*condition])
                };
                let step = PlaceStep::Filter(conditions.iter().map(rows).collect());
                let inner = self.under(at, step, here);
                self.inner(owner, node, *value, inner)
            }
            Kind::Convert { value, to } => {
                let is_converted = self.place(at).currency().is_some();
                let inner =
                    if is_converted { at } else { self.under(at, PlaceStep::Convert(*to), here) };
                self.inner(owner, node, *value, inner)
            }
            _ => self.null(owner, node.span, Reason::NoRows),
        }
    }

    /// Lowers the operand of a window. Where the window leaves the calendar, slots at that place are
    /// null and so must be the result; an operand that does not pass their null on is guarded by the
    /// period itself.
    fn windowed(
        &mut self,
        here: NodeRef,
        node: &TypedNode,
        (window, inner): (Window, NodeId),
        at: PlaceId,
    ) -> PartId {
        let owner = here.owner;
        let moved = self.under(at, PlaceStep::Window(window), here);
        let inner = self.part(owner, inner, moved);
        let value = self.value(inner);
        if self.is_strict(inner, self.place(moved).steps.len()) {
            return self.add(owner, node.span, value, Trace::From(inner));
        }
        let reach = self.slot(here, Content::Reach, &Type::Period, moved);
        let guarded = Op::Given(self.value(reach), value);
        self.op(owner, node, guarded, Trace::Operands(vec![reach, inner]))
    }

    /// Returns whether a part is null, for the same reason, wherever the first slot it reads is null,
    /// and the place of that slot has at least this many steps.
    fn is_strict(&self, part: PartId, steps: usize) -> bool {
        let mut at = self.value(part);
        loop {
            let Some(node) = self.graph.node(at) else { return false };
            let op = match node {
                Node::Slot(slot) => return slot.place.steps.len() >= steps,
                Node::Constant(..) => return false,
                Node::Op(op, _) => op,
            };
            at = match op {
                Op::Negate(a) => *a,
                Op::Arithmetic(_, a, b)
                | Op::Growth(a, b)
                | Op::RoundedQuotient { top: a, bottom: b, .. } => {
                    let is_present = self.graph.known(*a).is_some_and(|value| !value.is_missing());
                    if is_present { *b } else { *a }
                }
                _ => return false,
            };
        }
    }

    /// Lowers the earlier value of a growth or change.
    fn earlier(
        &mut self,
        here: NodeRef,
        node: &TypedNode,
        (window, inner): (Window, NodeId),
        at: PlaceId,
    ) -> PartId {
        let planner = self.planner;
        let given = planner.node(here.owner, inner).and_then(|operand| {
            let text = operand.span.slice(&planner.typed(here.owner)?.text);
            let name = self.given(&window_name(window, &plain_name(text))?, at)?;
            Some((name, &operand.ty))
        });
        match given {
            Some((name, ty)) => self.slot(here, Content::Input(name), ty, at),
            None => self.windowed(here, node, (window, inner), at),
        }
    }

    /// Returns the text of a call, if the caller provides its value.
    pub(super) fn given_call(
        &self,
        owner: Owner,
        node: &TypedNode,
        at: PlaceId,
    ) -> Option<Arc<str>> {
        if self.planner.given.is_empty() {
            return None;
        }
        self.given(node.span.slice(&self.planner.typed(owner)?.text), at)
    }
}

/// Returns the name by which a record provides an operand under a window.
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
        | Window::Overall
        | Window::Opening
        | Window::Closing => return None,
    })
}
