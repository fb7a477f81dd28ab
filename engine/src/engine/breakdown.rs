//! Breakdowns: which groups of an answer are shown, in which order, and their totals.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::filter::ended;
use super::group_order::{KeyValue, KeyValues};
use super::request_keys::named;
use super::{Answer, Answers, Engine, Filter, Formula, Inputs, Request};
use crate::diagnostics::Diagnostic;
use crate::format::exact;
use crate::syntax::Limits;
use crate::types::{CurrencyOf, Type, Value};

/// Limit: brackets in the key of the groups not shown, beyond those of the keys. There is one for each
/// halving of the shown groups.
const NESTING_OF_OTHERS: usize = 64;

/// A request for a breakdown: groups selected and sorted by their values over the whole period.
///
/// ```
/// use quotient::engine::{SortBy, SortKey, BreakdownRequest};
/// use quotient::{Filter, Request};
///
/// // The five countries with the largest sales, one row for all others, and a total.
/// let breakdown = BreakdownRequest {
///     request: Request { group_by: vec!["country".to_owned()], ..Request::default() },
///     sort: vec![SortKey { by: SortBy::Formula(0), descending: true }],
///     top: Some(5),
///     others: true,
///     totals: true,
///     ..BreakdownRequest::default()
/// };
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BreakdownRequest {
    /// The formulas' period, buckets, groups, filter and comparison.
    pub request: Request,
    /// The order of the groups; a later key breaks ties. Without any, groups are sorted by their
    /// own values.
    pub sort: Vec<SortKey>,
    /// Only groups that meet this condition over metrics.
    pub having: Option<Filter>,
    /// At most so many groups. Groups in order of amounts in several currencies cannot be cut off.
    pub top: Option<usize>,
    /// Whether to add a row for all groups that are not shown.
    pub others: bool,
    /// Whether rows are added for everything, and for each leading part of several dimensions.
    pub totals: bool,
}

/// A key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortKey {
    /// The values to compare.
    pub by: SortBy,
    /// Whether the largest come first. Nulls are last either way. Amounts in several currencies are sorted by
    /// currency first.
    pub descending: bool,
}

/// What groups are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    /// The value of a formula, by index.
    Formula(usize),
    /// The value of a dimension, by index.
    Dimension(usize),
}

/// What a row of a breakdown represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// One group.
    Group,
    /// All groups with the same values of the first dimensions, shown or not.
    Subtotal,
    /// All groups that are not shown.
    Others,
    /// All groups, shown or not.
    Total,
}

/// Answers as a breakdown.
#[derive(Debug, Clone)]
pub struct Breakdown {
    /// The answers. Their groups are the rows in order. A row of totals has values only for the
    /// dimensions over which it is computed, such as two of three, or none.
    pub answers: Answers,
    /// What each row represents.
    pub kinds: Vec<RowKind>,
}

impl Engine {
    /// Evaluates formulas as a breakdown.
    ///
    /// Rows besides the groups are computed from the rows of the sources: the total of a quotient
    /// is the quotient of the totals, and a customer in two groups counts once.
    ///
    /// # Errors
    /// The errors of [`Engine::evaluate`], and those of the condition on groups.
    pub fn breakdown(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        query: &BreakdownRequest,
    ) -> Result<Breakdown, Vec<Diagnostic>> {
        let answers = self.evaluate(formulas, inputs, &query.request)?;
        let order = self.chosen(formulas, inputs, query, &answers)?;
        let mut rows = Rows::default();
        let subtotals = if query.totals {
            self.subtotals(formulas, inputs, &query.request)?
        } else {
            Vec::new()
        };
        rows.nested(&answers, &subtotals, &order);
        if query.others && order.len() < answers.groups.len() {
            let shown: Vec<&Vec<Value>> =
                order.iter().filter_map(|group| answers.groups.get(*group)).collect();
            // As a group beside that of all shown rows, so that `share` is computed over both.
            let keys = self.keys(formulas, &query.request, &self.limits)?;
            let types: Vec<Option<Type>> = keys.iter().map(|key| key.ty(&self.schema)).collect();
            let key = format!("{} as others", rest(&query.request.group_by, &types, &shown));
            let request = Request { group_by: vec![key], ..query.request.clone() };
            // The key grows with the shown groups, whose number is not limited.
            let limits = Limits {
                max_bytes: usize::MAX,
                max_tokens: usize::MAX,
                max_nesting: self.limits.max_nesting.saturating_add(NESTING_OF_OTHERS),
                ..self.limits
            };
            let both = self.evaluate_keys(formulas, inputs, &request, &limits)?;
            let is_other = |group: &Vec<Value>| group.first() == Some(&Value::Bool(true));
            if let Some(place) = both.groups.iter().position(is_other) {
                rows.push(RowKind::Others, &both, place);
                rows.groups.last_mut().map(Vec::clear);
            }
        }
        if query.totals && !query.request.group_by.is_empty() {
            let request = Request { group_by: Vec::new(), ..query.request.clone() };
            let total = self.evaluate(formulas, inputs, &request)?;
            rows.push(RowKind::Total, &total, 0);
        }
        Ok(rows.breakdown(answers))
    }

