//! Tests of inventory on a database, including random histories that never reserve a piece twice.

mod history;

use super::*;
use crate::catalog::tests::{channel, database, in_transaction, variants};
use crate::catalog::{NewProduct, NewVariant, create_product};
use crate::database::{Tx, audit};
use crate::ids::{
    InventoryItemId, OrderId, OrderLineId, SalesChannelId, StockLocationId, VariantId,
};

/// Two locations of one channel. `single` takes a piece of `cup`; `set` takes two of `cup` and one of `lid`; `late`
/// takes a `lid` and allows backorders; `free` has no managed stock.
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
    let product_id = create_product(tx, &product).unwrap();
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
        let item = InventoryItem { sku: Some(sku.to_owned()), ..InventoryItem::new(tx.now()) };
        item.save(tx).unwrap();
        item.id
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
    availability(tx, std::slice::from_ref(variant), channels).unwrap().get(variant).copied()
}

fn want(variant: &VariantId, quantity: i64) -> LineQuantity {
    LineQuantity { line_id: OrderLineId::new(), variant_id: variant.clone(), quantity }
}

#[tokio::test]
async fn a_variant_is_available_as_often_as_its_scarcest_item_over_the_channels_locations() {
    in_transaction::<InventoryError>(|tx| {
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
        assert!(availability(tx, std::slice::from_ref(&missing), &[])?.get(&missing).is_none());
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn lines_that_share_an_item_are_added_up_and_the_refusal_names_the_variant() {
    in_transaction::<InventoryError>(|tx| {
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
    .await;
}

#[tokio::test]
async fn backordered_reservations_leave_other_reservations_alone() {
    in_transaction::<InventoryError>(|tx| {
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
        set_level(tx, &shop.lid, &shop.near, 3, "purchase")?;
        ship(tx, &second, &shop.near, &[(late.line_id, 1)])?;
        ship(tx, &first, &shop.near, &[(sets.line_id, 2)])?;
        assert_eq!(audit(tx)?, vec![]);
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn pieces_that_come_back_are_on_the_shelf_again_and_every_movement_is_written_down() {
    in_transaction::<InventoryError>(|tx| {
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
        let rows: Vec<(String, i64, i64)> =
            tx.sql(sql).all([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
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
    .await;
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
            let lines: Vec<LineQuantity> = (0..line_count).map(|_| want(&shop.set, 1)).collect();
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
