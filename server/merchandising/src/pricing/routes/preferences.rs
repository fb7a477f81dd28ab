//! Price preferences: `/admin/price-preferences`.
use utoipa_axum::router::OpenApiRouter;

use crate::database::{Table, Tx};
use crate::http::{AssignTo, Text, request};
use crate::ids::PricePreferenceId;
use crate::pricing::PricingError;
use crate::pricing::preference::{self, PreferenceAttribute, PricePreference};
use crate::resource::AdminRoutes;
use crate::state::AppState;

/// The admin routes of price preferences.
pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<PricePreference, _>::at("/admin/price-preferences", "Admin price lists")
        .list()
        .create(CreatePreferenceRequest::create)
        .taken("There is one for this value")
        .show()
        .update(UpdatePreferenceRequest::update)
        .delete(PricePreference::remove)
        .note("Prices do not include tax then.")
        .router()
}

/// A new price preference.
#[request]
#[schema(example = json!({ "attribute": "currency_code", "value": "eur", "is_tax_inclusive": true }))]
struct CreatePreferenceRequest {
    attribute: PreferenceAttribute,
    /// The currency or the region.
    value: Text,
    /// Whether prices include tax; defaults to false.
    #[serde(default)]
    is_tax_inclusive: bool,
}

impl CreatePreferenceRequest {
    fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<PricePreferenceId, PricingError> {
        preference::create(tx, self.attribute, self.value.as_str(), self.is_tax_inclusive)
    }
}

/// The fields of a price preference to change.
#[request]
#[schema(example = json!({ "is_tax_inclusive": true }))]
struct UpdatePreferenceRequest {
    is_tax_inclusive: Option<bool>,
}

impl UpdatePreferenceRequest {
    fn update(self, tx: &Tx<'_>, id: &PricePreferenceId) -> Result<(), PricingError> {
        let mut preference = PricePreference::require::<PricingError>(tx, id)?;
        self.is_tax_inclusive.assign_to(&mut preference.is_tax_inclusive);
        Ok(preference.update(tx)?)
    }
}
