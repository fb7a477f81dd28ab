//! The addresses that may be called: public ones, unless configured otherwise.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;
use thiserror::Error;

/// Limit: characters of a URL.
const MAX_URL_CHARS: usize = 2_048;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TargetError {
    #[error("`{0}` is no address of a webhook")]
    Unusable(String),
    /// With the host.
    #[error("A webhook must not call a private address")]
    Private(String),
}

/// Returns the URL of a webhook: `http` or `https`, without a password, and not with a private address. A name is
/// resolved only when it is called.
pub fn target(url: &str, allows_private: bool) -> Result<Url, TargetError> {
    let unusable = || TargetError::Unusable(url.chars().take(MAX_URL_CHARS).collect());
    if url.len() > MAX_URL_CHARS {
        return Err(unusable());
    }
    let parsed: Url = url.parse().map_err(|_unreadable| unusable())?;
    let is_plain = parsed.username().is_empty() && parsed.password().is_none();
    if !matches!(parsed.scheme(), "http" | "https") || !is_plain {
        return Err(unusable());
    }
    // The parser has normalized every notation of an IPv4 address to four decimal numbers.
    let host = parsed.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match literal {
        Ok(address) if !allows_private && !is_public(address) => {
            Err(TargetError::Private(address.to_string()))
        }
        Ok(_) | Err(_) => Ok(parsed),
    }
}

pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = matches!(
        (first, second, third),
        (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18 | 19, _)
    );
    !(is_special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast())
}

/// Accepts global unicast only, without 6to4 and Teredo, which embed IPv4 addresses.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global = (0x2000..=0x3fff).contains(&first);
    is_global && first != 0x2002 && !(first == 0x2001 && (second < 0x0200 || second == 0x0db8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_goes_to_the_public_network_only_unless_it_may_go_anywhere() {
        for (url, is_allowed) in [
            ("https://hooks.shop.example/a?b=c", true),
            ("http://203.0.114.1/", true),
            ("http://[2606:4700::1111]/", true),
            ("ftp://shop.example/", false),
            ("shop.example/alerts", false),
            ("https://user:word@shop.example/", false),
            ("https://user@shop.example/", false),
            ("http://127.0.0.1:9000/", false),
            ("http://10.1.2.3/", false),
            ("http://169.254.169.254/latest/meta-data", false),
            ("http://2130706433/", false),
            ("http://0x7f.1/", false),
            ("http://0177.0.0.1/", false),
            ("http://\u{ff11}\u{ff12}\u{ff17}.0.0.1/", false),
            ("http://[::1]/", false),
            ("http://[::ffff:127.0.0.1]/", false),
            ("http://[fd00::1]/", false),
            ("http://[fe80::1]/", false),
            ("http://[2002:7f00:1::]/", false),
            ("http://[64:ff9b::7f00:1]/", false),
            ("http://0.0.0.0/", false),
            ("http://192.88.99.1/", false),
        ] {
            assert_eq!(target(url, false).is_ok(), is_allowed, "{url}");
        }
        assert!(target("http://127.0.0.1:9000/", true).is_ok());
        assert!(target(&format!("https://shop.example/{}", "a".repeat(2_048)), false).is_err());
    }
}
