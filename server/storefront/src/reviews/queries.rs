//! The SQL of reviews.

use rusqlite::named_params;

use super::review::{Review, ReviewVersion};
use super::store_review::Ratings;
use crate::database::{Error, FromRow as _, Record as _, Tx};
use crate::ids::{self, CustomerId, OrderId, ProductId, ReviewId};

/// Returns the earlier texts of a review, latest first.
pub(super) fn versions(
    tx: &Tx<'_>,
    review_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<(ReviewId, ReviewVersion)>, Error> {
    ReviewVersion::select_by(
        tx,
        "v.review_id",
        "review_version v where v.review_id in (select value from json_each(:ids))
          order by v.review_id, v.number desc",
        named_params! { ":ids": ids::list(review_ids) },
    )
}

/// Stores the present text of a review as a version.
pub(super) fn archive(tx: &Tx<'_>, id: &ReviewId) -> Result<(), Error> {
    tx.sql(
        "insert into review_version (review_id, number, title, content, rating, first_name, last_name, created_at)
         select id, version, title, content, rating, first_name, last_name, written_at from review where id = :id",
    )
    .run(named_params! { ":id": id })
}

pub(super) fn of_customer(
    tx: &Tx<'_>,
    product_id: &ProductId,
    customer_id: &CustomerId,
) -> Result<Option<Review>, Error> {
    Review::select_one(
        tx,
        "where r.customer_id = :customer_id and r.product_id = :product_id",
        named_params! { ":customer_id": customer_id, ":product_id": product_id },
    )
}

/// Returns a reference if it is a guest's order that contains a product.
pub(super) fn guest_order(
    tx: &Tx<'_>,
    product_id: &ProductId,
    reference: Option<&str>,
) -> Result<Option<String>, Error> {
    tx.sql(
        "select o.id from orders o left join customer c on c.id = o.customer_id
          where o.id = :reference and o.status <> 'draft' and coalesce(c.has_account, 0) = 0
            and exists (select 1 from order_line l where l.order_id = o.id and l.product_id = :product_id)",
    )
    .first(named_params! { ":product_id": product_id, ":reference": reference }, |row| row.get(0))
}

pub(super) fn of_guest(
    tx: &Tx<'_>,
    product_id: &ProductId,
    reference: &str,
) -> Result<Option<Review>, Error> {
    Review::select_one(
        tx,
        "where r.order_reference = :reference and r.product_id = :product_id and r.customer_id is null",
        named_params! { ":reference": reference, ":product_id": product_id },
    )
}

/// Returns the number of reviews with a text, excluding the one with this id.
pub(super) fn same_count(tx: &Tx<'_>, digest: &str, except: &ReviewId) -> Result<u64, Error> {
    let count = tx
        .sql("select count(*) from review where text_digest = :digest and id <> :except")
        .one(named_params! { ":digest": digest, ":except": except }, |row| row.get::<_, i64>(0))?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Returns the order that proves that the author of a review bought the product: the earliest one that is paid and not
/// canceled, and from which some of the product was not returned, of the author's and the guest's order that the author
/// named. A guest's order that proves another review of the product is left out, since everybody who knows it can name it.
pub(super) fn order_with(tx: &Tx<'_>, review: &Review) -> Result<Option<OrderId>, Error> {
    let Review { id, product_id, customer_id, order_reference, .. } = review;
    tx.sql(
        "select o.id
           from orders o cross join order_line l on l.order_id = o.id
          where o.id in (select own.id from orders own where own.customer_id = :customer_id
                         union all
                         select guest.id from orders guest left join customer c on c.id = guest.customer_id
                          where guest.id = :reference and coalesce(c.has_account, 0) = 0
                            and not exists (select 1 from review r
                                             where r.verified_order_id = guest.id and r.product_id = :product_id
                                               and r.id <> :id and r.status <> 'rejected'))
            and o.status not in ('draft', 'canceled')
            and o.payment_status in ('captured', 'partially_captured', 'partially_refunded')
            and l.product_id = :product_id
            and l.quantity > l.return_received_quantity + l.return_dismissed_quantity
          order by o.placed_at, o.id
          limit 1",
    )
    .first(
        named_params! {
            ":id": id, ":product_id": product_id, ":customer_id": customer_id, ":reference": order_reference,
        },
        |row| row.get(0),
    )
}

pub(super) fn verified_by(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<Review>, Error> {
    Review::select(
        tx,
        "where r.verified_order_id = :order_id",
        named_params! { ":order_id": order_id },
    )
}

/// Returns the counts of a product's approved reviews; none if it never had one.
pub(super) fn ratings(tx: &Tx<'_>, product_id: &ProductId) -> Result<Option<Ratings>, Error> {
    tx.sql(
        "select rating_sum, review_count, count_1, count_2, count_3, count_4, count_5
           from product_rating where product_id = :product_id",
    )
    .first(named_params! { ":product_id": product_id }, Ratings::from_row)
}

/// Sets or removes a customer's vote, and recounts the votes of the review.
pub(super) fn vote(
    tx: &Tx<'_>,
    id: &ReviewId,
    customer_id: &CustomerId,
    is_helpful: Option<bool>,
) -> Result<(), Error> {
    match is_helpful {
        Some(is_helpful) => tx.put(
            "review_vote",
            &["review_id", "customer_id"],
            &[],
            named_params! {
                ":review_id": id, ":customer_id": customer_id, ":is_helpful": is_helpful,
                ":created_at": tx.now(), ":updated_at": tx.now(),
            },
        )?,
        None => tx
            .sql("delete from review_vote where review_id = :review_id and customer_id = :customer_id")
            .run(named_params! { ":review_id": id, ":customer_id": customer_id })?,
    }
    tx.sql(
        "update review set
           helpful_count = (select count(*) from review_vote where review_id = :id and is_helpful = 1),
           unhelpful_count = (select count(*) from review_vote where review_id = :id and is_helpful = 0)
          where id = :id",
    )
    .run(named_params! { ":id": id })
}
