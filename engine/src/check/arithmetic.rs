//! Arithmetic: the operation for two sides by the unit table, or the finding if there is none.

use super::checker::{Checker, Outcome};
use super::describe::describe;
use super::typed::{Arithmetic, Kind, Level, NodeId};
use super::units::{Conflict, product, shared};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::source::Span;
use crate::syntax::BinaryOp;
use crate::types::{CurrencyOf, Flavour, Type, Unit};

impl Checker<'_> {
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        span: Span,
    ) -> Outcome {
        if matches!(op, BinaryOp::Add | BinaryOp::Subtract)
            && let Some(dated) = self.date_arithmetic(op, left, right, span)
        {
            return dated;
        }
        let left = self.as_duration(left)?;
        let right = self.as_duration(right)?;
        let (Some(first), Some(second)) = (self.quantity(left), self.quantity(right)) else {
            return self.refuse_operands(op, left, right, span);
        };
        match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                let zero = (self.is_zero(left), self.is_zero(right));
                match shared(&first, &second, zero) {
                    Ok(unit) => {
                        self.warn_counts((&first, &second), (left, right), span);
                        let op = if op == BinaryOp::Add {
                            Arithmetic::Add
                        } else {
                            Arithmetic::Subtract
                        };
                        let kind = Kind::Arithmetic(op, left, right);
                        Some(self.operation(span, Type::Quantity(unit), kind))
                    }
                    Err(conflict) => self.refuse_sum(op, conflict, (left, right), span),
                }
            }
            BinaryOp::Power => self.power((left, &first), (right, &second), span),
            _ => {
                let divide = op == BinaryOp::Divide;
                let is_money = first.money != 0 && second.money != 0;
                if divide && is_money && first.currency != second.currency {
                    return self.refuse_sum(op, Conflict::Currencies, (left, right), span);
                }
                match product(&first, &second, divide) {
                    Some(unit) => {
                        let op = if divide { Arithmetic::Divide } else { Arithmetic::Multiply };
                        let kind = Kind::Arithmetic(op, left, right);
                        Some(self.operation(span, Type::Quantity(unit), kind))
                    }
                    None => self.refuse_product(&first, &second, span),
                }
            }
        }
    }

    /// Returns the unit of a quantity; `null` fits as a plain number.
    fn quantity(&self, id: NodeId) -> Option<Unit> {
        let ty = self.ty(id);
        if *ty == Type::Null { Some(Unit::LITERAL) } else { ty.unit().cloned() }
    }

    /// Returns whether the node is the literal 0 or null, which fit any unit.
    pub(super) fn is_zero(&self, id: NodeId) -> bool {
        match &self.node(id).kind {
            Kind::Constant(value) => {
                value.is_missing() || value.as_number().is_some_and(|number| number.is_zero())
            }
            Kind::Negate(inner) => self.is_zero(*inner),
            _ => false,
        }
    }

    /// Checks date arithmetic: spans and durations move dates, and the difference of dates is a
    /// duration.
    fn date_arithmetic(
        &mut self,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        span: Span,
    ) -> Option<Outcome> {
        let is_date = |ty: &Type| matches!(ty, Type::Date | Type::DateTime);
        let is_step = |ty: &Type| *ty == Type::Span || ty.unit().is_some_and(Unit::is_duration);
        let (first, second) = (self.ty(left), self.ty(right));
        let shift = if op == BinaryOp::Add { Arithmetic::Shift } else { Arithmetic::ShiftBack };
        Some(Some(if is_date(first) && is_step(second) {
            self.moved(shift, (left, right), span)
        } else if is_step(first) && is_date(second) && op == BinaryOp::Add {
            self.moved(shift, (right, left), span)
        } else if is_date(first) && is_date(second) && op == BinaryOp::Subtract {
            self.operation(span, Type::DURATION, Kind::Arithmetic(Arithmetic::Between, left, right))
        } else {
            return None;
        }))
    }

    fn power(
        &mut self,
        (left, base): (NodeId, &Unit),
        (right, exponent): (NodeId, &Unit),
        span: Span,
    ) -> Outcome {
        if !base.is_dimensionless() || !exponent.is_dimensionless() {
            let message = format!(
                "a power takes two plain numbers, not {} and {}",
                describe(&Type::Quantity(base.clone())),
                describe(&Type::Quantity(exponent.clone()))
            );
            return self.refuse(
                Diagnostic::new(Code::E306, span, message)
                    .help("divide by a unit first, for example by 1 USD or 1 day"),
            );
        }
        let unit = if base.flavour == Flavour::Literal { Unit::NUMBER } else { base.clone() };
        let kind = Kind::Arithmetic(Arithmetic::Power, left, right);
        Some(self.operation(span, Type::Quantity(unit), kind))
    }

    fn refuse_operands(
        &mut self,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        span: Span,
    ) -> Outcome {
        let (first, second) = (self.ty(left).clone(), self.ty(right).clone());
        let verb = verb(op);
        let message = format!("cannot {verb} {} and {}", describe(&first), describe(&second));
        let moves = matches!(op, BinaryOp::Add | BinaryOp::Subtract);
        if moves && matches!(first, Type::Date | Type::DateTime) && second == Type::LITERAL {
            let place = self.span(right);
            let number = place.slice(self.text);
            let unit = if number == "1" { "day" } else { "days" };
            let days = super::comparisons::measured(number, unit);
            let finding = Diagnostic::new(Code::E321, span, message)
                .help(format!("say in which unit: {days}"))
                .suggest(Suggestion::replace(place, days).among_others());
            return self.refuse(finding);
        }
        let help = if matches!((&first, &second), (Type::Text, _) | (_, Type::Text)) {
            "text is joined by `&`, and number(text) reads a number"
        } else {
            "arithmetic works on numbers, money and durations"
        };
        self.refuse(Diagnostic::new(Code::E321, span, message).help(help))
    }

    fn refuse_sum(
        &mut self,
        op: BinaryOp,
        conflict: Conflict,
        (left, right): (NodeId, NodeId),
        span: Span,
    ) -> Outcome {
        let (first, second) = (describe(self.ty(left)), describe(self.ty(right)));
        let (left_text, right_text) = (self.factor(left), self.divisor(right));
        let add = op == BinaryOp::Add;
        let sentence = if add {
            format!("cannot add {first} and {second}")
        } else {
            format!("cannot subtract {second} from {first}")
        };
        let quotient = format!("{left_text} / {right_text}");
        let sign = if add { '+' } else { '-' };
        let scaled = format!("{left_text} * (1 {sign} {right_text})");
        let is_percent = self.unit(right).is_some_and(|unit| unit.flavour == Flavour::Percent);
        let finding = match conflict {
            Conflict::Currencies => {
                let code = |id| self.unit(id).map_or(CurrencyOf::Mixed, |unit| unit.currency);
                let message = format!("cannot {} {} and {}", verb(op), code(left), code(right));
                let finding = Diagnostic::new(Code::E310, self.span(right), message);
                self.with_conversion(finding, left, right)
            }
            Conflict::MoneyWithLiteral => {
                let side = if self.unit(left).is_some_and(Unit::is_money) { right } else { left };
                let other = if side == left { right } else { left };
                self.say_currency(Diagnostic::new(Code::E301, span, sentence), side, other)
            }
            Conflict::MoneyWithOther if is_percent => Diagnostic::new(Code::E301, span, sentence)
                .help(format!("to scale it: {scaled}"))
                .suggest(Suggestion::replace(span, scaled).among_others()),
            Conflict::MoneyWithOther => Diagnostic::new(Code::E301, span, sentence)
                .help(format!("for the one by each of the other: {quotient}"))
                .suggest(Suggestion::replace(span, quotient).among_others()),
            Conflict::DurationWithLiteral => Diagnostic::new(Code::E304, span, sentence)
                .help("say in which unit: 2 days, 2 hours …"),
            Conflict::CountWithRatio => Diagnostic::new(Code::E302, span, sentence)
                .help(format!("to scale it: {scaled}"))
                .suggest(Suggestion::replace(span, scaled).among_others()),
            Conflict::Other => Diagnostic::new(Code::E306, span, sentence)
                .help("only equal units are added; `*` and `/` make new ones"),
        };
        self.refuse(finding)
    }

    /// Returns the text of a value as the first factor of a product: a sum is put in brackets.
    fn factor(&self, id: NodeId) -> String {
        let text = self.span(id).slice(self.text);
        let is_looser = matches!(
            self.node(id).kind,
            Kind::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) | Kind::Default(..)
        );
        if is_looser { format!("({text})") } else { text.to_owned() }
    }

    /// Returns the text of a value for use as a divisor: anything with an operator is put in
    /// brackets.
    fn divisor(&self, id: NodeId) -> String {
        let text = self.span(id).slice(self.text);
        let has_operator = matches!(
            self.node(id).kind,
            Kind::Arithmetic(..) | Kind::Default(..) | Kind::Negate(..)
        );
        if has_operator { format!("({text})") } else { text.to_owned() }
    }

    /// Converts one side into the currency of the other.
    pub(super) fn with_conversion(
        &self,
        finding: Diagnostic,
        left: NodeId,
        right: NodeId,
    ) -> Diagnostic {
        let of = |id| self.unit(id).map(|unit| unit.currency);
        let (from, to) = match (of(left), of(right)) {
            (Some(CurrencyOf::Mixed), Some(CurrencyOf::Fixed(_))) => (left, right),
            _ => (right, left),
        };
        let place = self.span(from);
        let (amount, target) = (place.slice(self.text), self.currency_near(to, to));
        let converted = format!("convert({amount}, to: {target})");
        if matches!(self.level(from), Level::Row(_)) {
            return finding.help("amounts of rows are converted by the aggregate around them");
        }
        finding
            .help(format!("convert one of them: {converted}"))
            .suggest(Suggestion::replace(place, converted).among_others())
    }

    /// Suggests the currency of an amount for the number beside it.
    pub(super) fn say_currency(
        &self,
        finding: Diagnostic,
        number: NodeId,
        amount: NodeId,
    ) -> Diagnostic {
        let place = self.span(number);
        let currency = self.currency_near(number, amount);
        let text = super::comparisons::measured(place.slice(self.text), currency);
        if self.ty(amount).is_in_currencies_of_rows() {
            return finding.help(format!(
                "its amounts have several currencies: narrow it to one by a condition, or convert it, and write {text}"
            ));
        }
        finding
            .help(format!("say in which currency: {text}"))
            .suggest(Suggestion::replace(place, text))
    }

    /// Returns the currency of the side that has one.
    fn currency_near(&self, left: NodeId, right: NodeId) -> &'static str {
        let fixed = [left, right].into_iter().find_map(|id| match self.unit(id) {
            Some(Unit { money: 1, currency: CurrencyOf::Fixed(currency), .. }) => Some(*currency),
            Some(_) | None => None,
        });
        fixed.unwrap_or(self.schema().store.currency).code()
    }

    fn refuse_product(&mut self, left: &Unit, right: &Unit, span: Span) -> Outcome {
        if left.money != 0 && right.money != 0 {
            let message = "an amount times an amount is no amount";
            let help = "one side is to be a rate, a count or a number";
            return self.refuse(Diagnostic::new(Code::E305, span, message).help(help));
        }
        let message = format!(
            "{} with {} has no meaning",
            describe(&Type::Quantity(left.clone())),
            describe(&Type::Quantity(right.clone()))
        );
        self.refuse(
            Diagnostic::new(Code::E306, span, message)
                .help("time can be squared at most, and money has no power"),
        )
    }

    fn warn_counts(&mut self, units: (&Unit, &Unit), sides: (NodeId, NodeId), span: Span) {
        let (Flavour::Count(one), Flavour::Count(two)) = (&units.0.flavour, &units.1.flavour)
        else {
            return;
        };
        if one == two {
            return;
        }
        let (first, second) = (describe(self.ty(sides.0)), describe(self.ty(sides.1)));
        let message = format!("{first} and {second} together count nothing in particular");
        self.findings
            .push(Diagnostic::new(Code::W310, span, message).help("add counts of one entity"));
    }
}

const fn verb(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Subtract => "subtract",
        BinaryOp::Multiply => "multiply",
        BinaryOp::Divide => "divide",
        BinaryOp::Power => "raise",
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterOrEqual => "compare",
        BinaryOp::Or | BinaryOp::And | BinaryOp::Default | BinaryOp::Concat => "join",
    }
}
