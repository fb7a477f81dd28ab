//! The difference between two answers, cause by cause, with amounts that add up.
//!
//! Start at [`diff`].

use std::sync::Arc;

use super::quantum::Quantum;
use crate::diagnostics::Diagnostic;
use crate::engine::{Answer, Answers, Engine, Formula, Inputs, Request};
use crate::source::one_line;
use crate::types::{Reason, Type, Value};

/// A formula, and the engine, inputs and request to evaluate it with.
#[derive(Debug, Clone, Copy)]
pub struct FormulaRequest<'a> {
    /// The engine, with its schema and metrics.
    pub engine: &'a Engine,
    /// The formula's text, or a metric's key.
    pub formula: &'a str,
    /// Rows, or a record.
    pub inputs: Inputs<'a>,
    /// Period, filter, zone, currency and present.
    pub request: &'a Request,
}

/// A cause of difference between two answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The currency of the answer.
    Currency,
    /// The rows, or the record.
    Data,
    /// The formula, or something it uses.
    Definition,
    /// The time zone, which sets where days begin.
    TimeZone,
    /// The filter.
    Filter,
    /// The present, which sets how much of the period is known.
    Present,
    /// The period.
    Period,
}

impl Cause {
    /// Every cause in the order of the steps: first the unintended ones, which disturb a comparison,
    /// last those that were asked for.
    pub const ALL: [Self; 7] = [
        Self::Currency,
        Self::Data,
        Self::Definition,
        Self::TimeZone,
        Self::Filter,
        Self::Present,
        Self::Period,
    ];

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Currency => "currency",
            Self::Data => "data",
            Self::Definition => "definition",
            Self::TimeZone => "time zone",
            Self::Filter => "filter",
            Self::Present => "present",
            Self::Period => "period",
        }
    }
}

/// Returns the causes to which [`diff`] would attribute amounts, from the metadata of two answers and
/// without computing anything. A filter is part of the formula's definition here.
pub fn causes(from: &Answers, to: &Answers) -> Vec<Cause> {
    let (old, new) = (&from.provenance, &to.provenance);
    let differs = |cause: &Cause| match cause {
        Cause::Currency => old.currency != new.currency,
        Cause::Data => old.data_version != new.data_version,
        Cause::Definition => old.definitions != new.definitions,
        Cause::TimeZone => old.timezone != new.timezone,
        Cause::Filter => false,
        Cause::Present => old.now != new.now,
        Cause::Period => from.buckets != to.buckets,
    };
    Cause::ALL.into_iter().filter(differs).collect()
}

/// Two answers and the steps between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// The type of the values and of every amount.
    pub ty: Type,
    /// The first answer, as given.
    pub from: Answer,
    /// The second answer.
    pub to: Answer,
    /// The first answer in the currency of the second, if the currencies differ. The steps start
    /// here.
    pub restated: Option<String>,
    /// The second minus the first, at the quantum of the answer; null if either is null.
    pub change: Value,
    /// The change as display text.
    pub formatted: String,
    /// The steps, with one cause changed after the other. The amounts add up to `change`, to the
    /// last digit.
    pub steps: Vec<DiffStep>,
}

/// One changed cause, or several if the answer between them is null.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffStep {
    /// The changed causes, each with its old and new value.
    pub causes: Vec<(Cause, String, String)>,
    /// The change of the answer at this step.
    pub amount: Value,
    /// The amount as display text.
    pub formatted: String,
    /// The answer after this step, as display text.
    pub after: String,
}

/// Why two answers cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DiffError {
    /// A formula or a request is refused.
    #[error("{}", .0.first().map_or("refused", |finding| finding.message.as_str()))]
    Refused(Vec<Diagnostic>),
    /// The two amounts have different types.
    #[error("{0} and {1} have no difference")]
    Unlike(Type, Type),
}

