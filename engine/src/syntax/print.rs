//! The printer: the canonical spelling, and the formatter, which keeps comments and breaks lines.
//!
//! Invariant: parsing the printed text gives the same tree, and printing that gives the same text.

use super::expr::{level, level_of};
use super::{
    Argument, BinaryOp, Call, Comment, Expr, ExprId, ExprKind, Ident, UnaryOp, lex::RESERVED,
};

/// Returns the canonical text of a formula, on one line, without comments.
///
/// Bare names and functions are in lower case; brackets appear only if needed.
pub fn canonical(expr: &Expr) -> String {
    let mut printer = ExprPrinter::new(expr, &[], false);
    printer.formula();
    printer.out
}

/// Returns the canonical text of one node.
pub(crate) fn canonical_of(expr: &Expr, id: ExprId) -> String {
    let mut printer = ExprPrinter::new(expr, &[], false);
    printer.node(id, level::OR);
    printer.out
}

/// The target width of formatted lines.
const WIDTH: usize = 88;

/// Formats a formula for reading: keeps comments, and breaks long lines before their operators.
pub fn format(expr: &Expr) -> String {
    let print = |breaks| {
        let mut printer = ExprPrinter::new(expr, &expr.comments, breaks);
        printer.formula();
        printer.rest_of_comments();
        printer.out
    };
    let out = print(false);
    if out.lines().all(|line| line.chars().count() <= WIDTH) { out } else { print(true) }
}

struct ExprPrinter<'a> {
    expr: &'a Expr,
    comments: &'a [Comment],
    /// Whether lines break after each `let` and before the operators of the root.
    breaks: bool,
    out: String,
}

impl<'a> ExprPrinter<'a> {
    const fn new(expr: &'a Expr, comments: &'a [Comment], breaks: bool) -> Self {
        Self { expr, comments, breaks, out: String::new() }
    }

    fn formula(&mut self) {
        for line in &self.expr.lets {
            self.comments_before(line.name.span.start);
            self.write("let ");
            self.ident(&line.name);
            self.write(" = ");
            self.node(line.value, level::OR);
            self.write(";");
            self.write(if self.comments.is_empty() && !self.breaks { " " } else { "\n" });
        }
        if let Some(root) = self.expr.root {
            self.node(root, level::OR);
        }
    }

    fn write(&mut self, text: &str) {
        // A comment already ends with a blank.
        if self.out.ends_with([' ', '\n']) {
            self.out.push_str(text.trim_start_matches(' '));
        } else {
            self.out.push_str(text);
        }
    }

