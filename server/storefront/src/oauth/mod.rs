//! OAuth clients: programs of the shop, such as a server that renders its pages, which get tokens for
//! themselves.
//!
//! Invariants: secrets and tokens are stored as SHA-256 hashes; if a client is disabled, changed or deleted, its tokens
//! lose their permissions immediately. What a token permits is decided where callers are authenticated, in
//! `auth::clients`.

mod client;
mod routes;
mod token;
mod token_request;

pub(crate) use routes::router;
