//! The spelling of names in formulas.

use crate::syntax::RESERVED;

/// Words with another meaning, besides the reserved ones.
const LITERALS: [&str; 2] = ["true", "false"];

/// Returns whether a name needs no brackets.
pub(super) fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !RESERVED.iter().chain(&LITERALS).any(|word| word.eq_ignore_ascii_case(name))
}

/// Writes the name for a formula, in brackets if needed.
pub(super) fn spelt(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { format!("[{name}]") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_other_than_words_are_in_brackets() {
        for (name, spelt) in [
            ("net_sales", "net_sales"),
            ("Net Sales", "[Net Sales]"),
            ("default", "[default]"),
            ("True", "[True]"),
            ("größe", "[größe]"),
            ("2nd", "[2nd]"),
        ] {
            assert_eq!(super::spelt(name), spelt);
        }
    }
}