    /// Returns the groups to show, by index, in their order.
    fn chosen(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        query: &BreakdownRequest,
        answers: &Answers,
    ) -> Result<Vec<usize>, Vec<Diagnostic>> {
        let having = query.having.as_ref().map(|filter| self.condition(filter)).transpose()?;
        let is_measured = query.request.by.is_some() && !query.sort.is_empty();
        let measured = if having.is_some() || is_measured {
            let all: Vec<&Formula> = formulas.iter().copied().chain(having.as_deref()).collect();
            let request = Request { by: None, ..query.request.clone() };
            Cow::Owned(self.evaluate(&all, inputs, &request)?)
        } else {
            Cow::Borrowed(answers)
        };
        let place = |group: usize| {
            let own = answers.groups.get(group)?;
            let is_own = |other: &Vec<Value>| other == own;
            let same = measured.groups.get(group).is_some_and(is_own);
            if same { Some(group) } else { measured.groups.iter().position(is_own) }
        };
        let answer = |formula: usize, group: usize| measured.get(formula, 0, place(group)?);
        let meets = |group: &usize| {
            let met = || answer(formulas.len(), *group).map(|answer| &answer.value);
            having.is_none() || met() == Some(&Value::Bool(true))
        };
        let keys = query.sort.iter().map(|key| {
            let of = |group: usize| match key.by {
                SortBy::Formula(formula) => KeyValue::of_answer(answer(formula, group)),
                SortBy::Dimension(index) => KeyValue::of_dimension(
                    answers.groups.get(group).and_then(|own| own.get(index)).cloned(),
                ),
            };
            KeyValues::new((0..answers.groups.len()).map(of).collect(), key.descending)
        });
        let keys: Vec<KeyValues> = keys.collect();
        let mut order: Vec<usize> = (0..answers.groups.len()).filter(meets).collect();
        if let (Some(first), Some(top)) = (keys.first(), query.top)
            && top < order.len()
        {
            first.comparable(&order).map_err(|found| vec![found])?;
        }
        order.sort_by(|left, right| {
            let compared = keys.iter().map(|key| key.compare(*left, *right));
            compared.fold(Ordering::Equal, Ordering::then)
        });
        order.truncate(query.top.unwrap_or(usize::MAX));
        Ok(order)
    }