/// Finds the causes of the difference between two answers and the amount of each.
///
/// The causes are changed one at a time, from the first request to the second, in the order of
/// [`Cause::ALL`]; the amount of a step is the resulting change of the answer. If an intermediate
/// answer is null, the next change joins the same step.
///
/// # Errors
/// The errors of the engines, and answers that are not numbers of one unit.
pub fn diff(from: &FormulaRequest<'_>, to: &FormulaRequest<'_>) -> Result<Diff, DiffError> {
    let [origin, target] =
        [from, to].map(|query| DiffState { query: *query, request: query.request.alone() });
    let mut at = origin.clone();
    let (first, _) = at.answer()?;
    let (last, formula) = target.answer()?;
    let grain = Quantum::of(&last.ty, &formula.format);
    let mut steps = Steps { grain: &grain, engine: to.engine, ty: &last.ty, taken: Vec::new() };
    let mut start = first.clone();
    let mut before = first.clone();
    let mut restated = None;
    let mut causes = Vec::new();
    // Rows belong to the schema with which they were read: if the schema changed, both change at
    // once.
    let rows_stay = from.engine.has_sources_of(to.engine);
    let differing: Vec<_> = Cause::ALL
        .into_iter()
        .filter_map(|cause| Some((cause, cause.between(&origin, &target)?)))
        .collect();
    let count = differing.len();
    let is_redefined = differing.iter().any(|(cause, _)| *cause == Cause::Definition);
    for (index, (cause, (was, is))) in differing.into_iter().enumerate() {
        causes.push((cause, was, is));
        cause.apply(&mut at, &target);
        if !rows_stay && matches!(cause, Cause::Data | Cause::Definition) {
            Cause::Data.apply(&mut at, &target);
            Cause::Definition.apply(&mut at, &target);
            if cause == Cause::Data && is_redefined {
                continue;
            }
        }
        let is_last = index.saturating_add(1) == count;
        let after = if is_last { last.clone() } else { at.answer()?.0 };
        if cause == Cause::Currency {
            causes.clear();
            restated = Some(after.formatted.clone());
            start = after.clone();
            before = after;
        } else if is_last || !after.value.is_missing() {
            steps.take(std::mem::take(&mut causes), &before, &after);
            before = after;
        }
    }
    check_units(&start.ty, &last.ty)?;
    let change = between(&grain, &start, &last);
    Ok(Diff {
        formatted: steps.shown(&change),
        steps: steps.taken,
        ty: last.ty.clone(),
        from: first,
        to: last,
        restated,
        change,
    })
}

/// Checks that both amounts have the same unit.
fn check_units(from: &Type, to: &Type) -> Result<(), DiffError> {
    let is_alike = from.unit().zip(to.unit()).is_some_and(|(from, to)| from.is_alike(to));
    if is_alike { Ok(()) } else { Err(DiffError::Unlike(from.clone(), to.clone())) }
}

/// A request between the first and the second.
#[derive(Clone)]
struct DiffState<'a> {
    query: FormulaRequest<'a>,
    request: Request,
}

