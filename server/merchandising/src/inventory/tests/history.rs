//! Random histories of a small shop: no piece is reserved twice, and none is lost.

#![expect(clippy::arithmetic_side_effects, reason = "a model of a few pieces cannot overflow")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use quotient_foundation::testing::rounds;

use super::*;
use crate::database::Db;

/// A step of a history. Numbers choose among the existing rows.
#[derive(Debug, Clone)]
enum Step {
    Reserve { single: i64, set: i64, late: i64 },
    Ship { order: usize, line: usize, quantity: i64, is_far: bool },
    Unship { order: usize, line: usize, is_far: bool },
    Release { order: usize },
    Count { is_lid: bool, is_far: bool, stocked: i64 },
    Return { is_far: bool, quantity: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let reserve = (0..4_i64, 0..3_i64, 0..4_i64).prop_map(|(single, set, late)| Step::Reserve {
        single,
        set,
        late,
    });
    let ship = (0..8_usize, 0..3_usize, 1..4_i64, any::<bool>())
        .prop_map(|(order, line, quantity, is_far)| Step::Ship { order, line, quantity, is_far });
    let unship = (0..8_usize, 0..3_usize, any::<bool>())
        .prop_map(|(order, line, is_far)| Step::Unship { order, line, is_far });
    let count = (any::<bool>(), any::<bool>(), 0..12_i64)
        .prop_map(|(is_lid, is_far, stocked)| Step::Count { is_lid, is_far, stocked });
    let back =
        (any::<bool>(), 1..3_i64).prop_map(|(is_far, quantity)| Step::Return { is_far, quantity });
    prop_oneof![
        4 => reserve, 4 => ship, 1 => unship, 2 => (0..8_usize).prop_map(|order| Step::Release { order }),
        2 => count, 1 => back,
    ]
}

/// A line of the model: its variant, reserved pieces and shipped pieces.
#[derive(Debug, Clone)]
struct Line {
    id: OrderLineId,
    cups: i64,
    lids: i64,
    open: i64,
    sent: i64,
}

/// The expected state, computed without the database: stock by item, and every order's lines.
#[derive(Debug, Default)]
struct Model {
    cups: i64,
    lids: i64,
    orders: Vec<(OrderId, Vec<Line>)>,
}

impl Model {
    fn reserved(&self) -> (i64, i64) {
        let lines = self.orders.iter().flat_map(|(_, lines)| lines);
        lines.fold((0, 0), |(cups, lids), line| {
            (cups + line.cups * line.open, lids + line.lids * line.open)
        })
    }
}

async fn attempt<T: Send + 'static>(
    db: &Db,
    work: impl FnOnce(&Tx<'_>) -> Result<T, InventoryError> + Send + 'static,
) -> Option<T> {
    match db.write(work).await {
        Ok(value) => Some(value),
        Err(
            InventoryError::InsufficientInventory { .. } | InventoryError::InsufficientStock { .. },
        ) => None,
        Err(error) => panic!("{error}"),
    }
}

async fn take(db: &Db, shop: &Shop, model: &mut Model, step: Step) {
    let place = |is_far| if is_far { shop.far.clone() } else { shop.near.clone() };
    match step {
        Step::Reserve { single, set, late } => {
            reserve_some(db, shop, model, [single, set, late]).await;
        }
        Step::Ship { order, line, quantity, is_far } => {
            let Some(chosen) = chosen(model, order, line) else { return };
            if let Some((cups, lids)) = ship_some(db, chosen, quantity, place(is_far)).await {
                model.cups -= cups;
                model.lids -= lids;
            }
        }
        Step::Unship { order, line, is_far } => {
            let Some((order, line)) = chosen(model, order, line) else { return };
            if line.sent == 0 {
                return;
            }
            let (id, quantity, location) = (line.id.clone(), line.sent, place(is_far));
            attempt(db, move |tx| unship(tx, &order, &location, &[(id, quantity)])).await.unwrap();
            line.open += quantity;
            line.sent = 0;
            let (cups, lids) = (line.cups * quantity, line.lids * quantity);
            model.cups += cups;
            model.lids += lids;
        }
        Step::Release { order } => {
            let count = model.orders.len().max(1);
            let Some((id, lines)) = model.orders.get_mut(order % count) else { return };
            let id = id.clone();
            attempt(db, move |tx| release(tx, &id)).await.unwrap();
            for line in lines {
                line.open = 0;
            }
        }
        Step::Count { is_lid, is_far, stocked } => {
            let item = if is_lid { shop.lid.clone() } else { shop.cup.clone() };
            let location = place(is_far);
            let done = attempt(db, move |tx| {
                let before = on_hand(tx, &item, &location);
                set_level(tx, &item, &location, stocked, "count")?;
                Ok(stocked - before)
            });
            let change = done.await.unwrap_or(0);
            *(if is_lid { &mut model.lids } else { &mut model.cups }) += change;
        }
        Step::Return { is_far, quantity } => {
            let (location, variant) = (place(is_far), shop.set.clone());
            let done = attempt(db, move |tx| {
                restock(tx, &location, &[(variant, quantity)], "return", Some("return_1"))
            });
            done.await.unwrap();
            model.cups += 2 * quantity;
            model.lids += quantity;
        }
    }
}

async fn reserve_some(db: &Db, shop: &Shop, model: &mut Model, [single, set, late]: [i64; 3]) {
    let order = OrderId::new();
    let lines: Vec<(LineQuantity, i64, i64)> =
        [(&shop.single, single, 1, 0), (&shop.set, set, 2, 1), (&shop.late, late, 0, 1)]
            .into_iter()
            .filter(|(_, quantity, ..)| *quantity > 0)
            .map(|(variant, quantity, cups, lids)| (want(variant, quantity), cups, lids))
            .collect();
    let requested: Vec<LineQuantity> = lines.iter().map(|(line, ..)| line.clone()).collect();
    let (id, channel, variants) =
        (order.clone(), shop.channel.clone(), [shop.single.clone(), shop.set.clone()]);
    let free = attempt(db, move |tx| availability(tx, &variants, std::slice::from_ref(&channel)));
    let free = free.await.unwrap();
    let channel = shop.channel.clone();
    let made = attempt(db, move |tx| reserve(tx, &id, &requested, &channel)).await;
    let fits = |variant: &VariantId, quantity| match *free.get(variant).unwrap() {
        Availability::Pieces(pieces) => pieces >= quantity,
        Availability::Unlimited => true,
    };
    let Availability::Pieces(cups) = *free.get(&shop.single).unwrap() else {
        panic!("it is counted")
    };
    let fits = fits(&shop.set, set) && cups >= single + 2 * set;
    assert_eq!(made.is_some(), fits, "{single} {set} of {free:?}");
    if made.is_some() {
        let lines = lines.into_iter().map(|(line, cups, lids)| Line {
            id: line.line_id,
            cups,
            lids,
            open: line.quantity,
            sent: 0,
        });
        model.orders.push((order, lines.collect()));
    }
}

/// Ships pieces of a line; returns the cups and lids that left, if any could.
async fn ship_some(
    db: &Db,
    (order, line): (OrderId, &mut Line),
    quantity: i64,
    location: StockLocationId,
) -> Option<(i64, i64)> {
    let (id, quantity) = (line.id.clone(), quantity.min(line.open));
    if quantity == 0 {
        return None;
    }
    attempt(db, move |tx| ship(tx, &order, &location, &[(id, quantity)])).await?;
    line.open -= quantity;
    line.sent += quantity;
    Some((line.cups * quantity, line.lids * quantity))
}

fn chosen(model: &mut Model, order: usize, line: usize) -> Option<(OrderId, &mut Line)> {
    let count = model.orders.len().max(1);
    let (id, lines) = model.orders.get_mut(order % count)?;
    let count = lines.len().max(1);
    Some((id.clone(), lines.get_mut(line % count)?))
}

fn on_hand(tx: &Tx<'_>, item: &InventoryItemId, location: &StockLocationId) -> i64 {
    tx.query_row(
        "select coalesce(sum(stocked_quantity), 0) from inventory_level
          where inventory_item_id = ?1 and location_id = ?2",
        (item, location),
        |row| row.get(0),
    )
    .unwrap()
}

async fn verify(db: &Db, shop: &Shop, model: &Model) {
    let found = db.read::<_, crate::database::Error>(|tx| {
        assert_eq!(audit(tx)?, vec![]);
        let sql = "select inventory_item_id, sum(stocked_quantity), sum(reserved_quantity),
                          (select sum(change_quantity) from inventory_movement m
                            where m.inventory_item_id = l.inventory_item_id)
                     from inventory_level l group by inventory_item_id";
        let mut statement = tx.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            Ok((
                row.get(0)?,
                (row.get(1)?, row.get(2)?, row.get::<_, Option<i64>>(3)?.unwrap_or(0)),
            ))
        })?;
        Ok(rows.collect::<Result<BTreeMap<InventoryItemId, (i64, i64, i64)>, _>>()?)
    });
    let found = found.await.unwrap();
    let (cups, lids) = model.reserved();
    for (item, stocked, reserved) in [(&shop.cup, model.cups, cups), (&shop.lid, model.lids, lids)]
    {
        let on_hand = found.get(item).copied().unwrap_or_default();
        assert_eq!(on_hand, (stocked, reserved, stocked), "{item} of {model:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(8, 24), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_history_promises_a_piece_twice_or_loses_one(
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (db, _) = database();
            let shop = db.write::<_, InventoryError>(|tx| Ok(shop(tx))).await.unwrap();
            let mut model = Model::default();
            for step in steps {
                take(&db, &shop, &mut model, step).await;
                verify(&db, &shop, &model).await;
            }
            db.close().await;
        });
    }
}
