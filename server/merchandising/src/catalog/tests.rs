//! Tests of creating products on a database, and of the data for lines.

use std::fmt::Debug;

use super::*;
use crate::clock::{Clock, Timestamp};
use crate::database::{Db, Error, Tx, temporary};
use crate::ids::{ProductId, SalesChannelId, VariantId};
use crate::money::Currency;
use crate::pricing::NewPrice;

/// Returns an empty database that counts its statements, with a clock fixed at one second.
pub(crate) fn database() -> (Db, Clock) {
    let clock = Clock::fixed(Timestamp::from_millis(1_000));
    (Db::open(&temporary::options(&clock)).unwrap(), clock)
}

/// Runs a test in a transaction on an empty database.
pub(crate) async fn in_transaction<E: From<Error> + Debug + Send + 'static>(
    test: impl FnOnce(&Tx<'_>) -> Result<(), E> + Send + 'static,
) {
    database().0.write(test).await.unwrap();
}

pub(crate) fn channel(tx: &Tx<'_>) -> SalesChannelId {
    let id = SalesChannelId::new();
    tx.execute(
        "insert into sales_channel (id, name, created_at, updated_at) values (?1, 'Web', ?2, ?2)",
        (&id, tx.now()),
    )
    .unwrap();
    id
}

/// Returns a published shirt in two sizes, at 12.99 and 13.99 USD.
pub(crate) fn shirt(title: &str, channel: &SalesChannelId) -> NewProduct {
    let usd: Currency = "usd".parse().unwrap();
    let variant = |size: &str, amount_minor| NewVariant {
        options: [("Size".to_owned(), size.to_owned())].into(),
        prices: vec![NewPrice::plain(usd, amount_minor)],
        ..NewVariant::with_sku(format!("{title}-{size}"))
    };
    NewProduct {
        status: ProductStatus::Published,
        options: vec![NewOption { title: "Size".into(), values: vec!["S".into(), "M".into()] }],
        variants: vec![variant("S", 1_299), variant("M", 1_399)],
        sales_channel_ids: vec![channel.clone()],
        ..NewProduct::titled(title)
    }
}

/// Returns the variants of a product in their order.
pub(crate) fn variants(tx: &Tx<'_>, product_id: &ProductId) -> Vec<VariantId> {
    let sql = "select id from product_variant where product_id = ? order by variant_rank";
    let mut statement = tx.prepare(sql).unwrap();
    statement.query_map([product_id], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Returns the error message for a `change`d shirt if the original shirt exists.
async fn refused(change: impl FnOnce(&mut NewProduct) + Send + 'static) -> String {
    let (db, _) = database();
    let outcome = db
        .write(move |tx| {
            let channel = channel(tx);
            create_product(
                tx,
                &NewProduct { handle: Some("shirt".into()), ..shirt("Shirt", &channel) },
            )?;
            let mut second = shirt("Other", &channel);
            change(&mut second);
            create_product(tx, &second)
        })
        .await;
    outcome.map_or_else(|error| error.to_string(), |_| "made".to_owned())
}

#[tokio::test]
async fn a_product_is_made_with_all_that_belongs_to_it() {
    let (db, _) = database();
    let found = db
        .write::<_, CatalogError>(|tx| {
            let id = create_product(tx, &shirt("Green Shirt", &channel(tx)))?;
            Ok((variants(tx, &id), sellables_by_id(tx, &variants(tx, &id))?))
        })
        .await;

    let (ids, found) = found.unwrap();
    let [small, medium] = [0, 1].map(|index| found.get(&ids[index]).unwrap());
    assert_eq!((small.variant_title.as_str(), medium.variant_title.as_str()), ("S", "M"));
    assert_eq!(small.product_handle, "green-shirt");
    assert_eq!(small.sku.as_deref(), Some("Green Shirt-S"));
    assert!(small.manage_inventory && small.requires_shipping && small.discountable);
    assert!(small.is_sold_in(&small.sales_channel_ids[0]));
    assert!(!small.is_sold_in(&SalesChannelId::new()));
}

#[tokio::test]
async fn a_handle_made_from_a_title_is_free_and_one_that_is_sent_must_be() {
    let (db, _) = database();
    let handles = db
        .write::<_, CatalogError>(|tx| {
            for _ in 0..3 {
                create_product(tx, &NewProduct::titled("Café Mug"))?;
            }
            let handles = tx.sql("select handle from product order by rowid");
            Ok(handles.all::<String, Vec<_>>([], |row| row.get(0))?)
        })
        .await;
    assert_eq!(handles.unwrap(), ["cafe-mug", "cafe-mug-2", "cafe-mug-3"]);

    assert_eq!(
        refused(|product| product.handle = Some("shirt".into())).await,
        "Product with handle: shirt, already exists."
    );
    assert!(
        refused(|product| product.handle = Some("No Handle".into())).await.contains("no handle")
    );
}

#[tokio::test]
async fn conflicting_products_are_refused_with_the_reason() {
    let taken = "Product variant with sku: Shirt-S, already exists.";
    assert_eq!(refused(|product| product.variants[0].sku = Some("Shirt-S".into())).await, taken);
    let twice = "Product variant with ean: 1, already exists.";
    let same = refused(|product| {
        for variant in &mut product.variants {
            variant.ean = Some("1".into());
        }
    });
    assert_eq!(same.await, twice);
    let missing = refused(|product| product.variants[0].options.clear());
    assert_eq!(missing.await, "the option `Size` has no value");
    let combination =
        refused(|product| product.variants[1].options = product.variants[0].options.clone());
    assert_eq!(combination.await, "Variant (S) with provided options already exists.");
    let channel = refused(|product| product.sales_channel_ids.push(SalesChannelId::seeded(0, 0)));
    assert_eq!(channel.await, "the sales channel `sc_00000000000000000000000000` does not exist");
    let weight = refused(|product| product.measures.weight = Some(-1));
    assert_eq!(weight.await, "`weight` must not be below zero");
    let price = refused(|product| product.variants[0].prices[0].amount_minor = -1);
    assert_eq!(price.await, "a price must not be below zero");
}

#[tokio::test]
async fn the_statements_of_making_a_product_do_not_depend_on_its_variants() {
    let mut counts = Vec::new();
    for size_count in [2, 40] {
        let (db, _) = database();
        let channel = db.write::<_, Error>(|tx| Ok(channel(tx))).await.unwrap();
        let mut product = shirt("Shirt", &channel);
        let template = product.variants[0].clone();
        product.variants.clear();
        product.options[0].values.clear();
        for number in 0..size_count {
            let mut variant = template.clone();
            variant.sku = Some(format!("S-{number}"));
            variant.options = [("Size".to_owned(), number.to_string())].into();
            product.options[0].values.push(number.to_string());
            product.variants.push(variant);
        }
        let before = db.statement_count();
        db.write(move |tx| create_product(tx, &product)).await.unwrap();
        counts.push(db.statement_count() - before);
    }
    assert_eq!(counts[0], counts[1]);
}
