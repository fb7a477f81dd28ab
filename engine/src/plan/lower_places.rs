//! Lowers expressions at another place: in another period, under a filter, in one currency, in total.

use std::sync::Arc;

use super::lower::{Lowering, PlaceId};
use super::origins::{PartId, Trace};
use super::place::Step;
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
    pub(super) fn elsewhere(
        &mut self,
        NodeRef { owner, id }: NodeRef,
        node: &'a TypedNode,
        at: PlaceId,
    ) -> PartId {
        let here = NodeRef { owner, id };
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
        NodeRef { owner, .. }: NodeRef,
        node: &TypedNode,
        inner: NodeId,
        at: PlaceId,
    ) -> PartId {
        let inner = self.part(owner, inner, at);
        let value = self.value(inner);
        self.add(owner, node.span, value, Trace::From(inner))
    }

    /// Lowers the operand of a window. Where the window leaves the calendar, slots at that place are
    /// null and so must be the result; an operand that does not pass their null on is guarded by the
    /// period itself.
    fn windowed(
        &mut self,
        NodeRef { owner, id }: NodeRef,
        window: Window,
        inner: NodeId,
        at: PlaceId,
    ) -> PartId {
        let span = self.planner.node(owner, id).map(|node| node.span).unwrap_or_default();
        let moved = self.under(at, Step::Window(window), NodeRef { owner, id });
        let inner = self.part(owner, inner, moved);
        let value = self.value(inner);
        if self.is_strict(inner, self.place(moved).steps.len()) {
            return self.add(owner, span, value, Trace::From(inner));
        }
        let reach = self.slot(NodeRef { owner, id }, Content::Reach, &Type::Period, moved);
        let ty = match self.planner.node(owner, id) {
            Some(node) => node.ty.clone(),
            None => Type::Null,
        };
        let guarded = self.graph.op(Op::Given(self.value(reach), value), &ty);
        self.add(owner, span, guarded, Trace::Operands(vec![reach, inner]))
    }

    /// Lowers the earlier value of a growth or change.
    fn earlier(&mut self, here: NodeRef, window: Window, inner: NodeId, at: PlaceId) -> PartId {
        let Some(node) = self.planner.node(here.owner, inner) else {
            return self.windowed(here, window, inner, at);
        };
        let text = self.planner.typed(here.owner).map_or("", |typed| node.span.slice(&typed.text));
        let name = window_name(window, &plain_name(text));
        match name.and_then(|name| self.given(&name, at)) {
            Some(name) => self.slot(here, Content::Input(name), &node.ty, at),
            None => self.windowed(here, window, inner, at),
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
