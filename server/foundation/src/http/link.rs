//! URLs to which a browser is sent, parsed as browsers do (WHATWG).

use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::describe::ToSchema;

/// The base for parsing paths. It is never shown.
const OWN: &str = "https://own.invalid";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// A path on the same site, in the form that browsers use.
    Own(String),
    /// An `https` URL without credentials.
    Other(Url),
}

impl Link {
    /// Parses a path with one leading `/`, or an `https` URL without credentials, both without `\`, blanks and
    /// control characters; `None` for anything else.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_with(&["https://"], text)
    }

    fn read_with(schemes: &[&str], text: &str) -> Option<Self> {
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
        let begins = |scheme: &&str| {
            let own = text.get(..scheme.len());
            own.is_some_and(|own| own.eq_ignore_ascii_case(scheme))
        };
        let url = Url::parse(text).ok().filter(|_| schemes.iter().any(begins))?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        (url.has_host() && is_plain).then_some(Self::Other(url))
    }
}

/// Limit: characters of the address of a picture.
const MAX_CHARS: usize = 2_000;

/// Where a picture is: a path such as `/shirt.png`, or an http or https URL without credentials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(max_length = 2000, examples("https://example.com/shirt.png"))]
pub struct PictureUrl(String);

/// A text that does not say where a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a path such as /shirt.png or an http or https URL without credentials")]
pub struct PictureUrlError;

impl TryFrom<String> for PictureUrl {
    type Error = PictureUrlError;

    fn try_from(text: String) -> Result<Self, PictureUrlError> {
        let text = text.trim();
        let is_short = text.chars().count() <= MAX_CHARS;
        let link = Link::read_with(&["http://", "https://"], text);
        if is_short && link.is_some() { Ok(Self(text.to_owned())) } else { Err(PictureUrlError) }
    }
}

impl From<PictureUrl> for String {
    fn from(url: PictureUrl) -> Self {
        url.0
    }
}

impl From<PictureUrl> for Option<String> {
    fn from(url: PictureUrl) -> Self {
        Some(url.0)
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

    #[test]
    fn a_picture_may_also_be_at_http() {
        for (text, is_picture) in [
            ("/a.png", true),
            (" https://cdn.example/a.png ", true),
            ("http://localhost:9000/static/a.png", true),
            ("http://user@cdn.example/a.png", false),
            ("http:cdn.example/a.png", false),
            ("javascript:alert(1)", false),
            ("data:image/png;base64,AA==", false),
            ("a.png", false),
            ("", false),
        ] {
            assert_eq!(PictureUrl::try_from(text.to_owned()).is_ok(), is_picture, "{text:?}");
        }
        let long = format!("/{}", "a".repeat(MAX_CHARS));
        assert_eq!(PictureUrl::try_from(long), Err(PictureUrlError));
    }
}
