//! The syntax tree: nodes in one arena, so that dropping, printing and comparing never recurse
//! deeper than the nesting limit.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::calendar::{PeriodLiteral, TimeUnit};
use crate::schema::same_name;
use crate::source::Span;
use crate::types::Currency;

/// A node, as an index in the arena of its [`Expr`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) usize);

/// A parsed formula: `let` lines and one expression.
///
/// Children precede their parents in the arena.
#[derive(Debug, Clone, Default)]
pub struct Expr {
    pub(crate) nodes: Vec<Node>,
    /// The `let` lines in order.
    pub lets: Vec<Let>,
    /// The expression.
    pub root: Option<ExprId>,
    /// Comments, in order of place.
    pub comments: Vec<Comment>,
}

/// `let name = value;`
#[derive(Debug, Clone, PartialEq)]
pub struct Let {
    /// The declared name.
    pub name: Ident,
    /// The value.
    pub value: ExprId,
}

/// A comment with its delimiters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The place of the comment.
    pub span: Span,
    /// The text, with delimiters.
    pub text: String,
}

/// A node with its place.
#[derive(Debug, Clone)]
pub struct Node {
    /// The place, without surrounding blanks and brackets.
    pub span: Span,
    /// The kind, with the children.
    pub kind: ExprKind,
}

/// A place that is ignored when trees are compared.
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
    /// Returns a node; every id of this tree has one.
    pub fn node(&self, id: ExprId) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    /// Returns the place of a node; empty for an id of another tree.
    pub fn span(&self, id: ExprId) -> Span {
        self.node(id).map_or(Span::default(), |node| node.span)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the places of `?`, in order.
    pub(crate) fn holes(&self) -> Vec<Span> {
        let holes = self.nodes.iter().filter(|node| matches!(node.kind, ExprKind::Hole));
        let mut places: Vec<Span> = holes.map(|node| node.span).collect();
        places.sort_unstable();
        places
    }

    /// Returns whether the tree has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns operator, left side, right side and the operator's place of a binary node.
    pub(crate) fn binary(&self, id: ExprId) -> Option<(BinaryOp, ExprId, ExprId, Span)> {
        match self.node(id)?.kind {
            ExprKind::Binary { op, place, left, right } => Some((op, left, right, place.0)),
            _ => None,
        }
    }

    /// Returns a binary node and its left descendants of the same precedence, top first.
    ///
    /// `a + b + c + …` is as deep as it is long, so every walk over a tree takes this spine in a
    /// loop.
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
            // `^` is right-associative, comparisons are not associative.
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
    /// Whether it was written in brackets, like a display name.
    pub bracketed: bool,
    /// The place, with brackets.
    pub span: Span,
}

/// The kind of a node.
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
        /// The operator.
        op: BinaryOp,
        /// The place of the operator.
        place: IgnoredSpan,
        /// The left side.
        left: ExprId,
        /// The right side.
        right: ExprId,
    },
    /// `x is null`, `x is not null`
    IsNull {
        /// The tested expression.
        operand: ExprId,
        /// Whether it is negated by `not`.
        negated: bool,
    },
    /// `x in ('a', 'b')`, `x not in @2026-Q1`
    In {
        /// The tested expression.
        operand: ExprId,
        /// The set: several values, or a single period or list.
        set: Vec<ExprId>,
        /// Whether the set is in parentheses.
        listed: bool,
        /// Whether it is negated by `not`.
        negated: bool,
    },
    /// `x between a and b`
    Between {
        /// The tested expression.
        operand: ExprId,
        /// The lower bound, included.
        low: ExprId,
        /// The upper bound, included.
        high: ExprId,
        /// Whether it is negated by `not`.
        negated: bool,
    },
    /// `x like 'A%'`
    Like {
        /// The tested expression.
        operand: ExprId,
        /// The pattern: `%` matches any text, `_` one character.
        pattern: Arc<str>,
        /// Whether it is negated by `not`.
        negated: bool,
    },
    /// `case when c then x … else y end`
    Case {
        /// Conditions and values, in order.
        branches: Vec<(ExprId, ExprId)>,
        /// The value if no condition holds.
        otherwise: Option<ExprId>,
    },
}

/// `name(arguments)`
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function's name as written.
    pub name: Ident,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
}

/// One argument with its clauses.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The name in `digits: 2`.
    pub name: Option<Ident>,
    /// The expression.
    pub value: ExprId,
    /// The conditions of all `where` clauses, joined by `and`.
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

/// A prefix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `not`
    Not,
}

/// An infix operator.
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

/// Precedence levels, `or` loosest, as in the table of `grammar/README.md`.
pub(super) mod level {
    pub(crate) const OR: u8 = 0;
    pub(crate) const AND: u8 = 1;
    pub(crate) const NOT: u8 = 2;
    pub(crate) const COMPARE: u8 = 3;
    pub(crate) const DEFAULT: u8 = 4;
    pub(crate) const CONCAT: u8 = 5;
    pub(crate) const ADD: u8 = 6;
    pub(crate) const MULTIPLY: u8 = 7;
    pub(crate) const SIGN: u8 = 8;
    pub(crate) const POWER: u8 = 9;
    pub(crate) const VALUE: u8 = 10;
}

pub(super) const fn level_of(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => level::OR,
        BinaryOp::And => level::AND,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterOrEqual => level::COMPARE,
        BinaryOp::Default => level::DEFAULT,
        BinaryOp::Concat => level::CONCAT,
        BinaryOp::Add | BinaryOp::Subtract => level::ADD,
        BinaryOp::Multiply | BinaryOp::Divide => level::MULTIPLY,
        BinaryOp::Power => level::POWER,
    }
}