impl DiffState<'_> {
    fn answer(&self) -> Result<(Answer, Formula), DiffError> {
        let FormulaRequest { engine, formula, inputs, .. } = self.query;
        let compiled = engine.compile(formula).map_err(DiffError::Refused)?;
        let answers = engine.evaluate(&[&compiled], inputs, &self.request);
        let answers = answers.map_err(DiffError::Refused)?;
        let answer = answers.first().cloned().ok_or_else(|| DiffError::Refused(Vec::new()))?;
        Ok((answer, compiled))
    }

    fn zone(&self) -> String {
        let own = self.query.engine.schema().store.calendar.zone_name();
        self.request.timezone.clone().unwrap_or_else(|| own.to_owned())
    }

    fn currency(&self) -> &'static str {
        let own = self.query.engine.schema().store.currency;
        self.request.currency.unwrap_or(own).code()
    }

    /// Returns the formula's text; for a metric, the text of its formula.
    fn definition(&self) -> String {
        let metric = self.query.engine.metric(self.query.formula.trim_matches(['[', ']']));
        let text = metric.map_or(self.query.formula, |metric| metric.formula.as_str());
        one_line(text)
    }

    fn hash(&self) -> Option<Arc<str>> {
        let formula = self.query.engine.compile(self.query.formula).ok()?;
        Some(self.query.engine.definition_hash(&formula))
    }

    fn data(&self) -> String {
        let inputs = self.query.inputs;
        let version = inputs.data.and_then(crate::data::Data::version);
        match (version, inputs.record) {
            (Some(version), _) => version.to_owned(),
            (None, Some(_)) => "a record".to_owned(),
            (None, None) => "rows without a version".to_owned(),
        }
    }

    fn has_data_of(&self, other: &Self) -> bool {
        let (own, other) = (self.query.inputs, other.query.inputs);
        let is_same = match (own.data, other.data) {
            (Some(own), Some(other)) => {
                std::ptr::eq(own, other)
                    || own.version().is_some() && own.version() == other.version()
            }
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        is_same && own.record == other.record
    }

    fn filter(&self) -> String {
        let Some(filter) = &self.request.filter else { return "everything".to_owned() };
        let parameters =
            filter.parameters.iter().map(|(name, value)| format!(" ({name} = {value})"));
        one_line(&format!("{}{}", filter.condition, parameters.collect::<String>()))
    }

    fn period(&self) -> String {
        match self.request.period {
            Some((first, last)) => format!("{first} to {last}"),
            None => "all that the data covers".to_owned(),
        }
    }
}

impl Cause {
    /// Returns the old and the new value of the cause, if the two requests differ in it.
    fn between(self, left: &DiffState<'_>, right: &DiffState<'_>) -> Option<(String, String)> {
        let both = match self {
            Self::Currency => (left.currency().to_owned(), right.currency().to_owned()),
            Self::Data if left.has_data_of(right) => return None,
            Self::Data => return Some((left.data(), right.data())),
            Self::Definition if left.hash() == right.hash() => return None,
            Self::Definition => return Some((left.definition(), right.definition())),
            Self::TimeZone => (left.zone(), right.zone()),
            Self::Filter => (left.filter(), right.filter()),
            Self::Present => (left.request.now.to_string(), right.request.now.to_string()),
            Self::Period => (left.period(), right.period()),
        };
        (both.0 != both.1).then_some(both)
    }

    /// Changes this cause in one request to that of the other request.
    fn apply<'a>(self, at: &mut DiffState<'a>, target: &DiffState<'a>) {
        let (query, request) = (&mut at.query, &mut at.request);
        match self {
            Self::Currency => {
                // Names the target's default currency explicitly, since this engine's default may
                // differ.
                let own = target.query.engine.schema().store.currency;
                request.currency = Some(target.request.currency.unwrap_or(own));
            }
            Self::Data => query.inputs = target.query.inputs,
            Self::Definition => {
                (query.engine, query.formula) = (target.query.engine, target.query.formula);
            }
            Self::TimeZone => request.timezone = Some(target.zone()),
            Self::Filter => request.filter.clone_from(&target.request.filter),
            Self::Present => request.now = target.request.now,
            Self::Period => request.period = target.request.period,
        }
    }
}

/// Returns the second amount less the first; null if they are in two currencies.
fn between(grain: &Quantum, first: &Answer, second: &Answer) -> Value {
    match (&first.currency, &second.currency) {
        (Some(own), Some(other)) if own != other => Value::missing(Reason::MixedCurrency),
        _ => grain.between(&first.value, &second.value),
    }
}

struct Steps<'s> {
    grain: &'s Quantum,
    engine: &'s Engine,
    ty: &'s Type,
    taken: Vec<DiffStep>,
}

impl Steps<'_> {
    fn take(&mut self, causes: Vec<(Cause, String, String)>, before: &Answer, after: &Answer) {
        let amount = between(self.grain, before, after);
        let formatted = self.shown(&amount);
        self.taken.push(DiffStep { causes, formatted, amount, after: self.shown(&after.value) });
    }

    fn shown(&self, value: &Value) -> String {
        let zone = self.engine.schema().store.calendar.zone();
        crate::format::value(value, self.ty, self.grain.rules(), zone)
    }
}
