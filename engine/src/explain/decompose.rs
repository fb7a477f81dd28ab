//! Decomposition of a change into the contributions of the formula's inputs; the amounts add up to
//! the last digit.
//!
//! Start at [`Engine::decompose`].

use std::collections::BTreeMap;

use super::inputs::{Component, Depth, are_alike, inputs};
use super::quantum::Quantum;
use super::shapley::{MAX_EXACT, Shares, over_all_orders, over_turns};
use crate::calendar::Period;
use crate::check::Kind;
use crate::diagnostics::Diagnostic;
use crate::engine::{Engine, Formula, Inputs, Request, Run};
use crate::evaluate::{AmountCurrency, FrameId, NodeInFrame, Owner};
use crate::number;
use crate::types::{Reason, Type, Value};

/// Limit: inputs to which a change is attributed.
pub const MAX_INPUTS: usize = 64;

/// One side of a comparison: the data and the request to compute a formula over.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Rows, or a record.
    pub inputs: Inputs<'a>,
    /// Period, filter, zone, currency and present; groups, buckets and comparisons are ignored.
    pub request: &'a Request,
}

/// Why a change cannot be split.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DecomposeError {
    /// The filter, the request or a record is refused.
    #[error("{}", .0.first().map_or("refused", |finding| finding.message.as_str()))]
    Refused(Vec<Diagnostic>),
    /// The answer is not a number, so its change is not an amount.
    #[error("the formula gives {0}; only a number changes by an amount")]
    NotANumber(Type),
    /// The two sides have different inputs.
    #[error("the two sides are not computed from the same inputs")]
    Unlike,
    /// More inputs than [`MAX_INPUTS`].
    #[error("the formula has {0} inputs, a change is split over at most {MAX_INPUTS}")]
    TooManyInputs(usize),
}

/// A change and the contributions of the inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// The type of the values and of every amount.
    pub ty: Type,
    /// The value before, at the grain of the answer.
    pub from: Side,
    /// The value after, at the grain of the answer.
    pub to: Side,
    /// `to` less `from`; null if either is null.
    pub change: Value,
    /// The change as display text.
    pub change_formatted: String,
    /// The contribution of each input, in order of the text.
    ///
    /// The amounts and [`Self::unassigned`] add up to `change`, to the last digit.
    pub contributions: Vec<Contribution>,
    /// The method that computed the amounts.
    pub method: Method,
    /// The part of the change assigned to no input: all of it or nothing.
    pub unassigned: Value,
}

/// A value on one side.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The value.
    pub value: Value,
    /// The value as display text.
    pub formatted: String,
    /// The period of the value; `None` for a record without one.
    pub period: Option<Period>,
}

/// The contribution of one input to a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The metric's key, or the part of the formula.
    pub label: String,
    /// The metric's formula, where the input is a metric.
    pub formula: Option<String>,
    /// The type of the input itself.
    pub ty: Type,
    /// The input before.
    pub from: Side,
    /// The input after.
    pub to: Side,
    /// The kind of change.
    pub presence: ChangeKind,
    /// The amount added to the answer, in the answer's unit; null if the change is null.
    pub amount: Value,
    /// The amount as display text.
    pub formatted: String,
    /// The amount as a fraction of the change; null if there is no change.
    pub share: Value,
}

/// The sides on which an input has a value, and whether it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The same value on both sides.
    Unchanged,
    /// Different values on both sides.
    Changed,
    /// A value after only.
    Appeared,
    /// A value before only.
    Vanished,
}

/// The method that computed the amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The average over every order in which the inputs could change.
    EveryOrder,
    /// The average over some of the orders, for more than ten inputs that changed.
    SomeOrders,
    /// None: the answer is null on one side, or in every order of the changes.
    None(Reason),
}

/// The results of one side of the comparison.
struct SideValues {
    value: Value,
    period: Option<Period>,
    inputs: Vec<Component>,
}

