//! Printing of formulas and examples: by the engine, or as written with their lines re-indented.

use super::CONTINUATION;
use crate::file::token::{LineLexer, LineToken, LineTokenKind};

/// A formula as printed into the file, with the comments after it.
#[derive(Debug)]
pub(super) struct FormulaText {
    pub(super) text: String,
    pub(super) one_line: bool,
}

impl FormulaText {
    fn new(text: String) -> Self {
        let one_line = !text.contains('\n');
        Self { text, one_line }
    }

    /// Keeps the tokens as written.
    pub(super) fn raw(text: &str, tokens: &[LineToken]) -> Option<Self> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        Some(Self::new(indented(first.span.to(last.span).slice(text))))
    }

    /// Prints the formula with `formulas`, if the comments before and after it allow that.
    pub(super) fn of(
        text: &str,
        tokens: &[LineToken],
        formulas: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Self> {
        let behind = tokens.iter().rev().take_while(|token| token.kind == LineTokenKind::Comment);
        let (body, behind) =
            tokens.split_at_checked(tokens.len().saturating_sub(behind.count()))?;
        let (Some(first), Some(last)) = (body.first(), body.last()) else {
            return Self::raw(text, tokens);
        };
        let rest = behind.last().map_or(last.span, |comment| comment.span);
        let gap = text.get(last.span.range().end..rest.range().end).unwrap_or_default();
        if first.kind == LineTokenKind::Comment || gap.contains('\n') {
            return Self::raw(text, tokens);
        }
        let body = first.span.to(last.span).slice(text);
        let printed = formulas(body).map(|printed| indented(printed.trim()));
        let printed = printed.filter(|printed| is_safe(body, printed));
        let mut out = printed.unwrap_or_else(|| indented(body));
        for comment in behind {
            out.push(' ');
            out.push_str(comment.span.slice(text));
        }
        Some(Self::new(out))
    }
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
    let comments = |tokens: &[(LineTokenKind, String)]| -> Vec<String> {
        let comments = tokens.iter().filter(|(kind, _)| *kind == LineTokenKind::Comment);
        comments.map(|(_, text)| text.clone()).collect()
    };
    !printed.is_empty() && whole && comments(&written) == comments(&printed_tokens)
}

/// Returns the tokens of a formula, with blanks normalized.
fn tokens(text: &str) -> Vec<(LineTokenKind, String)> {
    let mut lexer = LineLexer::new(text);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        at = lexer.row(at, false, &mut tokens);
    }
    let even = |token: &LineToken| {
        let words: Vec<&str> = token.span.slice(text).split_whitespace().collect();
        (token.kind, words.join(" "))
    };
    tokens.iter().map(even).collect()
}
