//! The rating of a product against a recount, over random changes.

use quotient_server::database::{Error, Tx};

use crate::harness::TestServer;

/// Random numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u32) -> u32 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33)
            .ok()
            .and_then(|bits| bits.checked_rem(limit))
            .unwrap_or_default()
    }
}

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
        let changed = other.write(move |tx| (0..50).try_for_each(|_| change(tx, &mut round)));
        changed.await.expect("changes");
        server.assert_sound().await;
    }
    let rated = "select count(*) from product_rating where review_count > 0";
    assert_eq!(server.number(rated).await, 3, "the changes reached all products");
}