impl Engine {
    /// Attributes the change of an answer between two scopes to the formula's inputs.
    ///
    /// `levels` sets the depth at which the formula is cut: 1 at the metrics that it names, 2 at
    /// those that these name, and so on down to aggregates over rows. The amount of an input is its
    /// Shapley value: the average change of the answer when the input changes, over the orders in
    /// which the inputs could change one after the other. Amounts are multiples of the answer's
    /// last digit, for example whole cents.
    ///
    /// # Errors
    /// The errors of the request, and answers that are not numbers.
    pub fn decompose(
        &self,
        formula: &Formula,
        (from, to): (&Scope<'_>, &Scope<'_>),
        levels: usize,
    ) -> Result<Decomposition, DecomposeError> {
        let ty = self.in_request(formula.checked.ty.clone(), formula.data_type, to.request);
        if ty.unit().is_none() {
            return Err(DecomposeError::NotANumber(ty));
        }
        let records = [from.inputs.record, to.inputs.record];
        let is_given = |key: &str| records.iter().flatten().any(|record| record.get(key).is_some());
        let has_record = records.iter().any(Option::is_some);
        let depth = Depth { levels, is_given: &is_given, has_record };
        let grain = Quantum::of(&ty, &formula.format);
        let before = self
            .within(formula, from, |run, frame, request| self.found(run, request, frame, depth))?;
        let splitting = |run: &mut Run<'_, '_>, frame: FrameId, request: &Request| {
            let after = self.found(run, request, frame, depth);
            if !are_alike(&before.inputs, &after.inputs) {
                return Err(DecomposeError::Unlike);
            }
            if after.inputs.len() > MAX_INPUTS {
                return Err(DecomposeError::TooManyInputs(after.inputs.len()));
            }
            let amounts = amounts(run, frame, &grain, (&before, &after));
            Ok((after, amounts))
        };
        let (after, amounts) = self.within(formula, to, splitting)??;
        Ok(self.decomposition((ty, &grain), (&before, &after), amounts))
    }

    /// Runs a formula over a scope, in the frame of its filter.
    fn within<T>(
        &self,
        formula: &Formula,
        scope: &Scope<'_>,
        work: impl FnOnce(&mut Run<'_, '_>, FrameId, &Request) -> T,
    ) -> Result<T, DecomposeError> {
        let request = scope.request.alone();
        let narrowed = self.filtered(formula, &request).map_err(DecomposeError::Refused)?;
        let narrowed = narrowed.as_deref();
        let formulas: Vec<&Formula> = std::iter::once(formula).chain(narrowed).collect();
        let done = self.run(&formulas, scope.inputs, &request, |run| {
            let typed = narrowed.map(|narrowed| &narrowed.checked.typed);
            let root = typed.and_then(|typed| typed.nodes.get(typed.root.0));
            let known = run.known_frame(formula, run.frame);
            let frame = match root.map(|node| &node.kind) {
                Some(Kind::Scoped { conditions, .. }) => {
                    run.evaluator.frames.scoped(Owner::Formula(1), conditions, known)
                }
                Some(_) | None => known,
            };
            work(run, frame, &request)
        });
        done.map_err(DecomposeError::Refused)
    }

    /// Returns the answer in a frame, with its inputs.
    fn found(
        &self,
        run: &mut Run<'_, '_>,
        request: &Request,
        frame: FrameId,
        depth: Depth<'_>,
    ) -> SideValues {
        let owner = Owner::Formula(0);
        let series = run.evaluator.formula(owner, frame);
        let root = run.evaluator.context.root(owner).map(|node| NodeInFrame { node, frame });
        SideValues {
            value: series.first().cloned().unwrap_or(Value::missing(Reason::NoRows)),
            period: run.evaluator.first_period(frame).filter(|period| !period.is_always()),
            inputs: root.map(|root| inputs(self, run, request, (root, depth))).unwrap_or_default(),
        }
    }

    fn decomposition(
        &self,
        (ty, grain): (Type, &Quantum),
        (before, after): (&SideValues, &SideValues),
        amounts: DecomposedAmounts,
    ) -> Decomposition {
        let zone = self.schema.store.calendar.zone();
        let shown = |value: &Value| crate::format::value(value, &ty, grain.rules(), zone);
        let side = |value: Value, of: &SideValues| Side {
            formatted: shown(&value),
            value,
            period: of.period,
        };
        let mut contributions = Vec::with_capacity(after.inputs.len());
        for ((old, new), amount) in before.inputs.iter().zip(&after.inputs).zip(amounts.by_input) {
            let presence = presence(&old.value, &new.value);
            if new.is_constant && presence == ChangeKind::Unchanged {
                continue;
            }
            let own = |value: &Value, of: &SideValues| Side {
                formatted: crate::format::value(value, &new.ty, &new.rules, zone),
                value: value.clone(),
                period: of.period,
            };
            contributions.push(Contribution {
                label: new.label.clone(),
                formula: new.formula.clone(),
                ty: new.ty.clone(),
                from: own(&old.value, before),
                to: own(&new.value, after),
                presence,
                formatted: shown(&amount),
                share: share(&amount, &amounts.change),
                amount,
            });
        }
        Decomposition {
            from: side(amounts.from, before),
            to: side(amounts.to, after),
            change_formatted: shown(&amounts.change),
            change: amounts.change,
            contributions,
            method: amounts.method,
            unassigned: amounts.unassigned,
            ty,
        }
    }
}

