//! The syntax tree: nodes in one arena, so that it drops, prints and compares without recursion
//! deeper than the nesting limit.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::calendar::{PeriodLiteral, TimeUnit};
use crate::source::Span;
use crate::types::Currency;

/// A node by its index in [`Expr::nodes`].
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
#[derive(Debug, Clone)]
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
    /// Its place, without surrounding blanks.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// A name as written.
#[derive(Debug, Clone)]
pub struct Ident {
    /// The name without brackets.
    pub name: Arc<str>,
    /// Its place, brackets included.
    pub span: Span,
}

/// What a node is.
#[derive(Debug, Clone)]
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
        op_span: Span,
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
#[derive(Debug, Clone)]
pub struct Call {
    /// The function's name as written.
    pub name: Ident,
    /// Its arguments in order.
    pub arguments: Vec<Argument>,
}

/// One argument with what narrows it.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone)]
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
