//! Operator precedence: builds nodes from flat runs of operators and values.

use super::expr::{level, level_of};
use super::print::canonical_of;
use super::tree_builder::TreeBuilder;
use super::{BinaryOp, ExprId, ExprKind, IgnoredSpan, UnaryOp};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::source::Span;

pub(super) enum ExprPiece {
    Prefix(UnaryOp, Span),
    Infix(BinaryOp, Span),
    /// A value; `bare` unless in parentheses. The span includes the parentheses.
    Value {
        id: ExprId,
        span: Span,
        bare: bool,
    },
    /// A test such as `is null` or `between a and b`, whose operand is the value before it.
    Test(ExprKind, Span),
}

/// Builds the nodes of a run; `whole` is its place, for an empty run.
pub(super) fn climb(builder: &mut TreeBuilder<'_>, items: &[ExprPiece], whole: Span) -> ExprId {
    let mut climber = Climber { builder, items, at: 0 };
    match climber.run(level::OR) {
        Some(operand) => operand.id,
        None => builder.expr.push(whole, ExprKind::Hole),
    }
}

/// A finished part: its node, its place, and its top operator unless in parentheses.
#[derive(Clone, Copy)]
struct SubExpr {
    id: ExprId,
    span: Span,
    top: TopOperator,
}

#[derive(Clone, Copy, PartialEq)]
enum TopOperator {
    Closed,
    Sign,
    Comparison(Option<BinaryOp>),
    And,
    Or,
    Other,
}

struct Climber<'b, 'a, 'i> {
    builder: &'b mut TreeBuilder<'a>,
    items: &'i [ExprPiece],
    at: usize,
}

