//! Printing of words and symbols with regular spacing.

use super::{CONTINUATION, WIDTH};
use crate::file::token::{LineToken, LineTokenKind};

/// Prints tokens on one line. Breaks it after `//` comments; breaks long properties also after
/// commas.
///
/// `pad` is a number of tokens and the width to which they are padded.
pub(super) fn print(
    text: &str,
    tokens: &[LineToken],
    indent: &str,
    pad: Option<(usize, usize)>,
) -> String {
    let mut out = String::from(indent);
    let mut column = indent.len();
    let mut previous: Option<LineToken> = None;
    for (index, token) in tokens.iter().enumerate() {
        let piece = piece(text, *token);
        if let Some(before) = previous {
            let wide = column.saturating_add(piece.chars().count()) >= WIDTH;
            // An indented line below an item's own line is a property.
            let may_break = !indent.is_empty();
            let is_comma = before.kind == LineTokenKind::Comma;
            if before.is_line_comment(text) || (is_comma && wide && may_break) {
                out.push('\n');
                out.push_str(CONTINUATION);
                column = CONTINUATION.len();
            } else if has_blank(text, before, *token) {
                out.push(' ');
                column = column.saturating_add(1);
            }
            if let Some((_, width)) = pad.filter(|(count, _)| *count == index) {
                // One blank is already there.
                let filled = indent.len().saturating_add(width).saturating_add(1);
                out.extend(std::iter::repeat_n(' ', filled.saturating_sub(column)));
                column = column.max(filled);
            }
        }
        out.push_str(&piece);
        let last_line = piece.rsplit('\n').next().unwrap_or_default().chars().count();
        column = if piece.contains('\n') { last_line } else { column.saturating_add(last_line) };
        previous = Some(*token);
    }
    out
}

/// Returns the token's text; the lines of a comment inside an item stay in the item.
fn piece(text: &str, token: LineToken) -> String {
    let piece = token.span.slice(text);
    if token.kind != LineTokenKind::Comment || !piece.contains('\n') {
        return piece.to_owned();
    }
    let mut lines = piece.lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push('\n');
        if !line.is_empty() && !line.starts_with([' ', '\t']) {
            out.push_str(CONTINUATION);
        }
        out.push_str(line);
    }
    out
}

fn has_blank(text: &str, before: LineToken, token: LineToken) -> bool {
    use LineTokenKind::{Close, Comma, Dot, Equals, Open, Word};
    match (before.kind, token.kind) {
        (Open | Dot, _) | (_, Close | Comma | Dot) => false,
        (Word, Open) => before.span.slice(text).eq_ignore_ascii_case("in"),
        (Equals, Equals) => before.span.end < token.span.start,
        _ => true,
    }
}
