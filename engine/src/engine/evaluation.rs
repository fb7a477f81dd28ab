//! Evaluation of a request: period, buckets, groups, comparison, answers.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use super::answer::{Answer, AnswerFormat, Answers, Provenance, in_currency};
use super::formula::Formula;
use super::request::{Comparison, Inputs, Request};
use super::request_keys::{self, RequestKey};
use super::{Engine, filter};
use crate::calendar::{Calendar, Period, TimeSpan, TimeUnit};
use crate::check::{MetricId, Typed, Window};
use crate::data::{Data, Record, RecordValue};
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{
    AnswerCache, CacheAccess, Context, DataSource, Evaluator, FrameId, Owner, Sources,
};
use crate::schema::{DataType, SourceId};
use crate::source::Span;
use crate::syntax::Limits;
use crate::types::Value;

/// An evaluation in progress.
pub(crate) struct Run<'r, 'a> {
    pub(crate) evaluator: &'r mut Evaluator<'a>,
    /// The frame of the request, without groups.
    pub(crate) frame: FrameId,
}

impl Run<'_, '_> {
    /// The frames whose rows have the groups. One that only the earlier period has is compared, too.
    fn places(
        &mut self,
        formulas: &[&Formula],
        compare: Option<Comparison>,
    ) -> Vec<(Owner, FrameId)> {
        let mut places = Vec::with_capacity(formulas.len());
        for (index, formula) in formulas.iter().enumerate() {
            let own = self.known_frame(formula, self.frame);
            let earlier = compare.and_then(|compare| self.earlier_frame(compare, own));
            let frames = [Some(own), earlier].into_iter().flatten();
            places.extend(frames.map(|frame| (Owner::Formula(index), frame)));
        }
        places
    }

    /// The frame of the same request for an earlier time.
    fn earlier_frame(&mut self, compare: Comparison, frame: FrameId) -> Option<FrameId> {
        let back = TimeSpan::new(-1, TimeUnit::Year);
        let window = match compare {
            Comparison::Previous => Window::Previous { periods: 1, clip: true },
            Comparison::LastYear => Window::Shift(back),
        };
        let frames = &mut self.evaluator.frames;
        let request = frames.get(frame)?.request;
        let earlier = frames.window(window, frame)?;
        let request = match (compare, frames.get(earlier)?.buckets.as_slice()) {
            (_, [only]) => *only,
            (Comparison::LastYear, _) => self.evaluator.context.calendar.shift(request, back)?,
            // Each bucket has a preceding one, and all but the first of those are in the request.
            (Comparison::Previous, _) => request,
        };
        Some(frames.asked_for(request, earlier))
    }
}

