//! Stock over a database: what is promised, and that random histories never promise a piece twice.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::catalog::tests::{channel, database, variants};
use crate::catalog::{NewProduct, NewVariant, create_product};
use crate::database::{Db, Tx, audit};
use crate::ids::{
    InventoryItemId, OrderId, OrderLineId, SalesChannelId, StockLocationId, VariantId,
};

/// Two locations of one channel. `single` takes a piece of `cup`; `set` takes two of `cup` and one of `lid`; `late`
/// takes a `lid` and may be sold before it is there; `free` is not counted.
#[derive(Debug, Clone)]
struct Shop {
    channel: SalesChannelId,
    near: StockLocationId,
    far: StockLocationId,
    cup: InventoryItemId,
    lid: InventoryItemId,
    single: VariantId,
    set: VariantId,
    late: VariantId,
    free: VariantId,
}

fn variant(tx: &Tx<'_>, sku: &str, items: &[(&InventoryItemId, i64)]) -> VariantId {
    let variant = NewVariant {
        inventory_items: items.iter().map(|(item, count)| ((*item).clone(), *count)).collect(),
        allow_backorder: sku == "late",
        manage_inventory: sku != "free",
        ..NewVariant::with_sku(sku)
    };
    let product = NewProduct { variants: vec![variant], ..NewProduct::titled(sku) };
    let product_id = create_product(tx, product).unwrap();
    variants(tx, &product_id).remove(0)
}

fn shop(tx: &Tx<'_>) -> Shop {
    let channel = channel(tx);
    let place = |name: &str| {
        let new = NewLocation { name: name.to_owned(), ..NewLocation::default() };
        let id = create_location(tx, new).unwrap();
        connect_channel(tx, &id, &channel).unwrap();
        id
    };
    let (near, far) = (place("near"), place("far"));
    let item = |sku: &str| {
        let new = NewItem { sku: Some(sku.to_owned()), ..NewItem::default() };
        create_item(tx, new).unwrap()
    };
    let (cup, lid) = (item("cup"), item("lid"));
    Shop {
        single: variant(tx, "single", &[(&cup, 1)]),
        set: variant(tx, "set", &[(&cup, 2), (&lid, 1)]),
        late: variant(tx, "late", &[(&lid, 1)]),
        free: variant(tx, "free", &[]),
        channel,
        near,
        far,
        cup,
        lid,
    }
}

fn pieces(tx: &Tx<'_>, shop: &Shop, variant: &VariantId) -> Option<Availability> {
    let channels = std::slice::from_ref(&shop.channel);
    availability(tx, std::slice::from_ref(variant), channels).unwrap().remove(variant)
}

fn want(variant: &VariantId, quantity: i64) -> Wanted {
    Wanted { line_id: OrderLineId::new(), variant_id: variant.clone(), quantity }
}

