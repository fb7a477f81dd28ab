//! Canonical text of row expressions, by names, independent of spans and indices.

use std::fmt::Write;
use std::sync::Arc;

use crate::check::{Arithmetic, Kind, NodeId, Typed};
use crate::schema::{Path, Schema, SourceId};
use crate::types::Value;

/// Limit: bytes of an expression's text, in which a `let` is written out at each use.
const MAX_TEXT: usize = 8_192;

/// Returns the text of a row expression; `None` if it depends on more than the row, or is too long.
///
/// Every operation has brackets of its own, so that equal texts mean equal expressions.
pub(super) fn text(schema: &Schema, typed: &Typed, source: SourceId, id: NodeId) -> Option<String> {
    let mut out = String::new();
    let mut stack = vec![TextPiece::Node(id)];
    while let Some(piece) = stack.pop() {
        match piece {
            TextPiece::Text(text) => out.push_str(text),
            TextPiece::Own(text) => out.push_str(&text),
            TextPiece::Node(id) => {
                let kind = &typed.nodes.get(id.0)?.kind;
                let mut pieces = pieces(schema, source, kind, &mut out)?;
                pieces.reverse();
                stack.extend(pieces);
            }
        }
        if out.len() > MAX_TEXT {
            return None;
        }
    }
    Some(out)
}

enum TextPiece {
    Text(&'static str),
    Own(String),
    Node(NodeId),
}

/// Returns the pieces of a node, in order; leaves are written at once.
fn pieces(
    schema: &Schema,
    source: SourceId,
    kind: &Kind,
    out: &mut String,
) -> Option<Vec<TextPiece>> {
    use TextPiece::{Node, Text};
    let infix = |left: NodeId, word: &'static str, right: NodeId| {
        Some(vec![Text("("), Node(left), Text(" "), Text(word), Text(" "), Node(right), Text(")")])
    };
    match kind {
        Kind::Constant(value) => {
            out.push_str(&constant(value));
            Some(Vec::new())
        }
        Kind::Literal(literal) => {
            write!(out, "{literal}").ok()?;
            Some(Vec::new())
        }
        Kind::Column(path) => {
            out.push_str(&column(schema, source, path)?);
            Some(Vec::new())
        }
        Kind::Shared(inner) => Some(vec![Node(*inner)]),
        Kind::Negate(inner) => Some(vec![Text("(-"), Node(*inner), Text(")")]),
        Kind::Not(inner) => Some(vec![Text("(not "), Node(*inner), Text(")")]),
        Kind::IsNull(inner) => Some(vec![Text("("), Node(*inner), Text(" is null)")]),
        Kind::IsError(inner) => Some(vec![Text("is_error("), Node(*inner), Text(")")]),
        Kind::And(left, right) => infix(*left, "and", *right),
        Kind::Or(left, right) => infix(*left, "or", *right),
        Kind::Concat(left, right) => infix(*left, "&", *right),
        Kind::Default(left, right) => infix(*left, "default", *right),
        Kind::InPeriod(left, right) => infix(*left, "in", *right),
        Kind::Arithmetic(op, left, right) => infix(*left, operator(*op), *right),
        Kind::Compare(op, left, right) => infix(*left, op.sign(), *right),
        Kind::Like(inner, pattern) => {
            let pattern = constant(&Value::Text(Arc::clone(pattern)));
            Some(vec![Text("("), Node(*inner), Text(" like "), TextPiece::Own(pattern), Text(")")])
        }
        Kind::InList(inner, values) => {
            let mut pieces = vec![Text("("), Node(*inner), Text(" in ")];
            pieces.extend(list(values));
            pieces.push(Text(")"));
            Some(pieces)
        }
        Kind::Call(spec, arguments) => {
            out.push_str(spec.name);
            Some(list(arguments))
        }
        Kind::Case(branches, otherwise) => {
            let mut pieces = vec![Text("(case")];
            for (when, then) in branches {
                pieces.extend([Text(" when "), Node(*when), Text(" then "), Node(*then)]);
            }
            if let Some(otherwise) = otherwise {
                pieces.extend([Text(" else "), Node(*otherwise)]);
            }
            pieces.push(Text(" end)"));
            Some(pieces)
        }
        _ => None,
    }
}

fn list(nodes: &[NodeId]) -> Vec<TextPiece> {
    let mut pieces = vec![TextPiece::Text("(")];
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            pieces.push(TextPiece::Text(", "));
        }
        pieces.push(TextPiece::Node(*node));
    }
    pieces.push(TextPiece::Text(")"));
    pieces
}

/// Formats a constant; a text is quoted, so that it cannot be taken for a name.
fn constant(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::DateTime(_) | Value::Date(_) => format!("@{}", crate::format::exact(value)),
        other => crate::format::exact(other),
    }
}

/// Returns a column with its links: `order.customer.country`.
pub(super) fn column(schema: &Schema, source: SourceId, path: &Path) -> Option<String> {
    let mut at = source;
    let mut out = String::new();
    for link in &path.links {
        let link = schema.source_at(at)?.links.get(link.0)?;
        write!(out, "{}.", link.name).ok()?;
        at = link.target;
    }
    out.push_str(&schema.source_at(at)?.fields.get(path.field.0)?.name);
    Some(out)
}

const fn operator(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Power => "^",
        Arithmetic::Shift => "later by",
        Arithmetic::ShiftBack => "earlier by",
        Arithmetic::Between => "since",
    }
}
