//! Splits a line into its head, printed token by token, and a formula, printed as a whole.

use crate::file::layout::Line;
use crate::file::token::{LineToken, LineTokenKind};

/// The start of a line's formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaStart {
    /// No formula.
    Nowhere,
    /// After the first `=`, which belongs to neither part.
    AtEquals,
    /// After the word `where`.
    AfterWhere,
    /// After the first word: the rest is kept as written.
    AfterKeyword,
    /// At the start: an unknown line is kept as written.
    Raw,
}

/// Returns the split of an item's first line.
pub(super) fn header_split(keyword: &str) -> FormulaStart {
    match keyword {
        "use" | "store" | "source" | "dimension" | "placeholder" | "input" | "rates" => {
            FormulaStart::Nowhere
        }
        "population" => FormulaStart::AfterWhere,
        "metric" => FormulaStart::AtEquals,
        _ => FormulaStart::Raw,
    }
}

/// Returns the split of an item's property.
pub(super) fn property_split(item: &str, word: &str) -> FormulaStart {
    let word = word.to_ascii_lowercase();
    match (item, word.as_str()) {
        ("source", "key" | "date" | "field") | ("metric", "=") => FormulaStart::AtEquals,
        ("metric", "example") => FormulaStart::AfterKeyword,
        ("source", "dated" | "link" | "covers")
        | ("store" | "dimension", _)
        | (
            "metric",
            "type" | "format" | "decimals" | "prefix" | "suffix" | "null_text" | "category"
            | "unlisted",
        ) => FormulaStart::Nowhere,
        _ => FormulaStart::Raw,
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LineParts<'t> {
    pub(super) head: &'t [LineToken],
    /// Whether `=` separates the two.
    pub(super) has_equals: bool,
    pub(super) formula: &'t [LineToken],
}

impl<'t> LineParts<'t> {
    pub(super) fn of(line: &'t Line, split: FormulaStart, text: &str) -> Self {
        let tokens = line.tokens.as_slice();
        let none = Self { head: tokens, has_equals: false, formula: &[] };
        let at = match split {
            FormulaStart::Nowhere => return none,
            FormulaStart::AtEquals => {
                tokens.iter().position(|token| token.kind == LineTokenKind::Equals)
            }
            FormulaStart::AfterWhere => tokens
                .iter()
                .position(|token| token.span.slice(text).eq_ignore_ascii_case("where"))
                .map(|at| at.saturating_add(1)),
            FormulaStart::AfterKeyword => {
                let word = tokens.iter().position(|token| token.kind == LineTokenKind::Word);
                word.map(|at| at.saturating_add(1))
            }
            FormulaStart::Raw => Some(0),
        };
        let Some((head, rest)) = at.and_then(|at| tokens.split_at_checked(at)) else { return none };
        let has_equals = split == FormulaStart::AtEquals;
        let formula = if has_equals { rest.get(1..).unwrap_or_default() } else { rest };
        Self { head, has_equals, formula }
    }

    /// Returns whether nothing may follow the head on its line.
    pub(super) fn ends_with_line_comment(&self, text: &str) -> bool {
        self.head.last().is_some_and(|token| token.is_line_comment(text))
    }

    /// Returns whether the head is only `metric`, a name and an optional title.
    pub(super) fn names_a_metric(&self) -> bool {
        use LineTokenKind::{Bracketed, Text, Word};
        let kinds: Vec<LineTokenKind> = self.head.iter().map(|token| token.kind).collect();
        let named = matches!(kinds.get(..2), Some([Word, Word | Bracketed]));
        named && matches!(kinds.get(2..), Some([] | [Text]))
    }
}

/// Returns the number of tokens before the column of types, and their width, if there is such a
/// column.
pub(super) fn pad(text: &str, item: &str, line: &Line) -> Option<(usize, usize)> {
    let count = match item {
        "source" => {
            let word = line.tokens.first()?.span.slice(text);
            ["key", "date", "field"].iter().position(|known| known.eq_ignore_ascii_case(word))?;
            2
        }
        "dimension" => 1,
        _ => return None,
    };
    let (before, after) = line.tokens.split_at_checked(count)?;
    let is_name =
        |token: &LineToken| matches!(token.kind, LineTokenKind::Word | LineTokenKind::Bracketed);
    (before.iter().all(is_name) && after.first().is_some_and(is_name)).then(|| {
        let widths = before.iter().map(|token| token.span.slice(text).chars().count());
        (count, widths.sum::<usize>().saturating_add(count.saturating_sub(1)))
    })
}
