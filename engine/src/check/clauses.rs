//! The clauses of an aggregate: `where`, a population's condition, `dated by`, a position.

#![expect(
    clippy::option_option,
    reason = "none is a finding made already, some none a clause that was not written"
)]

use super::checker::{Checker, Scope, Whole};
use super::describe::describe;
use super::names::Lead;
use super::typed::{Comparison, Kind, NodeId, TypedNode, descend_in_row};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::functions::FunctionSpec;
use crate::schema::{DataType, Path, SourceId};
use crate::source::Span;
use crate::syntax::{Argument, ExprId, Ident};
use crate::types::{Currency, CurrencyOf, Type, Unit, Value};

impl Checker<'_> {
    /// Joins the `where` clauses by `and`. The outer option is `None` after a finding.
    pub(super) fn row_conditions(
        &mut self,
        conditions: &[ExprId],
        source: SourceId,
    ) -> Option<Option<NodeId>> {
        let mut joined = None;
        let mut sound = true;
        for condition in conditions {
            match self.condition(*condition, Scope::Row(source)) {
                Some(node) => joined = Some(self.both(joined, node)),
                None => sound = false,
            }
        }
        sound.then_some(joined)
    }

    /// Reads a population's standing condition from its declaration.
    pub(super) fn population(&mut self, name: Option<&str>, span: Span) -> Option<Option<NodeId>> {
        let Some(name) = name else { return Some(None) };
        let population = self.metrics().population(name)?;
        let expr = population.expr.as_ref()?;
        let scope = Scope::Row(self.schema().population(name)?.source);
        let (own_expr, own_text, own_span) = (self.expr, self.text, self.borrowed);
        // The names of the formula mean nothing in the condition.
        let own_lets = std::mem::take(&mut self.lets);
        (self.expr, self.text) = (expr, &population.text);
        self.borrowed = Some(own_span.unwrap_or(span));
        self.bind_lets(scope);
        let condition = expr.root.and_then(|root| self.condition(root, scope));
        (self.expr, self.text, self.borrowed) = (own_expr, own_text, own_span);
        self.lets = own_lets;
        if condition.is_some() {
            return Some(condition);
        }
        let message = format!("the population `{name}` has errors of its own");
        self.refuse(Diagnostic::new(Code::E602, span, message).help("fix its condition first"))
    }

    pub(super) fn both(&mut self, joined: Option<NodeId>, node: NodeId) -> NodeId {
        let Some(before) = joined else { return node };
        let span = self.span(before).to(self.span(node));
        self.operation(span, Type::Bool, Kind::And(before, node))
    }

    /// Returns the date column: the path after `dated by`, or the source's default.
    pub(super) fn date_of(
        &mut self,
        dated_by: Option<&[Ident]>,
        source: SourceId,
    ) -> Option<Option<Path>> {
        let Some(path) = dated_by else {
            let table = self.schema().source_at(source)?;
            return Some(table.date.clone());
        };
        let (first, rest) = path.split_first()?;
        let qualified = self.rows_named(&first.name).is_some_and(|(named, _)| named == source);
        let path = if qualified && !rest.is_empty() { rest } else { path };
        let span = first.span.to(path.last().map_or(first.span, |last| last.span));
        match self.follow(source, path) {
            Lead::Unknown(index, at) => self.unknown_field(path.get(index)?, at),
            Lead::Field(field) => {
                let (_, declared) = self.schema().field_at(source, &field)?;
                let ty = declared.data_type.to_type(self.schema().store.currency);
                if matches!(ty, Type::Date | Type::DateTime) {
                    return Some(Some(field));
                }
                let message =
                    format!("rows are placed in time by a date, this is {}", describe(&ty));
                let dates = self.date_fields(source);
                self.refuse(Diagnostic::new(Code::E421, span, message).help(dates))
            }
        }
    }

    /// Rejects a `dated by` after values made by `per`, which are not rows.
    pub(super) fn refuse_date(&mut self, argument: &Argument) -> Option<()> {
        let Some(path) = &argument.dated_by else { return Some(()) };
        let ends = path.first().zip(path.last());
        let place = ends.map_or(Span::default(), |(first, last)| first.span.to(last.span));
        let message = "`dated by` belongs to an aggregate of rows";
        let value = self.source(argument.value);
        let help = format!("put it into the aggregate inside `{value}`");
        self.refuse(Diagnostic::new(Code::E207, place, message).help(help))
    }

    /// Lists the fields that can date a row, for a help line.
    fn date_fields(&self, source: SourceId) -> String {
        let Some(table) = self.schema().source_at(source) else { return String::new() };
        let is_date =
            |data_type: &DataType| matches!(data_type, DataType::Date | DataType::DateTime);
        let dates: Vec<_> = table
            .fields
            .iter()
            .filter(|field| is_date(&field.data_type))
            .map(|field| field.name.as_str())
            .collect();
        if dates.is_empty() {
            return format!(
                "`{}` has no date of its own; a linked source may have one",
                table.name
            );
        }
        format!("dates of `{}`: {}", table.name, dates.join(", "))
    }

    /// Checks the second argument of `percentile`, a fraction from 0% to 100%; `median` means one
    /// half.
    pub(super) fn fraction(
        &mut self,
        spec: &'static FunctionSpec,
        position: Option<&Argument>,
        span: Span,
    ) -> Option<Option<NodeId>> {
        if spec.name == "median" {
            let half = Value::Number(rust_decimal::Decimal::new(5, 1));
            return Some(Some(self.constant(span, Type::Quantity(Unit::PERCENT), half)));
        }
        let Some(argument) = position else { return Some(None) };
        self.refuse_clauses(argument)?;
        let node = self.check(argument.value, Scope::Whole(Whole::default()))?;
        let number = match &self.node(node).kind {
            Kind::Constant(value) => value.as_number(),
            _ => None,
        };
        let number = number.filter(|_| self.unit(node).is_some_and(Unit::is_dimensionless));
        let range = rust_decimal::Decimal::ZERO..=rust_decimal::Decimal::ONE;
        if number.is_some_and(|number| range.contains(&number)) {
            return Some(Some(node));
        }
        let place = self.expr.span(argument.value);
        let message = "the position is a constant from 0% to 100%";
        let finding = Diagnostic::new(Code::E208, place, message);
        let text = place.slice(self.text);
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let hundred = rust_decimal::Decimal::ONE_HUNDRED;
        self.refuse(if is_plain && number.is_some_and(|number| number <= hundred) {
            let text = format!("{text}%");
            finding.help(format!("write {text}")).suggest(Suggestion::replace(place, text))
        } else {
            finding.help("for example 90%")
        })
    }

    /// Narrows mixed currencies: under `where currency_code = 'EUR'`, money of each row's currency
    /// is in EUR. Money of several columns is, if each of them has a condition.
    pub(super) fn narrow_currency(
        &mut self,
        value: NodeId,
        source: SourceId,
        conditions: [Option<NodeId>; 2],
    ) {
        let mixed = self
            .unit(value)
            .is_some_and(|unit| unit.money == 1 && unit.currency == CurrencyOf::Mixed);
        if !mixed {
            return;
        }
        let columns = self.currency_columns(value, source);
        let narrowed = |column| self.narrowed_to(column, conditions);
        let Some(currency) = columns.first().and_then(narrowed) else { return };
        if columns.iter().all(|column| narrowed(column) == Some(currency))
            && let Some(node) = self.nodes.get_mut(value.0)
        {
            node.ty = Type::Quantity(Unit::money(CurrencyOf::Fixed(currency)));
        }
    }

    /// Returns the currency to which conditions narrow a column of currencies.
    fn narrowed_to(&self, column: &Path, conditions: [Option<NodeId>; 2]) -> Option<Currency> {
        let mut stack: Vec<NodeId> = conditions.into_iter().flatten().collect();
        while let Some(id) = stack.pop() {
            let (left, right) = match self.node(id).kind {
                Kind::And(left, right) => {
                    stack.extend([left, right]);
                    continue;
                }
                Kind::Compare(Comparison::Equal, left, right) => (left, right),
                Kind::InList(left, ref listed) => match *listed.as_slice() {
                    [right] => (left, right),
                    _ => continue,
                },
                Kind::Not(inner) => match self.node(inner).kind {
                    Kind::Compare(Comparison::NotEqual, left, right) => (left, right),
                    _ => continue,
                },
                _ => continue,
            };
            let names =
                |id: NodeId| matches!(&self.node(id).kind, Kind::Column(path) if path == column);
            let (column_side, text_side) = if names(left) { (left, right) } else { (right, left) };
            let Kind::Constant(Value::Text(code)) = &self.node(text_side).kind else { continue };
            let currency = Currency::from_code(&code.to_ascii_uppercase());
            if currency.is_some() && names(column_side) {
                return currency;
            }
        }
        None
    }

    /// Returns the columns with the currencies of the row's own amounts.
    fn currency_columns(&self, value: NodeId, source: SourceId) -> Vec<Path> {
        let column = |node: &TypedNode| match &node.kind {
            Kind::Column(path) => self.schema().currency_column(source, path),
            _ => None,
        };
        descend_in_row(&self.nodes, value).filter_map(column).collect()
    }
}
