//! Findings drawn for people: the line, carets under the place, help, and the text mended.
//!
//! The text may come from anyone: whatever a terminal would obey or hide is shown as a mark, and
//! spans that do not fit the text are moved to where they do. Start at [`render`].

mod excerpt;
mod visible;

#[cfg(test)]
mod tests;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use self::excerpt::Excerpt;
use super::{Diagnostic, Severity, Suggestion};
use crate::source::position;

/// Limit: the characters of a line; longer lines are cut around the place.
const LINE_WIDTH: usize = 120;
/// Limit: how far a label may be from the place to be drawn with it.
const NEAR_BYTES: u32 = 2_000;
/// Limit: the lines shown of a mended text.
const MAX_MENDED_LINES: usize = 8;

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text alone: for files and pipes.
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// Draws the findings about `text`, which is called `name`, in the order given.
///
/// Empty if there are none; else the last line ends with a newline.
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

/// The lines that the suggestion touches, as they read afterwards.
fn mended(text: &str, suggestion: &Suggestion) -> String {
    let excerpt = Excerpt::around(text, suggestion.edits.iter().map(|edit| edit.span));
    let first_edit = suggestion.edits.first().map(|edit| excerpt.locate(edit.span).start);
    let mended = visible::marked(&excerpt.mended(suggestion));
    let mut lines = mended.trim_end().lines();
    let mut shown: Vec<String> = Vec::new();
    for line in lines.by_ref().take(MAX_MENDED_LINES) {
        // The first edit is in the first line; of longer ones, others show their beginning.
        let place = if shown.is_empty() { first_edit.unwrap_or(0) } else { 0 };
        shown.push(cut(line, place));
    }
    if lines.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join("\n").trim().to_owned()
}

/// A line, cut to the limit around the byte `place` if it is longer.
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
