//! Tests of placed orders in a shop that sells mugs.

mod canceled;
mod captured;
mod corrected;
mod machine;
mod owed;
mod paid;
mod refunded;
mod returned;
mod sent;

use crate::checkout::Completion;
use crate::checkout::tests::shop::{TestShop, Wish};
use crate::database::Tx;
use crate::fulfillment::steps::NewFulfillment;
use crate::fulfillment::{self, FulfillmentError, Pieces};
use crate::http::HttpError;
use crate::ids::{FulfillmentId, OrderId, OrderLineId, PaymentId};
use crate::metadata::Metadata;
use crate::orders::refunding::{self, Refunded};
use crate::orders::{money, reversal};
use crate::payments::NewRefund;

/// A card that only authorizes.
const PROMISE: &str = "pm_card_authorize_only";

/// A card that is captured immediately.
const VISA: &str = "pm_card_visa";

const ADMIN: &str = "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE";

/// A shop that has sold mugs.
#[derive(Debug)]
struct Sold {
    shop: TestShop,
    order: OrderId,
}

impl Sold {
    /// Returns a shop of ten mugs that has sold some, paid by a card.
    async fn mugs(quantity: i64, card: &str) -> Self {
        let shop = TestShop::with_mugs(10).await;
        let wish = Wish { quantity, has_promotion: true, credit: None, is_shipped: true };
        Self::by(shop, wish, card).await
    }

    /// Returns a shop that has sold the requested items.
    async fn by(shop: TestShop, wish: Wish<'_>, card: &str) -> Self {
        let filled = shop.ready(wish, card).await;
        let Completion::Placed(order) = shop.complete(&filled).await.unwrap() else {
            panic!("the cart is not paid");
        };
        Self { shop, order }
    }

    /// Changes the order; errors are returned as clients see them.
    async fn write<
        T: Send + 'static,
        E: Into<HttpError> + From<crate::database::Error> + Send + 'static,
    >(
        &self,
        work: impl FnOnce(&Tx<'_>, &OrderId) -> Result<T, E> + Send + 'static,
    ) -> Result<T, HttpError> {
        let order = self.order.clone();
        self.shop.db.write(move |tx| work(tx, &order)).await.map_err(Into::into)
    }

    /// Captures an amount of the payment, or all that is left.
    async fn capture(&self, amount_minor: Option<i64>) -> Result<(), HttpError> {
        let (db, gateway) = (self.shop.db.clone(), self.shop.gateway.clone());
        let payment = self.payment().await;
        Ok(money::capture(db, gateway, payment, amount_minor, ADMIN.to_owned()).await?)
    }

    async fn cancel_payment(&self) -> Result<(), HttpError> {
        let (db, gateway) = (self.shop.db.clone(), self.shop.gateway.clone());
        Ok(money::cancel(db, gateway, self.payment().await).await?)
    }

    /// Cancels and refunds what was paid.
    async fn reverse(&self) -> Result<(), HttpError> {
        let (db, gateway) = (self.shop.db.clone(), self.shop.gateway.clone());
        Ok(reversal::reverse(db, gateway, self.order.clone(), ADMIN.to_owned()).await?)
    }

    /// Refunds an amount of the payment, or all that is left.
    async fn refund(&self, amount_minor: Option<i64>) -> Result<Refunded, HttpError> {
        let (db, gateway) = (self.shop.db.clone(), self.shop.gateway.clone());
        let new = NewRefund { amount_minor, ..NewRefund::default() };
        Ok(refunding::refund(db, gateway, self.payment().await, new).await?)
    }

    /// Packs a number of mugs.
    async fn pack(&self, quantity: i64) -> Result<FulfillmentId, HttpError> {
        self.write(move |tx, order| {
            let pieces = vec![Pieces { line_id: line(tx, order)?, quantity }];
            pack_pieces(tx, order, pieces)
        })
        .await
    }

    /// Returns the order's status, payment status and fulfillment status.
    async fn states(&self) -> (String, String, String) {
        self.shop
            .db
            .read::<_, crate::database::Error>(|tx| {
                let sql = "select status, payment_status, fulfillment_status from orders";
                Ok(tx.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?)
            })
            .await
            .unwrap()
    }

    /// Returns a number from the database.
    async fn number(&self, sql: &'static str) -> i64 {
        self.shop.number(sql).await
    }

    async fn payment(&self) -> PaymentId {
        self.shop
            .db
            .read::<_, crate::database::Error>(|tx| {
                Ok(tx.query_row("select id from payment", [], |row| row.get(0))?)
            })
            .await
            .unwrap()
    }
}

fn pack_pieces(
    tx: &Tx<'_>,
    order: &OrderId,
    pieces: Vec<Pieces>,
) -> Result<FulfillmentId, FulfillmentError> {
    fulfillment::steps::pack(tx, new_fulfillment(order, pieces))
}

fn new_fulfillment(order: &OrderId, pieces: Vec<Pieces>) -> NewFulfillment {
    NewFulfillment {
        order_id: order.clone(),
        pieces,
        location_id: None,
        shipping_option_id: None,
        metadata: Metadata::default(),
        actor_id: Some(ADMIN.to_owned()),
    }
}

/// Returns the order's only line.
fn line(tx: &Tx<'_>, order: &OrderId) -> Result<OrderLineId, crate::database::Error> {
    let sql = "select id from order_line where order_id = ?1";
    Ok(tx.query_row(sql, [order], |row| row.get(0))?)
}

/// Returns the status and the message of a refusal.
fn refusal<T: std::fmt::Debug>(outcome: Result<T, HttpError>) -> (u16, String) {
    let error = outcome.unwrap_err();
    (error.status().as_u16(), error.message().to_owned())
}
