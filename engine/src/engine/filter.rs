//! Filters: a condition that narrows every formula of a request, with parameters.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::formula::ALL_TOKENS;
use super::{Engine, Formula, Request, Validation};
use crate::calendar::PeriodLiteral;
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::source::Span;
use crate::syntax::{ExprKind, Limits, Token, TokenKind, UnaryOp, canonical, parse, tokens};
use crate::types::Type;

/// A condition on rows, as after `where`, which narrows every formula of a request.
///
/// ```
/// use quotient::Filter;
///
/// let filter = Filter::new("country = :country and total > :least")
///     .with("country", "Germany")
///     .with("least", "50 GBP");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The condition, in which `:name` stands for the value of a parameter.
    pub condition: String,
    /// The values of the parameters as text. A value is parsed as text where text is expected, and
    /// elsewhere as a literal of the language; a date needs no `@`.
    pub parameters: BTreeMap<String, String>,
}

impl Filter {
    /// Creates a filter without parameters.
    pub fn new(condition: impl Into<String>) -> Self {
        Self { condition: condition.into(), parameters: BTreeMap::new() }
    }

    /// Adds the value of a parameter.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// Returns whether a parameter stands in the condition.
    pub fn uses(&self, parameter: &str) -> bool {
        let named = parameters_in(&self.condition, &ALL_TOKENS);
        named.iter().any(|(name, _)| *name == parameter)
    }

    /// Returns the filter that selects the rows matching both. Parameters with the same name and different values
    /// are renamed.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        let other = other.apart_from(&self.parameters);
        self.condition = format!("({}) and ({})", ended(&self.condition), ended(&other.condition));
        self.parameters.extend(other.parameters);
        self
    }

    /// Renames the parameters that others have with another value.
    fn apart_from(&self, others: &BTreeMap<String, String>) -> Self {
        let mut parameters = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (name, value) in &self.parameters {
            let mut own = name.clone();
            while others.get(&own).is_some_and(|other| other != value)
                || own != *name && self.parameters.contains_key(&own)
                || parameters.contains_key(&own)
            {
                own.push('_');
            }
            names.insert(name.clone(), format!(":{own}"));
            parameters.insert(own, value.clone());
        }
        let renamed = parameters_in(&self.condition, &ALL_TOKENS).into_iter();
        let renamed = renamed.filter_map(|(name, place)| {
            Some(Parameter { place, value: "", literal: names.get(name)?.clone() })
        });
        let bound = Bound { condition: &self.condition, parameters: renamed.collect() };
        Self { condition: bound.text(), parameters }
    }

    /// Checks that the condition is one expression whose parameters all have values. Names and
    /// types are checked with a formula, by [`Engine::narrowed`].
    ///
    /// # Errors
    /// The findings, with places in the condition.
    pub fn check(&self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let bound = Bound::new(self, limits)?;
        let parsed = parse(&bound.text(), limits).ok();
        let place = |finding| bound.in_condition(finding, 0);
        parsed.map(drop).map_err(|findings| findings.into_iter().map(place).collect())
    }
}

/// Returns the finding for a condition of another type.
fn no_condition(condition: &str, ty: &Type) -> Diagnostic {
    let place = Span::new(0, condition.len());
    let message = format!("a condition is true or false, this is {ty}");
    Diagnostic::new(Code::E322, place, message).help("compare it with a value")
}

impl Engine {
    /// Narrows a formula to the rows that meet the condition, as `(formula where condition)`. A
    /// formula that reads no rows stays unchanged.
    ///
    /// # Errors
    /// The findings of the condition, with positions in its own text: a name that some source of
    /// the formula lacks, a parameter without a value, a value that does not fit the other side of
    /// a comparison.
    pub fn narrowed(
        &self,
        formula: &Formula,
        filter: &Filter,
    ) -> Result<Arc<Formula>, Vec<Diagnostic>> {
        if formula.sources().is_empty() {
            return Ok(Arc::new(formula.clone()));
        }
        self.bound(filter, Some(formula))
    }

    /// Compiles a condition as a separate formula: `aov > :least`, over metrics.
    ///
    /// # Errors
    /// The findings of the condition, with positions in its own text.
    pub fn condition(&self, filter: &Filter) -> Result<Arc<Formula>, Vec<Diagnostic>> {
        let formula = self.bound(filter, None)?;
        if *formula.ty() == Type::Bool {
            return Ok(formula);
        }
        Err(vec![no_condition(&filter.condition, formula.ty())])
    }

