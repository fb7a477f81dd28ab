//! What two answers differ by, cause for cause, with amounts that add up.
//!
//! Start at [`diff`].

use std::sync::Arc;

use super::quantum::Quantum;
use crate::diagnostics::Diagnostic;
use crate::engine::{Answer, Answers, Engine, Formula, Inputs, Request};
use crate::types::{Type, Value};

/// A question to an engine: a formula and what it is computed over.
#[derive(Debug, Clone, Copy)]
pub struct FormulaRequest<'a> {
    /// The engine, which knows what names mean.
    pub engine: &'a Engine,
    /// The formula's text; a metric's key, for a metric.
    pub formula: &'a str,
    /// A condition that narrows the whole formula.
    pub condition: Option<&'a str>,
    /// Rows, or a record.
    pub inputs: Inputs<'a>,
    /// Period, zone, currency and present.
    pub request: &'a Request,
}

/// Something that two answers can differ in, in the order in which it is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The currency of the answer.
    Currency,
    /// The rows, or the record.
    Data,
    /// The formula, or something it uses.
    Definition,
    /// Where days begin.
    TimeZone,
    /// The condition that narrows the formula.
    Condition,
    /// The present: how much of the period was known.
    Present,
    /// The period.
    Period,
}

impl Cause {
    /// Every cause in the order in which it is changed: first what nobody asks for and a comparison
    /// suffers from, last what was asked for.
    pub const ALL: [Self; 7] = [
        Self::Currency,
        Self::Data,
        Self::Definition,
        Self::TimeZone,
        Self::Condition,
        Self::Present,
        Self::Period,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Currency => "currency",
            Self::Data => "data",
            Self::Definition => "definition",
            Self::TimeZone => "time zone",
            Self::Condition => "condition",
            Self::Present => "present",
            Self::Period => "period",
        }
    }
}

/// What two answers say of themselves that differs, without computing anything: the causes that
/// [`diff`] would give amounts to. What narrows a formula is part of its definition here.
pub fn causes(from: &Answers, to: &Answers) -> Vec<Cause> {
    let (old, new) = (&from.provenance, &to.provenance);
    let differs = |cause: &Cause| match cause {
        Cause::Currency => old.currency != new.currency,
        Cause::Data => old.data_version != new.data_version,
        Cause::Definition => old.definitions != new.definitions,
        Cause::TimeZone => old.timezone != new.timezone,
        Cause::Condition => false,
        Cause::Present => old.now != new.now,
        Cause::Period => from.buckets != to.buckets,
    };
    Cause::ALL.into_iter().filter(differs).collect()
}

/// Two answers and what lies between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// The type of the values and of every amount.
    pub ty: Type,
    /// The first answer, as it was given.
    pub from: Answer,
    /// The second answer.
    pub to: Answer,
    /// The first answer in the currency of the second, where they are in different ones. The steps
    /// lead from here.
    pub restated: Option<String>,
    /// The second less the first, at the grain of the answer; null where one of them is.
    pub change: Value,
    /// The change as people read it.
    pub formatted: String,
    /// One thing changed after the other. The amounts add up to `change`, to the last digit.
    pub steps: Vec<DiffStep>,
}

/// One thing changed, or several where what lies between them has no value.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffStep {
    /// What changed, each with what it was and what it is.
    pub causes: Vec<(Cause, String, String)>,
    /// By how much the answer changed with it.
    pub amount: Value,
    /// The amount as people read it.
    pub formatted: String,
    /// The answer after it, as people read it.
    pub after: String,
}

/// Why two answers cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DiffError {
    /// What a formula or a request is refused for.
    #[error("{}", .0.first().map_or("refused", |finding| finding.message.as_str()))]
    Refused(Vec<Diagnostic>),
    /// Amounts of unlike types.
    #[error("{0} and {1} have no difference")]
    Unlike(Type, Type),
}

/// Names what two answers differ by and how much each cause makes up.
///
/// Things are changed one at a time, from the first question to the second, in the order of
/// [`Cause::ALL`]; a step's amount is what the answer did at it. Where an answer on the way is null,
/// the next change is taken into the same step.
///
/// # Errors
/// What the engines refuse, and answers that are no numbers of one unit.
pub fn diff(from: &FormulaRequest<'_>, to: &FormulaRequest<'_>) -> Result<Diff, DiffError> {
    let origin = DiffState { asked: *from, request: from.request.alone() };
    let mut at = DiffState { asked: *from, request: from.request.alone() };
    let target = DiffState { asked: *to, request: to.request.alone() };
    let (first, _) = at.answer()?;
    let (last, formula) = target.answer()?;
    let grain = Quantum::of(&last.ty, &formula.format);
    let mut steps = Steps { grain: &grain, engine: to.engine, ty: &last.ty, taken: Vec::new() };
    let mut start = first.clone();
    let mut before = first.clone();
    let mut restated = None;
    let mut causes = Vec::new();
    // Rows belong to the schema they were read with: where that changed, both change at once.
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
    let change = grain.between(&start.value, &last.value);
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

/// Amounts of one unit alone have a difference.
fn check_units(from: &Type, to: &Type) -> Result<(), DiffError> {
    let is_alike = match (from.unit(), to.unit()) {
        (Some(from), Some(to)) => {
            let powers = (from.money, from.time) == (to.money, to.time);
            powers && (from.money == 0 || from.currency == to.currency)
        }
        (Some(_) | None, _) => false,
    };
    if is_alike { Ok(()) } else { Err(DiffError::Unlike(from.clone(), to.clone())) }
}

/// A question on the way from the first to the second.
struct DiffState<'a> {
    asked: FormulaRequest<'a>,
    request: Request,
}

