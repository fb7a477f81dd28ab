//! Clients of OAuth: programs of the shop, such as one that renders its pages, which get tokens for themselves.
//!
//! Invariants: secrets and tokens are stored as SHA-256; a client that is switched off, changed or deleted loses what its
//! tokens granted at once. What a token grants is decided where callers are authenticated, in `auth::clients`.

mod client;
mod queries;
mod routes;
mod token;
mod token_request;

pub(crate) use routes::router;