    /// Checks a condition without parameters, as [`Engine::validate`] checks a formula; one that is
    /// not true or false has an error.
    pub fn validate_condition(&self, text: &str) -> Validation {
        let mut validation = self.validate(text);
        if let Some(formula) = validation.formula.take_if(|formula| *formula.ty() != Type::Bool) {
            validation.diagnostics.insert(0, no_condition(text, formula.ty()));
        }
        validation
    }

    /// Compiles a condition, alone or narrowing a formula.
    fn bound(
        &self,
        filter: &Filter,
        narrowed: Option<&Formula>,
    ) -> Result<Arc<Formula>, Vec<Diagnostic>> {
        filter.check(&self.limits)?;
        let mut bound = Bound::new(filter, &self.limits)?;
        let prefix = narrowed.map_or(0, Bound::prefix);
        let written = |bound: &Bound<'_>| match narrowed {
            Some(formula) => bound.narrowing(formula),
            None => bound.text(),
        };
        let mut compiled = self.compiled(&written(&bound));
        // Where text does not fit, the value is parsed as another literal.
        if let Err(findings) = &compiled
            && bound.reread(findings, prefix)
        {
            compiled = self.compiled(&written(&bound));
        }
        let placed = |finding| bound.in_condition(finding, prefix);
        compiled.map_err(|findings| findings.into_iter().map(placed).collect())
    }

    /// Narrows a formula to the filter of a request, if it has one.
    pub(crate) fn filtered(
        &self,
        formula: &Formula,
        request: &Request,
    ) -> Result<Option<Arc<Formula>>, Vec<Diagnostic>> {
        request.filter.as_ref().map(|filter| self.narrowed(formula, filter)).transpose()
    }
}

/// Ends the line of a condition that may end with a comment.
pub(super) fn ended(condition: &str) -> Cow<'_, str> {
    if condition.contains("//") { Cow::Owned(format!("{condition}\n")) } else { condition.into() }
}

/// Maps a position in a narrowed formula to the formula; a position in the condition becomes the whole
/// formula.
pub(super) fn in_formula(formula: &Formula, span: Span) -> Span {
    let (start, end) = (formula.expression_start(), formula.text().len());
    let range = span.range();
    // One bracket precedes the expression.
    let shift = usize::from(range.start > start);
    if range.end.saturating_sub(shift) > end || range.start == start {
        return Span::new(start, end);
    }
    Span::new(range.start.saturating_sub(shift), range.end.saturating_sub(shift))
}

/// A condition with values in place of its parameters.
struct Bound<'f> {
    condition: &'f str,
    parameters: Vec<Parameter<'f>>,
}

/// A parameter in a condition.
struct Parameter<'f> {
    /// The position of `:name` in the condition.
    place: Span,
    value: &'f str,
    /// The literal that takes its place.
    literal: String,
}

impl Parameter<'_> {
    fn is_within(&self, span: Span) -> bool {
        span.start < self.place.end && self.place.start < span.end
    }
}

impl<'f> Bound<'f> {
    /// Finds the parameters and their values, each as text at first.
    fn new(filter: &'f Filter, limits: &Limits) -> Result<Self, Vec<Diagnostic>> {
        let condition = filter.condition.as_str();
        let mut findings = Vec::new();
        let mut parameters = Vec::new();
        for (name, place) in parameters_in(condition, limits) {
            match filter.parameters.get(name) {
                Some(value) => {
                    let literal = format!("'{}'", value.replace('\'', "''"));
                    parameters.push(Parameter { place, value, literal });
                }
                None => findings.push(without_value(name, place, filter)),
            }
        }
        if findings.is_empty() { Ok(Self { condition, parameters }) } else { Err(findings) }
    }

    /// Returns the number of bytes before the condition in the narrowed formula.
    fn prefix(formula: &Formula) -> usize {
        formula.text().len().saturating_add("(\nwhere ".len())
    }

    /// Writes a formula narrowed to the condition. Its `let` lines stay in front.
    fn narrowing(&self, formula: &Formula) -> String {
        let (lets, expression) = formula.text().split_at(formula.expression_start());
        // A comment at the end of a line ends there.
        format!("{lets}({expression}\nwhere {})", ended(&self.text()))
    }

