//! Completion at the cursor.

use super::candidate::{Candidate, CandidateKind, periods};
use super::cursor::{Clause, Cursor, CursorContext, is_name};
use crate::engine::Engine;
use crate::source::Span;
use crate::syntax::TokenKind;

/// The completions at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The span that a candidate replaces.
    pub replaced: Span,
    /// The candidates, likeliest first.
    pub candidates: Vec<Candidate>,
}

impl Engine {
    /// Completes a text at byte `offset`: fields and links after a dot, rows inside aggregates,
    /// known values inside quotes, arguments, names and functions where a value is expected,
    /// operators after a value.
    ///
    /// The text need not be a valid formula, and any offset is accepted.
    pub fn complete(&self, text: &str, offset: usize) -> Completion {
        let cursor = Cursor::at(text, offset, self.limits());
        let candidates = match cursor.inside {
            CursorContext::Comment => Vec::new(),
            CursorContext::Text(quote) => self.known_values(&cursor, Some(quote)),
            CursorContext::Code | CursorContext::Name => self.in_code(&cursor),
        };
        let mut ranked: Vec<(u8, Candidate)> = candidates
            .into_iter()
            .filter(|candidate| cursor.inside != CursorContext::Name || candidate.is_name())
            .filter_map(|candidate| Some((candidate.rank(cursor.typed)?, candidate)))
            .collect();
        // Candidates of equal rank keep their order, nearest to the cursor first.
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut found: Vec<Candidate> = Vec::new();
        for (_, mut candidate) in ranked {
            let known = |other: &Candidate| {
                (other.kind, &other.label) == (candidate.kind, &candidate.label)
            };
            if !found.iter().any(known) {
                if cursor.inside == CursorContext::Name {
                    candidate.insert = format!("[{}]", candidate.label);
                }
                found.push(candidate);
            }
        }
        Completion { replaced: cursor.replaced, candidates: found }
    }

    fn in_code(&self, cursor: &Cursor<'_>) -> Vec<Candidate> {
        let Some(last) = cursor.last() else { return self.operands(cursor) };
        let word = cursor.word(last).to_ascii_lowercase();
        match last.kind {
            TokenKind::Dot => self.behind_dot(cursor),
            // The unit being typed is a part of the number.
            TokenKind::Measured if cursor.replaced.start < last.span.end => self.units(),
            TokenKind::Number => self.units().into_iter().chain(operators(cursor)).collect(),
            TokenKind::Keyword => match word.as_str() {
                "let" => Vec::new(),
                "dated" => keywords(&["by"]),
                "is" => keywords(&["null", "not null"]),
                "case" => keywords(&["when"]),
                "in" => periods().into_iter().chain(self.operands(cursor)).collect(),
                "not" => {
                    let tests = keywords(&["in", "between", "like"]);
                    self.operands(cursor).into_iter().chain(tests).collect()
                }
                "null" | "end" => operators(cursor),
                _ => self.operands(cursor),
            },
            TokenKind::Word
            | TokenKind::Bracketed
            | TokenKind::Measured
            | TokenKind::Percentage
            | TokenKind::Text
            | TokenKind::Period
            | TokenKind::Hole
            | TokenKind::Close => operators(cursor),
            _ => self.operands(cursor),
        }
    }

    /// Returns the units of a number: time, or money.
    fn units(&self) -> Vec<Candidate> {
        const UNITS: [&str; 18] = [
            "days", "weeks", "months", "quarters", "years", "hours", "minutes", "seconds",
            "periods", "day", "week", "month", "quarter", "year", "hour", "minute", "second",
            "period",
        ];
        let word = |unit: &str| Candidate::word(CandidateKind::Word, unit, "");
        UNITS.iter().map(|unit| word(unit)).chain(self.currencies()).collect()
    }

    /// Returns the store's currency, then other common ones.
    pub(super) fn currencies(&self) -> Vec<Candidate> {
        let own = self.schema().store.currency.code();
        let others = ["USD", "EUR", "GBP", "JPY", "CHF"].into_iter().filter(|code| *code != own);
        let word = |code| Candidate::word(CandidateKind::Word, code, "");
        std::iter::once(own).chain(others).map(word).collect()
    }

    /// Returns the fields and links at the end of a path.
    fn behind_dot(&self, cursor: &Cursor<'_>) -> Vec<Candidate> {
        let path = cursor.path_before(cursor.before.len().saturating_sub(1));
        let row = self.row_source(cursor);
        let source = self.source_along(&path, row).and_then(|id| self.schema().source_at(id));
        source.map(|source| Candidate::columns(self, source)).unwrap_or_default()
    }
}

impl Candidate {
    /// Returns whether the candidate may stand in brackets.
    const fn is_name(&self) -> bool {
        !matches!(
            self.kind,
            CandidateKind::Function
                | CandidateKind::Argument
                | CandidateKind::Value
                | CandidateKind::Word
                | CandidateKind::Period
                | CandidateKind::Keyword
        )
    }
}

/// Returns the operators that may follow a value.
fn operators(cursor: &Cursor<'_>) -> Vec<Candidate> {
    let mut words: Vec<&str> = Vec::new();
    match cursor.brackets.last() {
        Some(bracket) if bracket.is_aggregate() => {
            words.extend(["where", "dated by", "per"]);
        }
        Some(bracket) if bracket.function.is_none() && bracket.clause == Clause::Value => {
            words.push("where");
        }
        Some(_) | None => {}
    }
    let is_open = |word: &str| {
        let count = |word: &str| {
            cursor.before.iter().filter(|token| cursor.is_keyword(Some(**token), word)).count()
        };
        count(word) > count("end")
    };
    if is_open("case") {
        words.extend(["when", "then", "else", "end"]);
    }
    words.extend([
        "default",
        "and",
        "or",
        "is null",
        "is not null",
        "in",
        "not in",
        "between",
        "like",
    ]);
    keywords(&words)
}

pub(super) fn keywords(words: &[&str]) -> Vec<Candidate> {
    words.iter().map(|word| Candidate::word(CandidateKind::Keyword, word, "")).collect()
}

/// Returns the path left of a comparison at the cursor.
pub(super) fn compared_path<'t>(cursor: &Cursor<'t>) -> Vec<&'t str> {
    let mut at = cursor.before.len();
    let token = |at: usize| at.checked_sub(1).and_then(|index| cursor.before.get(index)).copied();
    let kind = |at: usize| token(at).map(|token| token.kind);
    let keyword = |at: usize, word: &str| cursor.is_keyword(token(at), word);
    match kind(at) {
        Some(TokenKind::Infix) => at = at.saturating_sub(1),
        Some(TokenKind::Open | TokenKind::Comma) => {
            while matches!(kind(at), Some(TokenKind::Text | TokenKind::Comma)) {
                at = at.saturating_sub(1);
            }
            at = at.saturating_sub(usize::from(kind(at) == Some(TokenKind::Open)));
            if !keyword(at, "in") {
                return Vec::new();
            }
            at = at.saturating_sub(1);
            at = at.saturating_sub(usize::from(keyword(at, "not")));
        }
        Some(_) if keyword(at, "like") => at = at.saturating_sub(1),
        Some(_) | None => return Vec::new(),
    }
    if kind(at).is_some_and(is_name) { cursor.path_before(at) } else { Vec::new() }
}