    fn comments_before(&mut self, offset: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start >= offset {
                break;
            }
            self.comments = rest;
            self.comment(comment);
        }
    }

    fn rest_of_comments(&mut self) {
        while let Some((comment, rest)) = self.comments.split_first() {
            self.comments = rest;
            self.comment(comment);
        }
        self.out.truncate(self.out.trim_end().len());
    }

    fn comment(&mut self, comment: &Comment) {
        if !self.out.is_empty() && !self.out.ends_with([' ', '\n', '(']) {
            self.out.push(' ');
        }
        self.out.push_str(&comment.text);
        self.out.push(if comment.text.starts_with("//") { '\n' } else { ' ' });
    }

    fn ident(&mut self, ident: &Ident) {
        self.part(ident, is_reserved(&ident.name));
    }

    /// Prints a name, in brackets if needed.
    fn part(&mut self, ident: &Ident, reserved: bool) {
        let name = &ident.name;
        if !ident.bracketed && !reserved && is_word(name) {
            self.write(&name.to_ascii_lowercase());
        } else {
            self.write(&format!("[{name}]"));
        }
    }

    fn path(&mut self, path: &[Ident]) {
        if let [alone] = path {
            return self.ident(alone);
        }
        // Next to a dot, a reserved word is a name, as in the parser.
        for (index, ident) in path.iter().enumerate() {
            if index > 0 {
                self.out.push('.');
            }
            self.part(ident, false);
        }
    }

    /// Prints a node, in parentheses if it binds looser than `least`.
    fn node(&mut self, id: ExprId, least: u8) {
        let Some(node) = self.expr.node(id) else { return };
        if !matches!(
            node.kind,
            ExprKind::Binary { .. }
                | ExprKind::IsNull { .. }
                | ExprKind::In { .. }
                | ExprKind::Between { .. }
                | ExprKind::Like { .. }
        ) {
            self.comments_before(node.span.start.saturating_add(1));
        }
        let enclosed = level_of_kind(&node.kind) < least;
        if enclosed {
            self.write("(");
        }
        self.kind(id, &node.kind);
        if enclosed {
            self.out.push(')');
        }
    }

    fn kind(&mut self, id: ExprId, kind: &ExprKind) {
        match kind {
            ExprKind::Number(number) => self.write(&number.to_string()),
            ExprKind::Percent(number) => self.write(&format!("{number}%")),
            ExprKind::Money(number, currency) => {
                self.write(&format!("{number} {}", currency.code()));
            }
            ExprKind::Span(number, unit) => {
                let plural = if *number == rust_decimal::Decimal::ONE { "" } else { "s" };
                self.write(&format!("{number} {}{plural}", unit.name()));
            }
            ExprKind::Period(period) => self.write(&period.to_string()),
            ExprKind::Text(text) => self.text(text),
            ExprKind::Bool(truth) => self.write(if *truth { "true" } else { "false" }),
            ExprKind::Null => self.write("null"),
            ExprKind::Hole | ExprKind::Unreadable => self.write("?"),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Scoped(value, condition) => {
                self.write("(");
                self.node(*value, level::OR);
                self.write(" where ");
                self.node(*condition, level::OR);
                self.out.push(')');
            }
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Binary { .. } => self.binary(id),
            ExprKind::IsNull { operand, negated } => {
                self.node(*operand, level::DEFAULT);
                self.write(if *negated { " is not null" } else { " is null" });
            }
            ExprKind::In { operand, set, listed, negated } => {
                self.in_set(*operand, set, *listed, *negated);
            }
            ExprKind::Between { operand, low, high, negated } => {
                self.node(*operand, level::DEFAULT);
                self.write(if *negated { " not between " } else { " between " });
                self.node(*low, level::ADD);
                self.write(" and ");
                self.node(*high, level::ADD);
            }
            ExprKind::Like { operand, pattern, negated } => {
                self.node(*operand, level::DEFAULT);
                self.write(if *negated { " not like " } else { " like " });
                self.text(pattern);
            }
            ExprKind::Case { branches, otherwise } => self.case(branches, *otherwise),
        }
    }

    fn text(&mut self, text: &str) {
        self.write(&format!("'{}'", text.replace('\'', "''")));
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) {
        let (sign, least) = match op {
            UnaryOp::Negate => ("-", level::VALUE),
            UnaryOp::Plus => ("+", level::VALUE),
            UnaryOp::Not => ("not ", level::NOT),
        };
        self.write(sign);
        self.node(operand, least);
    }

    fn in_set(&mut self, operand: ExprId, set: &[ExprId], listed: bool, negated: bool) {
        self.node(operand, level::DEFAULT);
        self.write(if negated { " not in " } else { " in " });
        if listed {
            self.write("(");
        }
        for (index, value) in set.iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            self.node(*value, level::OR);
        }
        if listed {
            self.out.push(')');
        }
    }

    fn case(&mut self, branches: &[(ExprId, ExprId)], otherwise: Option<ExprId>) {
        self.write("case");
        for (when, then) in branches {
            self.write(" when ");
            self.node(*when, level::OR);
            self.write(" then ");
            self.node(*then, level::OR);
        }
        if let Some(otherwise) = otherwise {
            self.write(" else ");
            self.node(otherwise, level::OR);
        }
        self.write(" end");
    }

    /// Prints a left-associative run of operators in a loop, since it may be thousands long.
    fn binary(&mut self, id: ExprId) {
        let spine = self.expr.left_spine(id);
        let Some(bottom) = spine.last() else { return };
        let Some((op, left, ..)) = self.expr.binary(*bottom) else { return };
        let breaks = self.breaks && self.expr.root == Some(id) && op != BinaryOp::Power;
        // `^` is right-associative, comparisons are not associative.
        let side = |op: BinaryOp| match level_of(op) {
            level::POWER => level::VALUE,
            level::COMPARE => level::DEFAULT,
            own => own,
        };
        self.operand(op, left, side(op));
        for id in spine.iter().rev() {
            let Some((op, _, right, place)) = self.expr.binary(*id) else { continue };
            self.comments_before(place.start);
            if breaks && !self.out.ends_with('\n') {
                self.out.push('\n');
                self.out.push_str("    ");
            } else {
                self.write(" ");
            }
            self.write(spelling(op));
            self.write(" ");
            let own = level_of(op);
            let least = if op == BinaryOp::Power { level::POWER } else { own.saturating_add(1) };
            self.operand(op, right, least);
        }
    }

    /// Brackets an `and` below an `or` for readability.
    fn operand(&mut self, op: BinaryOp, id: ExprId, least: u8) {
        let is_and = self.expr.binary(id).is_some_and(|(op, ..)| op == BinaryOp::And);
        self.node(id, if op == BinaryOp::Or && is_and { level::NOT } else { least });
    }

    fn call(&mut self, call: &Call) {
        let name = &call.name.name;
        if call.name.bracketed {
            self.write(&format!("[{name}]"));
        } else {
            self.write(&name.to_ascii_lowercase());
        }
        self.out.push('(');
        for (index, argument) in call.arguments.iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            self.argument(argument);
        }
        self.out.push(')');
    }

    fn argument(&mut self, argument: &Argument) {
        if let Some(name) = &argument.name {
            self.comments_before(name.span.start);
            self.write(&format!("{}: ", name.name.to_ascii_lowercase()));
        }
        self.node(argument.value, level::OR);
        for condition in &argument.conditions {
            self.write(" where ");
            self.node(*condition, level::OR);
        }
        for (index, key) in argument.per.iter().enumerate() {
            self.write(if index == 0 { " per " } else { ", " });
            self.path(&key.path);
        }
        if let Some(path) = &argument.dated_by {
            self.write(" dated by ");
            self.path(path);
        }
    }
}

const fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Equal => "=",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessOrEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterOrEqual => ">=",
        BinaryOp::Default => "default",
        BinaryOp::Concat => "&",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Power => "^",
    }
}

const fn level_of_kind(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Binary { op, .. } => level_of(*op),
        ExprKind::IsNull { .. }
        | ExprKind::In { .. }
        | ExprKind::Between { .. }
        | ExprKind::Like { .. } => level::COMPARE,
        ExprKind::Unary(UnaryOp::Not, _) => level::NOT,
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::Plus, _) => level::SIGN,
        _ => level::VALUE,
    }
}

/// Returns whether a name means the same without brackets.
pub(crate) fn reads_bare(name: &str) -> bool {
    is_word(name) && !is_reserved(name)
}

fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns whether a name has another meaning unless it is in brackets.
pub(crate) fn is_reserved(name: &str) -> bool {
    let mut words = RESERVED.iter().chain(&["true", "false"]);
    words.any(|word| word.eq_ignore_ascii_case(name))
}
