//! Values from a context record: which names it provides, and what it cannot answer.

use std::collections::BTreeSet;

use super::aggregates::AtomInFrame;
use super::evaluator::Evaluator;
use crate::calendar::Period;
use crate::check::{
    AggregateFunction, Atom, Kind, Typed, TypedNode, Window, children, descend_in_row,
};
use crate::data::{RecordValue, plain_name};
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::amount_currency::AmountCurrency;
use crate::evaluate::frames::{FrameId, Series};
use crate::evaluate::record_values::{expected, period_of, read};
use crate::evaluate::scan::{amount_in_bucket, given_in_bucket};
use crate::plan::{NodeRef, Owner, window_name};
use crate::schema::{Path, SourceId};
use crate::source::Span;
use crate::types::{Reason, Type, Value};

impl<'a> Evaluator<'a> {
    /// The record's value for a name, if the frame is the one to which the record applies.
    pub(super) fn recorded(&mut self, name: &str, ty: &Type, frame: FrameId) -> Option<Value> {
        let given = self.given(name, frame)?;
        self.log.used_inputs.insert(name.to_owned());
        if *given == RecordValue::Null {
            self.log.missing_inputs.insert(name.to_owned());
            return Some(Value::missing(Reason::MissingInput));
        }
        let Some(value) = read(given, ty, self.context.calendar, self.record_period()) else {
            let message = format!("the context's `{name}` cannot be read as {ty}");
            let help = format!("it is {}, give {}", given.kind(), expected(ty));
            let finding = Diagnostic::new(Code::E504, self.place_of(name), message).help(help);
            self.log.report(finding);
            return Some(Value::missing(Reason::MissingInput));
        };
        let place = (self.frames.get(frame)?, 0);
        Some(match (given, ty.unit()) {
            (RecordValue::Money(_, own), Some(unit)) => {
                given_in_bucket(&self.context, &value, (*own, unit.currency), place)
            }
            _ => amount_in_bucket(&self.context, &value, ty, place),
        })
    }

