//! Where links lead: a path of this site, or an address with `https`. Read as browsers read them (WHATWG), when an address
//! is stored and when it is sent.

use reqwest::Url;

/// Limit: characters of an address.
const MAX_CHARS: usize = 2_000;

/// What paths are read against.
const BASE: &str = "https://own.invalid";

/// Returns an address in the form that it is stored in, if a link may lead there.
pub fn parse(text: &str) -> Option<String> {
    let is_clean = |c: char| !c.is_control() && !c.is_whitespace() && c != '\\';
    if text.chars().count() > MAX_CHARS || !text.chars().all(is_clean) {
        return None;
    }
    if text.starts_with('/') {
        let base = Url::parse(BASE).ok()?;
        let url = base.join(text).ok()?;
        let is_own = url.origin() == base.origin() && !text.starts_with("//");
        return is_own.then(|| url.as_str().replacen(BASE, "", 1));
    }
    let begins = text.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
    let url = Url::parse(text).ok().filter(|_| begins)?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    (url.scheme() == "https" && url.has_host() && is_plain).then(|| url.to_string())
}

/// Returns an address with the id of a click, which its own query and fragment surround.
pub fn with_click(stored: &str, click: Option<&str>) -> Option<String> {
    let address = parse(stored)?;
    let Some(click) = click else { return Some(address) };
    let (page, fragment) = match address.split_once('#') {
        Some((page, fragment)) => (page, format!("#{fragment}")),
        None => (address.as_str(), String::new()),
    };
    let separator = match page.split_once('?') {
        None => "?",
        Some((_, "")) => "",
        Some(_) => "&",
    };
    Some(format!("{page}{separator}pclid={click}{fragment}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_an_own_path_or_a_plain_https_address() {
        for (text, expected) in [
            ("/", Some("/")),
            ("/spring?a=b#c", Some("/spring?a=b#c")),
            ("https://shop.example", Some("https://shop.example/")),
            ("HTTPS://Shop.example/a", Some("https://shop.example/a")),
            ("//evil.example", None),
            ("/\\evil.example", None),
            ("\\\\evil.example", None),
            ("https:evil.example", None),
            ("https:/evil.example", None),
            ("http://shop.example", None),
            ("javascript:alert(1)", None),
            ("https://user@evil.example", None),
            ("https://user:word@evil.example", None),
            ("https://shop.example/\r\nset-cookie: a=b", None),
            ("/a\tb", None),
            (" /a", None),
            ("shop.example", None),
            ("", None),
        ] {
            assert_eq!(parse(text).as_deref(), expected, "{text}");
        }
        assert_eq!(parse(&format!("/{}", "a".repeat(2_000))), None);
    }

    #[test]
    fn the_click_is_added_to_the_query() {
        for (stored, expected) in [
            ("/a", "/a?pclid=c"),
            ("/a?", "/a?pclid=c"),
            ("/a?b=c", "/a?b=c&pclid=c"),
            ("https://shop.example/a?b#d?e", "https://shop.example/a?b&pclid=c#d?e"),
        ] {
            assert_eq!(with_click(stored, Some("c")).as_deref(), Some(expected));
        }
        assert_eq!(with_click("/a#b", None).as_deref(), Some("/a#b"));
        assert_eq!(with_click("//evil.example", Some("c")), None);
    }
}
