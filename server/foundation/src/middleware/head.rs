//! The head of a request: sizes and encodings that no route accepts are rejected before anything else.

use std::net::Ipv6Addr;

use axum::extract::Request;
use axum::http::header::{CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderValue, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::client::PeerAddress;
use super::webhooks::is_warehouse;
use crate::http::HttpError;

/// Limit: bytes of the target and the headers of a request together.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Rejects requests whose head is unusable.
pub(super) async fn check(request: Request, next: Next) -> Response {
    match refusal(&request) {
        None => next.run(request).await,
        Some(refused) => {
            refused.with_header(CONNECTION, HeaderValue::from_static("close")).into_response()
        }
    }
}

fn refusal(request: &Request) -> Option<HttpError> {
    let headers = request.headers();
    let target =
        request.uri().path().len().saturating_add(request.uri().query().map_or(0, str::len));
    let head = headers.iter().fold(target, |sum, (name, value)| {
        sum.saturating_add(name.as_str().len()).saturating_add(value.len())
    });
    if head > MAX_HEAD_BYTES {
        return Some(HttpError::head_too_large(MAX_HEAD_BYTES));
    }
    if !has_one_host(request) {
        return Some(HttpError::invalid_data("Invalid request: one valid Host header is expected"));
    }
    // The warehouse is never rejected: what it sends is stored as is.
    let is_plain = is_warehouse(request.uri().path()) || is_identity(headers) && is_utf8(headers);
    (!is_plain).then(HttpError::unsupported_media_type)
}

/// Returns whether there is exactly one host: of several, a proxy may have used a different one than the server would
/// (RFC 9112, section 3.2). HTTP/1.0 needs none, and neither do the pages' requests within this process.
fn has_one_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => {
            let is_over_socket = request.extensions().get::<PeerAddress>().is_some();
            request.version() != Version::HTTP_11 || !is_over_socket
        }
        (Some(host), None) => host.to_str().is_ok_and(is_host),
        (Some(_), Some(_)) => false,
    }
}

/// Returns whether a text is a name or an address, with or without a port (RFC 9112, section 3.2). An empty name is one
/// too.
fn is_host(text: &str) -> bool {
    let is_digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(literal) = text.strip_prefix('[') {
        let parts = literal.split_once(']');
        return parts.is_some_and(|(address, rest)| {
            let is_port = rest.is_empty() || rest.strip_prefix(':').is_some_and(is_digits);
            is_port && address.parse::<Ipv6Addr>().is_ok()
        });
    }
    let (name, port) = text.split_once(':').unwrap_or((text, ""));
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte);
    name.bytes().all(is_of_name) && is_digits(port)
}

/// Returns whether the body is sent uncompressed.
fn is_identity(headers: &HeaderMap) -> bool {
    headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Returns whether the content type names no charset other than UTF-8.
fn is_utf8(headers: &HeaderMap) -> bool {
    let Some(content_type) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return true;
    };
    content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('=')).all(
        |(name, value)| {
            let value = value.trim().trim_matches('"');
            !name.trim().eq_ignore_ascii_case("charset") || value.eq_ignore_ascii_case("utf-8")
        },
    )
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn heads_that_no_route_takes_are_refused() {
        let long = "a".repeat(MAX_HEAD_BYTES);
        for (method, header, value, expected) in [
            ("GET", "accept", "*/*", None),
            ("POST", "content-type", "application/json; charset=UTF-8", None),
            ("POST", "content-type", "application/json; charset=utf-16", Some(415)),
            ("POST", "content-encoding", "identity", None),
            ("POST", "content-encoding", "gzip", Some(415)),
            ("GET", "x-long", long.as_str(), Some(431)),
        ] {
            let request = Request::builder().method(method).uri("/store/products");
            let request = request.header(header, value).body(Body::empty()).unwrap();

            let refused = refusal(&request).map(|error| error.status().as_u16());

            assert_eq!(refused, expected, "{method} {header}");
        }
    }

    #[test]
    fn a_request_over_a_socket_has_one_host() {
        let peer = PeerAddress(([127, 0, 0, 1], 1).into());
        for (version, hosts, expected) in [
            (Version::HTTP_11, &["shop.example"][..], None),
            (Version::HTTP_11, &["shop.example", "evil.example"][..], Some(400)),
            (Version::HTTP_11, &["shop.example", "shop.example"][..], Some(400)),
            (Version::HTTP_11, &["shop.example:8080"][..], None),
            (Version::HTTP_11, &["my_shop.local."][..], None),
            (Version::HTTP_11, &["127.0.0.1:80"][..], None),
            (Version::HTTP_11, &["[::1]:9000"][..], None),
            (Version::HTTP_11, &["[2001:db8::1]"][..], None),
            (Version::HTTP_11, &[""][..], None),
            (Version::HTTP_11, &["shop.example:"][..], None),
            (Version::HTTP_11, &["shop example"][..], Some(400)),
            (Version::HTTP_11, &["shop.example:80:80"][..], Some(400)),
            (Version::HTTP_11, &["shop.example:http"][..], Some(400)),
            (Version::HTTP_11, &["user@shop.example"][..], Some(400)),
            (Version::HTTP_11, &["shop.example/a"][..], Some(400)),
            (Version::HTTP_11, &["https://shop.example"][..], Some(400)),
            (Version::HTTP_11, &["<shop>"][..], Some(400)),
            (Version::HTTP_11, &["::1"][..], Some(400)),
            (Version::HTTP_11, &["[::1"][..], Some(400)),
            (Version::HTTP_11, &["[shop]:80"][..], Some(400)),
            (Version::HTTP_11, &["[::1]80"][..], Some(400)),
            (Version::HTTP_10, &["a b"][..], Some(400)),
            (Version::HTTP_11, &[][..], Some(400)),
            (Version::HTTP_10, &[][..], None),
        ] {
            let mut request = Request::builder().version(version).uri("/");
            for host in hosts {
                request = request.header(HOST, *host);
            }
            let mut request = request.body(Body::empty()).unwrap();
            request.extensions_mut().insert(peer);

            let refused = refusal(&request).map(|error| error.status().as_u16());

            assert_eq!(refused, expected, "{version:?} {hosts:?}");
        }
        assert!(refusal(&Request::new(Body::empty())).is_none(), "within this process");
    }
}
