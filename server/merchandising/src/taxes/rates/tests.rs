//! Tables of rate choices.

use super::*;

fn rate(code: &str, rate_ppm: i64, rules: &[(Reference, &str)]) -> RegionRate {
    RegionRate {
        id: TaxRateId::new(),
        rate_ppm,
        code: code.to_owned(),
        name: code.to_owned(),
        is_default: rules.is_empty(),
        is_combinable: false,
        rules: rules
            .iter()
            .map(|(reference, id)| RateRule { reference: *reference, reference_id: (*id).into() })
            .collect(),
    }
}

fn region(country: &str, province: Option<&str>, rates: Vec<RegionRate>) -> TaxRegion {
    TaxRegion { country_code: country.into(), province_code: province.map(Into::into), rates }
}

fn world() -> Vec<TaxRegion> {
    let books = rate("us-books", 10_000, &[(Reference::ProductType, "books")]);
    let atlas = rate("us-atlas", 0, &[(Reference::Product, "atlas")]);
    let post = rate("us-post", 30_000, &[(Reference::ShippingOption, "post")]);
    let combined = RegionRate { is_combinable: true, ..rate("ny", 40_000, &[]) };
    vec![
        region("us", None, vec![rate("us", 72_500, &[]), books, atlas, post]),
        region("us", Some("us-ny"), vec![combined]),
        region("us", Some("nv"), vec![rate("nv", 50_000, &[])]),
        region(
            "us",
            Some("tx"),
            vec![rate("tx-books", 5_000, &[(Reference::ProductType, "books")])],
        ),
        region("es", Some("ávila"), vec![rate("av", 30_000, &[])]),
        region("de", None, vec![rate("de", 190_000, &[])]),
    ]
}

fn codes(country: &str, province: Option<&str>, taxed: Taxed<'_>) -> Vec<String> {
    let rates = applying(&world(), TaxPlace { country, province }, taxed);
    rates.into_iter().map(|rate| rate.code).collect()
}

const PLAIN: Taxed<'static> = Taxed::Item { product_id: Some("pen"), product_type_id: None };
const BOOK: Taxed<'static> =
    Taxed::Item { product_id: Some("novel"), product_type_id: Some("books") };
const ATLAS: Taxed<'static> =
    Taxed::Item { product_id: Some("atlas"), product_type_id: Some("books") };
const POST: Taxed<'static> = Taxed::Shipping { option_id: Some("post") };
const COURIER: Taxed<'static> = Taxed::Shipping { option_id: Some("courier") };

#[test]
fn the_nearest_rate_is_taken_and_a_combinable_one_brings_the_countrys() {
    for (country, province, taxed, expected) in [
        ("us", None, PLAIN, vec!["us"]),
        ("US", None, BOOK, vec!["us-books"]),
        ("us", None, ATLAS, vec!["us-atlas"]),
        ("us", None, POST, vec!["us-post"]),
        ("us", None, COURIER, vec!["us"]),
        ("us", Some("nv"), PLAIN, vec!["nv"]),
        ("us", Some("US-NV"), PLAIN, vec!["nv"]),
        ("us", Some("nv"), BOOK, vec!["nv"]),
        ("us", Some("NY"), PLAIN, vec!["ny", "us"]),
        ("us", Some("ny"), ATLAS, vec!["ny", "us-atlas"]),
        ("us", Some("tx"), PLAIN, vec!["us"]),
        ("us", Some("tx"), BOOK, vec!["tx-books"]),
        ("us", Some("wa"), PLAIN, vec!["us"]),
        ("de", Some("nv"), PLAIN, vec!["de"]),
        ("es", Some("ES-Ávila"), PLAIN, vec!["av"]),
        ("fr", None, PLAIN, vec![]),
    ] {
        let found = codes(country, province, taxed);
        assert_eq!(found, expected, "{country} {province:?} {taxed:?}");
    }
}

#[test]
fn the_choice_does_not_depend_on_the_stored_order_of_rates() {
    let mut regions = vec![region("us", None, vec![rate("b", 2, &[]), rate("a", 1, &[])])];
    let place = TaxPlace { country: "us", province: None };
    let first = applying(&regions, place, PLAIN);
    for region in &mut regions {
        region.rates.reverse();
    }
    assert_eq!(first, applying(&regions, place, PLAIN));
}

#[test]
fn a_percentage_is_stored_exactly_or_refused() {
    for (text, expected) in
        [("7.25", Some(72_500)), ("0", Some(0)), ("19.0000", Some(190_000)), ("0.0001", Some(1))]
    {
        let percent: Decimal = text.parse().unwrap();
        assert_eq!(from_percent(percent).ok(), expected, "{text}");
        assert_eq!(to_percent(expected.unwrap_or(0)), percent, "{text}");
    }
    assert_eq!(to_percent(72_500).to_string(), "7.25");
    for text in ["-1", "1000.0001", "79228162514264337593543950335"] {
        let percent: Decimal = text.parse().unwrap();
        assert_eq!(from_percent(percent), Err(RateError::OutOfRange { percent }), "{text}");
    }
    let percent: Decimal = "0.00001".parse().unwrap();
    assert_eq!(from_percent(percent), Err(RateError::TooPrecise { percent }));
}
