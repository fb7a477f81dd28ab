//! Regions with what belongs to them, loaded for a whole page at once.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Tx;
use crate::http::Selection;
use crate::ids::RegionId;
use crate::regions::queries::regions as queries;
use crate::regions::{self, CountryView, Region, RegionError, SalesChannel};

/// A region with its countries and payment providers.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RegionView {
    /// The region.
    #[serde(flatten)]
    region: Region,
    /// Where it sells.
    countries: Vec<CountryView>,
    /// Who takes the money there.
    payment_providers: Vec<PaymentProviderView>,
}

/// Who takes money.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PaymentProviderView {
    /// Its id.
    #[schema(example = "pp_system_default")]
    id: String,
    /// Whether it can be used.
    is_enabled: bool,
}

impl PaymentProviderView {
    /// A provider that a region offers.
    pub(super) fn enabled(id: String) -> Self {
        Self { id, is_enabled: true }
    }
}

/// Regions with what is asked for.
pub(super) fn load_regions(
    tx: &Tx<'_>,
    regions: Vec<Region>,
    selection: &Selection,
) -> Result<Vec<RegionView>, RegionError> {
    let ids: Vec<RegionId> = regions.iter().map(|region| region.id.clone()).collect();
    let mut countries = if selection.wants("countries") {
        regions::countries_of(tx, &ids)?
    } else {
        BTreeMap::new()
    };
    let mut providers: BTreeMap<RegionId, Vec<_>> = BTreeMap::new();
    if selection.wants("payment_providers") {
        for (region_id, provider_id) in queries::payment_providers(tx, &ids)? {
            let view = PaymentProviderView::enabled(provider_id);
            providers.entry(region_id).or_default().push(view);
        }
    }
    let view = |region: Region| {
        let countries = countries.remove(&region.id).unwrap_or_default();
        RegionView {
            countries: countries
                .into_iter()
                .map(|country| CountryView::new(country, &region.id))
                .collect(),
            payment_providers: providers.remove(&region.id).unwrap_or_default(),
            region,
        }
    };
    Ok(regions.into_iter().map(view).collect())
}

/// Sales channels have nothing beside them.
#[expect(clippy::unnecessary_wraps, reason = "loads as the other resources do")]
pub(super) fn load_channels(
    _tx: &Tx<'_>,
    channels: Vec<SalesChannel>,
    _selection: &Selection,
) -> Result<Vec<SalesChannel>, RegionError> {
    Ok(channels)
}
