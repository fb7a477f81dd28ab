//! A visitor follows a link.

use std::time::Duration;

use super::click::Click;
use super::memory::{Clicks, QueuedWrite};
use super::queries;
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::{self, Db, Table as _, Tx};
use crate::ids::PartnerClickId;
use crate::offers::{self, Offer, is_code};

/// The time within which following a link again counts as the same click, in milliseconds.
const REPEAT_MS: i64 = 30 * MINUTE_MS;

/// How long a shopper waits for the database to find a link's target.
const READ_WAIT: Duration = Duration::from_millis(400);

#[derive(Debug, Clone)]
pub(super) struct Visit {
    pub(super) code: String,
    /// Whether the link is followed by a person, not by a robot or a prefetching browser.
    pub(super) is_counted: bool,
    /// The click in the cookie.
    pub(super) before: Option<PartnerClickId>,
    pub(super) subs: [Option<String>; 3],
    pub(super) referrer_host: Option<String>,
    pub(super) country: Option<String>,
    pub(super) device: &'static str,
    pub(super) at: Timestamp,
}

/// Follows a link; returns its offer and the counted click, or `None` if it has no target.
pub(super) async fn follow(
    db: &Db,
    clicks: &Clicks,
    visit: Visit,
) -> Option<(Offer, Option<PartnerClickId>)> {
    if !is_code(&visit.code) {
        return None;
    }
    let key = visit.code.to_ascii_lowercase();
    let (code_key, before, at) = (key.clone(), visit.before.clone(), visit.at);
    let reading = db.read(move |tx| find(tx, &code_key, before.as_ref(), at));
    let (offer, visitor, repeated) = match tokio::time::timeout(READ_WAIT, reading).await {
        Ok(Ok(found)) => {
            clicks.remember(&key, found.as_ref().map(|(offer, ..)| offer));
            found?
        }
        Ok(Err(_)) | Err(_) => (clicks.recall(&key)?, None, None),
    };
    if !offer.ran_at(visit.at) {
        return None;
    }
    let mut counted = None;
    if visit.is_counted {
        let is_repeated = repeated.is_some();
        let click = repeated.unwrap_or_else(|| new_click(visit, &offer, visitor));
        counted = Some(click.id.clone());
        clicks.write(db, QueuedWrite { click, is_repeated }).await;
    }
    Some((offer, counted))
}

/// The offer of a link, the visitor of the cookie, and the repeated click.
type Link = (Offer, Option<String>, Option<Click>);

fn find(
    tx: &Tx<'_>,
    code_key: &str,
    before: Option<&PartnerClickId>,
    at: Timestamp,
) -> Result<Option<Link>, database::Error> {
    let Some(offer) = offers::queries::open(tx, code_key)? else { return Ok(None) };
    let Some(before) = before.map(|id| Click::find(tx, id)).transpose()?.flatten() else {
        return Ok(Some((offer, None, None)));
    };
    let since = at.minus_ms(REPEAT_MS);
    let repeated = queries::latest(tx, (&before.visitor, &offer.id), since)?;
    Ok(Some((offer, Some(before.visitor), repeated)))
}

fn new_click(visit: Visit, offer: &Offer, visitor: Option<String>) -> Click {
    let id = PartnerClickId::new();
    let [sub1, sub2, sub3] = visit.subs;
    Click {
        // The random part of the first click's id.
        visitor: visitor.unwrap_or_else(|| id.as_str().chars().rev().take(16).collect()),
        id,
        offer_id: offer.id.clone(),
        partner_id: offer.partner_id.clone(),
        sub1,
        sub2,
        sub3,
        referrer_host: visit.referrer_host,
        country: visit.country,
        device: visit.device.to_owned(),
        repeat_count: 0,
        clicked_at: visit.at,
    }
}
