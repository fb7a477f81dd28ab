//! Addresses that a browser is sent to, read as browsers read them (WHATWG).

use reqwest::Url;

/// The base that paths are read against. It is never shown.
const OWN: &str = "https://own.invalid";

/// Where an address leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// A path of the same site, as browsers write it.
    Own(String),
    /// An `https` URL without credentials.
    Other(Url),
}

impl Link {
    /// Reads a path with one leading `/`, or an `https` URL without credentials, both without `\`, blanks and control
    /// characters; `None` for anything else.
    pub fn read(text: &str) -> Option<Self> {
        let is_clean = |c: char| !c.is_control() && !c.is_whitespace() && c != '\\';
        if !text.chars().all(is_clean) {
            return None;
        }
        if text.starts_with('/') {
            let base = Url::parse(OWN).ok()?;
            let url = base.join(text).ok()?;
            let is_own = url.origin() == base.origin() && !text.starts_with("//");
            return is_own.then(|| Self::Own(url.as_str().replacen(OWN, "", 1)));
        }
        let begins = text.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
        let url = Url::parse(text).ok().filter(|_| begins)?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        (url.has_host() && is_plain).then_some(Self::Other(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_an_own_path_or_https_without_credentials() {
        for (text, expected) in [
            ("/", "/"),
            ("/sale?from=banner#top", "/sale?from=banner#top"),
            ("https://cdn.example/a.png", "https://cdn.example/a.png"),
            ("https://shop.example:8443/thanks", "https://shop.example:8443/thanks"),
            ("HTTPS://Shop.example/a", "https://shop.example/a"),
            ("https://münchen.example", "https://xn--mnchen-3ya.example/"),
            ("//evil.example", ""),
            ("/\\evil.example", ""),
            ("\\\\evil.example", ""),
            ("/\t/evil.example", ""),
            ("https:evil.example", ""),
            ("https:/evil.example", ""),
            ("https://", ""),
            ("https://user@shop.example", ""),
            ("https://user:word@shop.example/", ""),
            ("https://shop.example@evil.example/", ""),
            ("https://shop.example/\r\nset-cookie: a=b", ""),
            ("http://shop.example/", ""),
            ("javascript:alert(1)", ""),
            ("JAVASCRIPT:alert(1)", ""),
            ("java\nscript:alert(1)", ""),
            ("data:text/html,x", ""),
            (" /a", ""),
            ("shop.example", ""),
            ("", ""),
        ] {
            let read = match Link::read(text) {
                Some(Link::Own(path)) => path,
                Some(Link::Other(url)) => url.into(),
                None => String::new(),
            };
            assert_eq!(read, expected, "{text:?}");
        }
    }
}
