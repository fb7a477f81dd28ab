//! Random sequences of operations on an order: the audit stays clean, stock adds up, and statuses move only along
//! their edges.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quotient_foundation::testing::rounds;

use super::canceled::call_off;
use super::{ADMIN, PROMISE, Sold, VISA, line, pack_pieces};
use crate::checkout::tests::shop::{TestShop, Wish};
use crate::database::Error;
use crate::fulfillment::{self, Pieces};
use crate::http::HttpError;
use crate::ids::{FulfillmentId, ReturnId};
use crate::orders::admin::cancel;
use crate::orders::settle;
use crate::returns::steps::{Announced, NewReturn};
use crate::returns::{self, ReturnError};
use crate::statuses::{OrderStatus, ReturnStatus};

/// Mugs in stock before the sale, and mugs sold.
const SHELF: i64 = 10;
const SOLD: i64 = 3;

/// An operation. Numbers out of range wrap around or are rejected.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Pack(i64),
    Ship(usize),
    Deliver(usize),
    CancelFulfillment(usize),
    Capture(Option<i64>),
    Refund(Option<i64>),
    Return(ReturnDeed),
    Cancel,
    Complete,
    Archive,
}

/// An operation on returned items.
#[derive(Debug, Clone, Copy)]
enum ReturnDeed {
    Announce(i64),
    Unpack(usize, i64, bool),
    Confirm(usize),
    Cancel(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    let amount = prop_oneof![Just(None), (-5_i64..3_200).prop_map(Some)];
    prop_oneof![
        4 => (0_i64..4).prop_map(Deed::Pack),
        4 => (0_usize..3).prop_map(Deed::Ship),
        2 => (0_usize..3).prop_map(Deed::Deliver),
        2 => (0_usize..3).prop_map(Deed::CancelFulfillment),
        3 => amount.clone().prop_map(Deed::Capture),
        3 => amount.prop_map(Deed::Refund),
        8 => return_deed().prop_map(Deed::Return),
        1 => Just(Deed::Cancel),
        1 => Just(Deed::Complete),
        1 => Just(Deed::Archive),
    ]
}

fn return_deed() -> impl Strategy<Value = ReturnDeed> {
    prop_oneof![
        3 => (0_i64..4).prop_map(ReturnDeed::Announce),
        3 => (0_usize..3, 0_i64..4, any::<bool>())
            .prop_map(|(at, quantity, is_bad)| ReturnDeed::Unpack(at, quantity, is_bad)),
        3 => (0_usize..3).prop_map(ReturnDeed::Confirm),
        1 => (0_usize..3).prop_map(ReturnDeed::Cancel),
    ]
}

/// A shop and the state of its order so far.
struct Machine {
    sold: Sold,
    fulfillments: Vec<FulfillmentId>,
    returns: Vec<ReturnId>,
}

impl Machine {
    async fn run(&mut self, deed: Deed) -> Result<(), HttpError> {
        let sold = &self.sold;
        match deed {
            Deed::Pack(quantity) => {
                let packed = sold
                    .write(move |tx, order| {
                        pack_pieces(tx, order, vec![Pieces { line_id: line(tx, order)?, quantity }])
                    })
                    .await?;
                self.fulfillments.push(packed);
                Ok(())
            }
            Deed::Ship(at) => {
                let Some(id) = one(&self.fulfillments, at) else { return Ok(()) };
                sold.write(move |tx, order| {
                    fulfillment::steps::ship(tx, (order, &id), None, &[], false)
                })
                .await
            }
            Deed::Deliver(at) => {
                let Some(id) = one(&self.fulfillments, at) else { return Ok(()) };
                sold.write(move |tx, order| fulfillment::steps::deliver(tx, order, &id)).await
            }
            Deed::CancelFulfillment(at) => {
                let Some(id) = one(&self.fulfillments, at) else { return Ok(()) };
                sold.write(move |tx, order| fulfillment::steps::cancel(tx, order, &id)).await
            }
            Deed::Capture(amount) => sold.capture(amount).await,
            Deed::Refund(amount_minor) => sold.refund(amount_minor).await.map(|_outcome| ()),
            Deed::Return(deed) => self.run_return(deed).await,
            Deed::Cancel => call_off(sold).await,
            Deed::Complete => sold.write(cancel::complete).await,
            Deed::Archive => sold.write(cancel::archive).await,
        }
    }

