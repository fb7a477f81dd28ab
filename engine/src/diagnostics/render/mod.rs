//! Rendering of findings: the line, carets under the place, help, and the fixed text.
//!
//! The text is untrusted: characters that a terminal would interpret or hide are shown as a mark,
//! and spans outside the text are moved into it. Start at [`render`].

mod excerpt;
mod visible;

#[cfg(test)]
mod tests;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use self::excerpt::Excerpt;
use super::{Diagnostic, Severity, Suggestion};
use crate::source::position;

/// Limit: characters of a line; longer lines are cut around the place.
const LINE_WIDTH: usize = 120;
/// Limit: distance in bytes between a place and the labels drawn with it.
const NEAR_BYTES: u32 = 2_000;
/// Limit: lines shown of a corrected text.
const MAX_MENDED_LINES: usize = 8;

/// The style of rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text, for files and pipes.
    Plain,
    /// Terminal colours.
    Coloured,
}

/// Renders the findings about `text`, whose name is `name`, in the given order.
///
/// Returns an empty text without findings; otherwise the last line ends with a newline.
pub fn render(name: &str, text: &str, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let renderer = renderer.term_width(LINE_WIDTH);
    let drawings: Vec<String> =
        diagnostics.iter().map(|diagnostic| draw(name, text, diagnostic, &renderer)).collect();
    drawings.join("\n")
}

fn draw(name: &str, text: &str, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let Diagnostic { code, message, span, help, labels, suggestion } = diagnostic;
    let level = match code.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (near, far): (Vec<_>, Vec<_>) =
        labels.iter().partition(|(label, _)| label.start.abs_diff(span.start) <= NEAR_BYTES);
    let places = std::iter::once(*span).chain(near.iter().map(|(span, _)| *span));
    let excerpt = Excerpt::around(text, places);
    let shown = excerpt.shown();
    let snippet = Snippet::source(shown)
        .path(visible::escaped(name))
        .line_start(excerpt.first_line())
        .annotation(AnnotationKind::Primary.span(excerpt.locate(*span)))
        .annotations(near.iter().map(|(span, words)| {
            AnnotationKind::Context.span(excerpt.locate(*span)).label(visible::escaped(words))
        }));
    let group = level
        .primary_title(visible::escaped(message))
        .id(code.as_str())
        .element(snippet)
        .elements(far.iter().map(|(span, words)| {
            let line = position(text, span.start).line;
            Level::NOTE.message(format!("line {line}: {}", visible::escaped(words)))
        }))
        .elements(help.iter().map(|help| Level::HELP.message(visible::escaped(help))))
        .elements(
            suggestion
                .iter()
                .map(|suggestion| mended(text, suggestion))
                .filter(|mended| !help.as_ref().is_some_and(|help| help.ends_with(mended)))
                .map(|mended| Level::HELP.with_name("try").message(mended)),
        );
    let mut drawing = renderer.render(&[group]);
    drawing.push('\n');
    drawing
}

/// Returns the lines that the suggestion touches, after the edits.
fn mended(text: &str, suggestion: &Suggestion) -> String {
    let excerpt = Excerpt::around(text, suggestion.edits.iter().map(|edit| edit.span));
    let first_edit = suggestion.edits.first().map(|edit| excerpt.locate(edit.span).start);
    let mended = visible::marked(&excerpt.mended(suggestion));
    let mut lines = mended.trim_end().lines();
    let mut shown: Vec<String> = Vec::new();
    for line in lines.by_ref().take(MAX_MENDED_LINES) {
        // The first edit is in the first line; other long lines show their beginning.
        let place = if shown.is_empty() { first_edit.unwrap_or(0) } else { 0 };
        shown.push(cut(line, place));
    }
    if lines.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join("\n").trim().to_owned()
}

/// Returns a line, cut to the limit around the byte `place` if it is longer.
fn cut(line: &str, place: usize) -> String {
    const LEAD: usize = 40;
    if line.chars().nth(LINE_WIDTH).is_none() {
        return line.to_owned();
    }
    let place = line.get(..place).map_or(0, |before| before.chars().count());
    let skipped = place.saturating_sub(LEAD);
    let kept: String = line.chars().skip(skipped).take(LINE_WIDTH).collect();
    let left = if skipped > 0 { "…" } else { "" };
    let right =
        if line.chars().nth(skipped.saturating_add(LINE_WIDTH)).is_some() { "…" } else { "" };
    format!("{left}{kept}{right}")
}
