//! Tokens to the letters that the grammar reads, one each, so that an index of the one is an index of
//! the other. `grammar/README.md` has the table.

use super::lex::{RESERVED, Token, TokenKind};

/// The letters of [`RESERVED`], in its order.
const KEYWORDS: &str = "NBGHCODEFIJKLMAPQRS";

/// The letters of a text's tokens.
pub(super) fn letters(text: &str, tokens: &[Token]) -> String {
    tokens.iter().map(|token| letter(token.kind, token.span.slice(text))).collect()
}

fn letter(kind: TokenKind, text: &str) -> char {
    match kind {
        TokenKind::Number | TokenKind::Percentage | TokenKind::Measured => '0',
        TokenKind::Word => 'Y',
        TokenKind::Bracketed => 'Z',
        TokenKind::Keyword => {
            let mut keywords = RESERVED.iter().zip(KEYWORDS.chars());
            let found = keywords.find(|(word, _)| word.eq_ignore_ascii_case(text));
            found.map_or('Y', |(_, letter)| letter)
        }
        TokenKind::Text => '\'',
        TokenKind::Period if text.rfind('@') == Some(0) => '@',
        TokenKind::Hole => '?',
        TokenKind::Open => '(',
        TokenKind::Close => ')',
        TokenKind::Comma => ',',
        TokenKind::Colon => ':',
        TokenKind::Semicolon => ';',
        TokenKind::Dot => '.',
        TokenKind::Sign => '+',
        TokenKind::Infix => match text {
            "*" | "/" | "^" => '*',
            "=" | "==" => '=',
            _ => '<',
        },
        // No rule begins with it: a `%` that is left, `@@`, what has no meaning.
        TokenKind::Period | TokenKind::Remainder | TokenKind::Unknown => '#',
    }
}