impl Engine {
    /// Evaluates formulas over one request. Equal parts of them are computed once.
    ///
    /// The errors are those of the request or the record: an unknown zone or dimension, an earlier
    /// period that the record lacks, an exceeded limit. A missing value is not an error but a null
    /// answer with its reason.
    pub fn evaluate(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<Answers, Vec<Diagnostic>> {
        self.evaluate_keys(formulas, inputs, request, &self.limits)
    }

    /// Like [`Self::evaluate`], with other limits on the texts of the keys.
    pub(super) fn evaluate_keys(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
        key_limits: &Limits,
    ) -> Result<Answers, Vec<Diagnostic>> {
        let Some(filter) = &request.filter else {
            return self.evaluated(formulas, inputs, request, key_limits);
        };
        let narrowed = formulas.iter().map(|formula| self.narrowed(formula, filter));
        let narrowed = narrowed.collect::<Result<Vec<_>, _>>()?;
        let narrowed: Vec<&Formula> = narrowed.iter().map(Arc::as_ref).collect();
        let mut answers = self.evaluated(&narrowed, inputs, request, key_limits)?;
        for (formula, own) in formulas.iter().zip(&mut answers.by_formula) {
            for at in own.iter_mut().filter_map(|answer| answer.null_at.as_mut()) {
                if at.metric.is_none() {
                    at.span = filter::in_formula(formula, at.span);
                }
            }
        }
        Ok(answers)
    }

    /// Evaluates formulas that have already been narrowed.
    fn evaluated(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
        key_limits: &Limits,
    ) -> Result<Answers, Vec<Diagnostic>> {
        let keys = self.keys(formulas, request, key_limits)?;
        let mut answers = self.run_grouped((formulas, &keys), inputs, request, |run| {
            self.answers(formulas, &keys, request, run)
        })?;
        answers.provenance.data_version = inputs.data.and_then(Data::version).map(str::to_owned);
        Ok(answers)
    }

    /// Prepares an evaluation without groups, runs `work`, and returns the findings if there are any.
    pub(crate) fn run<T>(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
        work: impl FnOnce(&mut Run<'_, '_>) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        self.run_grouped((formulas, &[]), inputs, request, work)
    }

    /// Like [`Self::run`], with the keys by which `work` groups.
    pub(super) fn run_grouped<T>(
        &self,
        (formulas, grouping): (&[&Formula], &[RequestKey]),
        inputs: Inputs<'_>,
        request: &Request,
        work: impl FnOnce(&mut Run<'_, '_>) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        let calendar = self.calendar_of(request)?;
        let own = match (inputs.data, inputs.record) {
            (Some(_), _) => None,
            (None, Some(_)) => Some(Arc::new(self.record_data(inputs)?)),
            (None, None) => Some(self.no_rows()?),
        };
        let data = inputs.data.or(own.as_deref());
        let metrics = self.typed_metrics();
        let keys = self.metric_keys();
        let typed = formulas.iter().map(|formula| &formula.checked.typed);
        let typed: Vec<&Typed> =
            typed.chain(grouping.iter().filter_map(RequestKey::typed)).collect();
        let supplied = inputs.data_source.and_then(DataSource::rates);
        let all_time = self.context_of_all_time(&metrics, &keys, data);
        let context = Context {
            formulas: &typed,
            rates: supplied.or(all_time.rates),
            record: inputs.record,
            calendar: &calendar,
            now: request.now,
            has_data_source: inputs.data_source.is_some(),
            ..all_time
        };
        let sources = Sources { cache: self.cache_of(inputs), data_source: inputs.data_source };
        let mut evaluator = Evaluator::new(context, sources);
        let (period, buckets) = self.buckets(&mut evaluator, data, (&calendar, request))?;
        let frame = evaluator.frames.request(buckets, period, request.currency);
        let done = work(&mut Run { evaluator: &mut evaluator, frame });
        let findings = evaluator.into_findings();
        if findings.is_empty() { Ok(done) } else { Err(findings) }
    }

    /// Returns the cache of the inputs, unless it cannot be used.
    fn cache_of<'i>(&self, inputs: Inputs<'i>) -> Option<CacheAccess<'i>> {
        let cache: &dyn AnswerCache = inputs.cache.filter(|_| inputs.record.is_none())?;
        let rows = cache.row_version(inputs.data, inputs.data_source)?;
        Some(CacheAccess { cache, schema: self.meaning, rows })
    }

    fn answers(
        &self,
        formulas: &[&Formula],
        keys: &[RequestKey],
        request: &Request,
        run: &mut Run<'_, '_>,
    ) -> Answers {
        let owners: Vec<Owner> = (0..formulas.len()).map(Owner::Formula).collect();
        let grouping = request_keys::of_evaluation(keys, formulas.len());
        let places = run.places(formulas, request.compare);
        let frame = run.evaluator.grouped_frame(run.frame, &grouping, &places);
        let groups = run.evaluator.groups(frame);
        let mut frames = Vec::with_capacity(formulas.len());
        for (formula, owner) in formulas.iter().zip(&owners) {
            let own = run.known_frame(formula, frame);
            let earlier = request.compare.and_then(|compare| run.earlier_frame(compare, own));
            for frame in [Some(own), earlier].into_iter().flatten() {
                run.evaluator.pushdown.expect(&[*owner], frame);
            }
            frames.push((own, earlier));
        }
        let env = run.evaluator.context.environment();
        let group_count = groups.len().max(1);
        let mut answers = Vec::with_capacity(formulas.len());
        for ((formula, owner), (frame, earlier)) in formulas.iter().zip(&owners).zip(frames) {
            let cells = run.evaluator.formula(*owner, frame);
            let buckets = run.evaluator.buckets(frame);
            let before = earlier.map(|earlier| run.evaluator.formula(*owner, earlier));
            let currencies = run.evaluator.formula_currencies(*owner, frame);
            let earlier_currencies =
                earlier.and_then(|earlier| run.evaluator.formula_currencies(*owner, earlier));
            let shown = AnswerFormat::new(self, formula, request);
            let is_exact = !(run.evaluator.may_estimate() && formula.has_percentile());
            let answer = |(index, value): (usize, &Value)| {
                let bucket = index.checked_div(group_count);
                let period = bucket.and_then(|bucket| buckets.get(bucket)).copied();
                let period = period.filter(|period| !period.is_always());
                let previous = before.as_ref().and_then(|before| before.get(index));
                let answer = shown.answer(value, previous, period, &env);
                let [own, before] = [&currencies, &earlier_currencies].map(|all| {
                    let own = all.as_ref().and_then(|all| all.get(index).cloned());
                    own.unwrap_or_default()
                });
                let answer = in_currency(answer, own, &before);
                Answer { exact: answer.exact && is_exact, ..answer }
            };
            answers.push(cells.iter().enumerate().map(answer).collect());
        }
        Answers {
            buckets: run.evaluator.buckets(run.frame),
            group_by: keys.iter().map(|key| key.name().to_owned()).collect(),
            groups,
            missing_inputs: run.evaluator.log.missing_inputs.iter().cloned().collect(),
            inputs_used: run.evaluator.log.used_inputs.iter().cloned().collect(),
            provenance: Provenance {
                definitions: formulas.iter().map(|formula| self.definition_hash(formula)).collect(),
                data_version: None,
                timezone: run.evaluator.context.calendar.zone_name().to_owned(),
                currency: request.currency.unwrap_or(self.schema.store.currency),
                now: request.now,
            },
            by_formula: answers,
        }
    }

    /// Returns the metrics by index; `None` for those that do not check.
    pub(crate) fn typed_metrics(&self) -> Vec<Option<&Typed>> {
        let typed = |index| self.library.checked(MetricId(index)).map(|checked| &checked.typed);
        (0..self.metrics.len()).map(typed).collect()
    }

    pub(super) fn metric_keys(&self) -> Vec<&str> {
        self.metrics.iter().map(|metric| metric.key.as_str()).collect()
    }

    pub(crate) fn calendar_of(&self, request: &Request) -> Result<Calendar, Vec<Diagnostic>> {
        let store = self.schema.store.calendar.clone();
        let Some(zone) = &request.timezone else { return Ok(store) };
        store.in_zone(zone).map_err(|error| {
            let help = "a name of the IANA database such as Europe/Berlin";
            refused(Code::E208, error.to_string(), help)
        })
    }

    /// Returns the whole period of the request and its buckets.
    fn buckets(
        &self,
        evaluator: &mut Evaluator<'_>,
        data: Option<&Data>,
        (calendar, request): (&Calendar, &Request),
    ) -> Result<(Period, Vec<Period>), Vec<Diagnostic>> {
        let period = match request.period {
            Some((first, last)) => days(calendar, first, last).ok_or_else(|| {
                let message = "the period ends before it starts";
                vec![Diagnostic::new(Code::E208, Span::default(), message)]
            })?,
            None => match evaluator.record_period() {
                Some(period) => period,
                None if evaluator.context.record.is_some_and(gives_period) => {
                    let message = "the context's `period` cannot be read";
                    let help = "give its first and its last day: \"period\": {\"start\": \"2026-02-01\", \"end\": \"2026-02-28\"}";
                    return Err(refused(Code::E504, message, help));
                }
                None => self.covered(evaluator, data, calendar).unwrap_or(Period::ALWAYS),
            },
        };
        let period = period.seen_at(request.now);
        let Some(unit) = request.by else { return Ok((period, vec![period])) };
        if period.start == Timestamp::MIN {
            let message = "without rows or a period there is nothing to cut";
            return Err(refused(Code::E208, message, "give a period"));
        }
        let buckets = calendar.buckets(period, unit, self.limits.max_buckets).map_err(|error| {
            refused(Code::E707, error.to_string(), "ask for a shorter period or a longer unit")
        })?;
        Ok((period, buckets))
    }

    /// Returns the days from the first to the last dated row, or the declared coverage of the
    /// sources.
    fn covered(
        &self,
        evaluator: &mut Evaluator<'_>,
        data: Option<&Data>,
        calendar: &Calendar,
    ) -> Option<Period> {
        let mut first: Option<Date> = None;
        let mut last: Option<Date> = None;
        for (index, source) in self.schema.sources.iter().enumerate() {
            let id = SourceId(index);
            let days = match source.coverage.filter(|_| evaluator.context.is_store(id)) {
                Some(coverage) => Some((coverage.first, coverage.last)),
                None => self.dated(evaluator, data, id).and_then(|(first, last)| {
                    let day = |at: i64| {
                        Timestamp::from_microsecond(at).ok().map(|at| calendar.date_of(at))
                    };
                    Some((day(first)?, day(last)?))
                }),
            };
            if let Some((start, end)) = days {
                first = Some(first.map_or(start, |first| first.min(start)));
                last = Some(last.map_or(end, |last| last.max(end)));
            }
        }
        days(calendar, first?, last?)
    }

    /// Returns the first and the last instant of a source's rows, if instants date them.
    fn dated(
        &self,
        evaluator: &mut Evaluator<'_>,
        data: Option<&Data>,
        source: SourceId,
    ) -> Option<(i64, i64)> {
        let path = self.schema.source_at(source)?.date.as_ref()?;
        let (_, field) = self.schema.field_at(source, path)?;
        if field.data_type == DataType::DateTime
            && let Some(extent) = evaluator.supplied_extent(source, path)
        {
            return extent;
        }
        let dated = data?.dated.get(source.0)?.as_ref()?;
        Some((*dated.at.first()?, *dated.at.last()?))
    }
}

/// Returns a refusal as its only finding, which has no place in a formula.
pub(super) fn refused(code: Code, message: impl Into<String>, help: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::new(code, Span::default(), message).help(help)]
}

fn gives_period(record: &Record) -> bool {
    record.get("period").is_some_and(|given| *given != RecordValue::Null)
}

fn days(calendar: &Calendar, first: Date, last: Date) -> Option<Period> {
    let start = calendar.start_of_day(first)?;
    let end = last.tomorrow().ok().and_then(|day| calendar.start_of_day(day))?;
    (start < end).then(|| Period::new(start, end))
}
