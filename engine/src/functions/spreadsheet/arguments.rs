//! A tokenizer for the texts of arguments: words, quotes, operators and calls. There is no parser,
//! since the text need not be a formula.

/// A piece of a text; together the pieces make up the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentPiece<'a> {
    /// A text in single or double quotes, which are included.
    Quoted(&'a str),
    /// A name, a path, a number, a date or a name in brackets.
    Word(&'a str),
    /// Any other single character.
    Sign(char),
}

/// The operator of a text with the lowest precedence, highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LoosestOperator {
    /// No operator outside parentheses.
    Atom,
    /// `+ - * / ^ &`
    Arithmetic,
    /// `default`, `??`
    Default,
    /// `= < > in like is between`
    Comparison,
    /// `not and or`, and keywords that begin or end clauses.
    Logic,
}

/// Splits a text into pieces.
pub(super) fn pieces(text: &str) -> Vec<ArgumentPiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => quoted_length(rest, first),
            first if is_word(first) => word_length(rest),
            first => first.len_utf8(),
        };
        let Some((piece, after)) = rest.split_at_checked(length) else { break };
        pieces.push(match first {
            '\'' | '"' => ArgumentPiece::Quoted(piece),
            first if is_word(first) => ArgumentPiece::Word(piece),
            first => ArgumentPiece::Sign(first),
        });
        rest = after;
    }
    pieces
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '@' | '[')
}

/// Returns the length up to the closing quote, or to the end; a doubled quote makes two pieces,
/// which is harmless.
fn quoted_length(text: &str, quote: char) -> usize {
    let closing = text.char_indices().skip(1).find(|(_, character)| *character == quote);
    closing.map_or(text.len(), |(at, character)| at.saturating_add(character.len_utf8()))
}

fn word_length(text: &str) -> usize {
    let is_date = text.starts_with('@');
    let mut in_brackets = false;
    for (at, character) in text.char_indices() {
        match character {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            '.' | '%' => {}
            '-' if is_date => {}
            _ if in_brackets || is_word(character) => {}
            _ => return at,
        }
    }
    text.len()
}

/// Returns the operator of lowest precedence outside parentheses and quotes.
pub(super) fn loosest_operator(text: &str) -> LoosestOperator {
    let mut depth = 0_usize;
    let mut loosest = LoosestOperator::Atom;
    for piece in pieces(text) {
        let here = match piece {
            ArgumentPiece::Sign('(') => {
                depth = depth.saturating_add(1);
                LoosestOperator::Atom
            }
            ArgumentPiece::Sign(')') => {
                depth = depth.saturating_sub(1);
                LoosestOperator::Atom
            }
            ArgumentPiece::Sign('+' | '-' | '*' | '/' | '^' | '&' | '|') => {
                LoosestOperator::Arithmetic
            }
            ArgumentPiece::Sign('?') => LoosestOperator::Default,
            ArgumentPiece::Sign('=' | '<' | '>' | '!') => LoosestOperator::Comparison,
            ArgumentPiece::Word(word) => word_operator(word),
            ArgumentPiece::Sign(_) | ArgumentPiece::Quoted(_) => LoosestOperator::Atom,
        };
        if depth == 0 {
            loosest = loosest.max(here);
        }
    }
    loosest
}

fn word_operator(word: &str) -> LoosestOperator {
    match word.to_ascii_lowercase().as_str() {
        "default" => LoosestOperator::Default,
        "in" | "like" | "is" | "between" => LoosestOperator::Comparison,
        "not" | "and" | "or" | "case" | "let" | "where" | "per" => LoosestOperator::Logic,
        _ => LoosestOperator::Atom,
    }
}

/// Returns the text, in parentheses if it has an operator as loose as `limit`.
pub(super) fn parenthesized(text: &str, limit: LoosestOperator) -> String {
    if loosest_operator(text) >= limit { format!("({text})") } else { text.to_owned() }
}

/// Returns the content of a single quoted text, with doubled quotes resolved.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let doubled = format!("{quote}{quote}");
    let single = inner.replace(&doubled, "");
    (!single.contains(quote)).then(|| inner.replace(&doubled, &quote.to_string()))
}

