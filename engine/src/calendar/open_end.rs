//! Open-ended dates: the last days of 9999, which data warehouses write.

use jiff::Timestamp;
use jiff::civil::DateTime;

/// Returns the last possible instant, if the text is an instant on the last two days of 9999,
/// whatever its offset.
pub(crate) fn open_end(text: &str) -> Option<Timestamp> {
    if !(text.starts_with("9999-12-31") || text.starts_with("9999-12-30")) {
        return None;
    }
    let (local, rest) = text.split_at_checked(text.len().min(19))?;
    local.parse::<DateTime>().ok()?;
    let is_offset = |letter: char| letter.is_ascii_digit() || ".:+-Zz".contains(letter);
    // The last second has no fractions, so that microseconds convert back to it.
    let last = Timestamp::from_second(Timestamp::MAX.as_second()).ok();
    last.filter(|_| rest.chars().all(is_offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_days_of_9999_are_an_open_end() {
        for text in [
            "9999-12-31T23:59:59Z",
            "9999-12-31 23:59:59",
            "9999-12-31T23:59:59.999999+00:00",
            "9999-12-31T00:00:00-05:00",
            "9999-12-31",
        ] {
            let at = open_end(text).unwrap();
            assert_eq!(at.to_string(), "9999-12-30T22:00:00Z", "{text}");
            assert_eq!(Timestamp::from_microsecond(at.as_microsecond()).unwrap(), at, "{text}");
        }
        for text in ["9999-12-29T23:59:59Z", "9999-12-31T25:00:00Z", "9999-12-31T23:59:59 x", ""] {
            assert_eq!(open_end(text), None, "{text}");
        }
    }
}