impl DiffState<'_> {
    fn answer(&self) -> Result<(Answer, Formula), DiffError> {
        let FormulaRequest { engine, formula, condition, inputs, .. } = self.asked;
        let whole = engine.compile(formula).map_err(DiffError::Refused)?;
        let narrowed = condition
            .map(|condition| engine.compile(&format!("({formula} where {condition})")))
            .transpose()
            .map_err(DiffError::Refused)?;
        // What narrows a metric does not change how it is shown.
        let mut asked = whole;
        if let Some(narrowed) = narrowed {
            let (format, data_type) = (asked.format, asked.data_type);
            asked = narrowed;
            (asked.format, asked.data_type) = (format, data_type);
        }
        let answers = engine.evaluate(&[&asked], inputs, &self.request);
        let answers = answers.map_err(DiffError::Refused)?;
        let answer = answers.first().cloned().ok_or_else(|| DiffError::Refused(Vec::new()))?;
        Ok((answer, asked))
    }

    fn zone(&self) -> String {
        let own = self.asked.engine.schema().store.calendar.zone_name();
        self.request.timezone.clone().unwrap_or_else(|| own.to_owned())
    }

    fn currency(&self) -> &'static str {
        let own = self.asked.engine.schema().store.currency;
        self.request.currency.unwrap_or(own).code()
    }

    /// The formula's text; of a metric, its own.
    fn definition(&self) -> String {
        let metric = self.asked.engine.metric(self.asked.formula.trim_matches(['[', ']']));
        let text = metric.map_or(self.asked.formula, |metric| metric.formula.as_str());
        super::described::one_line(text)
    }

    fn hash(&self) -> Option<Arc<str>> {
        let formula = self.asked.engine.compile(self.asked.formula).ok()?;
        Some(self.asked.engine.definition_hash(&formula))
    }

    fn data(&self) -> String {
        let inputs = self.asked.inputs;
        let version = inputs.data.and_then(crate::data::Data::version);
        match (version, inputs.record) {
            (Some(version), _) => version.to_owned(),
            (None, Some(_)) => "a record".to_owned(),
            (None, None) => "rows without a version".to_owned(),
        }
    }

    fn has_data_of(&self, other: &Self) -> bool {
        let (own, other) = (self.asked.inputs, other.asked.inputs);
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

    fn condition(&self) -> String {
        super::described::one_line(self.asked.condition.unwrap_or("everything"))
    }

    fn period(&self) -> String {
        match self.request.period {
            Some((first, last)) => format!("{first} to {last}"),
            None => "all that the data covers".to_owned(),
        }
    }
}

impl Cause {
    /// How the cause differs between two questions: what it is in each.
    fn between(self, left: &DiffState<'_>, right: &DiffState<'_>) -> Option<(String, String)> {
        let both = match self {
            Self::Currency => (left.currency().to_owned(), right.currency().to_owned()),
            Self::Data if left.has_data_of(right) => return None,
            Self::Data => return Some((left.data(), right.data())),
            Self::Definition if left.hash() == right.hash() => return None,
            Self::Definition => return Some((left.definition(), right.definition())),
            Self::TimeZone => (left.zone(), right.zone()),
            Self::Condition => (left.condition(), right.condition()),
            Self::Present => (left.request.now.to_string(), right.request.now.to_string()),
            Self::Period => (left.period(), right.period()),
        };
        (both.0 != both.1).then_some(both)
    }

    /// Makes one question like the other in this.
    fn apply<'a>(self, at: &mut DiffState<'a>, target: &DiffState<'a>) {
        let (asked, request) = (&mut at.asked, &mut at.request);
        match self {
            Self::Currency => {
                // The other's own currency, said aloud: this one's store may have another.
                let own = target.asked.engine.schema().store.currency;
                request.currency = Some(target.request.currency.unwrap_or(own));
            }
            Self::Data => asked.inputs = target.asked.inputs,
            Self::Definition => {
                (asked.engine, asked.formula) = (target.asked.engine, target.asked.formula);
            }
            Self::TimeZone => request.timezone = Some(target.zone()),
            Self::Condition => asked.condition = target.asked.condition,
            Self::Present => request.now = target.request.now,
            Self::Period => request.period = target.request.period,
        }
    }
}

/// The steps taken so far.
struct Steps<'s> {
    grain: &'s Quantum,
    engine: &'s Engine,
    ty: &'s Type,
    taken: Vec<DiffStep>,
}

impl Steps<'_> {
    fn take(&mut self, causes: Vec<(Cause, String, String)>, before: &Answer, after: &Answer) {
        let amount = self.grain.between(&before.value, &after.value);
        let formatted = self.shown(&amount);
        self.taken.push(DiffStep { causes, formatted, amount, after: self.shown(&after.value) });
    }

    fn shown(&self, value: &Value) -> String {
        let zone = self.engine.schema().store.calendar.zone();
        crate::format::value(value, self.ty, self.grain.rules(), zone)
    }
}
