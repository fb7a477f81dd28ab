//! Printing of formulas and examples: by the engine, or as written with their lines re-indented.

use super::CONTINUATION;
use crate::file::token::{LineLexer, LineToken, LineTokenKind};
use crate::source::one_line;

/// Returns the tokens as written.
pub(super) fn raw(text: &str, tokens: &[LineToken]) -> Option<String> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(indented(first.span.to(last.span).slice(text)))
}

/// Prints a formula with `formulas`, if the comments before and after it allow that.
pub(super) fn print(
    text: &str,
    tokens: &[LineToken],
    formulas: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let behind = tokens.iter().rev().take_while(|token| token.kind == LineTokenKind::Comment);
    let (body, behind) = tokens.split_at_checked(tokens.len().saturating_sub(behind.count()))?;
    let (Some(first), Some(last)) = (body.first(), body.last()) else {
        return raw(text, tokens);
    };
    let rest = behind.last().map_or(last.span, |comment| comment.span);
    let gap = text.get(last.span.range().end..rest.range().end).unwrap_or_default();
    if first.kind == LineTokenKind::Comment || gap.contains('\n') {
        return raw(text, tokens);
    }
    let body = first.span.to(last.span).slice(text);
    let printed = formulas(body).map(|printed| indented(printed.trim()));
    let mut out =
        printed.filter(|printed| is_safe(body, printed)).unwrap_or_else(|| indented(body));
    for comment in behind {
        out.push(' ');
        out.push_str(comment.span.slice(text));
    }
    Some(out)
}

/// Re-indents later lines so that the leftmost starts in the continuation column.
fn indented(text: &str) -> String {
    const BLANKS: [char; 3] = [' ', '\t', '\r'];
    let mut lines = text.split('\n');
    let mut out = lines.next().unwrap_or_default().trim_end_matches(BLANKS).to_owned();
    let rows: Vec<(usize, &str)> = lines
        .map(|line| (LineLexer::new(line).skip_blanks(0).1, line.trim_matches(BLANKS)))
        .collect();
    let filled = rows.iter().filter(|(_, line)| !line.is_empty());
    let leftmost = filled.map(|(column, _)| *column).min().unwrap_or(0);
    for (column, line) in rows {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(CONTINUATION);
            out.extend(std::iter::repeat_n(' ', column.saturating_sub(leftmost)));
            out.push_str(line);
        }
    }
    out
}

/// Returns whether the printed formula fits in a file and has all comments of the original.
fn is_safe(written: &str, printed: &str) -> bool {
    let (written, printed_tokens) = (tokens(written), tokens(printed));
    let whole = printed_tokens.iter().all(|(kind, _)| *kind != LineTokenKind::Unclosed);
    let is_comment = |token: &&(LineTokenKind, String)| token.0 == LineTokenKind::Comment;
    let comments = printed_tokens.iter().filter(is_comment);
    !printed.is_empty() && whole && written.iter().filter(is_comment).eq(comments)
}

/// Returns the tokens of a formula, with blanks normalized.
fn tokens(text: &str) -> Vec<(LineTokenKind, String)> {
    let mut lexer = LineLexer::new(text);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        at = lexer.row(at, false, &mut tokens);
    }
    let even = |token: &LineToken| (token.kind, one_line(token.span.slice(text)));
    tokens.iter().map(even).collect()
}
