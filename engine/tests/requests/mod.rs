//! Requests for whole days, for the tests.

#![expect(clippy::expect_used, reason = "a date that cannot be read fails the test")]

use quotient::Request;

/// A request for whole days, both included.
pub(crate) fn request(first: &str, last: &str, now: &str) -> Request {
    Request {
        period: Some((first.parse().expect("a date"), last.parse().expect("a date"))),
        now: now.parse().expect("an instant"),
        ..Request::default()
    }
}
