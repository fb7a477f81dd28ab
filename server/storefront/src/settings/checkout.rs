//! The payment settings of a sales channel's storefronts.

use serde::{Deserialize, Serialize};

use super::analytics::check_short;
use crate::http::{Refusal, ToSchema};
use crate::payments::{PaymentGateway, sandbox};

/// The publishable key of the sandbox in this process. It grants nothing, because there is no external service.
const SANDBOX_KEY: &str = "pk_sandbox";

/// The payment settings of a sales channel's storefronts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StorefrontCheckout, example = json!({
    "payment_provider_id": "pp_stripe", "card_processor_publishable_key": "pk_test_1",
}))]
pub(super) struct Checkout {
    /// The provider for payments; the server's default if absent.
    payment_provider_id: Option<String>,
    /// The publishable key of the provider's sandbox; absent if payments move real money.
    card_processor_publishable_key: Option<String>,
}

impl Checkout {
    /// Rejects an invalid provider id, and a key that is not publishable or not for a sandbox.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        for (field, text, prefix) in [
            ("payment_provider_id", &self.payment_provider_id, "pp_"),
            ("card_processor_publishable_key", &self.card_processor_publishable_key, "pk_"),
        ] {
            let Some(text) = text else { continue };
            check_short(text)?;
            if !text.starts_with(prefix) {
                let message = format!("`checkout.{field}` must begin with `{prefix}`");
                return Err(Refusal::invalid(message));
            }
            if text.starts_with("pk_live_") {
                let message =
                    format!("`checkout.{field}` is of a sandbox: storefronts have the live key");
                return Err(Refusal::invalid(message));
            }
        }
        Ok(())
    }

    fn is_offered(&self, gateway: &PaymentGateway) -> bool {
        let id = self.payment_provider_id.as_deref();
        id.is_none_or(|id| gateway.provider_ids().any(|offered| offered == id))
    }
}

/// The payment settings of a channel.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "payment_provider_id": "pp_sandbox", "card_processor_publishable_key": "pk_sandbox", "sandbox": true,
}))]
pub(super) struct CheckoutConfigResponse {
    /// The provider for payments.
    payment_provider_id: String,
    /// The publishable key for the card form of the provider's sandbox; null if payments move real money.
    card_processor_publishable_key: Option<String>,
    /// Whether payments move no real money.
    sandbox: bool,
}

impl CheckoutConfigResponse {
    /// Returns a channel's payment settings: its own, if this server has their provider, else the server's.
    pub(super) fn of(checkout: Option<Checkout>, gateway: &PaymentGateway) -> Self {
        // A key belongs to its provider: without the provider it is dropped.
        let checkout = checkout.filter(|checkout| checkout.is_offered(gateway)).unwrap_or_default();
        let id = checkout.payment_provider_id.unwrap_or_else(|| gateway.preferred().to_owned());
        let key = checkout.card_processor_publishable_key;
        let key = key.or_else(|| (id == sandbox::ID).then(|| SANDBOX_KEY.to_owned()));
        Self {
            payment_provider_id: id,
            sandbox: key.is_some(),
            card_processor_publishable_key: key,
        }
    }
}
