//! E-mail addresses, for login and contact.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::database::Filtered;
use crate::database::listing::Kind;
use crate::http::{ToSchema, text};

/// Limit: characters of an address, as in the mail standards.
const MAX_EMAIL_CHARS: usize = 254;

/// Limit: characters before the `@`.
const MAX_LOCAL_CHARS: usize = 64;

/// An e-mail address, trimmed and in lower case, so that one mailbox is one account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = String, format = Email, max_length = 254, example = "ada@example.com")]
pub struct Email(String);

/// The text is not an e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address")]
pub struct EmailError;

impl Email {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Email {
    type Err = EmailError;

    fn from_str(text: &str) -> Result<Self, EmailError> {
        let address = text::clean(text, MAX_EMAIL_CHARS).map_err(|_refused| EmailError)?;
        let address = address.to_lowercase();
        let (local, domain) = address.rsplit_once('@').ok_or(EmailError)?;
        let is_long = address.chars().count() > MAX_EMAIL_CHARS;
        if is_long || !is_local(local) || !is_domain(domain) {
            Err(EmailError)
        } else {
            Ok(Self(address))
        }
    }
}

fn is_local(local: &str) -> bool {
    let is_plain =
        |character: char| !character.is_whitespace() && !r#"@<>()[],;:\""#.contains(character);
    !local.is_empty() && local.chars().count() <= MAX_LOCAL_CHARS && local.chars().all(is_plain)
}

fn is_domain(domain: &str) -> bool {
    let is_label = |label: &str| {
        let is_fitting =
            label.chars().all(|character| character.is_alphanumeric() || character == '-');
        !label.is_empty() && is_fitting && !label.starts_with('-') && !label.ends_with('-')
    };
    domain.contains('.') && domain.split('.').all(is_label)
}

impl<'de> Deserialize<'de> for Email {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

crate::stored_as_inner!(Email(String));

impl Filtered for Email {
    const KIND: Kind = Kind::LowerCase;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mailbox_is_one_address() {
        for text in ["ada@example.com", " Ada@Example.COM ", "ADA@EXAMPLE.COM\n"] {
            assert_eq!(text.parse::<Email>().unwrap().as_str(), "ada@example.com");
        }
        let longest = format!("ada@{}ab", "a.".repeat(124));
        assert_eq!(longest.len(), MAX_EMAIL_CHARS);
        for text in [
            "o'neil+shop@sub.example.co.uk",
            "jürgen@müller.example",
            "ada@my-shop.example",
            &longest,
        ] {
            assert!(text.parse::<Email>().is_ok(), "{text}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        let long = format!("{}@example.com", "a".repeat(65));
        // This letter becomes two in lower case.
        let longer = format!("adİ@{}ab", "a.".repeat(124));
        for text in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@localhost",
            "ada@.com",
            "ada@example..com",
            "ada@-x.com",
            "ada@my_shop.example",
            "a b@example.com",
            "a@b@example.com",
            "ada@exam\u{0}ple.com",
            "ada\r\nbcc: x@example.com",
            "<ada@example.com>",
            &long,
            &longer,
        ] {
            assert_eq!(text.parse::<Email>(), Err(EmailError), "{text:?}");
        }
    }
}