/// The values of both sides and the amounts between them.
struct DecomposedAmounts {
    from: Value,
    to: Value,
    change: Value,
    by_input: Vec<Value>,
    unassigned: Value,
    method: Method,
}

fn amounts(
    run: &mut Run<'_, '_>,
    frame: FrameId,
    grain: &Quantum,
    (before, after): (&SideValues, &SideValues),
) -> DecomposedAmounts {
    let none = |reason: Reason| {
        let null = Value::missing(reason);
        DecomposedAmounts {
            from: before.value.clone(),
            to: after.value.clone(),
            change: null.clone(),
            by_input: vec![null.clone(); after.inputs.len()],
            unassigned: null,
            method: Method::None(reason),
        }
    };
    let reason = |value: &Value| value.as_missing().map_or(Reason::Overflow, |null| null.reason);
    let Some(from) = grain.units(&before.value) else { return none(reason(&before.value)) };
    let Some(to) = grain.units(&after.value) else { return none(reason(&after.value)) };
    let mut pairs = before.inputs.iter().zip(&after.inputs);
    if pairs.any(|(old, new)| old.currency.with(&new.currency) == AmountCurrency::Several) {
        return none(Reason::MixedCurrency);
    }
    let (from, to) = (Quantum::grains(from), Quantum::grains(to));
    let change = to.saturating_sub(from);
    let pairs = before.inputs.iter().zip(&after.inputs);
    let changed: Vec<usize> = pairs
        .enumerate()
        .filter(|(_, (old, new))| presence(&old.value, &new.value) != ChangeKind::Unchanged)
        .map(|(index, _)| index)
        .collect();
    let mut hindrance = Reason::Overflow;
    let (shares, method) = shares(run, frame, (before, after, &changed), &mut |value| {
        let units = grain.units(value);
        if units.is_none() {
            hindrance = reason(value);
        }
        units
    });
    let mut by_input = vec![Value::missing(hindrance); after.inputs.len()];
    if let Some(shares) = &shares {
        by_input.fill(grain.number(0));
        for (index, grains) in changed.iter().zip(shares.settle(Quantum::unit(), change)) {
            if let Some(amount) = by_input.get_mut(*index) {
                *amount = grain.number(grains);
            }
        }
    }
    DecomposedAmounts {
        from: grain.number(from),
        to: grain.number(to),
        change: grain.number(change),
        by_input,
        unassigned: grain.number(if shares.is_some() { 0 } else { change }),
        method: if shares.is_some() { method } else { Method::None(hindrance) },
    }
}

/// Averages the contribution of each changed input over orders.
fn shares(
    run: &mut Run<'_, '_>,
    frame: FrameId,
    (before, after, changed): (&SideValues, &SideValues, &[usize]),
    units: &mut dyn FnMut(&Value) -> Option<i128>,
) -> (Option<Shares>, Method) {
    let owner = Owner::Formula(0);
    let Some(root) = run.evaluator.context.root(owner) else {
        return (None, Method::None(Reason::NoRows));
    };
    let root = NodeInFrame { node: root, frame };
    let mut mixture = |members: &[bool]| {
        let mut values = BTreeMap::new();
        for (index, input) in after.inputs.iter().enumerate() {
            let player = changed.iter().position(|changed| *changed == index);
            let is_old = player.and_then(|at| members.get(at)).is_some_and(|changed| !changed);
            let old = before.inputs.get(index).filter(|_| is_old);
            let value = old.map_or(&input.value, |old| &old.value);
            values.extend(input.places.iter().map(|place| (*place, value.clone())));
        }
        units(&run.evaluator.supposing(root, values))
    };
    if changed.len() <= MAX_EXACT {
        (over_all_orders(changed.len(), &mut mixture), Method::EveryOrder)
    } else {
        (over_turns(changed.len(), &mut mixture), Method::SomeOrders)
    }
}

fn presence(before: &Value, after: &Value) -> ChangeKind {
    match (before, after) {
        (Value::Missing(old), Value::Missing(new)) if old.reason == new.reason => {
            ChangeKind::Unchanged
        }
        (Value::Missing(_), Value::Missing(_)) => ChangeKind::Changed,
        (Value::Missing(_), _) => ChangeKind::Appeared,
        (_, Value::Missing(_)) => ChangeKind::Vanished,
        (old, new) if old == new => ChangeKind::Unchanged,
        (_, _) => ChangeKind::Changed,
    }
}

fn share(amount: &Value, change: &Value) -> Value {
    match (amount.as_number(), change.as_number()) {
        (Some(amount), Some(change)) => number::divide(amount, change).into(),
        (Some(_) | None, _) => Value::missing(Reason::NoRows),
    }
}
