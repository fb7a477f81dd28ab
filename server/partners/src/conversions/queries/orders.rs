//! Queries for the orders of conversions.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::commission::Line;
use crate::conversions::fraud::plain;
use crate::database::{self, FromRow, Tx};
use crate::ids::{self, CategoryId, CustomerId, OrderId, OrderLineId, PartnerClickId, ProductId};
use crate::money::Currency;
use crate::proportion::{OutOfRange, portion, subtract};

#[derive(Debug, Clone, FromRow)]
pub(crate) struct OrderFacts {
    pub(crate) id: OrderId,
    pub(crate) customer_id: Option<CustomerId>,
    pub(crate) email: Option<String>,
    /// The e-mail address of its customer, who may have entered another one.
    pub(crate) customer_email: Option<String>,
    pub(crate) currency: Currency,
    pub(crate) placed_at: Timestamp,
    pub(crate) is_canceled: bool,
    /// When it was paid, if at all.
    pub(crate) paid_at: Option<Timestamp>,
    refunded_minor: i64,
    item_total_minor: i64,
    item_tax_minor: i64,
    address_1: Option<String>,
    postal_code: Option<String>,
    /// The storefront's stamp.
    stamp: Option<String>,
}

impl OrderFacts {
    pub(crate) fn click_id(&self) -> Option<PartnerClickId> {
        self.stamp.as_ref()?.parse().ok()
    }

    /// Returns its shipping address, for comparison.
    pub(crate) fn address_key(&self) -> Option<(String, String)> {
        let key = (plain(self.address_1.as_deref()?), plain(self.postal_code.as_deref()?));
        (!key.0.is_empty() && !key.1.is_empty()).then_some(key)
    }

    /// Returns the refunded amount of goods, without tax. Refunds apply to goods first, then to shipping.
    pub(crate) fn refunded_goods(&self) -> Result<i64, OutOfRange> {
        let goods_minor = self.refunded_minor.min(self.item_total_minor).max(0);
        if self.item_total_minor <= 0 {
            return Ok(0);
        }
        subtract(goods_minor, portion(goods_minor, self.item_tax_minor, self.item_total_minor)?)
    }
}

/// Returns an order, unless it still awaits payment.
pub(crate) fn find(tx: &Tx<'_>, id: &OrderId) -> Result<Option<OrderFacts>, database::Error> {
    let sql = "select o.id, o.customer_id, o.email, o.currency, o.placed_at,
                      (select email from customer where id = o.customer_id) as customer_email,
                      o.canceled_at is not null as is_canceled,
                      case when o.payment_status in ('captured', 'partially_refunded', 'refunded') or o.total_minor = 0
                           then coalesce((select max(created_at) from order_transaction
                                           where order_id = o.id and amount_minor > 0), o.placed_at) end as paid_at,
                      o.refunded_minor, o.item_total_minor, o.item_tax_minor,
                      o.shipping_address ->> '$.address_1' as address_1,
                      o.shipping_address ->> '$.postal_code' as postal_code,
                      cast(coalesce(o.metadata ->> '$.partner.click_id', o.metadata ->> '$.partner_click_id') as text) as stamp
                 from orders o where o.id = :id and o.status <> 'draft'";
    tx.sql(sql).first(named_params! { ":id": id }, OrderFacts::from_row)
}

pub(crate) fn lines(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<Vec<(OrderLineId, Line)>, database::Error> {
    let sql = "select id, product_id, subtotal_minor - discount_subtotal_minor as net_minor, total_minor, refunded_minor,
                      is_giftcard from order_line where order_id = :id order by position, id";
    let rows: Vec<LineRow> = tx.sql(sql).all(named_params! { ":id": id }, LineRow::from_row)?;
    let products = ids::list(rows.iter().filter_map(|row| row.product_id.as_ref()));
    let sql = "select product_id, product_category_id from product_category_product
                where product_id in (select value from json_each(:products))";
    let categories: Vec<(ProductId, CategoryId)> = tx
        .sql(sql)
        .all(named_params! { ":products": products }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    let of_one = |row: LineRow| {
        let own = categories.iter().filter(|(product, _)| Some(product) == row.product_id.as_ref());
        let line = Line {
            net_minor: row.net_minor,
            // The refunded amount of a line includes tax.
            returned_minor: match row.total_minor {
                total if total > 0 => {
                    portion(row.refunded_minor, row.net_minor, total).unwrap_or(0)
                }
                _nothing => 0,
            },
            is_gift_card: row.is_giftcard,
            category_ids: own.map(|(_, category)| category.clone()).collect(),
            product_id: row.product_id,
            rate_of: None,
        };
        (row.id, line)
    };
    Ok(rows.into_iter().map(of_one).collect())
}

#[derive(Debug, FromRow)]
struct LineRow {
    id: OrderLineId,
    product_id: Option<ProductId>,
    net_minor: i64,
    total_minor: i64,
    refunded_minor: i64,
    is_giftcard: bool,
}

pub(crate) fn promo_codes(tx: &Tx<'_>, id: &OrderId) -> Result<Vec<String>, database::Error> {
    tx.sql("select code from order_promotion where order_id = :id order by code")
        .all(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the first order of the subscription that an order renews, and the number of cycles paid before it; none
/// during a trial.
pub(crate) fn renewal(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<Option<(OrderId, i64)>, database::Error> {
    let sql = "select s.order_id,
                      (select count(*) from subscription_cycle other
                        where other.subscription_id = c.subscription_id and other.number < c.number
                          and other.status = 'paid')
                 from subscription_cycle c join subscription s on s.id = c.subscription_id
                where c.order_id = :id and s.order_id <> :id";
    tx.sql(sql).first(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns whether this is the customer's first order, by the customer's id and e-mail address.
pub(crate) fn is_first(tx: &Tx<'_>, order: &OrderFacts) -> Result<bool, database::Error> {
    let sql = "select not exists (select 1 from orders where customer_id = :customer and placed_at < :at and id <> :id
                                   and status not in ('draft', 'canceled'))
                  and not exists (select 1 from orders where email = :email and placed_at < :at and id <> :id
                                   and status not in ('draft', 'canceled'))";
    let bound = named_params! {
        ":customer": order.customer_id, ":email": order.email, ":at": order.placed_at, ":id": order.id,
    };
    tx.sql(sql).one(bound, |row| row.get(0))
}
