//! Queries for tokens, keys and identities.

mod addresses;
mod clients;
mod holders;
mod identities;
mod tokens;

pub(super) use addresses::{is_known, note_address};
pub(super) use clients::{
    client_token, delete_client_tokens, delete_ended_client_tokens, insert_client_token,
};
pub(super) use holders::{key, note_key_use, revocations, token};
pub(super) use identities::{
    delete_identities, delete_unclaimed, identity, identity_by_email, identity_of, insert_identity,
    set_actor, set_password,
};
pub(super) use tokens::{
    NewToken, delete_ended_tokens, delete_oldest_tokens, delete_partner_tokens, delete_token,
    delete_tokens_of, has_reset_since, has_reset_token, insert_partner_token, insert_token,
};
