//! Tax regions and rates with what belongs to them, loaded for a whole page at once.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::Selection;
use crate::ids::{TaxRateId, TaxRegionId};
use crate::metadata::Metadata;
use crate::money::Amount;
use crate::taxes::TaxError;
use crate::taxes::queries::admin;
use crate::taxes::rates::to_percent;
use crate::taxes::stored::{StoredRate, StoredRegion};

/// A tax region with its rates.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRegionView {
    /// The region.
    #[serde(flatten)]
    region: StoredRegion,
    /// The country's region, for a province.
    parent: Option<StoredRegion>,
    /// The regions of its provinces.
    children: Vec<StoredRegion>,
    /// Its rates.
    tax_rates: Vec<TaxRateView>,
}

/// A tax rate with its region.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRateView {
    /// Its id.
    id: TaxRateId,
    /// In per cent.
    #[schema(example = json!(7.25))]
    rate: Amount,
    /// A short code for exports.
    #[schema(example = "us-default")]
    code: String,
    /// The name shown to people.
    #[schema(example = "Sales tax")]
    name: String,
    /// Whether it applies to what no rule names.
    is_default: bool,
    /// Whether the country's rate comes on top of it.
    is_combinable: bool,
    /// Its region.
    tax_region_id: TaxRegionId,
    /// What the store keeps with it.
    metadata: Metadata,
    /// Who made it.
    created_by: Option<String>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was changed last.
    updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    deleted_at: Option<Timestamp>,
    /// The things it is for.
    rules: Vec<TaxRateRuleView>,
    /// Its region.
    tax_region: Option<StoredRegion>,
}

/// A thing that a rate is for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct TaxRateRuleView {
    /// The id of the thing, which is the rule's too.
    id: String,
    /// The rate.
    tax_rate_id: TaxRateId,
    /// `product`, `product_type` or `shipping_option`.
    #[schema(example = "product")]
    reference: String,
    /// The id of the thing.
    reference_id: String,
}

impl TaxRateView {
    fn new(rate: StoredRate) -> Self {
        let StoredRate { id, tax_region_id, rate_ppm, code, name, is_default, .. } = rate;
        Self {
            id,
            rate: to_percent(rate_ppm).into(),
            code,
            name,
            is_default,
            is_combinable: rate.is_combinable,
            tax_region_id,
            metadata: rate.metadata,
            created_by: rate.created_by,
            created_at: rate.created_at,
            updated_at: rate.updated_at,
            deleted_at: None,
            rules: Vec::new(),
            tax_region: None,
        }
    }
}

/// Tax regions with what is asked for.
pub(super) fn load_regions(
    tx: &Tx<'_>,
    regions: Vec<StoredRegion>,
    selection: &Selection,
) -> Result<Vec<TaxRegionView>, TaxError> {
    let ids: Vec<TaxRegionId> = regions.iter().map(|region| region.id.clone()).collect();
    let mut parents = BTreeMap::new();
    if selection.wants("parent") {
        let ids: Vec<_> = regions.iter().filter_map(|region| region.parent_id.clone()).collect();
        let found = admin::regions_by_ids(tx, &ids)?.into_iter();
        parents.extend(found.map(|region| (region.id.clone(), region)));
    }
    let mut children: BTreeMap<TaxRegionId, Vec<StoredRegion>> = BTreeMap::new();
    if selection.wants("children") {
        for child in admin::children(tx, &ids)? {
            if let Some(parent_id) = child.parent_id.clone() {
                children.entry(parent_id).or_default().push(child);
            }
        }
    }
    let mut rates: BTreeMap<TaxRegionId, Vec<TaxRateView>> = BTreeMap::new();
    if selection.wants("tax_rates") {
        let stored = admin::rates_of(tx, &ids)?;
        for rate in with_rules(tx, stored, selection.wants("tax_rates.rules"))? {
            rates.entry(rate.tax_region_id.clone()).or_default().push(rate);
        }
    }
    let view = |region: StoredRegion| TaxRegionView {
        parent: region.parent_id.as_ref().and_then(|id| parents.get(id).cloned()),
        children: children.remove(&region.id).unwrap_or_default(),
        tax_rates: rates.remove(&region.id).unwrap_or_default(),
        region,
    };
    Ok(regions.into_iter().map(view).collect())
}

/// Tax rates with what is asked for.
pub(super) fn load_rates(
    tx: &Tx<'_>,
    rates: Vec<StoredRate>,
    selection: &Selection,
) -> Result<Vec<TaxRateView>, TaxError> {
    let mut views = with_rules(tx, rates, selection.wants("rules"))?;
    if selection.wants("tax_region") {
        let mut ids: Vec<_> = views.iter().map(|view| view.tax_region_id.clone()).collect();
        ids.sort();
        ids.dedup();
        let regions: BTreeMap<_, _> = admin::regions_by_ids(tx, &ids)?
            .into_iter()
            .map(|region| (region.id.clone(), region))
            .collect();
        for view in &mut views {
            view.tax_region = regions.get(&view.tax_region_id).cloned();
        }
    }
    Ok(views)
}

fn with_rules(
    tx: &Tx<'_>,
    rates: Vec<StoredRate>,
    are_wanted: bool,
) -> Result<Vec<TaxRateView>, TaxError> {
    let mut rules: BTreeMap<TaxRateId, Vec<TaxRateRuleView>> = BTreeMap::new();
    if are_wanted {
        let ids: Vec<TaxRateId> = rates.iter().map(|rate| rate.id.clone()).collect();
        for (tax_rate_id, reference, reference_id) in admin::rules_of(tx, &ids)? {
            let id = reference_id.clone();
            let view = TaxRateRuleView { id, tax_rate_id, reference, reference_id };
            rules.entry(view.tax_rate_id.clone()).or_default().push(view);
        }
    }
    let view = |rate: StoredRate| {
        let rules = rules.remove(&rate.id).unwrap_or_default();
        TaxRateView { rules, ..TaxRateView::new(rate) }
    };
    Ok(rates.into_iter().map(view).collect())
}
