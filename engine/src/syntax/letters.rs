//! Converts tokens to the letters that the grammar reads, one for each token, so that indices
//! agree. The table is in `grammar/README.md`.

use super::lex::{RESERVED, Token, TokenKind};

/// The letters of [`RESERVED`], in its order.
const KEYWORDS: &str = "NBGHCODEFIJKLMAPQRS";

/// Returns the letters of a text's tokens.
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
        // No rule begins with `#`: a stray `%`, `@@`, a character without meaning.
        TokenKind::Period | TokenKind::Remainder | TokenKind::Unknown => '#',
    }
}