    async fn run_return(&mut self, deed: ReturnDeed) -> Result<(), HttpError> {
        let sold = &self.sold;
        match deed {
            ReturnDeed::Announce(quantity) => {
                let begun = sold.write(move |tx, order| announce(tx, order, quantity)).await?;
                self.returns.push(begun);
                Ok(())
            }
            ReturnDeed::Unpack(at, quantity, is_damaged) => {
                let Some(id) = one(&self.returns, at) else { return Ok(()) };
                sold.write(move |tx, order| {
                    returns::steps::unpack(tx, &id, &[(line(tx, order)?, quantity)], is_damaged)
                })
                .await
            }
            ReturnDeed::Confirm(at) => {
                let Some(id) = one(&self.returns, at) else { return Ok(()) };
                let confirmed = sold
                    .write(move |tx, _| returns::steps::confirm_receipt(tx, &id, Some(ADMIN)))
                    .await;
                confirmed.map(|_received| ())
            }
            ReturnDeed::Cancel(at) => {
                let Some(id) = one(&self.returns, at) else { return Ok(()) };
                sold.write(move |tx, _| returns::steps::cancel(tx, &id, Some(ADMIN))).await
            }
        }
    }

    /// Checks the invariants that hold after every operation.
    async fn check(&self) {
        self.sold.shop.assert_sound().await;
        let stocked = "select stocked_quantity - (select sum(return_received_quantity - fulfilled_quantity) from order_line)
                         from inventory_level";
        assert_eq!(self.sold.number(stocked).await, SHELF, "stock adds up");
        let reserved = "select reserved_quantity - (select case
                                                   when orders.status in ('canceled', 'archived') then 0
                                                   else sum(order_line.quantity - fulfilled_quantity) end
                                         from order_line, orders) from inventory_level";
        assert_eq!(self.sold.number(reserved).await, 0, "what waits is reserved");
        let beyond = "select count(*) from order_line
                       where not (delivered_quantity <= shipped_quantity and shipped_quantity <= fulfilled_quantity
                                  and return_requested_quantity >= 0
                                  and return_requested_quantity + return_received_quantity
                                      + return_dismissed_quantity <= shipped_quantity
                                  and refunded_minor <= total_minor)";
        assert_eq!(self.sold.number(beyond).await, 0, "no piece is in two places");
        let before = self.sold.number("select count(*) from order_transition").await;
        self.sold.write(settle).await.unwrap();
        let after = self.sold.number("select count(*) from order_transition").await;
        assert_eq!(before, after, "where it stands is settled");
    }

    /// Checks that every transition follows an edge and begins where the previous one ended.
    async fn check_history(&self) {
        let steps: Vec<(String, Option<String>, String)> = self
            .sold
            .shop
            .db
            .read::<_, Error>(|tx| {
                let sql = "select aspect, from_state, to_state from order_transition order by seq";
                let mut statement = tx.prepare(sql)?;
                let rows =
                    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
            .unwrap();
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        for (aspect, from, to) in steps {
            match aspect.as_str() {
                "return" => {
                    let allowed = from.as_deref().is_none_or(|from| {
                        let parse = |word| ReturnStatus::parse(word).unwrap();
                        from == to || parse(from).may_become(parse(&to))
                    });
                    assert!(allowed, "return: {from:?} to {to}");
                    continue;
                }
                "status" => {
                    let parse = |word: &str| OrderStatus::parse(word).unwrap();
                    let allowed =
                        from.as_deref().is_none_or(|from| parse(from).may_become(parse(&to)));
                    assert!(allowed, "status: {from:?} to {to}");
                }
                _ => assert_ne!(from.as_deref(), Some(to.as_str()), "{aspect}"),
            }
            if let Some(before) = last.insert(aspect.clone(), to) {
                assert_eq!(from, Some(before), "{aspect}");
            }
        }
    }
}

pub(super) fn announce(
    tx: &crate::database::Tx<'_>,
    order: &crate::ids::OrderId,
    quantity: i64,
) -> Result<ReturnId, ReturnError> {
    let new = NewReturn {
        order_id: order.clone(),
        location_id: None,
        no_notification: false,
        metadata: crate::metadata::Metadata::default(),
        actor_id: None,
    };
    let id = returns::steps::begin(tx, new)?;
    let line_id = line(tx, order)?;
    returns::steps::put_items(
        tx,
        &id,
        &[Announced { line_id, quantity, reason_id: None, note: None }],
    )?;
    returns::steps::request(tx, &id, None)?;
    Ok(id)
}

fn one<T: Clone>(made: &[T], at: usize) -> Option<T> {
    made.get(at.checked_rem(made.len())?).cloned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(8, 24), max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_people_do_to_an_order_breaks_it(
        pays_at_once in any::<bool>(),
        deeds in prop::collection::vec(deed(), 1..25),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let shop = TestShop::with_mugs(SHELF).await;
            let account = shop.account(500).await;
            let credit = Some((&account, 500));
            let wish = Wish { quantity: SOLD, has_promotion: true, credit, is_shipped: true };
            let sold = Sold::by(shop, wish, if pays_at_once { VISA } else { PROMISE }).await;
            let mut machine = Machine { sold, fulfillments: Vec::new(), returns: Vec::new() };
            for deed in deeds {
                if let Err(refused) = machine.run(deed).await {
                    assert!(refused.status().is_client_error(), "{deed:?}: {refused:?}");
                }
                machine.check().await;
            }
            machine.check_history().await;
        });
    }
}
