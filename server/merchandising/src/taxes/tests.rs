//! Tests of taxes on a database.

use super::rates::Reference;
use super::*;
use crate::catalog::tests::{database, in_transaction};
use crate::database::Tx;
use crate::ids::{ProductId, TaxRegionId};
use crate::metadata::Metadata;

fn region(tx: &Tx<'_>, country: &str, province: Option<&str>) -> Result<TaxRegionId, TaxError> {
    let new = NewTaxRegion {
        country: country.to_owned(),
        province: province.map(str::to_owned),
        parent_id: None,
        provider_id: None,
        metadata: Metadata::default(),
        created_by: None,
    };
    create_region(tx, new)
}

fn rate(region: &TaxRegionId, code: &str, rate_ppm: i64) -> NewTaxRate {
    NewTaxRate {
        tax_region_id: region.clone(),
        rate_ppm,
        code: code.to_owned(),
        name: code.to_owned(),
        is_default: true,
        is_combinable: false,
        rules: Vec::new(),
        metadata: Metadata::default(),
        created_by: None,
    }
}

#[tokio::test]
async fn the_rates_of_a_place_are_found_in_one_statement_for_any_number_of_items() {
    let (db, _) = database();
    let book = ProductId::new();
    let named = book.clone();
    db.write::<_, TaxError>(move |tx| {
        let country = region(tx, "US", None)?;
        let province = region(tx, "us", Some("US-NV"))?;
        create_rate(tx, &rate(&country, "us", 10_000))?;
        let state = NewTaxRate { is_combinable: true, ..rate(&province, "nv", 72_500) };
        create_rate(tx, &state)?;
        let rules = vec![(Reference::Product, named.to_string())];
        let free = NewTaxRate { is_default: false, rules, ..rate(&province, "books", 0) };
        create_rate(tx, &free)?;
        Ok(())
    })
    .await
    .unwrap();

    let before = db.statement_count();
    let found = db.read::<_, TaxError>(move |tx| {
        let place = TaxPlace { country: "US", province: Some("nv") };
        let item = |product_id| TaxedThing::Item { product_id, product_type_id: None };
        let things =
            [item(Some(book.as_str())), item(None), TaxedThing::Shipping { option_id: None }];
        lines(tx, place, &things)
    });
    let found = found.await.unwrap();
    let codes = |rates: &[TaxRate]| -> Vec<(String, Option<String>)> {
        rates.iter().map(|rate| (rate.code.clone(), rate.province.clone())).collect()
    };
    let nevada = Some("nv".to_owned());
    assert_eq!(codes(&found[0]), [("books".to_owned(), nevada.clone())]);
    assert_eq!(codes(&found[1]), [("nv".to_owned(), nevada), ("us".to_owned(), None)]);
    assert_eq!(codes(&found[1]), codes(&found[2]));
    assert!(db.statement_count() - before <= 3, "begin, one statement, end");
}

#[tokio::test]
async fn a_place_has_one_region_and_a_region_one_default() {
    in_transaction::<TaxError>(|tx| {
        assert!(matches!(region(tx, "us", Some("nv")), Err(TaxError::Invalid(_))));
        let country = region(tx, "us", None)?;
        region(tx, "us", Some("nv"))?;
        assert!(matches!(region(tx, "US", Some("us-NV")), Err(TaxError::PlaceTaken { .. })));
        create_rate(tx, &rate(&country, "us", 1))?;
        let second = create_rate(tx, &rate(&country, "again", 1));
        assert!(matches!(second, Err(TaxError::DefaultTaken { .. })));
        let huge = create_rate(tx, &rate(&country, "huge", rates::MAX_RATE_PPM + 1));
        assert!(matches!(huge, Err(TaxError::Invalid(_))));
        Ok(())
    })
    .await;
}