    /// Writes the condition with its values.
    fn text(&self) -> String {
        let mut text = String::new();
        let mut at = 0;
        for parameter in &self.parameters {
            let range = parameter.place.range();
            text.push_str(self.condition.get(at..range.start).unwrap_or_default());
            text.push_str(&parameter.literal);
            at = range.end;
        }
        text.push_str(self.condition.get(at..).unwrap_or_default());
        text
    }

    /// Parses the parameter values at the positions of errors as literals other than text; returns
    /// whether there are any.
    fn reread(&mut self, findings: &[Diagnostic], prefix: usize) -> bool {
        let wrong: Vec<Span> =
            findings.iter().map(|finding| self.place_in_condition(finding.span, prefix)).collect();
        let mut changed = false;
        for parameter in &mut self.parameters {
            let is_wrong = wrong.iter().any(|at| parameter.is_within(*at));
            if let Some(literal) = is_wrong.then(|| literal(parameter.value)).flatten() {
                parameter.literal = literal;
                changed = true;
            }
        }
        changed
    }

    /// Maps a finding from the narrowed formula to the condition.
    fn in_condition(&self, finding: Diagnostic, prefix: usize) -> Diagnostic {
        let span = self.place_in_condition(finding.span, prefix);
        // The edits refer to the narrowed formula; the help text says the same.
        let finding = Diagnostic { span, suggestion: None, ..finding };
        let about = self.parameters.iter().find(|own| own.is_within(span));
        match about.filter(|_| finding.code != Code::E210) {
            Some(own) => {
                let name = own.place.slice(self.condition);
                finding.help(format!("the value of `{name}` is `{}`", own.value))
            }
            None => finding,
        }
    }

    fn place_in_condition(&self, span: Span, prefix: usize) -> Span {
        let move_back = |at: usize| {
            let mut at = at.saturating_sub(prefix);
            for parameter in &self.parameters {
                let place = parameter.place.range();
                if at <= place.start {
                    break;
                }
                let written = parameter.literal.len();
                at = if at >= place.start.saturating_add(written) {
                    at.saturating_sub(written).saturating_add(place.len())
                } else {
                    place.end.min(at)
                };
            }
            at.min(self.condition.len())
        };
        let range = span.range();
        Span::new(move_back(range.start), move_back(range.end))
    }
}

/// Returns the name and the position of each `:name` in a condition. The colon of a named argument, `by: x`, follows a name
/// and does not count.
fn parameters_in<'c>(condition: &'c str, limits: &Limits) -> Vec<(&'c str, Span)> {
    let tokens = tokens(condition, limits);
    let is_name = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Keyword);
    let mut found = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        let [colon, name] = pair else { continue };
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let follows_name =
            before.is_some_and(|token| is_name(token) && token.span.end == colon.span.start);
        if colon.kind == TokenKind::Colon
            && is_name(name)
            && colon.span.end == name.span.start
            && !follows_name
        {
            found.push((name.span.slice(condition), colon.span.to(name.span)));
        }
    }
    found
}

fn without_value(name: &str, place: Span, filter: &Filter) -> Diagnostic {
    let finding = Diagnostic::new(Code::E210, place, format!("`:{name}` has no value"));
    finding.help(match nearest(name, filter.parameters.keys().map(String::as_str)) {
        Some(near) => format!("did you mean `:{near}`?"),
        None => format!("give the parameter `{name}` a value"),
    })
}

/// Returns the text as a literal that is not a text: a number, an amount, a length of time, a truth
/// value or a date.
fn literal(text: &str) -> Option<String> {
    let text = text.trim();
    let dated = format!("@{}", text.trim_start_matches('@'));
    if PeriodLiteral::parse(&dated).is_some() && text.contains(['-', '@']) {
        return Some(dated);
    }
    let expr = parse(text, &Limits::default()).ok().ok()?;
    let mut at = expr.root?;
    while let ExprKind::Unary(UnaryOp::Negate, inner) = expr.node(at)?.kind {
        at = inner;
    }
    let is_literal = matches!(
        expr.node(at)?.kind,
        ExprKind::Number(_)
            | ExprKind::Percent(_)
            | ExprKind::Money(..)
            | ExprKind::Span(..)
            | ExprKind::Bool(_)
    );
    // Printed again, because the given text could end with a comment, which would hide what follows.
    (is_literal && expr.lets.is_empty()).then(|| format!("({})", canonical(&expr)))
}