#[tokio::test]
async fn a_variant_is_there_as_often_as_its_scarcest_item_over_the_channels_locations() {
    let (db, _) = database();
    db.write::<_, InventoryError>(|tx| {
        let shop = shop(tx);
        set_level(tx, &shop.cup, &shop.near, 5, "count")?;
        set_level(tx, &shop.cup, &shop.far, 4, "count")?;
        set_level(tx, &shop.lid, &shop.near, 3, "count")?;

        assert_eq!(pieces(tx, &shop, &shop.single), Some(Availability::Pieces(9)));
        assert_eq!(pieces(tx, &shop, &shop.set), Some(Availability::Pieces(3)));
        assert_eq!(pieces(tx, &shop, &shop.late), Some(Availability::Pieces(3)));
        assert_eq!(pieces(tx, &shop, &shop.free), Some(Availability::Unlimited));
        let elsewhere = availability(tx, std::slice::from_ref(&shop.single), &[])?;
        assert_eq!(elsewhere.get(&shop.single), Some(&Availability::Pieces(0)));
        let missing = VariantId::new();
        assert!(availability(tx, std::slice::from_ref(&missing), &[])?.is_empty());
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn lines_that_share_an_item_are_added_up_and_the_refusal_names_the_variant() {
    let (db, _) = database();
    db.write::<_, InventoryError>(|tx| {
        let shop = shop(tx);
        set_level(tx, &shop.cup, &shop.near, 4, "count")?;
        set_level(tx, &shop.lid, &shop.near, 9, "count")?;
        let lines = [(shop.set.clone(), 1), (shop.single.clone(), 3)];

        let error = check(tx, &lines, &shop.channel).unwrap_err();
        let InventoryError::InsufficientInventory { variant_id, requested, available } = error
        else {
            panic!("{error}")
        };
        assert_eq!((variant_id, requested, available), (shop.single.clone(), 3, 2));
        let lines = [(shop.set.clone(), 1), (shop.single.clone(), 2), (shop.free.clone(), 99)];
        check(tx, &lines, &shop.channel)?;
        assert!(check(tx, &[(shop.single.clone(), 0)], &shop.channel).is_err());
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn what_is_promised_before_it_is_there_leaves_what_others_were_promised_alone() {
    let (db, _) = database();
    db.write::<_, InventoryError>(|tx| {
        let shop = shop(tx);
        set_level(tx, &shop.cup, &shop.near, 4, "count")?;
        set_level(tx, &shop.lid, &shop.near, 2, "count")?;
        let (first, second) = (OrderId::new(), OrderId::new());
        let (sets, late) = (want(&shop.set, 2), want(&shop.late, 3));
        reserve(tx, &first, std::slice::from_ref(&sets), &shop.channel)?;
        reserve(tx, &second, std::slice::from_ref(&late), &shop.channel)?;

        let refused = ship(tx, &second, &shop.near, &[(late.line_id.clone(), 1)]).unwrap_err();
        assert!(matches!(refused, InventoryError::InsufficientStock { available: 0, .. }));
        assert!(set_level(tx, &shop.lid, &shop.near, 1, "count").is_err());
        add_stock(tx, &shop.lid, &shop.near, 1, "purchase")?;
        ship(tx, &second, &shop.near, &[(late.line_id, 1)])?;
        ship(tx, &first, &shop.near, &[(sets.line_id, 2)])?;
        assert_eq!(audit(tx)?, vec![]);
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn pieces_that_come_back_are_on_the_shelf_again_and_every_movement_is_written_down() {
    let (db, _) = database();
    db.write::<_, InventoryError>(|tx| {
        let shop = shop(tx);
        set_level(tx, &shop.cup, &shop.near, 10, "count")?;
        let (order, line) = (OrderId::new(), want(&shop.single, 4));
        reserve(tx, &order, std::slice::from_ref(&line), &shop.channel)?;
        ship(tx, &order, &shop.near, &[(line.line_id.clone(), 3)])?;
        unship(tx, &order, &shop.near, &[(line.line_id.clone(), 3)])?;
        ship(tx, &order, &shop.near, &[(line.line_id, 4)])?;
        restock(
            tx,
            &shop.far,
            &[(shop.single.clone(), 1), (shop.free.clone(), 1)],
            "return",
            None,
        )?;

        let sql =
            "select reason, change_quantity, stocked_after from inventory_movement order by seq";
        let mut statement = tx.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let rows: Vec<(String, i64, i64)> = rows.collect::<Result<_, _>>()?;
        let expected = [
            ("count", 10, 10),
            ("shipment", -3, 7),
            ("shipment_canceled", 3, 10),
            ("shipment", -4, 6),
            ("return", 1, 1),
        ];
        let found: Vec<_> =
            rows.iter().map(|(why, by, after)| (why.as_str(), *by, *after)).collect();
        assert_eq!(found, expected);
        assert_eq!(pieces(tx, &shop, &shop.single), Some(Availability::Pieces(7)));
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn the_statements_of_a_reservation_do_not_grow_with_its_lines() {
    let (db, _) = database();
    let shop = db
        .write::<_, InventoryError>(|tx| {
            let shop = shop(tx);
            set_level(tx, &shop.cup, &shop.near, 1_000, "count")?;
            set_level(tx, &shop.lid, &shop.near, 1_000, "count")?;
            Ok(shop)
        })
        .await
        .unwrap();

    let mut counts = Vec::new();
    for line_count in [2, 20] {
        let shop = shop.clone();
        let before = db.statement_count();
        db.write::<_, InventoryError>(move |tx| {
            let order = OrderId::new();
            let lines: Vec<Wanted> = (0..line_count).map(|_| want(&shop.set, 1)).collect();
            reserve(tx, &order, &lines, &shop.channel)?;
            let sent: Vec<_> = lines.iter().map(|line| (line.line_id.clone(), 1)).collect();
            ship(tx, &order, &shop.near, &sent)?;
            release(tx, &order)
        })
        .await
        .unwrap();
        counts.push(db.statement_count() - before);
    }
    assert_eq!(counts[0], counts[1]);
}

/// A step of a history. Numbers choose among what is there.
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

/// A line of the model: what it is made of, pieces reserved and pieces sent.
#[derive(Debug, Clone)]
struct Line {
    id: OrderLineId,
    cups: i64,
    lids: i64,
    open: i64,
    sent: i64,
}

/// What must be true, kept without looking at the database: stock by item, and every order's lines.
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
            let order = OrderId::new();
            let lines: Vec<(Wanted, i64, i64)> =
                [(&shop.single, single, 1, 0), (&shop.set, set, 2, 1), (&shop.late, late, 0, 1)]
                    .into_iter()
                    .filter(|(_, quantity, ..)| *quantity > 0)
                    .map(|(variant, quantity, cups, lids)| (want(variant, quantity), cups, lids))
                    .collect();
            let wanted: Vec<Wanted> = lines.iter().map(|(line, ..)| line.clone()).collect();
            let (id, channel, variants) =
                (order.clone(), shop.channel.clone(), [shop.single.clone(), shop.set.clone()]);
            let free =
                attempt(db, move |tx| availability(tx, &variants, std::slice::from_ref(&channel)));
            let free = free.await.unwrap();
            let channel = shop.channel.clone();
            let made = attempt(db, move |tx| reserve(tx, &id, &wanted, &channel)).await;
            let fits = |variant: &VariantId, quantity| match free[variant] {
                Availability::Pieces(pieces) => pieces >= quantity,
                Availability::Unlimited => true,
            };
            let Availability::Pieces(cups) = free[&shop.single] else { panic!("it is counted") };
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
        Step::Ship { order, line, quantity, is_far } => {
            let Some((order, line)) = chosen(model, order, line) else { return };
            let (id, quantity) = (line.id.clone(), quantity.min(line.open));
            if quantity == 0 {
                return;
            }
            let location = place(is_far);
            if attempt(db, move |tx| ship(tx, &order, &location, &[(id, quantity)])).await.is_some()
            {
                line.open -= quantity;
                line.sent += quantity;
                let (cups, lids) = (line.cups * quantity, line.lids * quantity);
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
            lines.iter_mut().for_each(|line| line.open = 0);
        }
        Step::Count { is_lid, is_far, stocked } => {
            let item = if is_lid { shop.lid.clone() } else { shop.cup.clone() };
            let location = place(is_far);
            let done = attempt(db, move |tx| {
                let before = held(tx, &item, &location);
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

fn chosen(model: &mut Model, order: usize, line: usize) -> Option<(OrderId, &mut Line)> {
    let count = model.orders.len().max(1);
    let (id, lines) = model.orders.get_mut(order % count)?;
    let count = lines.len().max(1);
    Some((id.clone(), lines.get_mut(line % count)?))
}

fn held(tx: &Tx<'_>, item: &InventoryItemId, location: &StockLocationId) -> i64 {
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
        let held = found.get(item).copied().unwrap_or_default();
        assert_eq!(held, (stocked, reserved, stocked), "{item} of {model:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

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
