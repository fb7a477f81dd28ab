//! Aggregate calls: their rows, the aggregated value, the unit of the answer.

use super::checker::{Callee, Checker, Outcome, Scope, Whole};
use super::describe::{TAKE_ANY_VALUE, describe, takes};
use super::typed::{AggregateFunction, Atom, Kind, Level, NodeId};
use super::units::product;
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::schema::{SourceId, SourceKind};
use crate::source::Span;
use crate::syntax::{Argument, ExprId};
use crate::types::{CurrencyOf, Flavour, Type, Unit};

/// An aggregate call being checked.
#[derive(Clone, Copy)]
pub(super) struct Aggregation<'c> {
    pub(super) callee: Callee<'c>,
    pub(super) function: AggregateFunction,
    pub(super) whole: Whole,
}

impl<'a> Checker<'a> {
    pub(super) fn aggregate(&mut self, aggregation: Aggregation<'_>) -> Outcome {
        let Aggregation { callee, function, whole } = aggregation;
        let Callee { spec, call, span } = callee;
        let bound = self.bind_all(callee)?;
        let (first, rest) = bound.split_first()?;
        // The position of `percentile`.
        let rest = rest.first().copied();
        if !first.per.is_empty() {
            return self.per(aggregation, first, rest);
        }
        let Some(rows) = self.rows_of(first.value) else {
            return self.aggregate_of_whole(aggregation, first, rest);
        };
        if let Some(below) = whole.below {
            self.require_below(rows.source, below, span)?;
        }
        let value = if rows.bare {
            self.bare_rows(aggregation, rows.source).map(|()| None)
        } else {
            self.row_value(aggregation, first.value, rows.source).map(Some)
        };
        let condition = self.row_conditions(&first.conditions, rows.source);
        let population = self.population(rows.population, span);
        let date = self.date_of(first.dated_by.as_deref(), rows.source);
        let fraction = self.fraction(spec, rest, span);
        if self.adds_days(function, rows.source, whole) {
            let text = span.slice(self.text);
            return self.refuse_snapshot((call.name.span, span), text, rows.source);
        }
        let (value, condition, population) = (value?, condition?, population?);
        let (date, fraction) = (date?, fraction?);
        if let Some(value) = value {
            self.narrow_currency(value, rows.source, [condition, population]);
        }
        let ty = self.aggregate_type(function, value, rows.source)?;
        let atom =
            Atom { function, source: rows.source, value, condition, population, date, fraction };
        Some(self.add(span, ty, Level::Aggregate, Kind::Atom(Box::new(atom))))
    }

