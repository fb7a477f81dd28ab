//! What the request headers say about the browser.

use crate::http::user_agent;

/// Substrings of user agents that follow links and buy nothing, beside crawlers; in lower case.
const TOOLS: [&str; 5] = ["preview", "curl/", "wget/", "python-", "monitor"];

pub(super) fn is_robot(user_agent: &str) -> bool {
    let name = user_agent.to_ascii_lowercase();
    name.is_empty()
        || user_agent::is_crawler(user_agent)
        || TOOLS.iter().any(|tool| name.contains(tool))
}

/// Returns the kind of device; anything unknown is a desktop.
pub(super) fn device(user_agent: &str) -> &'static str {
    match user_agent::device(user_agent) {
        "other" => "desktop",
        kind => kind,
    }
}

/// Returns the country of the first language: `at` for `de-AT,de;q=0.9`.
pub(super) fn country(accept_language: &str) -> Option<String> {
    let first = accept_language.split([',', ';']).next()?.trim();
    let region = first.split(['-', '_']).skip(1).find(|part| part.len() == 2)?;
    region.bytes().all(|byte| byte.is_ascii_alphabetic()).then(|| region.to_ascii_lowercase())
}

pub(super) fn referrer_host(referrer: &str) -> Option<String> {
    let url = reqwest::Url::parse(referrer).ok()?;
    url.host_str().map(str::to_owned).filter(|host| host.len() <= 253)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_and_devices_are_distinguished() {
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148";
        let android = "Mozilla/5.0 (Linux; Android 15; SM-X710) Safari/537.36";
        for (name, robot, kind) in [
            (phone, false, "mobile"),
            (android, false, "tablet"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0", false, "desktop"),
            ("Mozilla/5.0 (compatible; Googlebot/2.1)", true, "desktop"),
            (
                "Mozilla/5.0 (Linux; Android 15; CUBOT NOTE 20) Mobile Safari/537.36",
                false,
                "mobile",
            ),
            ("curl/8.5.0", true, "desktop"),
            ("", true, "desktop"),
        ] {
            assert_eq!((is_robot(name), device(name)), (robot, kind), "{name}");
        }
    }

    #[test]
    fn a_language_may_name_a_country() {
        for (languages, expected) in [
            ("de-AT,de;q=0.9", Some("at")),
            ("zh-Hant-TW", Some("tw")),
            ("fr", None),
            ("en-1x", None),
            ("", None),
        ] {
            assert_eq!(country(languages).as_deref(), expected, "{languages}");
        }
        assert_eq!(referrer_host("https://blog.example/a?b").as_deref(), Some("blog.example"));
        assert_eq!(referrer_host("blog.example"), None);
    }
}
