//! What is known of a visitor by the headers of a request.

/// Limit: characters of the id of a visit, and the fewest.
const SESSION_CHARS: std::ops::RangeInclusive<usize> = 16..=64;

/// A visitor.
#[derive(Debug, Clone, Default)]
pub(super) struct Visitor {
    /// The id of the visit, which the storefront makes.
    pub(super) session_id: Option<String>,
    pub(super) device: Option<&'static str>,
    /// A two-letter code, in lower case.
    pub(super) country: Option<String>,
    /// Whether the browser asks not to be followed (`Sec-GPC`).
    pub(super) opts_out: bool,
    /// Whether it is a crawler.
    pub(super) is_crawler: bool,
}

/// Returns whether a text is the id of a visit.
pub(super) fn is_session(text: &str) -> bool {
    SESSION_CHARS.contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Parts of the user agents of crawlers, in lower case.
const CRAWLERS: &[&str] = &[
    "apis-google",
    "bingpreview",
    "bot)",
    "bot/",
    "bot;",
    "crawler",
    "facebookexternalhit",
    "feedfetcher",
    "headlesschrome",
    "lighthouse",
    "mediapartners",
    "pingdom",
    "slurp",
    "spider",
    "uptimerobot",
    "whatsapp",
];

/// Returns whether a user agent is that of a crawler.
pub(super) fn is_crawler(user_agent: &str) -> bool {
    let text = user_agent.to_ascii_lowercase();
    CRAWLERS.iter().any(|part| text.contains(part)) || text.ends_with("bot")
}

/// Returns the kind of device of a user agent.
pub(super) fn device(user_agent: &str) -> &'static str {
    let text = user_agent.to_ascii_lowercase();
    let has = |part: &str| text.contains(part);
    if has("ipad") || has("tablet") || (has("android") && !has("mobile")) {
        "tablet"
    } else if has("mobi") || has("iphone") || has("android") {
        "mobile"
    } else if has("windows nt") || has("macintosh") || has("x11") {
        "desktop"
    } else {
        "other"
    }
}

/// Returns a country in lower case, if it is a code of two letters.
pub(super) fn country(text: &str) -> Option<String> {
    let is_code = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: &str =
        "Mozilla/5.0 (Linux; Android 15; CUBOT NOTE 20) AppleWebKit/537.36 Mobile Safari/537.36";

    #[test]
    fn crawlers_are_told_from_phones() {
        for (agent, expected) in [
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true),
            ("Mozilla/5.0 (compatible; bingbot/2.0)", true),
            ("facebookexternalhit/1.1", true),
            ("SomeBot", true),
            (PHONE, false),
            ("", false),
        ] {
            assert_eq!(is_crawler(agent), expected, "{agent}");
        }
    }

    #[test]
    fn the_device_is_one_of_a_few_words() {
        for (agent, expected) in [
            (PHONE, "mobile"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "mobile"),
            ("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)", "tablet"),
            ("Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit", "tablet"),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "desktop"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "desktop"),
            ("curl/8", "other"),
        ] {
            assert_eq!(device(agent), expected, "{agent}");
        }
    }

    #[test]
    fn a_session_has_sixteen_to_sixty_four_characters() {
        for (text, expected) in [
            ("abcdefghijklmnop", true),
            ("abcdefghijklmno", false),
            ("abcdefghijklmno!", false),
            (&*"a".repeat(64), true),
            (&*"a".repeat(65), false),
        ] {
            assert_eq!(is_session(text), expected, "{text}");
        }
    }
}
