//! Values from a context record: which names it answers, and what it cannot.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;

use super::atoms::Site;
use super::evaluator::{Cells, Evaluator};
use super::frame::Owner;
use crate::calendar::{Calendar, Period};
use crate::check::{AggregateFunction, Kind, NodeId, Typed, Window, children};
use crate::data::{Record, RecordValue, plain_name};
use crate::diagnostics::{Code, Diagnostic};
use crate::schema::{Path, SourceId};
use crate::source::Span;
use crate::types::{CurrencyOf, Reason, Type, Value};

impl Evaluator<'_> {
    /// The record's value for a name, where the frame is the one the record speaks of.
    pub(super) fn recorded(&mut self, name: &str, ty: &Type, frame: usize) -> Option<Value> {
        let record = self.context.record?;
        let place = self.frame(frame)?;
        if place.shifted || !place.groups.keys.is_empty() || !place.filters.is_empty() {
            return None;
        }
        let given = record.get(name)?;
        self.used_inputs.insert(name.to_owned());
        if *given == RecordValue::Null {
            self.missing_inputs.insert(name.to_owned());
            return Some(Value::missing(Reason::MissingInput));
        }
        if let Some(value) = self.value_of(given, ty) {
            Some(self.amount_in_frame(&value, ty, frame, 0))
        } else {
            let message = format!("the context's `{name}` cannot be read as {ty}");
            let finding = Diagnostic::new(Code::E504, self.place_of(name), message)
                .help(format!("it is {}", given.kind()));
            self.find(finding);
            Some(Value::missing(Reason::MissingInput))
        }
    }

    /// Where an asked formula has the name; its beginning if only a metric below has.
    fn place_of(&self, name: &str) -> Span {
        let name = plain_name(name);
        let named = |typed: &&Typed| {
            let is_it = |span: &Span| plain_name(span.slice(&typed.text)) == name;
            typed.nodes.iter().map(|node| node.span).find(is_it)
        };
        self.asked.iter().find_map(named).unwrap_or_default()
    }

    fn find(&mut self, finding: Diagnostic) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn value_of(&self, given: &RecordValue, ty: &Type) -> Option<Value> {
        read(given, ty, self.context.calendar, self.record_period())
    }

    /// The record's `period: {start, end}`; days are both included.
    pub(crate) fn record_period(&self) -> Option<Period> {
        period_of(self.context.record?, self.context.calendar, self.context.now)
    }

    /// A value that only a record gives.
    pub(super) fn input(&mut self, name: &str, ty: &Type, frame: usize) -> Cells {
        let value = self.recorded(name, ty, frame).unwrap_or_else(|| {
            self.missing_inputs.insert(name.to_owned());
            Value::missing(Reason::MissingInput)
        });
        self.same(frame, &value)
    }

    /// The record's value under the very text of a call, such as `previous(net_sales)`.
    pub(super) fn recorded_call(
        &mut self,
        owner: Owner,
        id: NodeId,
        frame: usize,
    ) -> Option<Value> {
        self.context.record?;
        let node = self.node(owner, id)?;
        let text = node.span.slice(&self.typed(owner)?.text);
        self.recorded(&plain_name(text), &node.ty, frame)
    }

    /// The record's value of an operand under a window, by the spellings people use.
    pub(super) fn recorded_window(
        &mut self,
        owner: Owner,
        inner: NodeId,
        window: Window,
        frame: usize,
    ) -> Option<Value> {
        self.context.record?;
        let node = self.node(owner, inner)?;
        let text = plain_name(node.span.slice(&self.typed(owner)?.text));
        let name = crate::plan::window_name(window, &text)?;
        self.recorded(&name, &node.ty, frame)
    }

    /// Whether another period is asked of a record that has values of one period only; then E501.
    pub(super) fn lacks_other_periods(
        &mut self,
        owner: Owner,
        (id, inner): (NodeId, NodeId),
        window: Window,
        frame: usize,
    ) -> bool {
        if self.context.record.is_none() || matches!(window, Window::Opening | Window::Closing) {
            return false;
        }
        let unbounded =
            self.frame(frame).is_none_or(|frame| frame.buckets.contains(&Period::ALWAYS));
        let timeless = unbounded && !matches!(window, Window::Lifetime | Window::During(_));
        if !timeless && !self.needs_scalars(owner, inner) {
            return false;
        }
        let (span, text) = match (self.node(owner, id), self.typed(owner)) {
            (Some(node), Some(typed)) => (node.span, node.span.slice(&typed.text).to_owned()),
            _ => (Span::default(), String::new()),
        };
        let inner_text = match (self.node(owner, inner), self.typed(owner)) {
            (Some(node), Some(typed)) => node.span.slice(&typed.text).to_owned(),
            _ => String::new(),
        };
        let name = match self.node(owner, id).map(|node| &node.kind) {
            Some(Kind::Growth(..) | Kind::Change(..)) => format!("previous({inner_text})"),
            _ => text,
        };
        // Places in another metric's text would mislead.
        let span = if matches!(owner, Owner::Asked(_)) { span } else { Span::default() };
        self.find(
            Diagnostic::new(Code::E501, span, "the context record speaks of one period only")
                .help(format!("add \"{name}\": … to the context, or compute over dated rows")),
        );
        true
    }

    /// Whether something below has a single value in the record, or no rows at all.
    fn needs_scalars(&self, owner: Owner, inner: NodeId) -> bool {
        let Some(record) = self.context.record else { return false };
        let mut stack = vec![(owner, inner)];
        let mut seen = BTreeSet::new();
        while let Some((owner, id)) = stack.pop() {
            if !seen.insert((owner, id)) {
                continue;
            }
            let Some(node) = self.node(owner, id) else { continue };
            match &node.kind {
                Kind::Input(_) => return true,
                Kind::Placeholder(name, _) if record.get(name).is_some() => return true,
                Kind::Metric(metric) => {
                    let key = self.context.keys.get(metric.0).copied().unwrap_or_default();
                    if record.get(key).is_some() {
                        return true;
                    }
                    let owner = Owner::Metric(metric.0);
                    stack.extend(self.typed(owner).map(|typed| (owner, typed.root)));
                }
                Kind::Atom(atom) if !self.has_rows(atom.source) => return true,
                Kind::Atom(_) => {}
                kind => stack.extend(children(kind).into_iter().map(|child| (owner, child))),
            }
        }
        false
    }

    /// The answer of an atom that needs columns which the record's rows do not have.
    fn without_columns(&mut self, site: &Site<'_>) -> Option<Cells> {
        self.context.record?;
        let atom = site.atom;
        let mut stack = self.conditions(site);
        stack.extend(
            [atom.value, atom.condition].into_iter().flatten().map(|node| (site.owner, node)),
        );
        let own_period = self.is_own_period(site.frame);
        let mut paths: Vec<Path> = atom.date.iter().filter(|_| !own_period).cloned().collect();
        while let Some((owner, id)) = stack.pop() {
            match self.node(owner, id).map(|node| &node.kind) {
                Some(Kind::Column(path)) => paths.push(path.clone()),
                // Aggregates inside rows look for themselves.
                Some(Kind::PerRow(_) | Kind::Outer(_)) | None => {}
                Some(kind) => stack.extend(children(kind).into_iter().map(|child| (owner, child))),
            }
        }
        let lacking: Vec<String> = paths
            .iter()
            .filter(|path| !self.is_given(atom.source, path))
            .filter_map(|path| self.field_name(atom.source, path))
            .collect();
        if lacking.is_empty() {
            return None;
        }
        self.missing_inputs.extend(lacking);
        Some(self.same(site.frame, &Value::missing(Reason::MissingInput)))
    }

    /// Whether the frame computes in the one period of the record, which its rows belong to even
    /// without a date.
    fn is_own_period(&self, frame: usize) -> bool {
        let (Some(place), Some(root)) = (self.frame(frame), self.frame(0)) else { return false };
        place.buckets.len() == 1
            && place.buckets == root.buckets
            && !place.shifted
            && place.state.is_none()
    }

    /// Whether there is a column at the end of a path.
    pub(super) fn is_given(&self, source: SourceId, path: &Path) -> bool {
        let Some((owner, _)) = self.schema().field_at(source, path) else { return false };
        let column = || self.data()?.table(owner)?.columns.get(path.field.0)?.as_ref();
        self.has_rows(owner) && column().is_some()
    }

    /// `orders.total`: the name under which a record gives the column at the end of a path.
    fn field_name(&self, source: SourceId, path: &Path) -> Option<String> {
        let (owner, field) = self.schema().field_at(source, path)?;
        Some(format!("{}.{}", self.schema().source_at(owner)?.name, field.name))
    }

    pub(super) fn has_rows(&self, source: SourceId) -> bool {
        self.data().is_some_and(|data| data.given.get(source.0).copied().unwrap_or(false))
    }

    /// The answer of an atom over a source that has no rows here; `None` if it has.
    pub(super) fn without_rows(&mut self, site: &Site<'_>, span: Span) -> Option<Cells> {
        let atom = site.atom;
        if self.has_rows(atom.source) {
            return self.without_columns(site);
        }
        let source = self.schema().source_at(atom.source)?;
        let path = atom.value.and_then(|value| match &self.node(site.owner, value)?.kind {
            Kind::Column(path) => Some(path.clone()),
            _ => None,
        });
        let field = path.as_ref().filter(|path| path.links.is_empty());
        let field = field.and_then(|path| source.fields.get(path.field.0));
        let name = match field {
            Some(field) => format!("{}.{}", source.name, field.name),
            None => source.name.clone(),
        };
        let given = self.context.record.is_some_and(|record| record.get(&name).is_some());
        if !given {
            self.missing_inputs.insert(name);
            return Some(self.same(site.frame, &Value::missing(Reason::MissingInput)));
        }
        let sums = self.schema().placeholders.iter().any(|placeholder| {
            placeholder.source == atom.source
                && Some(&placeholder.field) == path.as_ref()
                && placeholder.aggregation.as_deref() == Some("sum")
        });
        let plain = atom.function == AggregateFunction::Sum && self.conditions(site).is_empty();
        let ty =
            atom.value.and_then(|value| self.node(site.owner, value)).map(|node| node.ty.clone());
        if sums && plain {
            let value = ty.and_then(|ty| self.recorded(&name, &ty, site.frame));
            return value.map(|value| self.same(site.frame, &value));
        }
        let span = if matches!(site.owner, Owner::Asked(_)) { span } else { Span::default() };
        self.find(
            Diagnostic::new(
                Code::E503,
                span,
                format!("the context gives one value for `{name}`, rows are needed"),
            )
            .help(format!("give rows: \"{}\": [{{…}}], or a column: \"{name}\": […]", source.name)),
        );
        Some(Rc::clone(&self.same(site.frame, &Value::missing(Reason::MissingInput))))
    }
}

