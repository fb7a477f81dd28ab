//! Detects what looks like personal data in a text: URLs, e-mail addresses, phone numbers and card numbers.
//!
//! These are guesses: they flag a text for a moderator, or keep a value out of statistics, and never reject anything.

const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

pub(crate) fn has_url(text: &str) -> bool {
    let text = text.to_lowercase();
    ["http://", "https://", "www."].iter().any(|start| text.contains(start))
}

pub(crate) fn has_email(text: &str) -> bool {
    text.split(|letter: char| letter.is_whitespace() || "<>()[],;:\"".contains(letter)).any(
        |word| {
            word.split_once('@').is_some_and(|(name, host)| {
                let host = host.trim_end_matches('.');
                !name.is_empty()
                    && !host.starts_with('.')
                    && host.contains('.')
                    && !host.contains('@')
            })
        },
    )
}

/// Returns whether a text contains a number that looks like that of a phone or a card.
pub(crate) fn has_phone(text: &str) -> bool {
    runs(text).iter().any(|run| {
        let count = digits(run).count();
        !is_date(run) && (PHONE_DIGITS.contains(&count) || is_card(run))
    })
}

/// Returns whether a text is a card number, by its check digit.
pub(crate) fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = digits(text).collect();
    if !CARD_DIGITS.contains(&digits.len()) {
        return false;
    }
    let sum: u32 = digits.iter().rev().enumerate().fold(0, |sum, (place, digit)| {
        let doubled = digit.saturating_mul(2);
        let value = match place % 2 {
            0 => *digit,
            _ if doubled > 9 => doubled.saturating_sub(9),
            _ => doubled,
        };
        sum.saturating_add(value)
    });
    sum.is_multiple_of(10)
}

fn digits(text: &str) -> impl Iterator<Item = u32> {
    text.chars().filter_map(|letter| letter.to_digit(10))
}

/// Returns the runs of digits with the separators that may occur in a number.
fn runs(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_ascii_digit() && !"+-./() \u{a0}".contains(letter))
        .map(str::trim)
        .filter(|run| !run.is_empty())
        .collect()
}

/// Returns whether a run is a date, such as 2026-11-24.
fn is_date(run: &str) -> bool {
    let parts: Vec<&str> =
        run.split(['-', '/', '.', ' ']).filter(|part| !part.is_empty()).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    matches!(lengths.as_slice(), [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_addresses_and_numbers_are_found_and_plain_text_is_not() {
        for (text, expected) in [
            ("Lovely mug, 5 of 5, holds 350 ml", [false, false, false]),
            ("Bought on 2026-11-24 for 12.99", [false, false, false]),
            ("See HTTPS://cheap.example now", [true, false, false]),
            ("www.cheap.example", [true, false, false]),
            ("mail me: ada@example.com.", [false, true, false]),
            ("a@b and @home are none", [false, false, false]),
            ("call +44 20 7946 0018", [false, false, true]),
            ("(020) 7946-0018", [false, false, true]),
            ("4242 4242 4242 4242", [false, false, true]),
            ("", [false, false, false]),
        ] {
            assert_eq!([has_url(text), has_email(text), has_phone(text)], expected, "{text}");
        }
    }

    #[test]
    fn a_card_is_known_by_its_check_digit() {
        assert!(is_card("4242424242424242"));
        assert!(!is_card("4242424242424241"));
        assert!(!is_card("42424242"));
    }
}
