//! Queries for clicks.

use rusqlite::named_params;

use super::click::Click;
use super::memory::QueuedWrite;
use crate::clock::Timestamp;
use crate::database::{self, Record as _, Table as _, Tx};
use crate::ids::PartnerOfferId;

/// Limit: clicks deleted in one transaction.
const MAX_PRUNED: u32 = 5_000;

/// Limit: clicks compared per visitor.
const MAX_OF_VISITOR: u32 = 200;

pub(super) fn write(
    tx: &Tx<'_>,
    QueuedWrite { click, is_repeated }: &QueuedWrite,
) -> Result<(), database::Error> {
    if !is_repeated {
        return click.insert(tx);
    }
    tx.sql("update partner_click set repeat_count = repeat_count + 1 where id = :id")
        .run(named_params! { ":id": click.id })
}

/// Returns a visitor's latest click on an offer since an instant.
pub(super) fn latest(
    tx: &Tx<'_>,
    (visitor, offer): (&str, &PartnerOfferId),
    since: Timestamp,
) -> Result<Option<Click>, database::Error> {
    let rest = "where k.visitor = :visitor and k.offer_id = :offer and k.clicked_at > :since
                order by k.clicked_at desc limit 1";
    let bound = named_params! { ":visitor": visitor, ":offer": offer, ":since": since };
    Click::select_one(tx, rest, bound)
}

/// Returns the clicks of a visitor from `since` up to `until`, earliest first.
pub(crate) fn of_visitor(
    tx: &Tx<'_>,
    visitor: &str,
    (since, until): (Timestamp, Timestamp),
) -> Result<Vec<Click>, database::Error> {
    let rest = "where k.visitor = :visitor and k.clicked_at between :since and :until
                order by k.clicked_at, k.id limit :limit";
    let bound = named_params! {
        ":visitor": visitor, ":since": since, ":until": until, ":limit": MAX_OF_VISITOR,
    };
    Click::select(tx, rest, bound)
}

/// Returns how often a visitor followed links in a time span.
pub(crate) fn count_of_visitor(
    tx: &Tx<'_>,
    visitor: &str,
    (since, until): (Timestamp, Timestamp),
) -> Result<i64, database::Error> {
    let sql = "select coalesce(sum(repeat_count + 1), 0) from partner_click
                where visitor = :visitor and clicked_at between :since and :until";
    let bound = named_params! { ":visitor": visitor, ":since": since, ":until": until };
    tx.sql(sql).one(bound, |row| row.get(0))
}

/// Deletes the oldest clicks before an instant, up to a limit; returns how many.
pub(super) fn prune(tx: &Tx<'_>, before: Timestamp) -> Result<usize, database::Error> {
    let sql = "delete from partner_click where id in
                 (select id from partner_click where clicked_at < :before order by clicked_at limit :limit)";
    tx.sql(sql).execute(named_params! { ":before": before, ":limit": MAX_PRUNED })
}
