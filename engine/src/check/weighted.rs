//! The weighted mean: a quotient of two sums, over rows or over the parts that `per` makes.

use super::aggregates::{unliteral, without_currency};
use super::checker::{Callee, Checker, Outcome, Scope, Whole};
use super::describe::describe;
use super::typed::{AggregateFunction, Arithmetic, Atom, Comparison, Kind, Level, NodeId, Per};
use super::units::product;
use crate::diagnostics::{Code, Diagnostic};
use crate::schema::SourceId;
use crate::source::Span;
use crate::syntax::{ExprId, PerKey};
use crate::types::{Reason, Type, Unit, Value};

/// The clauses after the value or its weight, which apply to both.
struct Clauses {
    conditions: Vec<ExprId>,
    per: Vec<PerKey>,
}

/// The parts of a weighted mean.
struct WeightedSums {
    /// The sum of values times weights.
    products: NodeId,
    /// The sum of the weights of those values.
    weights: NodeId,
    /// How many values have a weight.
    count: NodeId,
}

impl Checker<'_> {
    /// Checks `weighted_avg(x, w)`.
    pub(super) fn weighted_average(&mut self, callee: Callee<'_>, whole: Whole) -> Outcome {
        let [first, weight] = *self.bind_all(callee)?.as_slice() else { return None };
        let clauses = Clauses {
            conditions: [first, weight].iter().flat_map(|own| own.conditions.clone()).collect(),
            per: [first, weight].iter().flat_map(|own| own.per.clone()).collect(),
        };
        if !clauses.per.is_empty() {
            self.refuse_date(first)?;
            self.refuse_date(weight)?;
            return self.weighted_parts(callee, (first.value, weight.value), (&clauses, whole));
        }
        let rows = self.rows_of(first.value).or_else(|| self.rows_of(weight.value));
        let Some(rows) = rows else {
            let place = self.expr.span(first.value);
            let name = callee.spec.name;
            let message = format!("`{name}` needs many values, this is one");
            let help = format!(
                "use values of rows, or one for each part of a split: {name}(…, … per day)"
            );
            return self.refuse(Diagnostic::new(Code::E403, place, message).help(help));
        };
        if rows.bare {
            let place = self.expr.span(first.value);
            return self.refuse_bare_rows(callee.spec.name, rows.source, place);
        }
        if let Some(below) = whole.below {
            self.require_below(rows.source, below, callee.span)?;
        }
        let condition = self.row_conditions(&clauses.conditions, rows.source);
        let population = self.population(rows.population, callee.span);
        let dated_by = match (&first.dated_by, &weight.dated_by) {
            (Some(_), Some(second)) => {
                let place = second.first().map_or(callee.span, |name| name.span);
                return self.refuse(crate::syntax::dated_twice(place));
            }
            (one, other) => one.as_deref().or(other.as_deref()),
        };
        let date = self.date_of(dated_by, rows.source);
        let value = self.row_number(callee, first.value, rows.source);
        let weight = self.row_number(callee, weight.value, rows.source);
        let (value, weight, condition) = (value?, weight?, condition?);
        let rows = Atom {
            function: AggregateFunction::Sum,
            source: rows.source,
            value: None,
            condition,
            population: population?,
            date: date?,
            fraction: None,
        };
        self.weighted_rows(callee.span, value, weight, &rows)
    }

    /// Checks a number of each row.
    fn row_number(&mut self, callee: Callee<'_>, value: ExprId, source: SourceId) -> Outcome {
        let node = self.check(value, Scope::Row(source))?;
        let node = self.as_duration(node)?;
        if self.unit(node).is_some() {
            return Some(node);
        }
        let place = self.expr.span(value);
        self.refuse_row_value(callee.spec.name, node, source, place)
    }

    fn weighted_rows(&mut self, span: Span, value: NodeId, weight: NodeId, rows: &Atom) -> Outcome {
        let weighted = self.weighted(span, value, weight)?;
        for node in [value, weight, weighted] {
            self.narrow_currency(node, rows.source, [rows.condition, rows.population]);
        }
        let level = Level::Row(rows.source);
        let missing = self.add(span, Type::Bool, level, Kind::IsNull(value));
        let known = self.add(span, Type::Bool, level, Kind::Not(missing));
        let known = self.both(rows.condition, known);
        let count = Type::Quantity(Unit::count(self.source_name(rows.source)));
        let [ty, of_products, of_weights] =
            [value, weighted, weight].map(|node| unliteral(self.ty(node).clone()));
        let mut aggregate = |function, value, condition, ty| {
            let atom = Atom { function, value: Some(value), condition, ..rows.clone() };
            self.add(span, ty, Level::Aggregate, Kind::Atom(Box::new(atom)))
        };
        let sums = WeightedSums {
            products: aggregate(AggregateFunction::Sum, weighted, rows.condition, of_products),
            weights: aggregate(AggregateFunction::Sum, weight, Some(known), of_weights),
            count: aggregate(AggregateFunction::Count, weighted, rows.condition, count),
        };
        Some(self.mean_of_sums(span, ty, &sums))
    }

    /// Checks `weighted_avg(x, w per day)`.
    fn weighted_parts(
        &mut self,
        callee: Callee<'_>,
        (value, weight): (ExprId, ExprId),
        (clauses, whole): (&Clauses, Whole),
    ) -> Outcome {
        let Callee { spec, span, .. } = callee;
        let value = self.value_of_parts(value, &clauses.per, spec.name, whole)?;
        let weight = self.value_of_parts(weight, &clauses.per, spec.name, whole)?;
        let (value, weight) = (self.as_duration(value)?, self.as_duration(weight)?);
        self.require_number(callee, value)?;
        self.require_number(callee, weight)?;
        let weighted = self.weighted(span, value, weight)?;
        let (unit, keys) = self.parts(&clauses.per, weighted)?;
        let missing = self.add(span, Type::Bool, Level::Aggregate, Kind::IsNull(value));
        let null = self.constant(span, Type::Null, Value::missing(Reason::NullValue));
        let own = Kind::Case(vec![(missing, null)], Some(weight));
        let own = self.add(span, self.ty(weight).clone(), Level::Aggregate, own);
        let narrowed = |checker: &mut Self, node| match clauses.conditions.as_slice() {
            [] => Some(node),
            conditions => checker.scoped_by(node, conditions, span),
        };
        let (weighted, own) = (narrowed(self, weighted)?, narrowed(self, own)?);
        let [ty, of_products, of_weights] =
            [value, weighted, own].map(|node| unliteral(self.ty(node).clone()));
        let mut aggregate = |function, value, ty| {
            let per = Per { function, value, unit, keys: keys.clone(), fraction: None };
            self.add(span, ty, Level::Aggregate, Kind::Per(Box::new(per)))
        };
        let sums = WeightedSums {
            products: aggregate(AggregateFunction::Sum, weighted, of_products),
            weights: aggregate(AggregateFunction::Sum, own, of_weights),
            count: aggregate(AggregateFunction::Count, weighted, Type::NUMBER),
        };
        Some(self.mean_of_sums(span, ty, &sums))
    }

    /// The product of a value and its weight.
    fn weighted(&mut self, span: Span, value: NodeId, weight: NodeId) -> Outcome {
        let (of_value, of_weight) = (self.unit(value)?, self.unit(weight)?);
        if let Some(unit) = product(of_value, of_weight, false) {
            let kind = Kind::Arithmetic(Arithmetic::Multiply, value, weight);
            return Some(self.operation(span, Type::Quantity(unit), kind));
        }
        let code = if of_value.money == 0 { Code::E306 } else { Code::E305 };
        let (value, by) = (describe(self.ty(value)), describe(self.ty(weight)));
        let message = format!("{value} cannot be weighted by {by}: their product has no meaning");
        let place = self.span(weight);
        let number = without_currency(of_weight, place.slice(self.text));
        let help = format!("make the weight a plain number{number}");
        self.refuse(Diagnostic::new(code, place, message).help(help))
    }

    /// The quotient of two sums; null where there are no values.
    fn mean_of_sums(&mut self, span: Span, ty: Type, sums: &WeightedSums) -> NodeId {
        let level = Level::Aggregate;
        let zero = self.constant(span, Type::LITERAL, Value::Number(0.into()));
        let empty = Kind::Compare(Comparison::Equal, sums.count, zero);
        let empty = self.add(span, Type::Bool, level, empty);
        let none = self.constant(span, Type::Null, Value::missing(Reason::NoRows));
        let quotient = Kind::Arithmetic(Arithmetic::Divide, sums.products, sums.weights);
        let quotient = self.add(span, ty.clone(), level, quotient);
        let mean = Kind::Case(vec![(empty, none)], Some(quotient));
        let mean = self.add(span, ty.clone(), level, mean);
        self.add(span, ty, level, Kind::WeightedAverage(mean))
    }
}
