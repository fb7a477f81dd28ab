//! The common forms of findings about formula files.

use crate::diagnostics::{Code, Diagnostic, Suggestion, nearest};
use crate::source::Span;

/// A value, or the finding about it.
pub(super) type ParseResult<T> = Result<T, Diagnostic>;

/// Limit: a longer word is hardly a typing error, and comparing it takes long.
const LONGEST_BYTES: usize = 64;

/// Returns the known name nearest to a misspelt one, if near enough.
pub(super) fn nearest_word<'k>(
    wrong: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let short = |text: &str| (1..=LONGEST_BYTES).contains(&text.len());
    short(wrong).then(|| nearest(wrong, known.into_iter().filter(|name| short(name)))).flatten()
}

/// Reports what can be read but is not allowed.
pub(super) fn misfit(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::E802, span, message).help(help)
}

/// Reports a word that is not allowed in its place.
pub(super) fn unknown(
    code: Code,
    what: &str,
    (found, span): (&str, Span),
    known: &[&str],
) -> Diagnostic {
    let message = if found.is_empty() {
        format!("{} {what} is missing", article(what))
    } else {
        format!("`{}` is no {what}", excerpt(found))
    };
    let finding = Diagnostic::new(code, span, message);
    match nearest_word(found, known.iter().copied()) {
        Some(near) => finding
            .help(format!("did you mean `{near}`? known: {}", known.join(", ")))
            .suggest(Suggestion::replace(span, near)),
        None => finding.help(format!("known: {}", known.join(", "))),
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// Shortens user text for a message.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST_CHARS: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}
