//! The syntax tree: nodes in one arena, so that it drops, prints and compares without recursion
//! deeper than the nesting limit.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::precedence::{level, level_of};
use crate::calendar::{PeriodLiteral, TimeUnit};
use crate::schema::same_name;
use crate::source::Span;
use crate::types::Currency;

/// A node by its index in the arena of its [`Expr`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) usize);

/// A parsed formula: `let` lines and one expression.
///
/// Children stand before their parents in the arena.
#[derive(Debug, Clone, Default)]
pub struct Expr {
    pub(crate) nodes: Vec<Node>,
    /// The `let` lines in order.
    pub lets: Vec<Let>,
    /// The expression itself.
    pub root: Option<ExprId>,
    /// Comments in order of place.
    pub comments: Vec<Comment>,
}

/// `let name = value;`
#[derive(Debug, Clone, PartialEq)]
pub struct Let {
    /// The name it declares.
    pub name: Ident,
    /// Its value.
    pub value: ExprId,
}

/// A comment with its delimiters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands.
    pub span: Span,
    /// Its text, delimiters included.
    pub text: String,
}

/// A node with its place.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its place, without surrounding blanks and brackets.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// A place that does not count when trees are compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct IgnoredSpan(pub Span);

impl PartialEq for IgnoredSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl PartialEq for Ident {
    fn eq(&self, other: &Self) -> bool {
        self.bracketed == other.bracketed && same_name(&self.name, &other.name)
    }
}

impl Expr {
    /// The node itself; every id that this tree gave out has one.
    pub fn node(&self, id: ExprId) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    /// Its place; empty for an id of another tree.
    pub fn span(&self, id: ExprId) -> Span {
        self.node(id).map_or(Span::default(), |node| node.span)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The places of `?`, in order.
    pub(crate) fn holes(&self) -> Vec<Span> {
        let holes = self.nodes.iter().filter(|node| matches!(node.kind, ExprKind::Hole));
        let mut places: Vec<Span> = holes.map(|node| node.span).collect();
        places.sort_unstable();
        places
    }

    /// Whether nothing was parsed.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Operator, left side, right side and the operator's place, if the node is binary.
    pub(crate) fn binary(&self, id: ExprId) -> Option<(BinaryOp, ExprId, ExprId, Span)> {
        match self.node(id)?.kind {
            ExprKind::Binary { op, place, left, right } => Some((op, left, right, place.0)),
            _ => None,
        }
    }

    /// A binary node and those below it on the left, of one level of precedence, top first.
    ///
    /// `a + b + c + …` is as deep as it is long; whoever walks a tree walks this in a loop.
    pub(crate) fn left_spine(&self, id: ExprId) -> Vec<ExprId> {
        let mut spine = Vec::new();
        let mut at = id;
        let level = |id| self.binary(id).map(|(op, ..)| level_of(op));
        let top = level(id);
        while let Some((op, left, ..)) = self.binary(at) {
            if Some(level_of(op)) != top {
                break;
            }
            spine.push(at);
            // `^` groups to the right, comparisons not at all.
            if matches!(level_of(op), level::POWER | level::COMPARE) {
                break;
            }
            at = left;
        }
        spine
    }

    pub(crate) fn push(&mut self, span: Span, kind: ExprKind) -> ExprId {
        self.nodes.push(Node { span, kind });
        ExprId(self.nodes.len().saturating_sub(1))
    }
}

/// A name as written.
#[derive(Debug, Clone)]
pub struct Ident {
    /// The name without brackets.
    pub name: Arc<str>,
    /// Whether it was written in brackets, as display names are.
    pub bracketed: bool,
    /// Its place, brackets included.
    pub span: Span,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `1_000.5`
    Number(Decimal),
    /// `15%`, kept as written: 15.
    Percent(Decimal),
    /// `50 EUR`
    Money(Decimal, Currency),
    /// `30 days`
    Span(Decimal, TimeUnit),
    /// `@2026-Q1`
    Period(PeriodLiteral),
    /// `'text'`
    Text(Arc<str>),
    /// `true`, `false`
    Bool(bool),
    /// `null`
    Null,
    /// `?`
    Hole,
    /// A literal with a finding of its own, such as `@2026-02-30`.
    Unreadable,
    /// `orders.customer.country`
    Path(Vec<Ident>),
    /// `sum(x where c)`
    Call(Call),
    /// `(metric where c)`
    Scoped(ExprId, ExprId),
    /// `-x`, `not c`
    Unary(UnaryOp, ExprId),
    /// `a + b`
    Binary {
        /// Which operator.
        op: BinaryOp,
        /// Where it stands.
        place: IgnoredSpan,
        /// Its left side.
        left: ExprId,
        /// Its right side.
        right: ExprId,
    },
    /// `x is null`, `x is not null`
    IsNull {
        /// What is tested.
        operand: ExprId,
        /// Whether `not` was said.
        negated: bool,
    },
    /// `x in ('a', 'b')`, `x not in @2026-Q1`
    In {
        /// What is sought.
        operand: ExprId,
        /// Where: several values, or one that is a period or a list.
        set: Vec<ExprId>,
        /// Whether the set was written in parentheses.
        listed: bool,
        /// Whether `not` was said.
        negated: bool,
    },
    /// `x between a and b`
    Between {
        /// What is tested.
        operand: ExprId,
        /// The lower end, included.
        low: ExprId,
        /// The upper end, included.
        high: ExprId,
        /// Whether `not` was said.
        negated: bool,
    },
    /// `x like 'A%'`
    Like {
        /// What is tested.
        operand: ExprId,
        /// The pattern: `%` any text, `_` one character.
        pattern: Arc<str>,
        /// Whether `not` was said.
        negated: bool,
    },
    /// `case when c then x … else y end`
    Case {
        /// Conditions and values in order.
        branches: Vec<(ExprId, ExprId)>,
        /// The value when none applies.
        otherwise: Option<ExprId>,
    },
}

/// `name(arguments)`
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function's name as written.
    pub name: Ident,
    /// Its arguments in order.
    pub arguments: Vec<Argument>,
}

/// One argument with what narrows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The name in `digits: 2`.
    pub name: Option<Ident>,
    /// The expression.
    pub value: ExprId,
    /// `where`, all clauses joined by `and`.
    pub conditions: Vec<ExprId>,
    /// `per`: units of time or paths.
    pub per: Vec<PerKey>,
    /// `dated by`
    pub dated_by: Option<Vec<Ident>>,
}

/// One key of a `per` clause, as written.
#[derive(Debug, Clone, PartialEq)]
pub struct PerKey {
    /// The path; a unit of time is a path of one name.
    pub path: Vec<Ident>,
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `not`
    Not,
}

/// An operator between its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`, `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `default`, `??`
    Default,
    /// `&`, `||`
    Concat,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `^`
    Power,
}
