//! The credentials of a request, as far as they are known before its route runs.

/// Added to requests that may have a body by a layer of authentication.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// Whether the part of the API that the request is for has callers like this one: without a valid credential under
    /// `/admin`, or a valid publishable key under `/store`, every route refuses it.
    pub is_admitted: bool,
    /// Whether it is admitted and none of its credentials is invalid.
    pub is_valid: bool,
}
