//! A request carried out: period, buckets, groups, comparison, answers.

use jiff::Timestamp;

use super::answer::{Answer, Answers, NullAt};
use super::formula::Formula;
use super::request::{Comparison, Inputs, Request};
use super::{Engine, Metric};
use crate::calendar::{Calendar, Period, Span as TimeSpan, TimeUnit};
use crate::check::{Arithmetic, Key, Typed, Window};
use crate::data::Data;
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{Context, Evaluator, Owner};
use crate::file::DeclaredType;
use crate::source::Span;
use crate::types::{CurrencyOf, Flavour, Type, Unit, Value};

impl Engine {
    /// Computes formulas over one request; equal parts of them are computed once.
    ///
    /// The errors are what the request or a record refuses: an unknown zone or dimension, an earlier
    /// period that a record does not have, a limit. A missing value is no error: it is a null answer
    /// with its reason.
    pub fn evaluate(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<Answers, Vec<Diagnostic>> {
        let calendar = self.calendar_of(request)?;
        let own = inputs.data.is_none().then(|| self.record_data(inputs)).transpose()?;
        let data = inputs.data.or(own.as_ref());
        let typed: Vec<Option<&Typed>> = self.typed_metrics();
        let keys: Vec<&str> = self.metrics.iter().map(|metric| metric.key.as_str()).collect();
        let context = self.context((&typed, &keys), (data, inputs), (&calendar, request));
        let asked = formulas.iter().map(|formula| &formula.checked.typed).collect();
        let mut evaluator = Evaluator::new(context, asked);

        let (period, buckets) = self.buckets(&evaluator, data, (&calendar, request))?;
        let root = evaluator.root_frame(buckets.clone(), period.start, request.currency);
        let keys = self.keys(formulas, request)?;
        let owners: Vec<Owner> = (0..formulas.len()).map(Owner::Asked).collect();
        let frame = evaluator.grouped_frame(root, &keys, &owners);
        let groups = evaluator.groups(frame);
        let earlier = request.compare.and_then(|compare| {
            let window = match compare {
                Comparison::Previous => Window::Previous { periods: 1, clip: true },
                Comparison::LastYear => Window::Shift(TimeSpan::new(-1, TimeUnit::Year)),
            };
            evaluator.window_frame(window, frame)
        });
        let env = crate::functions::Environment { calendar: &calendar, now: request.now };
        let mut answers = Vec::with_capacity(formulas.len());
        for (formula, owner) in formulas.iter().zip(&owners) {
            let cells = evaluator.formula(*owner, frame);
            let before = earlier.map(|earlier| evaluator.formula(*owner, earlier));
            let shown = self.shown(formula, request);
            let group_count = groups.len().max(1);
            let answer = |(index, value): (usize, &Value)| {
                let bucket = index.checked_div(group_count).and_then(|bucket| buckets.get(bucket));
                let previous = before.as_ref().and_then(|before| before.get(index));
                shown.answer(value, previous, bucket.copied(), &env)
            };
            answers.push(cells.iter().enumerate().map(answer).collect());
        }
        if !evaluator.findings.is_empty() {
            return Err(evaluator.findings);
        }
        let names = keys.iter().map(|key| key.name.to_string()).collect();
        let mut answers = Answers::new(buckets, names, groups, answers);
        answers.missing_inputs = evaluator.missing_inputs.into_iter().collect();
        answers.inputs_used = evaluator.used_inputs.into_iter().collect();
        Ok(answers)
    }

    pub(crate) fn typed_metrics(&self) -> Vec<Option<&Typed>> {
        let typed = |index| {
            self.library.checked(crate::check::MetricId(index)).map(|checked| &checked.typed)
        };
        (0..self.metrics.len()).map(typed).collect()
    }

    pub(crate) fn context<'a>(
        &'a self,
        (metrics, keys): (&'a [Option<&'a Typed>], &'a [&'a str]),
        (data, inputs): (Option<&'a Data>, Inputs<'a>),
        (calendar, request): (&'a Calendar, &Request),
    ) -> Context<'a> {
        Context {
            schema: &self.schema,
            metrics,
            keys,
            data,
            record: inputs.record,
            limits: &self.limits,
            calendar,
            now: request.now,
        }
    }

    pub(crate) fn calendar_of(&self, request: &Request) -> Result<Calendar, Vec<Diagnostic>> {
        let store = self.schema.store.calendar.clone();
        let Some(zone) = &request.timezone else { return Ok(store) };
        store.in_zone(zone).map_err(|error| {
            vec![
                Diagnostic::new(Code::E208, Span::default(), error.to_string())
                    .help("a name of the IANA database such as Europe/Berlin"),
            ]
        })
    }

    /// The whole period of the request and the buckets it is cut into.
    pub(crate) fn buckets(
        &self,
        evaluator: &Evaluator<'_>,
        data: Option<&Data>,
        (calendar, request): (&Calendar, &Request),
    ) -> Result<(Period, Vec<Period>), Vec<Diagnostic>> {
        let period = match request.period {
            Some((first, last)) => days(calendar, first, last).ok_or_else(|| {
                vec![Diagnostic::new(
                    Code::E208,
                    Span::default(),
                    "the period ends before it starts",
                )]
            })?,
            None => match evaluator.record_period() {
                Some(period) => period,
                None => self.covered(data, calendar).unwrap_or(Period::ALWAYS),
            },
        };
        let period = period.seen_at(request.now);
        let Some(unit) = request.by else { return Ok((period, vec![period])) };
        if period.start == Timestamp::MIN {
            let message = "without rows or a period there is nothing to cut";
            return Err(vec![
                Diagnostic::new(Code::E208, Span::default(), message).help("give a period"),
            ]);
        }
        let buckets = calendar.buckets(period, unit, self.limits.max_buckets).map_err(|error| {
            vec![
                Diagnostic::new(Code::E707, Span::default(), error.to_string())
                    .help("ask for a shorter period or a longer unit"),
            ]
        })?;
        Ok((period, buckets))
    }

    /// The whole days from the first to the last dated row, or what the sources declare.
    fn covered(&self, data: Option<&Data>, calendar: &Calendar) -> Option<Period> {
        let data = data?;
        let mut first: Option<jiff::civil::Date> = None;
        let mut last: Option<jiff::civil::Date> = None;
        for (index, source) in self.schema.sources.iter().enumerate() {
            let days = match (source.coverage, data.dated.get(index).and_then(Option::as_ref)) {
                (Some(coverage), _) => Some((coverage.first, coverage.last)),
                (None, Some(dated)) => {
                    dated.at.first().zip(dated.at.last()).and_then(|(first, last)| {
                        let day = |at: i64| {
                            Timestamp::from_microsecond(at).ok().map(|at| calendar.date_of(at))
                        };
                        Some((day(*first)?, day(*last)?))
                    })
                }
                (None, None) => None,
            };
            if let Some((start, end)) = days {
                first = Some(first.map_or(start, |first| first.min(start)));
                last = Some(last.map_or(end, |last| last.max(end)));
            }
        }
        days(calendar, first?, last?)
    }

    /// The columns to group by, for every source below the formulas.
    fn keys(&self, formulas: &[&Formula], request: &Request) -> Result<Vec<Key>, Vec<Diagnostic>> {
        let mut sources: Vec<_> = formulas
            .iter()
            .flat_map(|formula| formula.checked.atoms.iter().map(|atom| atom.source))
            .collect();
        sources.sort_unstable();
        sources.dedup();
        let env = self.environment();
        let mut keys = Vec::new();
        let mut findings = Vec::new();
        for name in &request.group_by {
            match env.group_key(name, &sources) {
                Ok(key) => keys.push(key),
                Err(found) => findings.extend(found),
            }
        }
        if findings.is_empty() { Ok(keys) } else { Err(findings) }
    }

    /// How the answers of a formula are shown.
    fn shown<'a>(&'a self, formula: &'a Formula, request: &Request) -> Shown<'a> {
        let currency = request.currency.unwrap_or(self.schema.store.currency);
        let mut ty = formula.checked.ty.clone();
        if let Type::Quantity(unit) = &mut ty
            && unit.money != 0
            && (unit.currency == CurrencyOf::Mixed || request.currency.is_some())
        {
            unit.currency = CurrencyOf::Fixed(currency);
        }
        Shown { engine: self, formula, ty: declared(ty, formula.data_type) }
    }
}

