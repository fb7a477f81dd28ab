//! `/admin/regions` and `/store/regions`.

use utoipa_axum::router::OpenApiRouter;

use crate::database::Tx;
use crate::http::{AssignTo, Text, request};
use crate::ids::RegionId;
use crate::metadata::MetadataPatch;
use crate::money::Currency;
use crate::regions::{self, NewRegion, Region, RegionError, region};
use crate::resource::{AdminRoutes, StoreRoutes};
use crate::state::AppState;

pub(super) fn store() -> OpenApiRouter<AppState> {
    StoreRoutes::<Region, _>::at("/store/regions", "Store regions").list().show().router()
}

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<Region, _>::at("/admin/regions", "Admin regions")
        .list()
        .create(CreateRegionRequest::create)
        .show()
        .update(UpdateRegionRequest::update)
        .delete(regions::delete)
        .note("Its countries are free for another region; carts of it find no region any more.")
        .router()
}

/// A new region.
#[request]
#[schema(example = json!({ "name": "United Kingdom", "currency_code": "gbp", "countries": ["gb"],
    "payment_providers": ["pp_system_default"] }))]
struct CreateRegionRequest {
    name: Text<255>,
    currency_code: Currency,
    /// The two-letter codes of its countries; none of them may belong to another region.
    #[serde(default)]
    #[schema(max_items = 249)]
    countries: Vec<String>,
    #[serde(default)]
    #[schema(max_items = 50)]
    payment_providers: Vec<Text<100>>,
    /// Whether taxes are computed at each change of a cart.
    #[serde(default = "yes")]
    automatic_taxes: bool,
    /// Whether prices of the region include tax.
    #[serde(default)]
    is_tax_inclusive: bool,
    metadata: Option<MetadataPatch>,
}

fn yes() -> bool {
    true
}

impl CreateRegionRequest {
    fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<RegionId, RegionError> {
        let new = NewRegion {
            name: self.name.into(),
            currency: self.currency_code,
            countries: self.countries,
            payment_providers: self.payment_providers.into_iter().map(String::from).collect(),
            automatic_taxes: self.automatic_taxes,
            is_tax_inclusive: self.is_tax_inclusive,
            metadata: self.metadata.unwrap_or_default().create()?,
        };
        Ok(regions::create(tx, new)?.id)
    }
}

/// The fields of a region to change; absent fields stay.
#[request]
#[schema(example = json!({ "countries": ["gb", "ie"] }))]
struct UpdateRegionRequest {
    name: Option<Text<255>>,
    currency_code: Option<Currency>,
    /// Replaces all countries.
    #[schema(max_items = 249)]
    countries: Option<Vec<String>>,
    /// Replaces all payment providers.
    #[schema(max_items = 50)]
    payment_providers: Option<Vec<Text<100>>>,
    automatic_taxes: Option<bool>,
    is_tax_inclusive: Option<bool>,
    metadata: Option<MetadataPatch>,
}

impl UpdateRegionRequest {
    fn update(self, tx: &Tx<'_>, id: &RegionId) -> Result<(), RegionError> {
        let mut region = regions::find(tx, id)?;
        self.currency_code.assign_to(&mut region.currency);
        crate::assign!(self => region: name, automatic_taxes, is_tax_inclusive);
        if self.is_tax_inclusive.is_some() {
            region.prefer_tax(tx)?;
        }
        region.metadata.merge(self.metadata)?;
        let providers: Option<Vec<String>> =
            self.payment_providers.map(|sent| sent.into_iter().map(String::from).collect());
        region::save(tx, &region, self.countries.as_deref(), providers.as_deref())
    }
}
