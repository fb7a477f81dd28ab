//! The head of a request: sizes and encodings that no route takes are refused before anything else.

use axum::extract::Request;
use axum::http::header::{CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::webhooks::is_warehouse;
use crate::http::HttpError;

/// Limit: bytes of the target and the headers of a request together.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Refuses requests whose head is not usable.
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
    // RFC 9112, section 3.2: a proxy may have followed the other one.
    if headers.get_all(HOST).iter().nth(1).is_some() {
        return Some(HttpError::invalid_data("Invalid request: more than one Host header"));
    }
    // The warehouse is never refused: what it sends is kept as it is.
    let is_plain = is_warehouse(request.uri().path()) || is_identity(headers) && is_utf8(headers);
    (!is_plain).then(HttpError::unsupported_media_type)
}

/// Returns whether the body is sent as it is, rather than compressed.
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
    fn a_request_has_one_host() {
        for (hosts, expected) in [
            (&["shop.example"][..], None),
            (&["shop.example", "evil.example"][..], Some(400)),
            (&["shop.example", "shop.example"][..], Some(400)),
        ] {
            let request = hosts
                .iter()
                .fold(Request::builder().uri("/"), |request, host| request.header(HOST, *host))
                .body(Body::empty())
                .unwrap();

            let refused = refusal(&request).map(|error| error.status().as_u16());

            assert_eq!(refused, expected, "{hosts:?}");
        }
    }
}
