//! Tax regions and rates with their relations, loaded for a whole page at once.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Table, Tx};
use crate::http::{Relation, Resource, Selection, Shape, ToSchema};
use crate::ids::{ById, TaxRateId, TaxRegionId};
use crate::metadata::Metadata;
use crate::money::Amount;
use crate::resource::View;
use crate::taxes::TaxError;
use crate::taxes::queries;
use crate::taxes::rates::to_percent;
use crate::taxes::rows::{TaxRateRow, TaxRegionRow};

/// A tax region with its rates.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "tax region", rows = TaxRegionRow, id = TaxRegionId)]
pub(super) struct TaxRegionView {
    #[serde(flatten)]
    region: TaxRegionRow,
    /// The region of the country, for a province.
    #[field(relation)]
    parent: Option<TaxRegionRow>,
    /// The regions of its provinces.
    #[field(relation)]
    children: Vec<TaxRegionRow>,
    #[field(relation(RateOfRegion))]
    tax_rates: Vec<TaxRateView>,
}

/// A tax rate with its region.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "tax rate", rows = TaxRateRow)]
pub(super) struct TaxRateView {
    id: TaxRateId,
    /// In per cent.
    #[schema(example = json!(7.25))]
    rate: Amount,
    /// A short code for exports.
    #[schema(example = "us-default")]
    code: String,
    #[schema(example = "Sales tax")]
    name: String,
    /// Whether it applies to everything not covered by a rule.
    is_default: bool,
    /// Whether the country's rate is added to it.
    is_combinable: bool,
    tax_region_id: TaxRegionId,
    metadata: Metadata,
    created_by: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    deleted_at: Option<Timestamp>,
    /// The resources that it is for.
    #[field(relation)]
    rules: Vec<TaxRateRuleView>,
    #[field(relation)]
    tax_region: Option<TaxRegionRow>,
}

/// A resource that a rate is for.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "tax rate rule")]
pub(super) struct TaxRateRuleView {
    /// The id of the resource, which is also the rule's id.
    id: String,
    tax_rate_id: TaxRateId,
    /// `product`, `product_type` or `shipping_option`.
    #[schema(example = "product")]
    reference: String,
    /// The id of the resource.
    reference_id: String,
}

/// The shape of a rate within its region, without the region.
static RATE_OF_REGION: Shape = Shape {
    name: "tax rate",
    defaults: TaxRateView::SHAPE.defaults,
    extras: &[],
    computed: &[],
    relations: &[Relation::default("rules", TaxRateRuleView::SHAPE)],
};

/// A rate within its region.
struct RateOfRegion;

impl Resource for RateOfRegion {
    const SHAPE: &'static Shape = &RATE_OF_REGION;
}

impl From<TaxRegionRow> for TaxRegionView {
    fn from(region: TaxRegionRow) -> Self {
        Self { region, parent: None, children: Vec::new(), tax_rates: Vec::new() }
    }
}

impl From<TaxRateRow> for TaxRateView {
    fn from(rate: TaxRateRow) -> Self {
        let TaxRateRow { id, tax_region_id, rate_ppm, code, name, is_default, .. } = rate;
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

impl View for TaxRegionView {
    type Row = TaxRegionRow;
    type Error = TaxError;

    fn attach(tx: &Tx<'_>, views: &mut [Self], selection: &Selection) -> Result<(), TaxError> {
        let ids: Vec<TaxRegionId> = views.iter().map(|view| view.region.id.clone()).collect();
        let mut parents = Vec::new();
        if selection.wants("parent") {
            let ids = views.iter().filter_map(|view| view.region.parent_id.as_ref());
            parents = TaxRegionRow::find_all(tx, ids)?;
        }
        let mut children = ById::default();
        if selection.wants("children") {
            let found = queries::children(tx, &ids)?.into_iter();
            let found = found.filter_map(|child| Some((child.parent_id.clone()?, child)));
            children = ById::grouped(found);
        }
        let mut rates = ById::default();
        if selection.wants("tax_rates") {
            let found = queries::rates_of(tx, &ids)?;
            let mut found: Vec<TaxRateView> = found.into_iter().map(Into::into).collect();
            if selection.wants("tax_rates.rules") {
                attach_rules(tx, &mut found)?;
            }
            rates = ById::grouped_by(found, |rate| &rate.tax_region_id);
        }
        for view in views {
            let is_parent =
                |region: &&TaxRegionRow| Some(&region.id) == view.region.parent_id.as_ref();
            view.parent = parents.iter().find(is_parent).cloned();
            view.children = children.take(&view.region.id);
            view.tax_rates = rates.take(&view.region.id);
        }
        Ok(())
    }
}

impl View for TaxRateView {
    type Row = TaxRateRow;
    type Error = TaxError;

    fn attach(tx: &Tx<'_>, views: &mut [Self], selection: &Selection) -> Result<(), TaxError> {
        if selection.wants("rules") {
            attach_rules(tx, views)?;
        }
        if selection.wants("tax_region") {
            let ids = views.iter().map(|view| &view.tax_region_id);
            let regions = TaxRegionRow::find_all(tx, ids)?;
            for view in views {
                let own = regions.iter().find(|region| region.id == view.tax_region_id);
                view.tax_region = own.cloned();
            }
        }
        Ok(())
    }
}

fn attach_rules(tx: &Tx<'_>, rates: &mut [TaxRateView]) -> Result<(), TaxError> {
    let ids: Vec<TaxRateId> = rates.iter().map(|rate| rate.id.clone()).collect();
    let mut rules = ById::default();
    for (tax_rate_id, reference, reference_id) in queries::rules_of(tx, &ids)? {
        let id = reference_id.clone();
        let rate_id = tax_rate_id.clone();
        rules.push(rate_id, TaxRateRuleView { id, tax_rate_id, reference, reference_id });
    }
    for rate in rates {
        rate.rules = rules.take(&rate.id);
    }
    Ok(())
}
