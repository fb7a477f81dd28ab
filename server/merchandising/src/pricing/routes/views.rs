//! Price lists as they are answered.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::ids::{PriceId, PriceListId, PriceSetId, VariantId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::pricing::StoredPrice;
use crate::pricing::list::LoadedList;

/// A price list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::pricing) struct PriceListView {
    /// Its id.
    pub(super) id: PriceListId,
    /// Its title.
    #[schema(example = "Summer sale")]
    pub(super) title: String,
    /// What it is for.
    pub(super) description: String,
    /// `draft` or `active`.
    #[schema(example = "active")]
    pub(super) status: String,
    /// `sale` or `override`.
    #[serde(rename = "type")]
    #[schema(example = "sale")]
    pub(super) kind: String,
    /// From when on it counts.
    pub(super) starts_at: Option<Timestamp>,
    /// Until when it counts, that instant excluded.
    pub(super) ends_at: Option<Timestamp>,
    /// For whom: any of the values of each attribute.
    pub(super) rules: BTreeMap<String, Vec<String>>,
    /// The caller's own data.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(super) deleted_at: Option<Timestamp>,
    /// Its prices.
    pub(super) prices: Vec<ListPriceView>,
}

/// A price of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::pricing) struct ListPriceView {
    /// Its id.
    pub(super) id: PriceId,
    /// The variant.
    pub(super) variant_id: Option<VariantId>,
    /// The prices of the variant.
    pub(super) price_set_id: PriceSetId,
    /// Its currency.
    pub(super) currency_code: Currency,
    /// In major units.
    #[schema(example = 9.99)]
    pub(super) amount: Amount,
    /// From this quantity on.
    pub(super) min_quantity: Option<i64>,
    /// Up to this quantity, included.
    pub(super) max_quantity: Option<i64>,
    /// What must be so, by attribute.
    pub(super) rules: BTreeMap<String, String>,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
}

impl From<LoadedList> for PriceListView {
    fn from(loaded: LoadedList) -> Self {
        let LoadedList { row, rules, prices } = loaded;
        Self {
            id: row.id,
            title: row.title,
            description: row.description,
            status: row.status,
            kind: row.kind,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            rules,
            metadata: row.metadata,
            created_at: row.created_at,
            updated_at: row.updated_at,
            deleted_at: None,
            prices: prices.into_iter().map(ListPriceView::from).collect(),
        }
    }
}

impl From<(StoredPrice, Option<VariantId>)> for ListPriceView {
    fn from((price, variant_id): (StoredPrice, Option<VariantId>)) -> Self {
        let rules = price.conditions.into_iter();
        Self {
            id: price.id,
            variant_id,
            price_set_id: price.price_set_id,
            currency_code: price.currency,
            amount: price.currency.amount(price.amount_minor),
            min_quantity: price.min_quantity,
            max_quantity: price.max_quantity,
            rules: rules.map(|condition| (condition.attribute, condition.value)).collect(),
            created_at: price.created_at,
            updated_at: price.updated_at,
        }
    }
}
