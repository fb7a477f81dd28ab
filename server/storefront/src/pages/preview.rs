//! Preview tokens, which show the latest version of one page for a day.

use super::page::ContentPage;
use super::queries;
use crate::auth::{Secret, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::error::ContentError;
use crate::ids::ContentPageId;

/// How long a token is valid, in milliseconds.
const VALID_MS: i64 = 24 * 60 * 60 * 1_000;

/// Creates a token for a page; returns when it expires.
pub(super) fn create(
    tx: &Tx<'_>,
    id: &ContentPageId,
    token: &Secret,
) -> Result<Timestamp, ContentError> {
    ContentPage::require::<ContentError>(tx, id)?;
    let expires_at = tx.now().plus_ms(VALID_MS);
    queries::insert_preview(tx, id, token.digest(), expires_at)?;
    Ok(expires_at)
}

/// Returns the page that a token shows, if the token is valid and the page has this slug.
pub(super) fn find(
    tx: &Tx<'_>,
    token: &str,
    slug: &str,
) -> Result<Option<ContentPage>, ContentError> {
    let Some(digest) = SecretDigest::of_presented(token) else { return Ok(None) };
    let Some(id) = queries::previewed(tx, digest)? else { return Ok(None) };
    Ok(ContentPage::find(tx, &id)?.filter(|page| page.slug == slug))
}