/// Quotes a text for the formula language.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns the source of the first path in a text: `orders` in `orders.total * 2`.
pub(super) fn source_of(text: &str) -> Option<&str> {
    pieces(text).into_iter().find_map(|piece| match piece {
        ArgumentPiece::Word(word) if word.starts_with(|first: char| first.is_alphabetic()) => {
            word.split_once('.').map(|(source, _)| source)
        }
        ArgumentPiece::Word(_) | ArgumentPiece::Quoted(_) | ArgumentPiece::Sign(_) => None,
    })
}

/// Removes `source.` from the paths of a text.
pub(super) fn without_source(text: &str, source: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            ArgumentPiece::Word(word) => match word.split_once('.') {
                Some((first, rest)) if first.eq_ignore_ascii_case(source) => out.push_str(rest),
                _ => out.push_str(word),
            },
            ArgumentPiece::Quoted(quoted) => out.push_str(quoted),
            ArgumentPiece::Sign(sign) => out.push(sign),
        }
    }
    out
}

/// Returns the name and the arguments of a text that is a single call.
pub(super) fn call_of(text: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = text.trim().split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    let is_name = name.chars().all(|character| character.is_alphanumeric() || character == '_');
    if name.is_empty() || !is_name {
        return None;
    }
    let mut arguments = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0_usize;
    let mut at = 0_usize;
    for piece in pieces(inner) {
        match piece {
            ArgumentPiece::Sign('(') => depth = depth.saturating_add(1),
            // An unmatched `)`: the last one of the text belongs to another call.
            ArgumentPiece::Sign(')') => depth = depth.checked_sub(1)?,
            ArgumentPiece::Sign(',') if depth == 0 => {
                arguments.push(inner.get(start..at)?.trim());
                start = at.saturating_add(1);
            }
            ArgumentPiece::Sign(_) | ArgumentPiece::Word(_) | ArgumentPiece::Quoted(_) => {}
        }
        at = at.saturating_add(match piece {
            ArgumentPiece::Sign(sign) => sign.len_utf8(),
            ArgumentPiece::Word(text) | ArgumentPiece::Quoted(text) => text.len(),
        });
    }
    if !inner.trim().is_empty() {
        arguments.push(inner.get(start..)?.trim());
    }
    Some((name, arguments))
}

#[cfg(test)]
mod tests {
    use super::{LoosestOperator, call_of, loosest_operator, source_of, unquoted, without_source};

    #[test]
    fn operators_in_parentheses_and_quotes_do_not_count() {
        for (text, expected) in [
            ("orders.total", LoosestOperator::Atom),
            ("sum(a + b)", LoosestOperator::Atom),
            ("'a = b'", LoosestOperator::Atom),
            ("@2026-02-17", LoosestOperator::Atom),
            ("[Net - Sales]", LoosestOperator::Atom),
            ("5%", LoosestOperator::Atom),
            ("a / b", LoosestOperator::Arithmetic),
            ("a/b default 0", LoosestOperator::Default),
            ("a+b > 2", LoosestOperator::Comparison),
            ("not x", LoosestOperator::Logic),
            ("", LoosestOperator::Atom),
        ] {
            assert_eq!(loosest_operator(text), expected, "{text}");
        }
    }

    #[test]
    fn only_a_whole_call_is_one() {
        assert_eq!(call_of("f(a, g(b, 'x,y'))"), Some(("f", vec!["a", "g(b, 'x,y')"])));
        assert_eq!(call_of("now()"), Some(("now", vec![])));
        assert_eq!(call_of("f(a) + g(b)"), None);
        assert_eq!(call_of("(a)"), None);
        assert_eq!(call_of("a"), None);
    }

    #[test]
    fn quotes_come_off_whole_quotations_alone() {
        assert_eq!(unquoted("\"it''s\"").as_deref(), Some("it''s"));
        assert_eq!(unquoted("'it''s'").as_deref(), Some("it's"));
        assert_eq!(unquoted("'a' & 'b'"), None);
        assert_eq!(unquoted("'"), None);
        assert_eq!(unquoted("a"), None);
    }

    #[test]
    fn a_source_comes_off_its_own_paths_alone() {
        assert_eq!(source_of("2.5 * orders.total"), Some("orders"));
        assert_eq!(source_of("total"), None);
        assert_eq!(
            without_source("orders.a = 'orders.b' and items.c > 1.5", "orders"),
            "a = 'orders.b' and items.c > 1.5"
        );
    }
}
