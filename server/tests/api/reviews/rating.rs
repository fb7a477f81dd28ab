//! The rating of a product against a recount, over random changes.

use quotient_server::database::{Error, Tx};
use quotient_server::testing::rounds;

use crate::harness::{Chance, TestServer};

/// Writes, changes, decides and deletes reviews, without the server's code.
fn change(tx: &Tx<'_>, chance: &mut Chance) -> Result<(), Error> {
    let id = format!("rev_{}", chance.below(60));
    let rating = chance.below(5).saturating_add(1);
    let status = match chance.below(3) {
        0 => "pending",
        1 => "approved",
        _ => "rejected",
    };
    let reason = (status == "rejected").then_some("spam");
    match chance.below(4) {
        0 => tx.execute("delete from review where id = ?1", [&id])?,
        1 => tx.execute("update review set rating = ?2 where id = ?1", (&id, rating))?,
        2 => tx.execute(
            "update review set status = ?2, reject_reason = ?3 where id = ?1",
            (&id, status, reason),
        )?,
        _ => tx.execute(
            "insert or ignore into review (id, product_id, content, rating, first_name, last_name, status,
               reject_reason, text_digest, written_at, created_at, updated_at)
             select ?1, id, '', ?2, '', '', ?3, ?4, '', 0, 0, 0 from product order by (rowid + ?5) % 3 limit 1",
            (&id, rating, status, reason, chance.below(3)),
        )?,
    };
    Ok(())
}

#[tokio::test]
async fn the_rating_is_the_recount_after_any_changes() {
    let (server, _store) = TestServer::with_store().await;
    let other = server.other_process();
    let mut chance = Chance(20);
    for _round in 0..40 {
        let mut round = Chance(chance.below(u32::MAX).into());
        let count = rounds(50, 25_000);
        let changed = other.write(move |tx| (0..count).try_for_each(|_| change(tx, &mut round)));
        changed.await.expect("changes");
        server.assert_sound().await;
    }
    let rated = "select count(*) from product_rating where review_count > 0";
    assert_eq!(server.number(rated).await, 3, "the changes reached all products");
}
