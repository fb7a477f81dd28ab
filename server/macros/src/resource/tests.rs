//! Tests of the derived fields for admins and shoppers, and of errors.

use syn::parse_quote;

use super::*;

fn expanded(input: &DeriveInput) -> String {
    match expand(input) {
        Ok(tokens) => tokens.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn each_surface_has_its_shape() {
    let tokens = expanded(&parse_quote! {
        #[resource(name = "collection", store = StoreCollection)]
        struct Collection {
            id: CollectionId,
            #[serde(rename = "type")]
            kind: String,
            #[field(store(extra))]
            metadata: Metadata,
            #[field(computed, store(hidden))]
            cost: Option<Amount>,
            #[serde(skip)]
            price_set_id: PriceSetId,
            #[field(on_request, store(relation(StoreProduct)))]
            products: Vec<Product>,
        }
    });

    let (own, store) = tokens.split_once("struct StoreCollection").unwrap();
    assert!(own.contains(r#"defaults : & ["id" , "type" , "metadata"]"#), "{own}");
    assert!(own.contains(r#"computed : & ["cost"]"#), "{own}");
    assert!(own.contains("shape : < Vec < Product > as crate :: http :: Resource >"), "{own}");
    assert!(own.contains("is_default : false"), "{own}");
    assert!(store.contains(r#"defaults : & ["id" , "type"] , extras : & ["metadata"]"#), "{store}");
    assert!(store.contains("computed : & []"), "{store}");
    assert!(store.contains("shape : < StoreProduct as crate :: http :: Resource >"), "{store}");
    assert!(!tokens.contains("price_set_id"));
}

#[test]
fn a_flattened_field_is_replaced_by_its_fields() {
    let tokens = expanded(&parse_quote! {
        #[resource(name = "tax region", rows = StoredRegion, id = TaxRegionId)]
        struct TaxRegionView {
            #[serde(flatten)]
            region: StoredRegion,
            note: String,
            #[field(relation(RateOfRegion))]
            tax_rates: Vec<TaxRateView>,
        }
    });

    assert!(tokens.contains(
        "= & [< StoredRegion as crate :: http :: Resource > :: SHAPE . defaults , & [\"note\"]]"
    ));
    assert!(tokens.contains("type Id = TaxRegionId"));
    assert!(tokens.contains("impl crate :: http :: Listed for TaxRegionView"));
}

#[test]
fn the_key_follows_from_the_name() {
    let tokens = expanded(&parse_quote! {
        #[resource(name = "API key")]
        struct ApiKey { id: ApiKeyId }
    });

    assert!(tokens.contains(r#"const KEY : & 'static str = "api_key""#));
    assert!(!tokens.contains("Listed"));
}

#[test]
fn a_view_without_relations_is_its_rows() {
    let tokens = expanded(&parse_quote! {
        #[record(table = "product_tag g", list(plural = "product_tags"))]
        #[resource(name = "tag", error = CatalogError)]
        struct Tag { id: TagId }
    });

    assert!(
        tokens.contains(
            "impl crate :: resource :: View for Tag { type Row = Tag ; type Error = CatalogError ; }"
        ),
        "{tokens}"
    );
}

#[test]
fn invalid_attributes_are_reported() {
    for (input, expected) in [
        (
            parse_quote! { struct Tag { id: TagId } },
            "error: `#[resource(name = \"tag\")]` is missing",
        ),
        (
            parse_quote! { #[resource(name = "tag", error = CatalogError)] struct Tag { id: TagId } },
            "error: a view is of listed rows",
        ),
        (
            parse_quote! { #[resource(name = "tag")] struct Tag { #[field(secret)] id: TagId } },
            "error: expected `default`, `extra`, `computed`, `hidden`, `relation`, `on_request` or `store(…)`",
        ),
    ] {
        assert_eq!(expanded(&input), expected);
    }
}

#[test]
fn the_names_of_the_catalog_and_a_list_by_its_definition() {
    let input = parse_quote! {
        #[serde(rename_all = "camelCase")]
        #[resource(name = "metric", list = METRICS)]
        struct MetricView {
            id: MetricId,
            data_type: DataType,
        }
    };

    let tokens = expand(&input).map(|tokens| tokens.to_string()).unwrap();

    assert!(tokens.contains("\"dataType\""), "{tokens}");
    assert!(
        tokens.contains("LISTING : & \'static crate :: database :: listing :: Listing = & METRICS"),
        "{tokens}"
    );
}