impl Climber<'_, '_, '_> {
    /// Recurses at most once a level, plus signs and `^`, which count towards the nesting limit.
    fn run(&mut self, least: u8) -> Option<SubExpr> {
        let mut left = self.operand()?;
        while let Some(item) = self.items.get(self.at) {
            match item {
                ExprPiece::Infix(op, place) if level_of(*op) >= least => {
                    self.at = self.at.saturating_add(1);
                    left = self.infix(left, *op, *place)?;
                }
                ExprPiece::Test(kind, place) if level::COMPARE >= least => {
                    self.at = self.at.saturating_add(1);
                    left = self.test(left, kind.clone(), *place);
                }
                _ => break,
            }
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<SubExpr> {
        let item = self.items.get(self.at)?;
        self.at = self.at.saturating_add(1);
        match item {
            ExprPiece::Value { id, span, bare } => {
                let top = if *bare { TopOperator::Other } else { TopOperator::Closed };
                Some(SubExpr { id: *id, span: *span, top })
            }
            ExprPiece::Prefix(op, span) => self.prefix(*op, *span),
            ExprPiece::Infix(..) | ExprPiece::Test(..) => None,
        }
    }

    fn prefix(&mut self, op: UnaryOp, span: Span) -> Option<SubExpr> {
        let (least, top) = match op {
            UnaryOp::Not => (level::NOT, TopOperator::Other),
            UnaryOp::Negate | UnaryOp::Plus => (level::SIGN, TopOperator::Sign),
        };
        let operand = self.run(least)?;
        let whole = span.to(operand.span);
        let raised =
            self.builder.expr.node(operand.id).is_some_and(|node| {
                matches!(node.kind, ExprKind::Binary { op: BinaryOp::Power, .. })
            });
        if op == UnaryOp::Negate && raised && operand.top == TopOperator::Other {
            self.refuse_signed_power(whole, span);
        }
        let id = self.builder.expr.push(whole, ExprKind::Unary(op, operand.id));
        Some(SubExpr { id, span: whole, top })
    }

    /// Refuses `-2 ^ 2`, on which spreadsheets and mathematics disagree.
    fn refuse_signed_power(&mut self, whole: Span, sign: Span) {
        self.builder.findings.push(
            Diagnostic::new(
                Code::E105,
                whole,
                "it could be read two ways: spreadsheets take the sign first, mathematics the power",
            )
            .help("write `(-a) ^ b` for the one, `-(a ^ b)` for the other")
            .suggest(Suggestion::bracket(Span { start: sign.end, ..whole }).among_others()),
        );
    }

    fn infix(&mut self, left: SubExpr, op: BinaryOp, place: Span) -> Option<SubExpr> {
        let level = level_of(op);
        // `^` is right-associative, and its exponent may have a sign.
        let right = if op == BinaryOp::Power {
            self.run(level::SIGN)?
        } else {
            self.run(level.saturating_add(1))?
        };
        if level == level::COMPARE && matches!(left.top, TopOperator::Comparison(_)) {
            self.refuse_chain(left, op, place.to(right.span), right);
            return Some(self.joined_chain(left, op, place, right));
        }
        self.warn_mixed(op, left, right);
        let top = match op {
            BinaryOp::And => TopOperator::And,
            BinaryOp::Or => TopOperator::Or,
            _ if level == level::COMPARE => TopOperator::Comparison(Some(op)),
            _ => TopOperator::Other,
        };
        Some(SubExpr { top, ..self.binary(op, place, left, right) })
    }

    fn binary(&mut self, op: BinaryOp, place: Span, left: SubExpr, right: SubExpr) -> SubExpr {
        let span = left.span.to(right.span);
        let place = IgnoredSpan(place);
        let kind = ExprKind::Binary { op, place, left: left.id, right: right.id };
        SubExpr { id: self.builder.expr.push(span, kind), span, top: TopOperator::Other }
    }

    fn test(&mut self, left: SubExpr, mut kind: ExprKind, place: Span) -> SubExpr {
        if matches!(left.top, TopOperator::Comparison(_)) {
            self.builder.findings.push(
                Diagnostic::new(Code::E106, place, "a comparison cannot go on with another")
                    .help("join two of them with `and`"),
            );
            return left;
        }
        if let ExprKind::IsNull { operand, .. }
        | ExprKind::In { operand, .. }
        | ExprKind::Between { operand, .. }
        | ExprKind::Like { operand, .. } = &mut kind
        {
            *operand = left.id;
        }
        let span = left.span.to(place);
        let id = self.builder.expr.push(span, kind);
        SubExpr { id, span, top: TopOperator::Comparison(None) }
    }

    fn refuse_chain(&mut self, left: SubExpr, op: BinaryOp, span: Span, right: SubExpr) {
        let finding = Diagnostic::new(Code::E106, span, "a comparison cannot go on with another");
        let upward = |op| matches!(op, BinaryOp::Less | BinaryOp::LessOrEqual);
        let finding = match self.builder.expr.binary(left.id) {
            Some((first, low, middle, _)) if upward(first) && upward(op) => {
                let print = |id| canonical_of(&self.builder.expr, id);
                let text =
                    format!("{} between {} and {}", print(middle), print(low), print(right.id));
                let suggestion = Suggestion::replace(left.span.to(right.span), text.clone());
                let has_both_ends = [first, op] == [BinaryOp::LessOrEqual; 2];
                let suggestion = if has_both_ends { suggestion } else { suggestion.among_others() };
                finding
                    .help(format!("write `{text}`, which includes both ends"))
                    .suggest(suggestion)
            }
            Some(_) | None => finding.help("join two of them with `and`"),
        };
        self.builder.findings.push(finding);
    }

    /// Reads `a < b < c` as `a < b and b < c`, so that the rest can be checked without further
    /// findings.
    fn joined_chain(
        &mut self,
        left: SubExpr,
        op: BinaryOp,
        place: Span,
        right: SubExpr,
    ) -> SubExpr {
        let expr = &self.builder.expr;
        let right_of = |id| expr.binary(id).map(|(op, _, right, _)| (op, right));
        let middle = match right_of(left.id) {
            // The left side is itself such a chain.
            Some((BinaryOp::And, last)) => right_of(last).map_or(last, |(_, right)| right),
            Some((_, right)) => right,
            None => left.id,
        };
        let middle = SubExpr { id: middle, span: expr.span(middle), top: TopOperator::Other };
        let second = self.binary(op, place, middle, right);
        let joined = self.binary(BinaryOp::And, place, left, second);
        SubExpr { top: TopOperator::Comparison(Some(op)), ..joined }
    }

    fn warn_mixed(&mut self, op: BinaryOp, left: SubExpr, right: SubExpr) {
        let is_and = |side: &SubExpr| op == BinaryOp::Or && side.top == TopOperator::And;
        if let Some(inner) = [left, right].into_iter().find(is_and) {
            self.builder.findings.push(
                Diagnostic::new(
                    Code::W201,
                    left.span.to(right.span),
                    "`and` and `or` are mixed without brackets",
                )
                .help("`and` binds tighter: put brackets around it")
                .suggest(Suggestion::bracket(inner.span)),
            );
        }
    }
}
