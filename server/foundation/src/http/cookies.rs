//! Cookies in requests.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

/// Returns the value of the first cookie with a name; an empty one counts as absent.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.split_once('='))
        .map(|(own, value)| (own.trim(), value.trim()))
        .find(|(own, value)| *own == name && !value.is_empty())
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_the_first_with_its_name_that_is_not_empty() {
        let mut headers = HeaderMap::new();
        for sent in ["a=1; sid=", " sid = x=y ;sid=z", "Sid=q"] {
            headers.append(COOKIE, sent.parse().unwrap());
        }
        assert_eq!(cookie(&headers, "sid"), Some("x=y"));
        assert_eq!(cookie(&headers, "a"), Some("1"));
        assert_eq!(cookie(&headers, "b"), None);
    }
}
