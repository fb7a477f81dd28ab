//! Tests of regions, channels and the store on a database.

use super::*;
use crate::catalog::tests::in_transaction;
use crate::http::Patch;
use crate::metadata::Metadata;
use crate::money::Currency;

fn region(name: &str, code: &str, countries: &[&str]) -> NewRegion {
    NewRegion {
        name: name.to_owned(),
        currency: Currency::from_code(code).unwrap(),
        countries: countries.iter().map(|country| (*country).to_owned()).collect(),
        payment_providers: vec!["pp_system_default".to_owned()],
        automatic_taxes: true,
        is_tax_inclusive: false,
        metadata: Metadata::default(),
    }
}

#[tokio::test]
async fn a_country_belongs_to_one_region_until_that_region_is_deleted() {
    in_transaction::<RegionError>(|tx| {
        let islands = create(tx, region("Islands", "gbp", &["GB", "ie", "gb"]))?;
        let taken = create(tx, region("Europe", "eur", &["fr", "ie"])).unwrap_err();
        assert!(matches!(taken, RegionError::CountryTaken { country } if country == "ie"));
        let unknown = create(tx, region("Moon", "eur", &["xx"])).unwrap_err();
        assert!(matches!(unknown, RegionError::UnknownCountry(_)));

        let countries = countries_of(tx, std::slice::from_ref(&islands.id))?;
        let letters: Vec<_> = countries[&islands.id].iter().map(|country| country.iso_2).collect();
        assert_eq!(letters, ["gb", "ie"]);
        assert_eq!(payment_providers(tx, &islands.id)?, ["pp_system_default"]);

        delete(tx, &islands.id)?;
        create(tx, region("Europe", "eur", &["ie"]))?;
        assert!(matches!(find(tx, &islands.id), Err(RegionError::NotFound { .. })));
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn a_currency_that_is_not_given_is_the_stores() {
    in_transaction::<RegionError>(|tx| {
        let (gbp, eur) = (Currency::from_code("gbp").unwrap(), Currency::from_code("eur").unwrap());
        assert!(matches!(currency_or_default(tx, None), Err(RegionError::Invalid(_))));
        ensure_store(tx, "Gifts", gbp)?;
        assert_eq!(currency_or_default(tx, None)?, gbp);
        assert_eq!(currency_or_default(tx, Some(eur))?, eur);
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn a_currency_chooses_the_region() {
    in_transaction::<RegionError>(|tx| {
        let code = |code| Currency::from_code(code).unwrap();
        ensure_store(tx, "Gifts", code("gbp"))?;
        let islands = create(tx, region("Islands", "gbp", &["gb"]))?.id;
        let europe = create(tx, region("Europe", "eur", &["fr"]))?.id;
        create(tx, region("Germany", "eur", &["de"]))?;
        for (currency, expected) in [
            (None, &islands),
            (Some("gbp"), &islands),
            (Some("eur"), &europe),
            (Some("usd"), &islands),
        ] {
            let chosen = default_region(tx, currency.map(code))?.map(|region| region.id);
            assert_eq!(chosen.as_ref(), Some(expected), "{currency:?}");
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn the_store_is_created_once_and_its_defaults_cannot_be_deleted() {
    in_transaction::<RegionError>(|tx| {
        let gbp = Currency::from_code("gbp").unwrap();
        let first = ensure_store(tx, "Gifts", gbp)?;
        assert_eq!(ensure_store(tx, "Other", gbp)?.id, first.id);
        let channel = default_channel(tx)?.unwrap();
        assert_eq!(first.default_sales_channel_id, Some(channel.clone()));
        assert!(matches!(delete_channel(tx, &channel), Err(RegionError::IsDefault { .. })));

        let older = create(tx, region("Islands", "gbp", &["gb"]))?;
        let newer = create(tx, region("Europe", "eur", &["fr"]))?;
        assert_eq!(default_region(tx, None)?.map(|region| region.id), Some(older.id));
        let eur = Currency::from_code("eur").unwrap();
        let wish = StoreChange {
            default_region_id: Patch::Value(newer.id.clone()),
            currencies: Some(vec![(eur, true), (gbp, false)]),
            locale: Some(Locale::German),
            ..StoreChange::default()
        };
        let store = change_store(tx, wish)?;
        assert_eq!((first.locale, store.locale), (Locale::EnglishBritish, Locale::German));
        assert_eq!(default_region(tx, None)?.map(|region| region.id), Some(newer.id.clone()));
        assert!(matches!(delete(tx, &newer.id), Err(RegionError::IsDefault { .. })));
        let codes: Vec<_> = store
            .supported_currencies
            .iter()
            .map(|currency| {
                (currency.currency_code, currency.is_default, currency.is_tax_inclusive)
            })
            .collect();
        assert_eq!(codes, [(eur, true, true), (gbp, false, false)]);
        for zone in ["Moon/Crater", "Etc/Unknown"] {
            let lost = StoreChange { time_zone: Some(zone.into()), ..StoreChange::default() };
            assert!(matches!(change_store(tx, lost), Err(RegionError::Invalid(_))), "{zone}");
        }
        Ok(())
    })
    .await;
}