    /// Binds the arguments of an aggregate, which may have clauses and are all required.
    pub(super) fn bind_all<'c>(&mut self, callee: Callee<'c>) -> Option<Vec<&'c Argument>> {
        let (wanted, given) = (callee.spec.parameters.len(), callee.call.arguments.len());
        if given != wanted {
            return self.wrong_arguments(callee, &takes(callee.spec.name, wanted, given));
        }
        self.bind_with_clauses(callee)?.into_iter().collect()
    }

    fn bare_rows(&mut self, aggregation: Aggregation<'_>, source: SourceId) -> Option<()> {
        let Callee { spec, call, span } = aggregation.callee;
        match aggregation.function {
            AggregateFunction::Count => Some(()),
            AggregateFunction::ShareOf => {
                if call.arguments.iter().any(|argument| !argument.conditions.is_empty()) {
                    return Some(());
                }
                let message = "a share needs the condition whose share it is";
                self.refuse_call(spec, (Code::E207, span), message)
            }
            AggregateFunction::Sum
            | AggregateFunction::CountDistinct
            | AggregateFunction::Average
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::Variance
            | AggregateFunction::PopulationVariance
            | AggregateFunction::PopulationDeviation
            | AggregateFunction::Mode
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::First
            | AggregateFunction::Last => {
                let first = call.arguments.first();
                let place = first.map_or(span, |first| self.expr.span(first.value));
                self.refuse_bare_rows(spec.name, source, place)
            }
        }
    }

    /// Rejects a source where a value of its rows is needed.
    pub(super) fn refuse_bare_rows<T>(
        &mut self,
        name: &str,
        source: SourceId,
        place: Span,
    ) -> Option<T> {
        let source = self.source_name(source);
        let message = format!("`{name}` needs a field, `{source}` is a set of rows");
        let help = format!("count({source}), or {name}({source}.…)");
        self.refuse(Diagnostic::new(Code::E350, place, message).help(help))
    }

    fn row_value(
        &mut self,
        aggregation: Aggregation<'_>,
        value: ExprId,
        source: SourceId,
    ) -> Outcome {
        let node = self.check(value, Scope::Row(source))?;
        let node = self.as_duration(node)?;
        if accepts(aggregation.function, self.ty(node)) {
            return Some(node);
        }
        let place = self.expr.span(value);
        self.refuse_row_value(aggregation.callee.spec.name, node, source, place)
    }

    /// Rejects a non-numeric value of rows.
    pub(super) fn refuse_row_value(
        &mut self,
        name: &str,
        node: NodeId,
        source: SourceId,
        place: Span,
    ) -> Outcome {
        let what = describe(self.ty(node));
        let rows = self.source_name(source);
        let field = place.slice(self.text).rsplit('.').next().unwrap_or_default();
        let message = format!("`{name}` needs numbers, this is {what}");
        let help = format!("to count rows by it: count({rows} where {field} = …)");
        self.refuse(Diagnostic::new(Code::E350, place, message).help(help))
    }

    /// Returns whether an aggregate adds the days of a snapshot.
    fn adds_days(&self, function: AggregateFunction, source: SourceId, whole: Whole) -> bool {
        let adds = matches!(
            function,
            AggregateFunction::Sum | AggregateFunction::Count | AggregateFunction::CountDistinct
        );
        let kind = self.schema().source_at(source).map(|source| source.kind);
        adds && !whole.at_one_time && kind == Some(SourceKind::Snapshot)
    }

    /// Rejects an aggregate that adds the days of a snapshot; `text` is its call.
    fn refuse_snapshot(
        &mut self,
        (place, span): (Span, Span),
        text: &str,
        source: SourceId,
    ) -> Outcome {
        let rows = self.source_name(source);
        let message =
            format!("`{rows}` holds the same things again each day, so days cannot be added");
        self.refuse(
            Diagnostic::new(Code::E410, place, message)
                .help(format!(
                    "take the last day, closing({text}), or the usual one, avg({text} per day)"
                ))
                .suggest(Suggestion::replace(span, format!("closing({text})")).among_others()),
        )
    }

    /// Returns the type of the aggregate's answer, or rejects the square of money.
    fn aggregate_type(
        &mut self,
        function: AggregateFunction,
        value: Option<NodeId>,
        source: SourceId,
    ) -> Option<Type> {
        let rows = self.source_name(source);
        Some(match function {
            AggregateFunction::Count => Type::Quantity(Unit::count(rows)),
            AggregateFunction::CountDistinct => {
                self.require_one_currency(value)?;
                let entity = match value.map(|value| &self.node(value).kind) {
                    Some(Kind::Column(path)) => self.entity_of(source, path),
                    Some(_) | None => rows,
                };
                Type::Quantity(Unit::count(entity))
            }
            AggregateFunction::ShareOf => Type::Quantity(Unit::PERCENT),
            AggregateFunction::Variance | AggregateFunction::PopulationVariance => {
                let value = value?;
                self.squared(&self.ty(value).clone(), self.span(value))?
            }
            AggregateFunction::Sum
            | AggregateFunction::Average
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::PopulationDeviation
            | AggregateFunction::Mode
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::First
            | AggregateFunction::Last => {
                let ty = value.map_or(Type::NUMBER, |value| self.ty(value).clone());
                unliteral(ty)
            }
        })
    }

    /// Rejects counting distinct amounts, because numbers in two currencies may be equal.
    fn require_one_currency(&mut self, value: Option<NodeId>) -> Option<()> {
        let mixed = value.filter(|value| self.ty(*value).is_in_currencies_of_rows());
        let Some(value) = mixed else { return Some(()) };
        let message = "equal numbers of two currencies are not one amount";
        let help = "narrow it to one currency by a condition, or count the rows";
        self.refuse(Diagnostic::new(Code::E310, self.span(value), message).help(help))
    }

    /// Returns the type of a variance: the square of the values' unit, which money does not have.
    pub(super) fn squared(&mut self, ty: &Type, place: Span) -> Option<Type> {
        let unit = ty.unit()?;
        if let Some(square) = product(unit, unit, false) {
            return Some(unliteral(Type::Quantity(square)));
        }
        let code = if unit.money == 0 { Code::E306 } else { Code::E305 };
        let message =
            format!("a variance has the square of the unit, and {} has no square", describe(ty));
        let number = without_currency(unit, place.slice(self.text));
        let help = format!("use stddev, or divide by a unit first{number}");
        self.refuse(Diagnostic::new(code, place, message).help(help))
    }

    /// Returns the aggregate that a bare placeholder stands for.
    pub(super) fn default_aggregate(
        &mut self,
        function: &str,
        source: SourceId,
        column: NodeId,
        (span, whole): (Span, Whole),
    ) -> Outcome {
        use crate::functions::Behaviour;
        let spec = crate::functions::find(function)?;
        let Behaviour::Aggregate(function) = spec.behaviour else { return None };
        if let Some(below) = whole.below {
            self.require_below(source, below, span)?;
        }
        if !accepts(function, self.ty(column)) {
            return self.refuse_row_value(spec.name, column, source, span);
        }
        if self.adds_days(function, source, whole) {
            let text = format!("{}({})", spec.name, span.slice(self.text));
            return self.refuse_snapshot((span, span), &text, source);
        }
        let fraction = self.fraction(spec, None, span)?;
        let ty = self.aggregate_type(function, Some(column), source)?;
        let date = self.schema().source_at(source)?.date.clone();
        let atom = Atom {
            function,
            source,
            value: Some(column),
            condition: None,
            population: None,
            date,
            fraction,
        };
        Some(self.add(span, ty, Level::Aggregate, Kind::Atom(Box::new(atom))))
    }

    /// Checks an aggregate of a single value or of a list.
    fn aggregate_of_whole(
        &mut self,
        aggregation: Aggregation<'_>,
        first: &Argument,
        rest: Option<&Argument>,
    ) -> Outcome {
        let Aggregation { callee: Callee { spec, span, .. }, function, whole } = aggregation;
        let place = self.expr.span(first.value);
        let before = self.findings.len();
        let inner = self.check(first.value, Scope::Whole(whole))?;
        if self.findings.len() > before {
            return None;
        }
        if let Type::List(item) = self.ty(inner).clone() {
            self.refuse_clauses(first)?;
            self.fraction(spec, rest, span)?;
            let ty = self.list_type(function, spec.name, (*item).clone(), place)?;
            return Some(self.operation(span, ty, Kind::ListAggregate(function, inner)));
        }
        let text = place.slice(self.text);
        let by_day = format!("{}({text} per day)", spec.name);
        let column = self.sole_column_text(inner);
        let message = format!("`{}` needs many values, this is one", spec.name);
        let help = match column {
            Some(column) => {
                format!("take it of the rows, {}({column}), or of the days, {by_day}", spec.name)
            }
            // A number written out is the same on every day.
            None if matches!(self.node(inner).kind, Kind::Constant(_)) => {
                let help = format!("it takes rows, such as {}(orders.total)", spec.name);
                return self.refuse(Diagnostic::new(Code::E403, place, message).help(help));
            }
            None => format!("take it of the days: {by_day}"),
        };
        self.refuse(
            Diagnostic::new(Code::E403, place, message)
                .help(help)
                .suggest(Suggestion::replace(span, by_day).among_others()),
        )
    }

    fn list_type(
        &mut self,
        function: AggregateFunction,
        name: &str,
        item: Type,
        place: Span,
    ) -> Option<Type> {
        if item != Type::Null && !accepts(function, &item) {
            let message = format!("`{name}` needs numbers, this is {}", describe(&item));
            return self.refuse(Diagnostic::new(Code::E350, place, message).help(TAKE_ANY_VALUE));
        }
        match function {
            AggregateFunction::Count | AggregateFunction::CountDistinct => Some(Type::NUMBER),
            AggregateFunction::ShareOf => Some(Type::Quantity(Unit::PERCENT)),
            AggregateFunction::Variance | AggregateFunction::PopulationVariance
                if item != Type::Null =>
            {
                self.squared(&item, place)
            }
            _ => Some(item),
        }
    }

    fn sole_column_text(&self, id: NodeId) -> Option<&'a str> {
        let Kind::Atom(atom) = &self.node(id).kind else { return None };
        Some(self.span(atom.value?).slice(self.text))
    }
}

