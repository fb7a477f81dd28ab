//! Token buckets: the arithmetic of a rate limit, without rounding.
//!
//! Tokens are counted in parts, of which every millisecond returns as many as a full bucket has tokens. So a token has as
//! many parts as an empty bucket takes milliseconds to fill.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::http::HttpError;

pub(super) const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
pub(super) const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
pub(super) const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// The size of a bucket. Both numbers are at least 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quota {
    /// The tokens of a full bucket.
    pub(super) tokens: u32,
    /// The milliseconds in which an empty bucket fills.
    pub(super) fill_ms: u64,
}

/// A bucket, full by default.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TokenBucket {
    /// The parts that were missing at `at_ms`.
    missing: u64,
    at_ms: u64,
}

impl TokenBucket {
    /// Returns the missing parts; 0 if the bucket is full.
    pub(super) fn missing(self, quota: Quota, now_ms: u64) -> u64 {
        let passed_ms = now_ms.saturating_sub(self.at_ms);
        self.missing.saturating_sub(passed_ms.saturating_mul(quota.tokens.into()))
    }

    /// Takes a token; without one, the error is the allowance.
    pub(super) fn take(&mut self, quota: Quota, now_ms: u64) -> Result<Allowance, Allowance> {
        let missing = self.missing(quota, now_ms).saturating_add(quota.fill_ms);
        if missing > u64::from(quota.tokens).saturating_mul(quota.fill_ms) {
            return Err(self.allowance(quota, now_ms));
        }
        *self = Self { missing, at_ms: now_ms };
        Ok(self.allowance(quota, now_ms))
    }

    pub(super) fn allowance(self, quota: Quota, now_ms: u64) -> Allowance {
        let missing = self.missing(quota, now_ms);
        let used = missing.div_ceil(quota.fill_ms);
        let of_next = missing.saturating_sub(used.saturating_sub(1).saturating_mul(quota.fill_ms));
        Allowance {
            limit: quota.tokens,
            remaining: quota.tokens.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX)),
            next_ms: of_next.div_ceil(quota.tokens.into()),
        }
    }
}

/// What is left of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The tokens of a full bucket.
    pub limit: u32,
    /// The whole tokens in the bucket.
    pub remaining: u32,
    /// Milliseconds until the next token; 0 if the bucket is full.
    pub(super) next_ms: u64,
}

impl Allowance {
    /// Returns the whole seconds until the next token; 0 if the bucket is full.
    pub fn reset_s(self) -> u64 {
        self.next_ms.div_ceil(1_000)
    }

    /// Returns the headers that report it.
    pub fn headers(self) -> HeaderMap {
        self.pairs().into_iter().collect()
    }

    /// Returns the 429 that says when there is a token again.
    pub(super) fn refusal(self) -> HttpError {
        let error = HttpError::rate_limited(self.reset_s());
        self.pairs().into_iter().fold(error, |error, (name, value)| error.with_header(name, value))
    }

    fn pairs(self) -> [(HeaderName, HeaderValue); 3] {
        let Self { limit, remaining, .. } = self;
        [(LIMIT, limit.into()), (REMAINING, remaining.into()), (RESET, self.reset_s().into())]
    }
}
