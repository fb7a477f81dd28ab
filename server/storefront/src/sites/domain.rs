//! Domains in the form in which they are compared: in lower case and ASCII, without scheme, port
//! and trailing dot.

use crate::http::ToSchema;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Limit: characters of a domain in a request.
const MAX_CHARS: usize = 300;

/// Limit: bytes of a domain (RFC 1035).
const MAX_BYTES: usize = 253;

/// A domain in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(min_length = 1, max_length = 300, examples("shop.example"))]
pub(super) struct Domain(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a domain such as shop.example")]
pub(super) struct DomainError;

impl Domain {
    /// Parses a domain as browsers do: with or without scheme and port, in any case, in any script.
    ///
    /// # Errors
    /// [`DomainError`] if it is not one, or has a path, a query or credentials.
    pub(super) fn parse(text: &str) -> Result<Self, DomainError> {
        let text = text.trim();
        if text.chars().count() > MAX_CHARS {
            return Err(DomainError);
        }
        let rest = text.split_once("://").map_or(text, |(_scheme, rest)| rest);
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '\\', '?', '#', '@', '%']) || rest.contains(char::is_whitespace) {
            return Err(DomainError);
        }
        let url = Url::parse(&format!("https://{rest}")).map_err(|_not_a_host| DomainError)?;
        let Some(Host::Domain(domain)) = url.host() else { return Err(DomainError) };
        let domain = domain.strip_suffix('.').unwrap_or(domain);
        let is_whole = domain.split('.').all(|label| !label.is_empty() && label.len() <= 63);
        if is_whole && domain.len() <= MAX_BYTES {
            Ok(Self(domain.to_owned()))
        } else {
            Err(DomainError)
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn bare(&self) -> &str {
        self.0.strip_prefix("www.").unwrap_or(&self.0)
    }
}

impl From<Domain> for String {
    fn from(domain: Domain) -> Self {
        domain.0
    }
}

impl TryFrom<String> for Domain {
    type Error = DomainError;

    fn try_from(text: String) -> Result<Self, DomainError> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_port_last_dot_case_and_script_make_no_difference() {
        for (text, expected) in [
            ("shop.example", Some("shop.example")),
            ("https://Shop.Example:8443/", Some("shop.example")),
            ("shop.example.", Some("shop.example")),
            ("MÜNCHEN.example", Some("xn--mnchen-3ya.example")),
            ("xn--mnchen-3ya.example", Some("xn--mnchen-3ya.example")),
            ("localhost:8000", Some("localhost")),
            ("www.shop.example", Some("www.shop.example")),
            ("", None),
            (".", None),
            ("a..b", None),
            ("127.0.0.1", None),
            ("[::1]", None),
            ("shop.example/path", None),
            ("user@shop.example", None),
            ("shop example", None),
            ("shop.example:99999", None),
        ] {
            assert_eq!(Domain::parse(text).ok().as_ref().map(Domain::as_str), expected, "{text}");
        }
    }

    #[test]
    fn www_is_taken_off_once_and_only_as_a_label() {
        for (text, bare) in [("www.a.example", "a.example"), ("wwwa.example", "wwwa.example")] {
            assert_eq!(Domain::parse(text).unwrap().bare(), bare);
        }
    }
}
