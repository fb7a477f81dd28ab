//! Ids: a prefix for the kind, an underscore, and a ULID (26 characters that sort by creation, with 80 random bits).
//! Each kind has its own type, so that a cart's id is never used as an order's.

mod by_id;
mod series;

use thiserror::Error;
use ulid::Ulid;

pub use by_id::ById;
pub use series::within;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not an id of `{prefix}_` and 26 digits and capital letters")]
pub struct IdError {
    /// The text, truncated to 64 characters.
    pub text: String,
    pub prefix: &'static str,
}

pub trait Identifier {}

/// The length after the underscore, in characters.
const ULID_LEN: usize = 26;

/// Generates an id: the creation time and 80 random bits, or the next of a series ([`within`]).
pub fn generate(prefix: &str) -> String {
    format!("{prefix}_{}", series::next().unwrap_or_else(Ulid::generate))
}

/// Returns the same id for the same seed, for stores that are created reproducibly.
///
/// `at_ms` is the creation time in milliseconds since 1970; `seed` provides the other 80 bits.
pub fn seeded(prefix: &str, at_ms: i64, seed: u128) -> String {
    let at_ms = u64::try_from(at_ms).unwrap_or(0);
    format!("{prefix}_{}", Ulid::from_parts(at_ms, seed))
}

/// Checks that the text is this prefix, an underscore and a ULID in upper case.
pub fn check(text: &str, prefix: &'static str) -> Result<(), IdError> {
    let rest = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
    if rest.is_some_and(is_ulid) {
        Ok(())
    } else {
        Err(IdError { text: text.chars().take(64).collect(), prefix })
    }
}

/// Returns whether a text is a ULID in upper case.
pub fn is_ulid(text: &str) -> bool {
    text.len() == ULID_LEN && text.bytes().all(|byte| byte.is_ascii_digit() || is_letter(byte))
}

/// Returns whether a byte is a letter used in ULIDs: not one that resembles a digit, and not U.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_uppercase() && !matches!(byte, b'I' | b'L' | b'O' | b'U')
}

/// Returns the ids as a JSON array, to bind in `in (select value from json_each(:ids))`.
pub fn list(ids: impl IntoIterator<Item: AsRef<str>>) -> String {
    ids.into_iter().map(|id| id.as_ref().to_owned()).collect::<serde_json::Value>().to_string()
}

/// Defines the type of an id: `define_id!(/// A cart. CartId, "cart")`.
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The prefix of these ids, before the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Generates an id: the creation time and 80 random bits, or the next of a series.
            #[expect(clippy::new_without_default, reason = "every id is unique, so there is no default")]
            pub fn new() -> Self {
                Self($crate::ids::generate($prefix))
            }

            /// Returns the same id for the same time (milliseconds since 1970) and seed.
            pub fn seeded(at_ms: i64, seed: u128) -> Self {
                Self($crate::ids::seeded($prefix, at_ms, seed))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::ids::IdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::ids::check(text, $prefix).map(|()| Self(text.to_owned()))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        $crate::stored_as_inner!($name(String));

        impl $crate::ids::Identifier for $name {}

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .pattern(Some(concat!("^", $prefix, "_[0-9A-HJKMNP-TV-Z]{26}$")))
                    .examples([concat!($prefix, "_01JD2Q8Z5M6T3W9XKCV4B7N0RE")])
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}

