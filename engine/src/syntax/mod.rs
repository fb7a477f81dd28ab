//! Formula text to syntax tree and back. Only this folder knows pest.

mod expr;

pub use expr::{
    Argument, BinaryOp, Call, Comment, Expr, ExprId, ExprKind, Ident, Let, Node, PerKey, UnaryOp,
};
