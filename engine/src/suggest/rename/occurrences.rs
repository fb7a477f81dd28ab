//! The occurrences of a name in a text.

use crate::diagnostics::Edit;
use crate::schema::same_name;
use crate::source::Span;
use crate::syntax::{Limits, TokenKind, tokens};

use super::super::candidate::spelt;

/// Limit: words of one formula for which every combination is tried.
const MAX_CHOICES: u32 = 10;

/// Returns the places of a name: words and names in brackets, but no functions and no argument
/// names.
pub(super) fn occurrences(text: &str, name: &str, limits: &Limits) -> Vec<Span> {
    let tokens = tokens(text, limits);
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index.saturating_add(1)).map(|next| next.kind);
        let is_name = match token.kind {
            TokenKind::Bracketed => true,
            TokenKind::Word => !matches!(next, Some(TokenKind::Open | TokenKind::Colon)),
            _ => false,
        };
        let word = token.span.slice(text);
        let word = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).unwrap_or(word);
        if is_name && same_name(word, name) {
            found.push(token.span);
        }
    }
    found
}

/// Returns the edits that rename these places; names in brackets keep them.
pub(super) fn edits(text: &str, places: &[Span], to: &str) -> Vec<Edit> {
    let edit = |span: &Span| {
        let is_bracketed = span.slice(text).starts_with('[');
        Edit { span: *span, text: if is_bracketed { format!("[{to}]") } else { spelt(to) } }
    };
    places.iter().map(edit).collect()
}

/// Returns the combinations of places to try: none, all, then the others.
pub(super) fn choices(places: &[Span]) -> Vec<Vec<Span>> {
    let mut choices = vec![Vec::new(), places.to_vec()];
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX);
    if count <= MAX_CHOICES {
        let last = 1_u32.checked_shl(count).unwrap_or(0).saturating_sub(1);
        for mask in 1..last {
            let is_chosen = |index: usize| {
                u32::try_from(index).ok().and_then(|by| mask.checked_shr(by)).unwrap_or(0) & 1 == 1
            };
            let chosen = places.iter().enumerate().filter(|(index, _)| is_chosen(*index));
            choices.push(chosen.map(|(_, span)| *span).collect());
        }
    }
    choices
}
