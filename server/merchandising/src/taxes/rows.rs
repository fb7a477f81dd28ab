//! Tax regions and rates with their relations, loaded for a whole page at once.

use quotient_foundation::stored_as_inner;
use serde::Serialize;

use super::rates::to_percent;
use super::{TaxError, queries};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{FromRow, Record, Table, Tx};
use crate::http::{Relation, Resource, Selection, Shape, ToSchema};
use crate::ids::{ById, TaxRateId, TaxRegionId};
use crate::metadata::Metadata;
use crate::money::Amount;
use crate::resource::View;

/// A tax region.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "tax_region g")]
#[record(list(plural = "tax_regions", usual, search = ["g.country", "g.province"]))]
#[resource(name = "tax region")]
#[schema(as = TaxRegion)]
pub(super) struct TaxRegionRow {
    pub(super) id: TaxRegionId,
    /// The two-letter country code.
    #[schema(example = "us")]
    #[column(name = "country", filter, order, kind = Kind::LowerCase)]
    pub(super) country_code: String,
    /// The province, without the country prefix.
    #[schema(example = "nv")]
    #[column(name = "province", filter, order, kind = Kind::LowerCase)]
    pub(super) province_code: Option<String>,
    /// The region of the country, for a province.
    #[column(filter)]
    pub(super) parent_id: Option<TaxRegionId>,
    #[schema(example = "tp_system")]
    #[column(filter)]
    pub(super) provider_id: Option<String>,
    pub(super) metadata: Metadata,
    #[column(filter, kind = Kind::Id)]
    pub(super) created_by: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[column(skip)]
    pub(super) deleted_at: Option<Timestamp>,
}

/// A tax rate with its region.
#[derive(Debug, Serialize, ToSchema, Record, Resource)]
#[record(table = "tax_rate t")]
#[record(list(plural = "tax_rates", search = ["t.name", "t.code"], columns = [
    Column::new("id", "t.id", Kind::Id),
    Column::filter("tax_region_id", "t.tax_region_id", Kind::Id),
    Column::new("code", "t.code", Kind::Text),
    Column::new("name", "t.name", Kind::Text),
    Column::filter("is_default", "t.is_default", Kind::Boolean),
    Column::filter("is_combinable", "t.is_combinable", Kind::Boolean),
    Column::new("created_at", "t.created_at", Kind::Time),
    Column::new("updated_at", "t.updated_at", Kind::Time),
]))]
#[resource(name = "tax rate")]
pub(super) struct TaxRateView {
    pub(super) id: TaxRateId,
    /// In per cent.
    #[column(name = "rate_ppm")]
    #[serde(rename = "rate")]
    #[schema(value_type = Amount, example = json!(7.25))]
    pub(super) rate_ppm: Ppm,
    /// A short code for exports.
    #[schema(example = "us-default")]
    pub(super) code: String,
    #[schema(example = "Sales tax")]
    pub(super) name: String,
    /// Whether it applies to everything not covered by a rule.
    pub(super) is_default: bool,
    /// Whether the country's rate is added to it.
    pub(super) is_combinable: bool,
    pub(super) tax_region_id: TaxRegionId,
    pub(super) metadata: Metadata,
    pub(super) created_by: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[column(skip)]
    pub(super) deleted_at: Option<Timestamp>,
    /// The resources that it is for.
    #[field(relation)]
    pub(super) rules: Vec<TaxRateRuleView>,
    #[field(relation)]
    pub(super) tax_region: Option<TaxRegionRow>,
}

/// A rate in millionths, in responses a percentage.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(into = "Amount")]
pub(super) struct Ppm(pub(super) i64);

stored_as_inner!(Ppm(i64));

impl From<Ppm> for Amount {
    fn from(Ppm(rate): Ppm) -> Self {
        to_percent(rate).into()
    }
}

/// A resource that a rate is for.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "tax rate rule")]
pub(super) struct TaxRateRuleView {
    /// The id of the resource, which is also the rule's id.
    id: String,
    pub(super) tax_rate_id: TaxRateId,
    /// `product`, `product_type` or `shipping_option`.
    #[schema(example = "product")]
    reference: String,
    /// The id of the resource.
    reference_id: String,
}

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
            let mut found = queries::rates_of(tx, &ids)?;
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
    type Row = Self;
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
    let mut rules = ById::grouped_by(queries::rules_of(tx, &ids)?, |rule| &rule.tax_rate_id);
    for rate in rates {
        rate.rules = rules.take(&rate.id);
    }
    Ok(())
}