/// Returns `: orders.total / 1 USD`, the end of a help line, for an amount that is a name alone.
pub(super) fn without_currency(unit: &Unit, text: &str) -> String {
    let is_name = text.chars().all(|letter| letter.is_alphanumeric() || "._".contains(letter));
    match unit.currency {
        CurrencyOf::Fixed(currency) if is_name && unit.is_money() => {
            format!(": {text} / 1 {}", currency.code())
        }
        CurrencyOf::Fixed(_) | CurrencyOf::Mixed => String::new(),
    }
}

/// Returns whether an aggregate works on values of this type.
pub(super) const fn accepts(function: AggregateFunction, ty: &Type) -> bool {
    match function {
        AggregateFunction::Count
        | AggregateFunction::CountDistinct
        | AggregateFunction::First
        | AggregateFunction::Last => true,
        AggregateFunction::Mode => {
            matches!(ty, Type::Quantity(_) | Type::Text | Type::Bool | Type::Date | Type::DateTime)
        }
        AggregateFunction::Minimum | AggregateFunction::Maximum => {
            matches!(ty, Type::Quantity(_) | Type::Text | Type::Date | Type::DateTime)
        }
        AggregateFunction::ShareOf => matches!(ty, Type::Bool),
        AggregateFunction::Sum
        | AggregateFunction::Average
        | AggregateFunction::Percentile
        | AggregateFunction::StandardDeviation
        | AggregateFunction::Variance
        | AggregateFunction::PopulationVariance
        | AggregateFunction::PopulationDeviation => matches!(ty, Type::Quantity(_)),
    }
}

/// Makes the type of a literal a plain number, since a literal's aggregate is one.
pub(super) fn unliteral(ty: Type) -> Type {
    match ty {
        Type::Quantity(unit) if unit.flavour == Flavour::Literal => Type::NUMBER,
        other => other,
    }
}
