//! Calls: resolution of the function, binding of arguments, and scalar functions.

use rust_decimal::Decimal;

use super::aggregates::{Aggregation, unliteral};
use super::checker::{Callee, Checker, Outcome, Scope, Whole};
use super::conditions::bare_word;
use super::describe::{describe, takes};
use super::typed::{Kind, NodeId};
use super::unknown::with_nearest;
use crate::calendar::TimeUnit;
use crate::diagnostics::{Code, Diagnostic, Suggestion, nearest};
use crate::format::{PatternError, check_pattern_of};
use crate::functions::{
    Behaviour, DefaultValue, Parameter, ParameterKind, Presence, Scalar, Special,
};
use crate::source::Span;
use crate::syntax::{Argument, Call, ExprId, Ident};
use crate::types::{Currency, Type, Unit, Value};

impl Checker<'_> {
    pub(super) fn call(&mut self, call: &Call, span: Span, scope: Scope) -> Outcome {
        let Some(spec) = self.metrics().function(&call.name.name) else {
            return self.unknown_function(call, span, scope);
        };
        let several = call.arguments.len() > 1;
        let spec = match spec.name {
            "min" if several => &crate::functions::LEAST,
            "max" if several => &crate::functions::GREATEST,
            _ => spec,
        };
        let callee = Callee { spec, call, span };
        match spec.behaviour {
            Behaviour::Scalar(scalar) => self.scalar(callee, &scalar, scope),
            Behaviour::Aggregate(function) => self.of_whole(span, scope, |checker, whole| {
                checker.aggregate(Aggregation { callee, function, whole })
            }),
            Behaviour::WeightedAverage => {
                self.of_whole(span, scope, |checker, whole| checker.weighted_average(callee, whole))
            }
            Behaviour::Window(form) => {
                self.of_whole(span, scope, |checker, whole| checker.window(callee, form, whole))
            }
            Behaviour::Buckets(form) => self
                .of_whole(span, scope, |checker, whole| checker.over_buckets(callee, form, whole)),
            Behaviour::Special(special) => match special {
                Special::Total | Special::Share | Special::Rank => {
                    self.of_whole(span, scope, |checker, whole| {
                        checker.among_groups(callee, special, whole)
                    })
                }
                Special::Convert => self.convert(callee, scope),
                Special::Add => self.added(callee, scope),
                Special::If
                | Special::Coalesce
                | Special::NullIf
                | Special::SafeDivide
                | Special::IsNull
                | Special::IsError
                | Special::Concat
                | Special::Now
                | Special::Today => self.special(callee, special, scope),
            },
        }
    }

    /// Checks a value of a whole period; inside a row it is computed per row.
    pub(super) fn of_whole(
        &mut self,
        span: Span,
        scope: Scope,
        check: impl FnOnce(&mut Self, Whole) -> Outcome,
    ) -> Outcome {
        match scope {
            Scope::Whole(whole) => check(self, whole),
            Scope::Row(source) => {
                let node = check(self, Whole { below: Some(source), at_one_time: false })?;
                self.lifted(node, span, source, false)
            }
        }
    }

    pub(super) fn wrong_arguments<T>(&mut self, callee: Callee<'_>, message: &str) -> Option<T> {
        let before_last = callee.call.arguments.iter().rev().skip(1);
        if before_last.flat_map(|argument| &argument.conditions).next().is_none() {
            return self.refuse_call(callee.spec, (Code::E207, callee.span), message);
        }
        let help =
            "conditions are joined by `and`: … where country = 'DE' and status = 'completed'";
        self.refuse(Diagnostic::new(Code::E207, callee.span, message).help(help))
    }

    /// Binds arguments without clauses, and returns their values.
    pub(super) fn bind(&mut self, callee: Callee<'_>) -> Option<Vec<Option<ExprId>>> {
        for argument in &callee.call.arguments {
            self.refuse_clauses(argument)?;
        }
        let bound = self.bind_with_clauses(callee)?.into_iter();
        Some(bound.map(|argument| argument.map(|argument| argument.value)).collect())
    }

    /// Binds arguments in the order of the parameters; a repeated parameter takes the rest.
    pub(super) fn bind_with_clauses<'c>(
        &mut self,
        callee: Callee<'c>,
    ) -> Option<Vec<Option<&'c Argument>>> {
        let parameters = callee.spec.parameters;
        let repeats = parameters.last().is_some_and(|last| last.presence == Presence::Repeated);
        let mut bound: Vec<Option<&Argument>> = vec![None; parameters.len()];
        let mut next = 0_usize;
        for argument in &callee.call.arguments {
            let index = match &argument.name {
                None => {
                    next = next.saturating_add(1);
                    next.saturating_sub(1)
                }
                Some(name) => {
                    let named =
                        parameters.iter().position(|p| p.name.eq_ignore_ascii_case(&name.name));
                    let Some(index) = named else {
                        return self.refuse_name(callee, name);
                    };
                    index
                }
            };
            if index >= bound.len() {
                if !repeats {
                    let (wanted, given) = (parameters.len(), callee.call.arguments.len());
                    let name = callee.spec.name;
                    return self.wrong_arguments(callee, &takes(name, wanted, given));
                }
                bound.push(Some(argument));
            } else if let Some(slot) = bound.get_mut(index)
                && slot.replace(argument).is_some()
            {
                let place = argument.name.as_ref().map(|own| own.span);
                let place = place.unwrap_or(self.expr.span(argument.value));
                let message = format!("`{}` is given twice", parameters.get(index)?.name);
                return self.refuse_call(callee.spec, (Code::E207, place), message);
            }
        }
        for (parameter, argument) in parameters.iter().zip(&bound) {
            if argument.is_none() && !matches!(parameter.presence, Presence::Optional(_)) {
                let message = format!("`{}` needs `{}`", callee.spec.name, parameter.name);
                return self.wrong_arguments(callee, &message);
            }
        }
        Some(bound)
    }

    /// Rejects an argument with a name that no parameter has.
    fn refuse_name<T>(&mut self, callee: Callee<'_>, name: &Ident) -> Option<T> {
        let message = format!("`{}` has no argument `{}`", callee.spec.name, name.name);
        let near = nearest(&name.name, callee.spec.parameters.iter().map(|own| own.name));
        // All names of one or two letters are similar to each other.
        match near.filter(|_| name.name.len() > 2) {
            None => self.refuse_call(callee.spec, (Code::E207, name.span), message),
            near => self.refuse(with_nearest(Code::E207, name.span, message, near)),
        }
    }

    /// Rejects `where` and the other clauses of aggregates.
    pub(super) fn refuse_clauses(&mut self, argument: &Argument) -> Option<()> {
        let first = argument.conditions.first().copied();
        let place = match (first, argument.per.first(), &argument.dated_by) {
            (Some(condition), ..) => self.expr.span(condition),
            (None, Some(key), _) => key.path.first().map_or(Span::default(), |name| name.span),
            (None, None, Some(path)) => path.first().map_or(Span::default(), |name| name.span),
            (None, None, None) => return Some(()),
        };
        let message = "`where`, `per` and `dated by` belong to aggregates";
        let value = self.source(argument.value);
        let help = match first {
            Some(condition) => format!("({value} where {})", self.source(condition)),
            None => format!("put them into the aggregate inside `{value}`"),
        };
        self.refuse(Diagnostic::new(Code::E207, place, message).help(help))
    }

    fn scalar(&mut self, callee: Callee<'_>, scalar: &Scalar, scope: Scope) -> Outcome {
        let bound = self.bind(callee)?;
        let parameters = callee.spec.parameters;
        let last = parameters.last();
        let mut nodes = Vec::with_capacity(bound.len());
        for (index, value) in bound.into_iter().enumerate() {
            let parameter = parameters.get(index).or(last)?;
            nodes.push(match value {
                Some(value) => self.argument(callee, parameter, value, scope),
                None => self.default_argument(parameter, callee.span),
            });
        }
        let nodes: Vec<_> = nodes.into_iter().collect::<Option<_>>()?;
        let types: Vec<_> = nodes.iter().map(|node| self.ty(*node).clone()).collect();
        // A literal 0 fits any unit, as `null` does, so it is never the mismatch.
        let any_zero = |_misfit| {
            let is_free =
                |(node, ty): &(&NodeId, &Type)| **ty == Type::LITERAL && self.is_zero(**node);
            let pairs = nodes.iter().zip(&types);
            let free = pairs.map(|pair| if is_free(&pair) { Type::Null } else { pair.1.clone() });
            (scalar.result)(&free.collect::<Vec<_>>())
        };
        match (scalar.result)(&types).or_else(any_zero) {
            Ok(ty) => {
                if callee.spec.name == "text" {
                    self.demand_pattern(&nodes, &types)?;
                }
                let constant =
                    nodes.iter().all(|node| matches!(self.node(*node).kind, Kind::Constant(_)));
                let ty = if constant { ty } else { unliteral(ty) };
                Some(self.operation(callee.span, ty, Kind::Call(callee.spec, nodes)))
            }
            Err(misfit) => {
                let place = nodes.get(misfit.argument).map_or(callee.span, |node| self.span(*node));
                let help = format!("call it: {}", callee.spec.signature);
                let finding = Diagnostic::new(Code::E208, place, misfit.message).help(help);
                let finding = match (nodes.first(), nodes.get(misfit.argument)) {
                    (Some(first), Some(other)) => self.with_amount(finding, *first, *other),
                    _ => finding,
                };
                self.refuse(finding)
            }
        }
    }

    /// Refuses a pattern that is written out and formats no value of the type.
    fn demand_pattern(&mut self, nodes: &[NodeId], types: &[Type]) -> Option<()> {
        let ([_, pattern], [ty, _]) = (nodes, types) else { return Some(()) };
        let Kind::Constant(Value::Text(text)) = &self.node(*pattern).kind else { return Some(()) };
        let reason = check_pattern_of(text, ty).err().filter(|_| !text.is_empty());
        let Some(reason) = reason else { return Some(()) };
        let message = match reason {
            PatternError::ShowsNumbers | PatternError::ShowsDates => {
                format!("{reason}, this is {}", describe(ty))
            }
            reason => reason.to_string(),
        };
        let help = match ty {
            Type::Quantity(_) => "patterns of numbers: '#,##0.00', '0.0%'",
            Type::Date | Type::DateTime => "patterns of dates: 'yyyy-mm-dd', 'hh:mm'",
            _ => "leave the pattern out",
        };
        let finding = Diagnostic::new(Code::E208, self.span(*pattern), message);
        self.refuse(finding.help(help))
    }

    fn default_argument(&mut self, parameter: &Parameter, span: Span) -> Outcome {
        let Presence::Optional(value) = parameter.presence else { return None };
        Some(match value {
            DefaultValue::Number(number) => {
                self.constant(span, Type::LITERAL, Value::Number(number.into()))
            }
            DefaultValue::Percent(hundredths) => {
                let share = Value::Number(Decimal::new(hundredths, 2));
                self.constant(span, Type::LITERAL, share)
            }
            DefaultValue::Word(word) => self.text_constant(span, word),
            DefaultValue::Nothing => return None,
            DefaultValue::Bool(truth) => self.constant(span, Type::Bool, Value::Bool(truth)),
        })
    }

    pub(super) fn argument(
        &mut self,
        callee: Callee<'_>,
        parameter: &Parameter,
        value: ExprId,
        scope: Scope,
    ) -> Outcome {
        if is_word(parameter.kind) {
            let word = self.word(callee, parameter, value)?;
            return Some(self.text_constant(self.expr.span(value), &word));
        }
        let mut node = self.check(value, scope)?;
        if parameter.kind != ParameterKind::Span {
            node = self.as_duration(node)?;
        }
        self.fit(callee, parameter, node)
    }

    fn fit(&mut self, callee: Callee<'_>, parameter: &Parameter, node: NodeId) -> Outcome {
        let ty = self.ty(node);
        let (fits, wanted) = match parameter.kind {
            ParameterKind::Quantity => (ty.unit().is_some(), "a number"),
            ParameterKind::Number => {
                (ty.unit().is_some_and(Unit::is_dimensionless), "a plain number")
            }
            ParameterKind::Text => (*ty == Type::Text, "text"),
            ParameterKind::Bool => (*ty == Type::Bool, "a condition"),
            ParameterKind::Date => (matches!(ty, Type::Date | Type::DateTime), "a date"),
            ParameterKind::Duration => (ty.unit().is_some_and(Unit::is_duration), "a duration"),
            ParameterKind::Period => (*ty == Type::Period, "a period"),
            ParameterKind::List => (matches!(ty, Type::List(_)), "a list"),
            ParameterKind::Span => (*ty == Type::Span, "a span such as `30 days`"),
            ParameterKind::Any
            | ParameterKind::Unit
            | ParameterKind::Word(_)
            | ParameterKind::Currency
            | ParameterKind::Dimension
            | ParameterKind::DimensionOrPeriod => (true, ""),
        };
        if fits || *ty == Type::Null {
            return Some(node);
        }
        let message = format!(
            "`{}` of `{}` must be {wanted}, this is {}",
            parameter.name,
            callee.spec.name,
            describe(ty)
        );
        let place = self.span(node);
        if callee.spec.name == "len" && *ty == Type::Text {
            let help = format!("the characters of a text: length({})", place.slice(self.text));
            return self.refuse(Diagnostic::new(Code::E208, place, message).help(help));
        }
        self.refuse_call(callee.spec, (Code::E208, place), message)
    }

    /// Parses an argument that is one of a few words, bare or quoted, in lower case.
    pub(super) fn word(
        &mut self,
        callee: Callee<'_>,
        parameter: &Parameter,
        value: ExprId,
    ) -> Option<String> {
        let quoted = match &self.expr.node(value)?.kind {
            crate::syntax::ExprKind::Text(text) => Some(&**text),
            _ => None,
        };
        let word = bare_word(self.expr, value).or(quoted).unwrap_or_default();
        let lower = word.to_ascii_lowercase();
        let known: Vec<&str> = match parameter.kind {
            ParameterKind::Unit => match TimeUnit::from_name(&lower) {
                Some(unit) => return Some(unit.name().to_owned()),
                None => TimeUnit::ALL.iter().map(|unit| unit.name()).collect(),
            },
            ParameterKind::Word(words) if words.contains(&lower.as_str()) => return Some(lower),
            ParameterKind::Word(words) => words.to_vec(),
            ParameterKind::Currency => {
                let upper = word.to_ascii_uppercase();
                if Currency::from_code(&upper).is_some() {
                    return Some(upper);
                }
                Vec::new()
            }
            _ => Vec::new(),
        };
        let span = self.expr.span(value);
        let given = span.slice(self.text);
        let message = format!("`{}` of `{}` cannot be `{given}`", parameter.name, callee.spec.name);
        let mut finding = Diagnostic::new(Code::E207, span, message);
        finding = match nearest(&lower, known.iter().copied()) {
            Some(near) => finding
                .help(format!("did you mean {near}?"))
                .suggest(Suggestion::replace(span, near)),
            None if known.is_empty() => {
                finding.help("it takes a currency of ISO 4217, for example USD")
            }
            None => finding.help(format!("it takes one of {}", known.join(", "))),
        };
        self.refuse(finding)
    }
}

/// Returns whether an argument is one of a few words, such as `month` in `start_of(x, month)`.
pub(super) const fn is_word(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::Unit | ParameterKind::Word(_) | ParameterKind::Currency)
}
