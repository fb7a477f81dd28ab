//! Names in the context records of examples.

use super::parts::single_names;
use crate::diagnostics::{Edit, Suggestion};
use crate::schema::same_name;
use crate::source::Span;

/// Renames a metric in a context record: `net_sales` and `previous(net_sales)`.
pub(super) fn rewritten_context(context: &str, from: &str, to: &str) -> String {
    let mut edits = Vec::new();
    for (start, key) in outer_keys(context) {
        let names = single_names(key).into_iter().filter(|(name, _)| same_name(name, from));
        let mut places: Vec<Span> = names.map(|(_, span)| span).collect();
        places.sort_unstable();
        let start = Span::new(start, start).start;
        edits.extend(
            places.into_iter().map(|span| Edit { span: span.shifted(start), text: to.to_owned() }),
        );
    }
    Suggestion::new(edits).apply(context)
}

/// Returns the keys of the outer object, with the offset behind the opening quote. Keys with
/// escapes are omitted, since no name has one.
fn outer_keys(context: &str) -> Vec<(usize, &str)> {
    let mut keys = Vec::new();
    let mut depth = 0_usize;
    let mut open: Option<usize> = None;
    let mut is_escaped = false;
    let mut last: Option<(usize, &str)> = None;
    for (at, character) in context.char_indices() {
        match (open, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(start), '"') => {
                open = None;
                let text = context.get(start..at).unwrap_or_default();
                last = Some((start, text)).filter(|_| depth == 1 && !text.contains('\\'));
            }
            (None, '"') => open = Some(at.saturating_add(1)),
            (None, '{' | '[') => depth = depth.saturating_add(1),
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, ':') => keys.extend(last.take()),
            (Some(_) | None, _) => {}
        }
    }
    keys
}
