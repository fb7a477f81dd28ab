//! What alerts promise.
