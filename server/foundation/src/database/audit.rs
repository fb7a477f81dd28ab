//! The audit of the database: queries that must return no rows, whatever has happened to the store.

use super::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The violated rule.
    pub rule: &'static str,
    pub id: String,
}

/// Limit: findings reported per rule.
const FINDINGS_MAX: usize = 20;

/// The rules, each with the query for rows that violate it; the first column is an id.
const RULES: &[(&str, &str)] = &[
    (
        "an index of texts ends at a row, not after the last",
        "select name from text_index
          where last_row > case name when 'order_text' then (select coalesce(max(display_id), 0) from orders)
                                     else (select coalesce(max(number), 0) from customer) end",
    ),
    (
        "a credit account's balance is the sum of its entries",
        "select account.id from credit_account account
          where balance_minor <> (select coalesce(sum(case kind when 'CREDIT' then amount_minor else -amount_minor end), 0)
                                    from credit_entry where account_id = account.id)",
    ),
    (
        "the balance after an entry of a credit account is the sum of the entries up to it",
        "select id from (select id, balance_after_minor,
                                sum(case kind when 'CREDIT' then amount_minor else -amount_minor end)
                                  over (partition by account_id order by rowid) as total_minor
                           from credit_entry)
          where balance_after_minor <> total_minor",
    ),
    (
        "an order's total is that of its lines and shipping, less store credit",
        "select o.id from orders o
          where o.item_total_minor <> (select coalesce(sum(total_minor), 0) from order_line where order_id = o.id)
             or o.shipping_total_minor <> (select coalesce(sum(total_minor), 0) from order_shipping_method where order_id = o.id)
             or o.credit_line_minor <> (select coalesce(sum(amount_minor), 0) from order_credit_line where order_id = o.id)",
    ),
    (
        "the tax of a line is the sum of its tax lines",
        "select line.order_id from order_line line
          where line.tax_minor <> (select coalesce(sum(amount_minor), 0) from order_line_tax
                                    where order_id = line.order_id and line_id = line.id)",
    ),
    (
        "what an order has been paid is the sum of its transactions",
        "select o.id from orders o
          where o.paid_minor - o.refunded_minor <> (select coalesce(sum(amount_minor), 0) from order_transaction where order_id = o.id)",
    ),
    (
        "no order is refunded above what was paid, in money and in store credit",
        "select o.id from orders o
          where o.refunded_minor
                + (select coalesce(sum(amount_minor), 0) from credit_entry e
                    where reference = 'order_refund' and reference_id = o.id
                      and not exists (select 1 from order_transaction
                                       where order_id = o.id and reference_id = e.id))
              > o.paid_minor + (select coalesce(sum(amount_minor), 0) from order_credit_line
                                 where order_id = o.id and reference in ('store-credit', 'subscription-credit'))",
    ),
    (
        "no payment is captured above its amount, nor refunded above its captures",
        "select payment.id from payment
          where (select coalesce(sum(amount_minor), 0) from capture where payment_id = payment.id) > amount_minor
             or (select coalesce(sum(amount_minor), 0) from refund where payment_id = payment.id)
              > (select coalesce(sum(amount_minor), 0) from capture where payment_id = payment.id)",
    ),
    (
        "a payment collection's captured and refunded amounts are those of its payments",
        "select c.id from payment_collection c
          where c.captured_minor <> (select coalesce(sum(capture.amount_minor), 0) from payment
                                       join capture on capture.payment_id = payment.id where payment.payment_collection_id = c.id)
             or c.refunded_minor <> (select coalesce(sum(refund.amount_minor), 0) from payment
                                       join refund on refund.payment_id = payment.id where payment.payment_collection_id = c.id)",
    ),
    (
        "what is reserved at a level is the sum of its reservations",
        "select level.id from inventory_level level
          where reserved_quantity <> (select coalesce(sum(quantity), 0) from reservation
                                       where inventory_item_id = level.inventory_item_id
                                         and location_id = level.location_id and deleted_at is null)",
    ),
    (
        "no stock is promised twice",
        "select level.id from inventory_level level
          where reserved_quantity > stocked_quantity
            and not exists (select 1 from reservation where inventory_item_id = level.inventory_item_id
                             and location_id = level.location_id and deleted_at is null and allow_backorder = 1)",
    ),
    (
        "a completed cart has its order",
        "select cart.id from cart where completed_at is not null
            and not exists (select 1 from orders where cart_id = cart.id)",
    ),
    (
        "a promotion is used as often as its orders say",
        "select promotion.id from promotion
          where used_count <> (select count(*) from order_promotion
                                 join orders on orders.id = order_promotion.order_id
                                where promotion_id = promotion.id and orders.canceled_at is null
                                  and orders.is_draft_order = 0)",
    ),
    (
        "what is only offered holds nothing",
        "select o.id from orders o
          where o.is_draft_order = 1
            and (o.status <> 'draft' or o.paid_minor <> 0
             or exists (select 1 from reservation where order_id = o.id and deleted_at is null)
             or exists (select 1 from payment_collection where order_id = o.id))",
    ),
    (
        "no line is fulfilled or returned above its quantity",
        "select order_id from order_line
          where quantity > 0 and (fulfilled_quantity > quantity
             or return_received_quantity + return_dismissed_quantity > quantity)",
    ),
    (
        "a subscription's credit balance is the sum of its adjustments",
        "select s.id from subscription s
          where credit_balance_minor <> (select coalesce(sum(balance_change_minor), 0) from subscription_adjustment
                                          where subscription_id = s.id)",
    ),
    (
        "the changes of a running subscription's revenue add up to it, and those of an ended one to nothing",
        "select s.id from subscription s
          where (select coalesce(sum(change_minor), 0) from mrr_movement where subscription_id = s.id)
             <> case when ended_at is null then mrr_minor else 0 end",
    ),
    (
        "a subscription has paid as many cycles as it says",
        "select s.id from subscription s
          where paid_cycles <> (select count(*) from subscription_cycle where subscription_id = s.id and status = 'paid')",
    ),
    (
        "a subscription's state is that of its last transition",
        "select s.id from subscription s
          where status is not (select to_status from subscription_transition
                                where subscription_id = s.id order by version desc limit 1)",
    ),
    (
        "a paid attempt has an order that is placed, and a refused one none",
        "select a.id from subscription_attempt a
          where (a.status = 'paid') <> exists (select 1 from orders where id = a.order_id and status <> 'draft')
            and a.status <> 'pending'",
    ),
    (
        "the rating of a product is that of its approved reviews",
        "select product_id from product_rating p
          where (rating_sum, count_1, count_2, count_3, count_4, count_5)
             is not (select coalesce(sum(rating), 0), count(*) filter (where rating = 1), count(*) filter (where rating = 2),
                            count(*) filter (where rating = 3), count(*) filter (where rating = 4), count(*) filter (where rating = 5)
                       from review where product_id = p.product_id and status = 'approved')
         union
         select product_id from review
          where status = 'approved' and product_id not in (select product_id from product_rating)",
    ),
    (
        "the votes on a review are counted",
        "select id from review r
          where (helpful_count, unhelpful_count)
             is not (select count(*) filter (where is_helpful = 1), count(*) filter (where is_helpful = 0)
                       from review_vote where review_id = r.id)",
    ),
    (
        "what was accepted after an order is a line of it",
        "select p.id from flow_press p join flow_session s on s.id = p.session_id
          where p.action = 'accepted' and p.state = 'settled' and p.amount_minor is not null and s.order_id is not null
            and not exists (select 1 from order_line where order_id = s.order_id and id = p.line_id)",
    ),
    (
        "the upsell of a session is the sum of what was accepted in it",
        "select s.id from flow_session s
          where upsell_total_minor <> (select coalesce(sum(amount_minor), 0) from flow_press
                                        where session_id = s.id and action = 'accepted' and state = 'settled')",
    ),
    (
        "what a partner's conversion earns is the sum of its entries, and of the parts of its lines",
        "select v.id from partner_conversion v
          where commission_minor <> (select coalesce(sum(amount_minor), 0) from partner_entry where conversion_id = v.id)
             or commission_minor <> (select coalesce(sum(value ->> 'commission_minor'), 0) from json_each(v.lines))
             or base_minor <> (select coalesce(sum(value ->> 'base_minor'), 0) from json_each(v.lines))
             or (status in ('rejected', 'reversed') and commission_minor <> 0)",
    ),
    (
        "a partner's payout is the sum of the entries that it pays, and is in the ledger",
        "select y.id from partner_payout y
          where amount_minor <> (select coalesce(sum(e.amount_minor), 0) from partner_payout_entry paid
                                   join partner_entry e on e.id = paid.entry_id where paid.payout_id = y.id)
             or amount_minor <> (select coalesce(sum(-amount_minor), 0) from partner_entry where payout_id = y.id)
             or entry_count <> (select count(*) from partner_payout_entry where payout_id = y.id)",
    ),
    (
        "who can log in is there",
        "select identity.id from identity where actor_id is not null
            and not exists (select 1 from customer where id = identity.actor_id and deleted_at is null)
            and not exists (select 1 from user where id = identity.actor_id and deleted_at is null)",
    ),
    (
        "of a secret key only the digest is kept",
        "select id from api_key where type = 'secret' and token is not null",
    ),
];

/// Returns every row that violates a rule; none if the store is consistent.
///
/// # Errors
/// [`Error::Sqlite`] if the file itself is damaged.
pub fn audit(tx: &Tx<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut add = |rule, ids: Vec<String>| {
        findings.extend(ids.into_iter().map(|id| Finding { rule, id }));
    };
    for (rule, sql) in RULES {
        add(rule, first_column(tx, sql, FINDINGS_MAX)?);
    }
    let mut lines = first_column(tx, "pragma integrity_check", usize::MAX)?;
    lines.retain(|line| line != "ok");
    add("the file is whole", lines);
    let tables = first_column(tx, "pragma foreign_key_check", usize::MAX)?;
    add("what a row refers to is there", tables);
    Ok(findings)
}

fn first_column(tx: &Tx<'_>, sql: &str, rows_max: usize) -> Result<Vec<String>, Error> {
    let mut statement = tx.prepare(sql)?;
    let texts = statement.query_map([], |row| row.get(0))?.take(rows_max);
    Ok(texts.collect::<rusqlite::Result<_>>()?)
}