    /// What the record contains under a name, if the frame is the one to which the record applies.
    fn given(&self, name: &str, frame: FrameId) -> Option<&'a RecordValue> {
        self.context.record.filter(|_| self.is_of_record(frame))?.get(name)
    }

    /// Whether the frame is the one to which the record applies.
    fn is_of_record(&self, frame: FrameId) -> bool {
        self.frames.get(frame).is_some_and(|place| {
            !place.shifted && place.groups.keys.is_empty() && place.filters.is_empty()
        })
    }

    /// The currency of a node's value, if that is the record's.
    pub(super) fn given_currency(&self, node: NodeRef, frame: FrameId) -> Option<AmountCurrency> {
        self.context.record?;
        let given = match self.context.kind(node)? {
            Kind::Input(name) | Kind::Placeholder(name, _) => self.given(name, frame),
            Kind::Metric(metric) => self.given(self.context.keys.get(metric.0)?, frame),
            Kind::Atom(atom) if !self.context.has_rows(atom.source) => {
                self.given(&self.aggregated_name(node.owner, atom)?, frame)
            }
            Kind::Window(..) | Kind::OverBuckets(..) | Kind::Per(_) => {
                self.given(&plain_name(self.text_of(node)?), frame)
            }
            _ => None,
        };
        Some(AmountCurrency::of_given(given?))
    }

    /// The currency of the value that the record gives for an operand under a window.
    pub(super) fn given_window_currency(
        &self,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Option<AmountCurrency> {
        self.context.record?;
        let name = window_name(window, &plain_name(self.text_of(operand)?))?;
        Some(AmountCurrency::of_given(self.given(&name, frame)?))
    }

    fn text_of(&self, node: NodeRef) -> Option<&'a str> {
        let span = self.context.node(node)?.span;
        Some(span.slice(&self.context.typed(node.owner)?.text))
    }

    /// The position of the name in a requested formula, or its beginning if only a metric below
    /// contains the name.
    fn place_of(&self, name: &str) -> Span {
        let name = plain_name(name);
        let named = |typed: &&Typed| {
            let is_it = |span: &Span| plain_name(span.slice(&typed.text)) == name;
            typed.nodes.iter().map(|node| node.span).find(is_it)
        };
        self.context.formulas.iter().find_map(named).unwrap_or_default()
    }

    /// The record's `period: {start, end}`; days are both included.
    pub(crate) fn record_period(&self) -> Option<Period> {
        period_of(self.context.record?, self.context.calendar, self.context.now)
    }

    /// A value that only a record gives.
    pub(super) fn input(&mut self, name: &str, ty: &Type, frame: FrameId) -> Series {
        let value = self.recorded(name, ty, frame).unwrap_or_else(|| {
            self.log.missing_inputs.insert(name.to_owned());
            Value::missing(Reason::MissingInput)
        });
        self.frames.constant(frame, &value)
    }

    /// The record's value under the very text of a call, such as `previous(net_sales)`.
    pub(super) fn recorded_call(&mut self, call: NodeRef, frame: FrameId) -> Option<Value> {
        self.context.record?;
        let node = self.context.node(call)?;
        self.recorded(&plain_name(self.text_of(call)?), &node.ty, frame)
    }

    /// The record's value of an operand under a window, by the spellings people use.
    pub(super) fn recorded_window(
        &mut self,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> Option<Value> {
        self.context.record?;
        let node = self.context.node(operand)?;
        let name = window_name(window, &plain_name(self.text_of(operand)?))?;
        self.recorded(&name, &node.ty, frame)
    }

    /// Whether a record that has values of one period only is asked for another period; then E501.
    pub(super) fn lacks_other_periods(
        &mut self,
        call: NodeRef,
        operand: NodeRef,
        window: Window,
        frame: FrameId,
    ) -> bool {
        if self.context.record.is_none() || matches!(window, Window::Opening | Window::Closing) {
            return false;
        }
        let unbounded = self
            .frames
            .get(frame)
            .is_none_or(|frame| frame.buckets.iter().any(|bucket| bucket.is_always()));
        let timeless = unbounded && !matches!(window, Window::Lifetime | Window::During(_));
        if !timeless && !self.has_scalars(operand, true) {
            return false;
        }
        let text_of = |node: NodeRef| self.text_of(node).unwrap_or_default();
        let name = match self.context.kind(call) {
            Some(Kind::Growth(..) | Kind::Change(..)) => window_name(window, text_of(operand)),
            _ => None,
        };
        let name = name.unwrap_or_else(|| text_of(call).to_owned());
        self.refuse_other_periods(call, &name);
        true
    }

    /// Whether a record that has one value for the whole period is asked for parts of it; then E501.
    pub(super) fn lacks_parts(&mut self, call: NodeRef, value: NodeRef, frame: FrameId) -> bool {
        if !self.is_of_record(frame) || !self.has_scalars(value, false) {
            return false;
        }
        self.refuse_other_periods(call, self.text_of(call).unwrap_or_default());
        true
    }

    fn refuse_other_periods(&mut self, call: NodeRef, name: &str) {
        let span = self.context.asked_span(call);
        self.log.report(
            Diagnostic::new(Code::E501, span, "the context record speaks of one period only")
                .help(format!("add \"{name}\": … to the context, or compute over dated rows")),
        );
    }

    /// Whether something below has a single value in the record or, `with_missing`, neither that nor rows.
    fn has_scalars(&self, operand: NodeRef, with_missing: bool) -> bool {
        let Some(record) = self.context.record else { return false };
        let mut stack = vec![operand];
        let mut seen = BTreeSet::new();
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            let Some(kind) = self.context.kind(node) else { continue };
            match kind {
                Kind::Input(name) if with_missing || record.get(name).is_some() => return true,
                Kind::Placeholder(name, _) if record.get(name).is_some() => return true,
                Kind::Metric(metric) => {
                    let key = self.context.keys.get(metric.0).copied().unwrap_or_default();
                    if record.get(key).is_some() {
                        return true;
                    }
                    stack.extend(self.context.root(Owner::Metric(metric.0)));
                }
                Kind::Atom(atom) if !self.context.has_rows(atom.source) => {
                    let name = self.aggregated_name(node.owner, atom);
                    if with_missing || name.is_some_and(|name| record.get(&name).is_some()) {
                        return true;
                    }
                }
                Kind::Atom(_) => {}
                kind => stack.extend(children(kind).into_iter().map(|id| NodeRef { id, ..node })),
            }
        }
        false
    }

    /// The answer of an atom that needs columns which the record's rows do not have.
    fn without_columns(&mut self, site: &AtomInFrame<'_>) -> Option<Series> {
        self.context.record?;
        let atom = site.atom;
        let mut roots = self.frames.get(site.frame)?.conditions(site.owner, atom);
        let own = [atom.value, atom.condition].into_iter().flatten();
        roots.extend(own.map(|id| NodeRef { owner: site.owner, id }));
        // Aggregates inside rows check this themselves.
        let nodes = roots.iter().filter_map(|root| {
            Some(descend_in_row(&self.context.typed(root.owner)?.nodes, root.id))
        });
        let own_period = self.is_own_period(site.frame);
        let date = atom.date.as_ref().filter(|_| !own_period);
        let lacking: Vec<String> = date
            .into_iter()
            .chain(nodes.flatten().filter_map(column_of))
            .filter(|path| !self.context.has_column(atom.source, path))
            .filter_map(|path| self.field_name(atom.source, path))
            .collect();
        if lacking.is_empty() {
            return None;
        }
        self.log.missing_inputs.extend(lacking);
        Some(self.frames.missing(site.frame, Reason::MissingInput))
    }

    /// Whether the frame computes in the record's only period, to which its rows belong even
    /// without a date.
    fn is_own_period(&self, frame: FrameId) -> bool {
        let (Some(place), Some(root)) = (self.frames.get(frame), self.frames.get(FrameId::REQUEST))
        else {
            return false;
        };
        place.buckets.len() == 1
            && place.buckets == root.buckets
            && !place.shifted
            && place.state.is_none()
    }

    /// `orders.total`: the name under which a record gives the column at the end of a path.
    fn field_name(&self, source: SourceId, path: &Path) -> Option<String> {
        let (owner, field) = self.context.schema.field_at(source, path)?;
        Some(format!("{}.{}", self.context.schema.source_at(owner)?.name, field.name))
    }

    /// The name under which a record gives the value of an atom: `orders.total`, or the name of the source if the
    /// value is not one of its fields.
    fn aggregated_name(&self, owner: Owner, atom: &Atom) -> Option<String> {
        let source = self.context.schema.source_at(atom.source)?;
        let value = atom.value.and_then(|id| self.context.node(NodeRef { owner, id }));
        let path = value.and_then(column_of).filter(|path| path.links.is_empty());
        Some(match path.and_then(|path| source.fields.get(path.field.0)) {
            Some(field) => format!("{}.{}", source.name, field.name),
            None => source.name.clone(),
        })
    }

    /// The answer of an atom over a source that has no rows here; `None` if it has.
    pub(super) fn without_rows(&mut self, site: &AtomInFrame<'_>, span: Span) -> Option<Series> {
        let atom = site.atom;
        if self.context.has_rows(atom.source) {
            return self.without_columns(site);
        }
        let source = self.context.schema.source_at(atom.source)?;
        let value = atom.value.and_then(|id| self.context.node(NodeRef { owner: site.owner, id }));
        let path = value.and_then(column_of);
        let name = self.aggregated_name(site.owner, atom)?;
        let given = self.context.record.is_some_and(|record| record.get(&name).is_some());
        if !given {
            self.log.missing_inputs.insert(name);
            return Some(self.frames.missing(site.frame, Reason::MissingInput));
        }
        let sums = self.context.schema.placeholders.iter().any(|placeholder| {
            placeholder.source == atom.source
                && Some(&placeholder.field) == path
                && placeholder.aggregation.as_deref() == Some("sum")
        });
        let conditions = self.frames.get(site.frame)?.conditions(site.owner, atom);
        let plain = atom.function == AggregateFunction::Sum && conditions.is_empty();
        if sums && plain {
            let value = value.and_then(|value| self.recorded(&name, &value.ty, site.frame));
            return value.map(|value| self.frames.constant(site.frame, &value));
        }
        let message = format!("the context gives one value for `{name}`, rows are needed");
        let mut help = format!("give rows: \"{}\": [{{…}}]", source.name);
        if name != source.name {
            help = format!("{help}, or a column: \"{name}\": […]");
        }
        self.log.report(Diagnostic::new(Code::E503, span, message).help(help));
        Some(self.frames.missing(site.frame, Reason::MissingInput))
    }
}

const fn column_of(node: &TypedNode) -> Option<&Path> {
    if let Kind::Column(path) = &node.kind { Some(path) } else { None }
}