macro_rules! define_ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {
        $(define_id!($(#[$doc])* $name, $prefix);)*

        /// All prefixes, each once.
        pub const PREFIXES: &[&str] = &[$($prefix),*];
    };
}

define_ids! {
    ProductId, "prod";
    /// A variant of a product, the unit of sale.
    VariantId, "variant";
    /// An option of a product, such as its size.
    OptionId, "opt";
    OptionValueId, "optval";
    ImageId, "img";
    CategoryId, "pcat";
    CollectionId, "pcol";
    TagId, "ptag";
    ProductTypeId, "ptyp";
    /// The set of prices of one variant or shipping option.
    PriceSetId, "pset";
    PriceId, "price";
    PriceListId, "plist";
    /// A preference whether prices of a region or currency include tax.
    PricePreferenceId, "prpref";
    RegionId, "reg";
    SalesChannelId, "sc";
    ApiKeyId, "apk";
    StoreId, "store";
    UserId, "user";
    InviteId, "invite";
    CustomerId, "cus";
    CustomerAddressId, "cuaddr";
    CustomerGroupId, "cusgroup";
    CustomerNoteId, "cusnote";
    /// An identity: an e-mail address and its password, independent of permissions.
    IdentityId, "authid";
    PartnerId, "partner";
    /// An offer of a partner: a code, the target of its link, and what it earns.
    PartnerOfferId, "poff";
    PartnerClickId, "pclk";
    /// An order that a partner brought.
    PartnerConversionId, "pconv";
    /// An entry in the ledger of commissions.
    PartnerEntryId, "pent";
    PartnerPayoutId, "ppay";
    CartId, "cart";
    CartLineId, "cali";
    CartShippingMethodId, "casm";
    /// A tax line of a cart's line or shipping method.
    CartTaxLineId, "calitxl";
    /// A discount by a promotion on a cart's line or shipping method.
    CartAdjustmentId, "caliadj";
    /// A group of lines added to a cart together.
    CartBundleId, "cabun";
    CartAddressId, "caaddr";
    CartCreditLineId, "cacl";
    OrderId, "order";
    OrderLineId, "ordli";
    OrderShippingMethodId, "ordsm";
    OrderAddressId, "ordaddr";
    OrderChangeId, "ordch";
    /// A payment or refund on an order.
    OrderTransactionId, "ordtrx";
    OrderCreditLineId, "ordcl";
    PaymentCollectionId, "pay_col";
    PaymentSessionId, "payses";
    PaymentId, "pay";
    CaptureId, "capt";
    RefundId, "ref";
    RefundReasonId, "refr";
    /// A customer's account with a payment provider.
    AccountHolderId, "acchld";
    PaymentMethodId, "paymeth";
    /// An attempt to pay with a token of the shopper's browser.
    PaymentConfirmationId, "payconf";
    FulfillmentId, "ful";
    /// A set of service zones of a location.
    FulfillmentSetId, "fuset";
    ServiceZoneId, "serzo";
    /// An area that a service zone covers.
    GeoZoneId, "fgz";
    ShippingOptionId, "so";
    ShippingOptionTypeId, "sotype";
    ShippingOptionRuleId, "sorul";
    ShippingProfileId, "sp";
    ReturnId, "return";
    ReturnLineId, "retitem";
    ReturnReasonId, "rr";
    StockLocationId, "sloc";
    InventoryItemId, "iitem";
    InventoryLevelId, "ilev";
    ReservationId, "resitem";
    PromotionId, "promo";
    /// The way a promotion applies.
    ApplicationMethodId, "proappmet";
    PromotionRuleId, "prorul";
    CampaignId, "procamp";
    TaxRegionId, "txreg";
    TaxRateId, "txr";
    CreditAccountId, "sc_acc";
    CreditEntryId, "sc_trx";
    /// How a product can be subscribed to.
    SubscriptionPlanId, "subplan";
    SubscriptionId, "sub";
    SubscriptionItemId, "subitem";
    /// A period of a subscription to bill.
    SubscriptionCycleId, "subcyc";
    /// An attempt to charge a cycle.
    SubscriptionAttemptId, "subatt";
    /// A change of a subscription's credit balance, or a line of a proration.
    SubscriptionAdjustmentId, "subadj";
    /// A change of a subscription's state.
    SubscriptionTransitionId, "subtrs";
    /// A change of the monthly recurring revenue.
    MrrMovementId, "mrr";
    ReviewId, "rev";
    /// What a visitor did.
    VisitEventId, "visev";
    /// A product on somebody's wishlist.
    WishlistItemId, "wish";
    SmsConsentId, "smsc";
    MetricId, "met";
    MetricVersionId, "metver";
    /// An example of a metric: a context with the expected result.
    MetricExampleId, "metex";
    /// A name for a field of a source.
    PlaceholderId, "ph";
    AuditEntryId, "aud";
    AlertId, "alert";
    /// A state change of an alert.
    AlertHistoryId, "alerthist";
    /// A notification to a channel of an alert.
    AlertDeliveryId, "alertdel";
    ReportId, "rpt";
    FlowId, "flow";
    FlowVersionId, "flowv";
    /// A step of a version of a flow.
    FlowButtonId, "fbtn";
    /// A shopper's path through a flow.
    FlowSessionId, "fsess";
    /// What a shopper did at a step of a flow.
    FlowPressId, "fprs";
    /// A site, the domain of a storefront.
    SiteId, "site";
    BannerId, "ban";
    MembershipTierId, "mtier";
    ContentPageId, "page";
    BundleProductId, "bun";
    /// A slot of a bundle, which is filled with a variant.
    BundleItemId, "bitem";
    /// A program that gets tokens for itself.
    OauthClientId, "oac";
    EventId, "evt";
    /// A delivery of a webhook, in either direction.
    WebhookDeliveryId, "wh";
    /// An endpoint that events are sent to.
    WebhookEndpointId, "whend";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_its_prefix_and_a_ulid_and_reads_back() {
        let id = CartId::new();
        assert!(id.as_str().starts_with("cart_") && id.as_str().len() == 31, "{id}");
        assert_eq!(id.as_str().parse::<CartId>(), Ok(id.clone()));
        assert!(id.as_str().parse::<OrderId>().is_err());
    }

    #[test]
    fn invalid_ids_are_refused() {
        for text in [
            "",
            "cart",
            "cart_",
            "cart_01",
            "cart_01JD2Q8Z5M6T3W9XKCV4B7N0Re",
            "cart_01JD2Q8Z5M6T3W9XKCV4B7N0\u{0}E",
            "cart_O1JD2Q8Z5M6T3W9XKCV4B7N0RE",
            "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
        ] {
            assert!(text.parse::<CartId>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_id_and_ids_sort_by_their_time() {
        assert_eq!(OrderId::seeded(5, 7), OrderId::seeded(5, 7));
        assert!(OrderId::seeded(5, u128::MAX) < OrderId::seeded(6, 0));
    }

    #[test]
    fn no_prefix_names_two_kinds() {
        let mut prefixes = PREFIXES.to_vec();
        prefixes.sort_unstable();
        prefixes.dedup();
        assert_eq!(prefixes.len(), PREFIXES.len());
    }
}
