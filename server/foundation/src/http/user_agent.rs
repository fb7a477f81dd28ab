//! What a user agent says about the program and its device.

/// Substrings of crawlers' user agents, in lower case. `bot` alone also occurs in the names of phones.
const CRAWLERS: &[&str] = &[
    "apis-google",
    "bingpreview",
    "bot)",
    "bot-",
    "bot.",
    "bot/",
    "bot;",
    "crawl",
    "facebookexternalhit",
    "feedfetcher",
    "headless",
    "lighthouse",
    "mediapartners",
    "pingdom",
    "slurp",
    "spider",
    "uptimerobot",
    "whatsapp",
];

pub fn is_crawler(user_agent: &str) -> bool {
    let text = user_agent.to_ascii_lowercase();
    CRAWLERS.iter().any(|part| text.contains(part)) || text.ends_with("bot")
}

pub fn device(user_agent: &str) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: &str =
        "Mozilla/5.0 (Linux; Android 15; CUBOT NOTE 20) AppleWebKit/537.36 Mobile Safari/537.36";

    #[test]
    fn crawlers_are_distinguished_from_phones() {
        for (agent, expected) in [
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true),
            ("Mozilla/5.0 (compatible; bingbot/2.0)", true),
            ("facebookexternalhit/1.1", true),
            ("SomeBot", true),
            ("AdsBot-Google-Mobile (+http://www.google.com/mobile/adsbot.html)", true),
            ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", true),
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
}