    /// Evaluates the formulas by each proper prefix of the dimensions.
    fn subtotals(
        &self,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<Vec<Answers>, Vec<Diagnostic>> {
        let by = |count| {
            let group_by = request.group_by.iter().take(count).cloned().collect();
            self.evaluate(formulas, inputs, &Request { group_by, ..request.clone() })
        };
        (1..request.group_by.len()).map(by).collect()
    }
}

/// Writes the condition that no row of these groups meets.
fn rest(group_by: &[String], types: &[Option<Type>], groups: &[&Vec<Value>]) -> String {
    let is = |((key, ty), value): ((&String, &Option<Type>), &Value)| {
        let name = format!("({})", ended(named(key).0));
        if value.is_missing() {
            format!("{name} is null")
        } else {
            format!("{name} = {}", written(value, ty.as_ref()))
        }
    };
    let no_row = |group: &&Vec<Value>| {
        let keys = group_by.iter().zip(types).zip(*group);
        let parts: Vec<String> = keys.map(is).collect();
        format!("not ({})", parts.join(" and "))
    };
    all_of(&groups.iter().map(no_row).collect::<Vec<_>>())
}

/// Joins conditions in halves, because databases limit the depth of an expression.
fn all_of(conditions: &[String]) -> String {
    match conditions {
        [] => "true".to_owned(),
        [only] => only.clone(),
        _ => {
            let (left, right) = conditions.split_at(conditions.len() / 2);
            format!("({}) and ({})", all_of(left), all_of(right))
        }
    }
}

/// Writes a value as an expression of its type.
fn written(value: &Value, ty: Option<&Type>) -> String {
    let text = exact(value);
    match (value, ty.and_then(Type::unit)) {
        (Value::Text(_), _) => format!("'{}'", text.replace('\'', "''")),
        (Value::Date(_), _) => format!("@{text}"),
        (Value::DateTime(_), _) => format!("datetime('{text}')"),
        (Value::Number(_), Some(unit)) => {
            let one = match unit.currency {
                CurrencyOf::Fixed(currency) => format!("1 {}", currency.code()),
                CurrencyOf::Mixed => "1".to_owned(),
            };
            let money = power(&one, unit.money);
            format!("({text}){money}{}", power("1 second", unit.time))
        }
        _ => text,
    }
}

/// Writes factors or divisors of one unit.
fn power(one: &str, exponent: i8) -> String {
    let sign = if exponent < 0 { " / " } else { " * " };
    [sign, one].concat().repeat(usize::from(exponent.unsigned_abs()))
}

/// The rows of a breakdown under construction.
#[derive(Debug, Default)]
struct Rows {
    kinds: Vec<RowKind>,
    groups: Vec<Vec<Value>>,
    /// By row, then by formula, then by bucket.
    answers: Vec<Vec<Vec<Answer>>>,
}

impl Rows {
    /// Adds a group of answers as a row.
    fn push(&mut self, kind: RowKind, answers: &Answers, group: usize) {
        let buckets = answers.buckets.len();
        let of = |formula: usize| {
            (0..buckets).filter_map(|bucket| answers.get(formula, bucket, group).cloned()).collect()
        };
        self.kinds.push(kind);
        let values = answers.groups.get(group).cloned().unwrap_or_default();
        self.groups.push(if answers.group_by.is_empty() { Vec::new() } else { values });
        self.answers.push((0..answers.by_formula.len()).map(of).collect());
    }

    /// Adds groups with their subtotals. Groups with the same subtotal are adjacent, at the position of
    /// the first of them.
    fn nested(&mut self, answers: &Answers, subtotals: &[Answers], order: &[usize]) {
        let Some((own, below)) = subtotals.split_first() else {
            for group in order {
                self.push(RowKind::Group, answers, *group);
            }
            return;
        };
        let depth = own.group_by.len();
        let part =
            |group: &usize| answers.groups.get(*group).and_then(|values| values.get(..depth));
        let mut left = order.to_vec();
        while let Some(first) = left.first().copied() {
            let head = part(&first);
            let (together, others): (Vec<usize>, Vec<usize>) =
                left.into_iter().partition(|group| part(group) == head);
            self.nested(answers, below, &together);
            let place = own.groups.iter().position(|values| Some(values.as_slice()) == head);
            if let Some(place) = place {
                self.push(RowKind::Subtotal, own, place);
            }
            left = others;
        }
    }

    /// Puts the rows into answers, in place of their groups.
    fn breakdown(self, answers: Answers) -> Breakdown {
        let mut by_formula = vec![Vec::new(); answers.by_formula.len()];
        for bucket in 0..answers.buckets.len() {
            for row in &self.answers {
                for (own, all) in row.iter().zip(&mut by_formula) {
                    all.extend(own.get(bucket).cloned());
                }
            }
        }
        Breakdown {
            answers: Answers { groups: self.groups, by_formula, ..answers },
            kinds: self.kinds,
        }
    }
}
