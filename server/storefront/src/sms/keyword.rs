//! The keywords with which a number controls what is sent to it.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Keyword {
    /// Send nothing more.
    Stop,
    /// Messages may be sent again.
    Start,
    Help,
}

/// The opt-out keywords, as listed by carriers and regulators.
const STOP: [&str; 9] =
    ["stop", "stopall", "stopp", "unsubscribe", "optout", "revoke", "cancel", "end", "quit"];

/// Keywords that also opt out if more words follow: a message too few is better than one too many.
const STOP_FIRST: [&str; 3] = ["stop", "stopp", "unsubscribe"];

/// The opt-in keywords. `yes` is not one of them: it answers whatever was asked.
const START: [&str; 3] = ["start", "unstop", "subscribe"];

const HELP: [&str; 2] = ["help", "info"];

impl Keyword {
    /// Parses a message, ignoring case, blanks and punctuation.
    pub(super) fn of(message: &str) -> Option<Self> {
        let words = message.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<String> =
            words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        let (whole, first) = (words.concat(), words.first()?);
        let is_one_of = |list: &[&str]| list.contains(&whole.as_str());
        if is_one_of(&STOP) || STOP_FIRST.contains(&first.as_str()) {
            Some(Self::Stop)
        } else if is_one_of(&START) {
            Some(Self::Start)
        } else {
            is_one_of(&HELP).then_some(Self::Help)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_a_keyword_as_people_write_it_and_any_other_is_none() {
        for (message, expected) in [
            ("STOP", Some(Keyword::Stop)),
            (" stop. ", Some(Keyword::Stop)),
            ("Stop all", Some(Keyword::Stop)),
            ("\"Opt-out\"", Some(Keyword::Stop)),
            ("Unsubscribe me please", Some(Keyword::Stop)),
            ("STOP sending me this", Some(Keyword::Stop)),
            ("end", Some(Keyword::Stop)),
            ("END of the week?", None),
            ("don't stop", None),
            ("stopwatch", None),
            ("Start", Some(Keyword::Start)),
            ("UNSTOP", Some(Keyword::Start)),
            ("yes", None),
            ("HELP!", Some(Keyword::Help)),
            ("info", Some(Keyword::Help)),
            ("help me with my order", None),
            ("", None),
            ("👍", None),
        ] {
            assert_eq!(Keyword::of(message), expected, "{message}");
        }
    }
}
