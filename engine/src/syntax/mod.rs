//! Parser and printer of formulas. Only this folder uses pest.
//!
//! A text passes `lex` (tokens, comments, stray characters), `misread` (spellings from spreadsheets
//! and SQL, repaired in place), the grammar of `grammar/formula.pest`, which reads one letter for
//! each token, and `build` with `precedence`, which build the tree. All findings are kept. Start at
//! [`parse()`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the generator's rules and most kinds of node do not matter to one step"
)]

mod build;
mod compare;
mod expr;
mod habits;
mod letters;
mod lex;
mod limits;
mod literals;
mod misread;
mod parse;
mod precedence;
mod print;
mod repairs;
mod sql;
#[cfg(test)]
mod tests;
mod tree_builder;

pub(crate) use build::{dated_twice, is_predefined, predefined};
pub use expr::{
    Argument, BinaryOp, Call, Comment, Expr, ExprId, ExprKind, Ident, IgnoredSpan, Let, Node,
    PerKey, UnaryOp,
};
pub(crate) use lex::{RESERVED, Token, TokenKind, tokens};
pub use limits::Limits;
pub(crate) use literals::unquoted;
pub use parse::{Parsed, parse};
pub use print::{canonical, format};
pub(crate) use print::{canonical_of, is_reserved, reads_bare};
