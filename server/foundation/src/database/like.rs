//! Patterns of `like`, in which letters match in either case: SQLite's own does so for ASCII only.

use memchr::memchr2_iter;

/// A pattern, parsed once for all rows.
#[derive(Debug)]
pub struct Pattern {
    parts: Vec<Part>,
    /// The text of `%text%`, which most searches look for, in lower case, if it is ASCII.
    within: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy)]
enum Part {
    /// `%`: any characters.
    Any,
    /// `_`: one character.
    One,
    /// A character, in lower case.
    Letter(char),
}

impl Pattern {
    /// `escape` is the character before a `%` or `_` that stands for itself.
    pub fn new(pattern: &str, escape: Option<char>) -> Self {
        let mut letters = pattern.chars();
        let part = || {
            Some(match letters.next()? {
                letter if Some(letter) == escape => Part::Letter(lower(letters.next()?)),
                '%' => Part::Any,
                '_' => Part::One,
                letter => Part::Letter(lower(letter)),
            })
        };
        let parts: Vec<Part> = std::iter::from_fn(part).collect();
        Self { within: within(&parts), parts }
    }

    /// Returns whether the pattern matches a text, of which it needs the characters only if it has others than ASCII.
    pub fn matches(&self, text: &[u8]) -> bool {
        match &self.within {
            Some(within) => contains(text, within),
            None => matches(&self.parts, String::from_utf8_lossy(text).chars().map(lower)),
        }
    }
}

fn within(parts: &[Part]) -> Option<Vec<u8>> {
    let [Part::Any, text @ .., Part::Any] = parts else { return None };
    let letter = |part: &Part| match part {
        Part::Letter(letter) => u8::try_from(*letter).ok().filter(u8::is_ascii),
        Part::Any | Part::One => None,
    };
    text.iter().map(letter).collect()
}

/// Returns whether a text contains another one in either case. No other letter than an ASCII one matches one of ASCII.
fn contains(text: &[u8], within: &[u8]) -> bool {
    let Some(first) = within.first() else { return true };
    memchr2_iter(*first, first.to_ascii_uppercase(), text).any(|start| {
        let found = text.get(start..).and_then(|rest| rest.get(..within.len()));
        found.is_some_and(|found| found.eq_ignore_ascii_case(within))
    })
}

/// Returns the lower case of a Latin, Greek, Cyrillic or Armenian letter whose upper case it is. The text indexes do not
/// distinguish the two either; of other alphabets they know only the letters of Unicode 6.1.
pub(super) fn lower(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let is_known = matches!(
        letter,
        '\u{c0}'..='\u{24f}' | '\u{386}'..='\u{527}' | '\u{531}'..='\u{556}' | '\u{1e00}'..='\u{1fff}'
    );
    let lower = single(letter.to_lowercase()).filter(|lower| is_known && upper(*lower) == letter);
    lower.unwrap_or(letter)
}

fn upper(letter: char) -> char {
    single(letter.to_uppercase()).unwrap_or(letter)
}

fn single(mut letters: impl Iterator<Item = char>) -> Option<char> {
    letters.next().filter(|_| letters.next().is_none())
}

/// After a mismatch, the last `%` takes one character more; earlier ones never need to.
fn matches(mut parts: &[Part], mut text: impl Iterator<Item = char> + Clone) -> bool {
    let mut retry = None;
    loop {
        let mut rest = text.clone();
        let is_match = match (parts.split_first(), rest.next()) {
            (Some((Part::Any, after)), _) => {
                parts = after;
                retry = Some((after, text.clone()));
                continue;
            }
            (None, None) => return true,
            (Some(_), None) => return false,
            (Some((Part::Letter(letter), _)), Some(other)) => *letter == other,
            (Some((Part::One, _)), Some(_)) => true,
            (None, Some(_)) => false,
        };
        if is_match {
            parts = parts.split_first().map_or(&[], |(_, after)| after);
            text = rest;
            continue;
        }
        let Some((after, from)) = &mut retry else { return false };
        if after.is_empty() {
            return true;
        }
        from.next();
        (parts, text) = (*after, from.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn letters_match_in_either_case() {
        for (pattern, text, is_match) in [
            ("%özil%", "Mesut ÖZIL", true),
            ("%ÉTÉ%", "un été", true),
            ("%жар%", "ЖАРА", true),
            ("%SHIRT%", "Été shirt", true),
            ("%oe%", "ÖE", false),
            ("%ß%", "SS", false),
            ("%ß%", "STRASSE ß", true),
            ("%i%", "İ", false),
            ("%kg%", "5 \u{212a}g", false),
            ("%kg%", "é 5 KG", true),
            ("%kg%", "5 k", false),
            ("%ԱԲ%", "xաբ", true),
            ("", "", true),
            ("", "a", false),
            ("%", "", true),
            ("%%", "é", true),
            ("a%", "Ab", true),
            ("a%", "ba", false),
            ("%b", "AB", true),
            ("%b", "ba", false),
            ("%ab%c", "aabxabc", true),
            ("%ab%c_", "aabxabc", false),
            ("_É", "xé", true),
            ("_", "é", true),
            ("_", "", false),
            (r"%100\%%", "is 100% é", true),
            (r"%100\%%", "1000", false),
            (r"\_", "_", true),
            (r"\_", "a", false),
        ] {
            let found = Pattern::new(pattern, Some('\\')).matches(text.as_bytes());
            assert_eq!(found, is_match, "{text:?} like {pattern:?}");
        }
    }
}
