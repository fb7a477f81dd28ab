//! The URLs of a flow: paths on this site, and `https` URLs on the hosts that the flow lists.

use reqwest::Url;

use crate::http::Link;

/// Returns whether a URL may be stored and sent: a path on this site, or `https` with a listed host and without
/// `@`.
pub(crate) fn is_allowed(url: &str, hosts: &[String]) -> bool {
    match Link::read(url) {
        Some(Link::Own(_path)) => true,
        Some(Link::Other(parsed)) => {
            let is_known =
                parsed.host_str().is_some_and(|host| hosts.iter().any(|own| own == host));
            is_known && url.starts_with("https://") && !url.contains('@')
        }
        None => false,
    }
}

/// Returns a host without a port, in the form that URLs use; `None` if it is invalid.
pub(crate) fn host(text: &str) -> Option<String> {
    let parsed = Url::parse(&format!("https://{text}/")).ok()?;
    let is_plain = parsed.username().is_empty()
        && parsed.port().is_none()
        && parsed.path() == "/"
        && parsed.query().is_none();
    parsed.host_str().filter(|_| is_plain).map(str::to_owned)
}

/// Returns an origin in the form that browsers send, `https` or `http` on this machine; `None` if
/// it is invalid.
pub(crate) fn origin(text: &str) -> Option<String> {
    let parsed = Url::parse(text).ok()?;
    let host = parsed.host_str()?;
    let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    let is_secure = parsed.scheme() == "https" || (parsed.scheme() == "http" && is_local);
    let origin = parsed.origin().ascii_serialization();
    (is_secure && origin == text).then_some(origin)
}

#[cfg(test)]
mod tests {
    use super::{host, is_allowed, origin};

    #[test]
    fn only_own_paths_and_named_hosts_are_allowed() {
        let hosts = ["shop.example".to_owned()];
        for (url, expected) in [
            ("/order/confirmed?x=1#y", true),
            ("https://shop.example/thanks", true),
            ("https://shop.example:8443/thanks", true),
            ("https://@shop.example/", false),
            ("https://user@shop.example/", false),
            ("https://shop.example/a@b", false),
            ("HTTPS://shop.example/", false),
            ("http://shop.example/", false),
            ("javascript:alert(1)", false),
            ("thanks", false),
            ("", false),
            ("//shop.example", false),
            ("https://evil.example/", false),
            ("https://shop.example.evil.example/", false),
            ("https://evil.example\u{3002}shop.example/", false),
        ] {
            assert_eq!(is_allowed(url, &hosts), expected, "{url:?}");
        }
    }

    #[test]
    fn hosts_and_origins_are_written_as_browsers_write_them() {
        assert_eq!(host("shop.example"), Some("shop.example".to_owned()));
        assert_eq!(host("SHOP.example"), Some("shop.example".to_owned()));
        for text in ["shop.example/x", "a@shop.example", "shop.example:99", "", "a b"] {
            assert_eq!(host(text), None, "{text}");
        }
        assert_eq!(origin("https://shop.example"), Some("https://shop.example".to_owned()));
        assert_eq!(origin("http://localhost:3000"), Some("http://localhost:3000".to_owned()));
        for text in ["https://shop.example/", "http://shop.example", "*", "null", "shop.example"] {
            assert_eq!(origin(text), None, "{text}");
        }
    }
}
