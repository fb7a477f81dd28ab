//! What is known about a request's credentials before its route runs.

/// Added by the authentication layer to requests that may have a body.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// Whether the requested part of the API admits the caller: `/admin` requires a valid credential, `/store` a valid
    /// publishable key.
    pub is_admitted: bool,
    /// Whether the caller is admitted and has no invalid credential.
    pub is_valid: bool,
}

/// Added to the requests that this server's pages make in the same process; no external request has it.
#[derive(Debug, Clone, Copy)]
pub struct FromPage;
