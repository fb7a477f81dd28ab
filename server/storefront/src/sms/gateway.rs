//! The configured provider, and its recent calls.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::phone::{Number, Phone};
use super::provider::{Membership, Provider, ProviderError};
use super::sandbox::Sandbox;
use crate::auth::PseudonymKey;
use crate::config::{SmsProvider, VisitorSettings};
use crate::ids::{CustomerId, ProductId, SmsConsentId};
use crate::middleware::Counts;

/// Limit: how long a provider call may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long the same customer's views of a product are not reported again.
const VIEW_PAUSE: Duration = Duration::from_mins(5);

/// The number of possible codes: six digits.
const CODES: u64 = 1_000_000;

/// What is needed to write consents.
#[derive(Debug, Clone)]
pub(super) struct Register {
    /// The provider to which they are reported.
    pub(super) provider_id: &'static str,
    key: PseudonymKey,
}

impl Register {
    pub(super) fn number(&self, phone: Phone) -> Number {
        Number { digest: self.key.of(phone.as_str()), phone }
    }
}

/// The provider, if there is one. Cheap to clone.
#[derive(Debug, Clone)]
pub struct SmsGateway {
    provider: Option<Arc<dyn Provider>>,
    /// The key of the digests of numbers, and of codes.
    key: PseudonymKey,
    views: Counts,
    /// Whether a number must be confirmed with a code.
    pub(super) asks_twice: bool,
}

impl SmsGateway {
    /// Creates the gateway of the settings.
    pub fn of(settings: &VisitorSettings) -> Self {
        let provider: Option<Arc<dyn Provider>> = match settings.sms_provider {
            SmsProvider::None => None,
            SmsProvider::Sandbox => {
                Some(Arc::new(Sandbox::new(settings.sms_sandbox_outbox.clone())))
            }
        };
        let views = Counts::within(VIEW_PAUSE);
        // Settings with a provider have a key, and without a provider no number is stored.
        let key = settings.sms_number_key.clone();
        let key = PseudonymKey::new(&key.unwrap_or_else(|| String::new().into()));
        Self { provider, key, views, asks_twice: settings.sms_double_opt_in }
    }

    /// Returns what is needed to write consents; none without a provider.
    pub(super) fn register(&self) -> Option<Register> {
        let provider_id = self.provider.as_deref().map(Provider::id)?;
        Some(Register { provider_id, key: self.key.clone() })
    }

    /// Returns the code of a consent, the same whenever its message is repeated. Nobody can guess it without the key.
    pub(super) fn code(&self, id: &SmsConsentId) -> String {
        format!("{:06}", self.key.of(id.as_str()).number() % CODES)
    }

    pub(super) async fn set(
        &self,
        key: &str,
        phone: &Phone,
        membership: Membership,
    ) -> Result<(), ProviderError> {
        let Some(provider) = &self.provider else { return Err(ProviderError::Silent) };
        in_time(provider.set(key, phone, membership)).await
    }

    pub(super) async fn send(
        &self,
        key: &str,
        phone: &Phone,
        text: &str,
    ) -> Result<(), ProviderError> {
        let Some(provider) = &self.provider else { return Err(ProviderError::Silent) };
        in_time(provider.send(key, phone, text)).await
    }

    /// Reports the view of a product, at most once in five minutes per customer.
    pub(super) async fn tell_view(
        &self,
        (customer_id, product_id): (&CustomerId, &ProductId),
        phone: &Phone,
        view: &Value,
    ) -> Result<(), ProviderError> {
        let Some(provider) = &self.provider else { return Ok(()) };
        let key = format!("{customer_id}-{product_id}");
        if self.views.admit(&key, 1).is_err() {
            return Ok(());
        }
        let result = in_time(provider.tell_view(&key, phone, view)).await;
        if result.is_err() {
            self.views.remove(&key);
        }
        result
    }
}

async fn in_time(
    answer: impl Future<Output = Result<(), ProviderError>>,
) -> Result<(), ProviderError> {
    tokio::time::timeout(TIMEOUT, answer).await.unwrap_or(Err(ProviderError::Silent))
}
