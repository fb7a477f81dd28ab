//! The targets of links: a path on this site, or an `https` URL. They are parsed both when stored and when sent.

use crate::http::Link;

/// Limit: characters of a URL.
const MAX_CHARS: usize = 2_000;

/// Returns a URL in the form in which it is stored, if links may lead there.
pub fn parse(text: &str) -> Option<String> {
    if text.chars().count() > MAX_CHARS {
        return None;
    }
    Some(match Link::read(text)? {
        Link::Own(path) => path,
        Link::Other(url) => url.into(),
    })
}

/// Returns a URL with a click id between its own query and fragment.
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
            ("/spring?a=b#c", Some("/spring?a=b#c")),
            ("HTTPS://Shop.example/a", Some("https://shop.example/a")),
            ("//evil.example", None),
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
