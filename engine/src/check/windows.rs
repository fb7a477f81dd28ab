//! Calls that compute in another period, for each of several keys, or across groups.

use super::aggregates::{Aggregation, accepts};
use super::checker::{Callee, Checker, Outcome, Scope, Whole};
use super::conditions::bare_word;
use super::describe::{TAKE_ANY_VALUE, describe};
use super::typed::{AggregateFunction, BucketWindow, Key, Kind, Level, NodeId, Per, Window};
use crate::calendar::{PeriodLiteral, TimeSpan, TimeUnit};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::functions::{Special, WindowForm};
use crate::source::Span;
use crate::syntax::{Argument, ExprId, ExprKind, Ident, PerKey};
use crate::types::{Type, Unit};

impl Checker<'_> {
    pub(super) fn window(&mut self, callee: Callee<'_>, form: WindowForm, whole: Whole) -> Outcome {
        let bound = self.bind(callee)?;
        let value = (*bound.first()?)?;
        let at_one_time =
            whole.at_one_time || matches!(form, WindowForm::Opening | WindowForm::Closing);
        let inner = self.check(value, Scope::Whole(Whole { at_one_time, ..whole }));
        let window = self.window_of(callee, form, &bound);
        let (inner, window) = (inner?, window?);
        self.knows_present |= window.reaches_ahead();
        if !window.keeps_buckets() {
            self.refuse_buckets_under(callee.spec.name, inner)?;
        }
        if matches!(form, WindowForm::Growth | WindowForm::Change) {
            self.require_number(callee, inner)?;
        }
        let ty = self.ty(inner).clone();
        let (ty, kind) = match form {
            WindowForm::Growth => (Type::Quantity(Unit::PERCENT), Kind::Growth(window, inner)),
            WindowForm::Change => (ty, Kind::Change(window, inner)),
            _ => (ty, Kind::Window(window, inner)),
        };
        Some(self.add(callee.span, ty, Level::Aggregate, kind))
    }

    pub(super) fn require_number(&mut self, callee: Callee<'_>, id: NodeId) -> Option<()> {
        if self.unit(id).is_some() {
            return Some(());
        }
        let message =
            format!("`{}` needs a number, this is {}", callee.spec.name, describe(self.ty(id)));
        self.refuse_call(callee.spec, (Code::E208, self.span(id)), message)
    }

    fn window_of(
        &mut self,
        callee: Callee<'_>,
        form: WindowForm,
        bound: &[Option<ExprId>],
    ) -> Option<Window> {
        let argument = |index: usize| bound.get(index).copied().flatten();
        Some(match form {
            WindowForm::Previous => {
                let periods = match argument(1) {
                    Some(count) => self.whole_number(callee, count)?,
                    None => 1,
                };
                let clip = match argument(2) {
                    Some(clip) => self.flag(callee, clip)?,
                    None => true,
                };
                Window::Previous { periods, clip }
            }
            WindowForm::Last(unit) => Window::Shift(TimeSpan::new(-1, unit)),
            WindowForm::Shift => Window::Shift(self.step(callee, argument(1)?)?),
            WindowForm::Trailing => {
                let span = self.step(callee, argument(1)?)?;
                if span.count <= 0 {
                    return self.wrong_arguments(callee, "the trailing span must be positive");
                }
                let with_current = match argument(2) {
                    Some(exclude) => {
                        let parameter = callee.spec.parameters.get(2)?;
                        self.word(callee, parameter, exclude)? != "current"
                    }
                    None => true,
                };
                Window::Trailing { span, with_current }
            }
            WindowForm::ToDate => {
                let parameter = callee.spec.parameters.get(1)?;
                let word = self.word(callee, parameter, argument(1)?)?;
                Window::ToDate(TimeUnit::from_name(&word)?)
            }
            WindowForm::ToDateOf(unit) => Window::ToDate(unit),
            WindowForm::During => Window::During(self.written_period(callee, argument(1)?)?),
            WindowForm::Lifetime => Window::Lifetime,
            WindowForm::Running => Window::Running,
            WindowForm::Overall => {
                self.knows_request_end = true;
                Window::Overall
            }
            WindowForm::Opening => Window::Opening,
            WindowForm::Closing => Window::Closing,
            WindowForm::Growth | WindowForm::Change => match argument(1) {
                None => Window::Previous { periods: 1, clip: true },
                Some(comparison) => self.comparison_window(callee, comparison)?,
            },
        })
    }

    /// Checks the `cmp` of `growth` and `change`: a word, or a span back.
    fn comparison_window(&mut self, callee: Callee<'_>, value: ExprId) -> Option<Window> {
        let word = bare_word(self.expr, value).map(str::to_ascii_lowercase);
        let back = |unit| Some(Window::Shift(TimeSpan::new(-1, unit)));
        match word.as_deref() {
            Some("previous") => return Some(Window::Previous { periods: 1, clip: true }),
            Some("last_week") => return back(TimeUnit::Week),
            Some("last_month") => return back(TimeUnit::Month),
            Some("last_year") => return back(TimeUnit::Year),
            Some(_) | None => {}
        }
        let place = self.expr.span(value);
        if let Some(step) = self.written_step(value) {
            if step.count <= 0 {
                return self.refuse_step_ahead(callee, place, step);
            }
            return step.reversed().map(Window::Shift);
        }
        let text = place.slice(self.text);
        let subject = callee.call.arguments.first().map_or("", |first| self.source(first.value));
        let name = callee.spec.name;
        let is_number = matches!(self.expr.node(value)?.kind, ExprKind::Number(_));
        let message = format!("`{name}` compares with another time, not with `{text}`");
        let mut finding = Diagnostic::new(Code::E502, place, message);
        finding = if is_number {
            let days = format!("{text} days");
            finding
                .help(format!(
                    "for example {name}({subject}, {days}), or {name}({subject}, last_year)"
                ))
                .suggest(Suggestion::replace(place, days).among_others())
        } else {
            finding.help(format!(
                "for example {name}({subject}, last_year), or {name}({subject}, 52 weeks)"
            ))
        };
        self.refuse(finding)
    }

    /// Rejects a comparison with the same period or a later one.
    fn refuse_step_ahead<T>(
        &mut self,
        callee: Callee<'_>,
        place: Span,
        step: TimeSpan,
    ) -> Option<T> {
        let text = place.slice(self.text);
        let message =
            format!("`{}` compares with an earlier time, not with `{text}`", callee.spec.name);
        let finding = Diagnostic::new(Code::E502, place, message);
        self.refuse(match step.reversed().filter(|back| back.count > 0) {
            Some(back) => finding
                .help(format!("a span counts back: {back}"))
                .suggest(Suggestion::replace(place, back.to_string()).among_others()),
            None => finding.help("a span counts back, for example 1 day"),
        })
    }

    /// Reads a literal such as `30 days` or `-1 month`.
    fn written_step(&self, value: ExprId) -> Option<TimeSpan> {
        match &self.expr.node(value)?.kind {
            ExprKind::Span(count, unit) if count.is_integer() => {
                i64::try_from(*count).ok().map(|count| TimeSpan::new(count, *unit))
            }
            ExprKind::Unary(crate::syntax::UnaryOp::Negate, inner) => {
                self.written_step(*inner).and_then(TimeSpan::reversed)
            }
            _ => None,
        }
    }

    fn step(&mut self, callee: Callee<'_>, value: ExprId) -> Option<TimeSpan> {
        if let Some(step) = self.written_step(value) {
            return Some(step);
        }
        let place = self.expr.span(value);
        let message = "a span of time is expected";
        let help = format!("call it: {}, for example with `30 days`", callee.spec.signature);
        self.refuse(Diagnostic::new(Code::E208, place, message).help(help))
    }

    pub(super) fn whole_number(&mut self, callee: Callee<'_>, value: ExprId) -> Option<i64> {
        if let ExprKind::Number(number) = &self.expr.node(value)?.kind
            && number.is_integer()
            && let Ok(whole @ 1..) = i64::try_from(*number)
        {
            return Some(whole);
        }
        let place = (Code::E208, self.expr.span(value));
        self.refuse_call(callee.spec, place, "a whole number from 1 is expected")
    }

    fn flag(&mut self, callee: Callee<'_>, value: ExprId) -> Option<bool> {
        if let ExprKind::Bool(truth) = self.expr.node(value)?.kind {
            return Some(truth);
        }
        let place = (Code::E208, self.expr.span(value));
        self.refuse_call(callee.spec, place, "true or false is expected")
    }

    fn written_period(&mut self, callee: Callee<'_>, value: ExprId) -> Option<PeriodLiteral> {
        if let ExprKind::Period(literal) = self.expr.node(value)?.kind {
            return Some(literal);
        }
        let place = self.expr.span(value);
        if place.slice(self.text).starts_with('@') {
            // An impossible period has already been reported.
            return None;
        }
        let message = "a period such as @2026-Q1 is expected";
        self.refuse_call(callee.spec, (Code::E208, place), message)
    }

    /// Checks `avg(x per day)`: an aggregate over the values of `x` for each key.
    pub(super) fn per(
        &mut self,
        aggregation: Aggregation<'_>,
        first: &Argument,
        rest: Option<&Argument>,
    ) -> Outcome {
        let Aggregation { callee: Callee { spec, span, .. }, function, whole } = aggregation;
        self.refuse_date(first)?;
        let place = self.expr.span(first.value);
        let value = self.value_of_parts(first.value, &first.per, spec.name, whole)?;
        let value = match first.conditions.as_slice() {
            [] => value,
            conditions => self.scoped_by(value, conditions, place)?,
        };
        let (unit, keys) = self.parts(&first.per, value)?;
        let fraction = self.fraction(spec, rest, span)?;
        let ty = match function {
            AggregateFunction::Count | AggregateFunction::CountDistinct => Type::NUMBER,
            AggregateFunction::ShareOf => Type::Quantity(Unit::PERCENT),
            AggregateFunction::Variance | AggregateFunction::PopulationVariance
                if self.unit(value).is_some() =>
            {
                self.squared(&self.ty(value).clone(), place)?
            }
            _ => self.ty(value).clone(),
        };
        let is_ordered = matches!(
            function,
            AggregateFunction::Minimum | AggregateFunction::Maximum | AggregateFunction::Mode
        );
        if ty.unit().is_none() && !(is_ordered && accepts(function, &ty)) {
            let what = describe(self.ty(value));
            let message = format!("`{}` needs numbers, this is {what}", spec.name);
            return self.refuse(Diagnostic::new(Code::E350, place, message).help(TAKE_ANY_VALUE));
        }
        let per = Per { function, value, unit, keys, fraction };
        Some(self.add(span, ty, Level::Aggregate, Kind::Per(Box::new(per))))
    }

    /// Checks an expression with one value for each part made by `per`.
    pub(super) fn value_of_parts(
        &mut self,
        value: ExprId,
        per: &[PerKey],
        name: &str,
        whole: Whole,
    ) -> Outcome {
        if self.rows_of(value).is_some_and(|rows| !rows.bare) {
            let place = self.expr.span(value);
            let message = "one value for each row where one for each key is needed";
            let summed = format!("sum({})", place.slice(self.text));
            return self.refuse(
                Diagnostic::new(Code::E401, place, message)
                    .help(format!("aggregate it first: {name}({summed} per …)"))
                    .suggest(Suggestion::replace(place, summed).among_others()),
            );
        }
        let divides = |key| unit_of(key).is_some_and(|(_, unit)| unit != TimeUnit::Period);
        let at_one_time = whole.at_one_time || per.iter().any(divides);
        let node = self.check(value, Scope::Whole(Whole { at_one_time, ..whole }))?;
        let message = "the parts of `per` are not the buckets of the request";
        self.refuse_buckets(node, message, "compare the buckets outside the aggregate")?;
        Some(node)
    }

    /// Resolves the unit of time and the keys that divide a value into parts.
    pub(super) fn parts(
        &mut self,
        per: &[PerKey],
        value: NodeId,
    ) -> Option<(Option<TimeUnit>, Vec<Key>)> {
        let (mut unit, mut keys) = (None, Vec::new());
        for key in per {
            match unit_of(key) {
                Some((name, own)) => unit = Some(self.part(name, own, unit)?),
                None => keys.push(self.key(&key.path, value)?),
            }
        }
        Some((unit, keys))
    }

    /// Returns a unit of time that divides the period; rejects any other unit, and a second one.
    fn part(&mut self, name: &Ident, own: TimeUnit, before: Option<TimeUnit>) -> Option<TimeUnit> {
        let (message, help) = match before {
            None if own != TimeUnit::Period => return Some(own),
            None => (
                "`per period` parts nothing: the whole period is one part".to_owned(),
                "name what parts it: `per day`, or a key".to_owned(),
            ),
            Some(before) => (
                format!("`per` takes one unit of time, and there is `{}` already", before.name()),
                format!("leave out `{}`, or ask for the formula by {0}", name.name),
            ),
        };
        self.refuse(Diagnostic::new(Code::E207, name.span, message).help(help))
    }

    /// Checks `total`, `share` and `rank`.
    pub(super) fn among_groups(
        &mut self,
        callee: Callee<'_>,
        special: Special,
        whole: Whole,
    ) -> Outcome {
        let bound = self.bind(callee)?;
        let inner = self.check((*bound.first()?)?, Scope::Whole(whole))?;
        let key = bound.get(1).copied().flatten();
        let names_period =
            |key| bare_word(self.expr, key).is_some_and(|word| word.eq_ignore_ascii_case("period"));
        let is_by_period = special == Special::Rank && key.is_some_and(names_period);
        let key = match key.filter(|_| !is_by_period) {
            Some(key) => Some(self.named_key(key, inner)?),
            None => None,
        };
        if special != Special::Total {
            self.require_number(callee, inner)?;
        }
        if is_by_period {
            return Some(self.of_buckets(callee.span, Type::NUMBER, BucketWindow::Rank, inner));
        }
        let (ty, kind) = match special {
            Special::Share => (Type::Quantity(Unit::PERCENT), Kind::Share(inner)),
            Special::Rank => (Type::NUMBER, Kind::Rank { value: inner, by: key }),
            _ => {
                let keep = key.into_iter().collect();
                (self.ty(inner).clone(), Kind::Total { value: inner, keep })
            }
        };
        Some(self.add(callee.span, ty, Level::Aggregate, kind))
    }

    fn named_key(&mut self, value: ExprId, below: NodeId) -> Option<Key> {
        if let ExprKind::Path(path) = &self.expr.node(value)?.kind {
            return self.key(path, below);
        }
        let place = self.expr.span(value);
        self.refuse(Diagnostic::new(Code::E208, place, "the name of a dimension is expected"))
    }
}

/// Returns the unit of time that a key of `per` names.
fn unit_of(key: &PerKey) -> Option<(&Ident, TimeUnit)> {
    let [name] = key.path.as_slice() else { return None };
    Some((name, TimeUnit::from_name(&name.name)?))
}