/// The days from `first` to `last`, both included.
pub(crate) fn days(
    calendar: &Calendar,
    first: jiff::civil::Date,
    last: jiff::civil::Date,
) -> Option<Period> {
    let start = calendar.start_of_day(first)?;
    let end = last.tomorrow().ok().and_then(|day| calendar.start_of_day(day))?;
    (start < end).then(|| Period::new(start, end))
}

/// The type with the flavour that a declared type asks for.
pub(crate) fn declared(ty: Type, data_type: Option<DeclaredType>) -> Type {
    let flavour = match data_type {
        Some(DeclaredType::Percentage) => Flavour::Percent,
        Some(DeclaredType::Ratio) => Flavour::Ratio,
        Some(DeclaredType::Number) => Flavour::Number,
        Some(DeclaredType::Integer) => Flavour::Count(None),
        Some(
            DeclaredType::Currency
            | DeclaredType::Duration
            | DeclaredType::Boolean
            | DeclaredType::String
            | DeclaredType::Date,
        )
        | None => return ty,
    };
    match ty {
        Type::Quantity(unit) if unit.is_dimensionless() => Type::Quantity(Unit { flavour, ..unit }),
        other => other,
    }
}

struct Shown<'a> {
    engine: &'a Engine,
    formula: &'a Formula,
    ty: Type,
}

impl Shown<'_> {
    fn format(&self, value: &Value, env: &crate::functions::Environment<'_>) -> String {
        crate::format::value(value, &self.ty, &self.formula.format, env.calendar.zone())
    }

    fn answer(
        &self,
        value: &Value,
        previous: Option<&Value>,
        period: Option<Period>,
        env: &crate::functions::Environment<'_>,
    ) -> Answer {
        let missing = value.as_missing();
        let null_at = missing.and_then(|missing| missing.origin).map(|origin| NullAt {
            metric: origin
                .metric
                .and_then(|index| usize::try_from(index).ok())
                .and_then(|index| self.engine.metrics.get(index))
                .map(|metric: &Metric| metric.key.clone()),
            span: origin.span,
        });
        let change = previous.map(|previous| growth(value, previous, env));
        Answer {
            value: value.clone(),
            ty: self.ty.clone(),
            formatted: self.format(value, env),
            exact: self.formula.is_exact(),
            null_reason: missing.map(|missing| missing.reason),
            null_at,
            period: period.filter(|period| *period != Period::ALWAYS),
            previous: previous.cloned(),
            previous_formatted: previous.map(|previous| self.format(previous, env)),
            change,
        }
    }
}

fn growth(current: &Value, earlier: &Value, env: &crate::functions::Environment<'_>) -> Value {
    let change = crate::evaluate::arithmetic(Arithmetic::Subtract, current, earlier, env);
    match earlier.as_number() {
        Some(base) if base.is_sign_negative() && !base.is_zero() => {
            Value::missing(crate::types::Reason::NotComparable)
        }
        Some(_) | None => crate::evaluate::arithmetic(Arithmetic::Divide, &change, earlier, env),
    }
}
