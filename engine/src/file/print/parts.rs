//! A line as its head, which is printed token by token, and a formula, which is printed as a whole.

use crate::file::layout::Line;
use crate::file::token::{LineToken, LineTokenKind};

/// Where a line's formula starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaStart {
    /// There is none.
    Nowhere,
    /// Behind the first `=`, which is in neither part.
    AtEquals,
    /// Behind the word `where`.
    AfterWhere,
    /// Behind the first word: the rest is kept as it is.
    AfterKeyword,
    /// At once: a line that nobody knows is kept as it is.
    Raw,
}

/// The split of an item's first line.
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

/// The split of a property of that item.
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

/// The parts of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineParts<'t> {
    pub(super) head: &'t [LineToken],
    /// Whether a `=` stands between the two.
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

    /// Whether nothing may follow the head on its line.
    pub(super) fn ends_with_line_comment(&self, text: &str) -> bool {
        self.head.last().is_some_and(|token| token.is_line_comment(text))
    }

    /// Whether the head is `metric`, a name and perhaps a title, and nothing else.
    pub(super) fn names_a_metric(&self) -> bool {
        use LineTokenKind::{Bracketed, Text, Word};
        let kinds: Vec<LineTokenKind> = self.head.iter().map(|token| token.kind).collect();
        let named = matches!(kinds.get(..2), Some([Word, Word | Bracketed]));
        named && matches!(kinds.get(2..), Some([] | [Text]))
    }
}

/// How many tokens stand before the column of types, and how wide they are, where there is one.
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
