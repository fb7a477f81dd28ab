//! How missing values affect a condition: it neither holds nor fails.
//!
//! In the language a comparison with null is false, so `x != 5` and `not (x > 5)` hold without a value. An alert instead
//! uses two formulas, neither of which is true if a side of a deciding comparison is null. A condition that handles a
//! missing value itself, with `is null` or `default`, is used unchanged.

use quotient::syntax::{self, BinaryOp, Expr, ExprId, ExprKind, Let, UnaryOp};

use crate::registry::LIMITS;

/// Returns the formulas for whether a condition holds, and for whether it does not.
pub(super) fn truth_formulas(condition: &str) -> [String; 2] {
    let parsed = syntax::parse(condition, &LIMITS).ok().ok();
    let formula = |is_positive| {
        let expr = parsed.as_ref()?;
        Condition { text: condition, expr }.formula(is_positive)
    };
    // Evaluating an unreadable one reports why.
    [true, false].map(|is_positive| formula(is_positive).unwrap_or_else(|| condition.to_owned()))
}

struct Condition<'c> {
    text: &'c str,
    expr: &'c Expr,
}

impl Condition<'_> {
    fn formula(&self, is_positive: bool) -> Option<String> {
        let line = |line: &Let| {
            let name = line.name.span.slice(self.text);
            Some(format!("let {name} = {};\n", self.written(line.value)?))
        };
        let lines = self.expr.lets.iter().map(line).collect::<Option<String>>()?;
        Some(lines + &self.truth_formula(self.expr.root?, is_positive)?)
    }

    /// Returns the formula for whether a part is true, or for whether it is false.
    fn truth_formula(&self, id: ExprId, is_positive: bool) -> Option<String> {
        match self.kind(id) {
            Some(ExprKind::Unary(UnaryOp::Not, operand)) => {
                self.truth_formula(*operand, !is_positive)
            }
            Some(ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. }) => {
                let word = if (*op == BinaryOp::And) == is_positive { " and " } else { " or " };
                let operands = self.operands(id, *op).into_iter();
                let operands = operands.map(|operand| self.truth_formula(operand, is_positive));
                Some(format!("({})", operands.collect::<Option<Vec<_>>>()?.join(word)))
            }
            Some(_) | None => self.decided(id, is_positive),
        }
    }

    /// Returns the operands of a chain of the same operator, which is as deep as it is long.
    fn operands(&self, mut id: ExprId, op: BinaryOp) -> Vec<ExprId> {
        let mut operands = Vec::new();
        while let Some(ExprKind::Binary { op: own, left, right, .. }) = self.kind(id)
            && *own == op
        {
            operands.push(*right);
            id = *left;
        }
        operands.push(id);
        operands.reverse();
        operands
    }

    fn decided(&self, id: ExprId, is_positive: bool) -> Option<String> {
        let written = self.written(id)?;
        let condition = if is_positive { written } else { format!("not {written}") };
        let sides = self.sides(id).into_iter().filter(|side| !self.is_literal(*side));
        let known = sides.map(|side| Some(format!("{} is not null", self.written(side)?)));
        let parts = std::iter::once(Some(condition)).chain(known).collect::<Option<Vec<_>>>()?;
        Some(format!("({})", parts.join(" and ")))
    }

    /// Returns the parts of a comparison without whose values it decides nothing.
    fn sides(&self, id: ExprId) -> Vec<ExprId> {
        match self.kind(id) {
            Some(ExprKind::Binary { left, right, .. }) => vec![*left, *right],
            Some(ExprKind::Between { operand, low, high, .. }) => vec![*operand, *low, *high],
            Some(ExprKind::In { operand, .. } | ExprKind::Like { operand, .. }) => vec![*operand],
            Some(ExprKind::Path(_) | ExprKind::Scoped(..)) => vec![id],
            Some(_) | None => Vec::new(),
        }
    }

    fn is_literal(&self, id: ExprId) -> bool {
        matches!(
            self.kind(id),
            Some(
                ExprKind::Number(_)
                    | ExprKind::Percent(_)
                    | ExprKind::Money(..)
                    | ExprKind::Span(..)
                    | ExprKind::Period(_)
                    | ExprKind::Text(_)
                    | ExprKind::Bool(_)
            )
        )
    }

    fn kind(&self, id: ExprId) -> Option<&ExprKind> {
        self.expr.node(id).map(|node| &node.kind)
    }

    /// Returns a part as written, in brackets.
    fn written(&self, id: ExprId) -> Option<String> {
        Some(format!("({})", self.expr.node(id)?.span.slice(self.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_formula_needs_both_sides_of_the_comparisons_that_decide() {
        for (condition, holds, fails) in [
            ("a > 5", "((a > 5) and (a) is not null)", "(not (a > 5) and (a) is not null)"),
            (
                "(a + b) * 2 != -c",
                "(((a + b) * 2 != -c) and ((a + b) * 2) is not null and (-c) is not null)",
                "(not ((a + b) * 2 != -c) and ((a + b) * 2) is not null and (-c) is not null)",
            ),
            ("not (a > 5)", "(not (a > 5) and (a) is not null)", "((a > 5) and (a) is not null)"),
            (
                "a > 5 and not b < 2 and c",
                "(((a > 5) and (a) is not null) and (not (b < 2) and (b) is not null) and ((c) and (c) is not null))",
                "((not (a > 5) and (a) is not null) or ((b < 2) and (b) is not null) or (not (c) and (c) is not null))",
            ),
            ("a is null", "((a is null))", "(not (a is null))"),
            (
                "let x = a / 2; (x not in (1, 2))",
                "let x = (a / 2);\n((x not in (1, 2)) and (x) is not null)",
                "let x = (a / 2);\n(not (x not in (1, 2)) and (x) is not null)",
            ),
            ("a >", "a >", "a >"),
        ] {
            assert_eq!(
                truth_formulas(condition),
                [holds.to_owned(), fails.to_owned()],
                "{condition}"
            );
        }
    }

    #[test]
    fn a_truth_formula_is_hardly_deeper_than_its_condition() {
        let condition = ["a > 1"; 200].join(" or ");
        for formula in truth_formulas(&condition) {
            assert!(syntax::parse(&formula, &LIMITS).ok().is_ok(), "{formula}");
        }
    }
}
