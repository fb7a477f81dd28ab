//! Tokens of partners. A partner has one, which does not expire: it is valid until another is issued.

use super::queries;
use super::secret::{RandomError, Secret};
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids::PartnerId;

/// The prefix of tokens of partners, so that leaked ones are recognised.
const PREFIX: &str = "ptok_";

/// The last instant of the year 9999.
const NEVER: Timestamp = Timestamp::from_millis(253_402_300_799_999);

/// Creates a token, which [`replace`] stores.
pub fn generate() -> Result<Secret, RandomError> {
    Secret::generate(PREFIX)
}

/// Makes a token the only one of a partner. Must be run by [`super::Credentials::change`].
pub fn replace(tx: &Tx<'_>, id: &PartnerId, token: &Secret) -> Result<(), database::Error> {
    revoke(tx, id)?;
    queries::insert_partner_token(tx, token.digest(), id, NEVER)
}

/// Revokes the token of a partner. Must be run by [`super::Credentials::change`].
pub fn revoke(tx: &Tx<'_>, id: &PartnerId) -> Result<(), database::Error> {
    queries::delete_partner_tokens(tx, id)
}