/// A value of a record as a value of that type; `None` if it is none.
pub(super) fn read(
    given: &RecordValue,
    ty: &Type,
    calendar: &Calendar,
    period: Option<Period>,
) -> Option<Value> {
    match (ty, given) {
        (_, RecordValue::Null) => Some(Value::missing(Reason::NullValue)),
        (Type::Quantity(_), RecordValue::Number(number)) => Some(Value::Number(*number)),
        (Type::Quantity(_), RecordValue::Text(text)) => {
            crate::number::parse(text.trim()).map(Value::Number)
        }
        (Type::Quantity(unit), RecordValue::Money(amount, currency)) => {
            let fits = match unit.currency {
                CurrencyOf::Fixed(own) => own == *currency,
                CurrencyOf::Mixed => true,
            };
            (unit.is_money() && fits).then_some(Value::Number(*amount))
        }
        (Type::Text, RecordValue::Text(text)) => Some(Value::text(text.as_str())),
        (Type::Bool, RecordValue::Bool(truth)) => Some(Value::Bool(*truth)),
        (Type::Date, RecordValue::Text(text)) => text.parse().ok().map(Value::Date),
        (Type::DateTime, RecordValue::Text(text)) => {
            instant(calendar, text, false).map(Value::DateTime)
        }
        (Type::List(item), RecordValue::List(items)) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|given| read(given, item, calendar, period)).collect();
            items.map(|items| Value::List(Arc::from(items)))
        }
        (Type::Period, RecordValue::Fields(_)) => period.map(Value::Period),
        _ => None,
    }
}

/// The period that a record says it speaks of.
pub(super) fn period_of(record: &Record, calendar: &Calendar, now: Timestamp) -> Option<Period> {
    let RecordValue::Fields(fields) = record.get("period")? else { return None };
    let text = |name: &str| match fields.get(name) {
        Some(RecordValue::Text(text)) => Some(text.as_str()),
        Some(_) | None => None,
    };
    let start = instant(calendar, text("start")?, false)?;
    let end = instant(calendar, text("end")?, true)?;
    (start < end).then(|| Period::new(start, end).seen_at(now))
}

/// An instant, or the start of a day; `after` takes the end of the day instead.
fn instant(calendar: &Calendar, text: &str, after: bool) -> Option<Timestamp> {
    if let Ok(instant) = text.parse() {
        return Some(instant);
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>()
        && text.len() <= 10
    {
        let date = if after { date.tomorrow().ok()? } else { date };
        return calendar.start_of_day(date);
    }
    calendar.instant_of(text.parse().ok()?)
}
