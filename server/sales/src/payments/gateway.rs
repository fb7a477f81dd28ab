//! The gateway: providers asked outside of any transaction, each within a bounded time.

use std::sync::Arc;
use std::time::Duration;

use super::keyed_mutex::KeyedMutex;
use super::manual::Manual;
use super::payment::{Payment, Session};
use super::provider::{
    Answer, Data, Initiated, Moved, Outcome, Provider, ProviderError, Providers, Request,
};
use super::sandbox::{self, Sandbox};
use super::{PaymentError, manual};
use crate::money::Currency;

/// Limit: how long a provider is waited for.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(10);

/// The providers, and the locks that callers hold while they use them. Cheap to clone.
#[derive(Debug, Clone)]
pub struct PaymentGateway {
    providers: Providers,
    /// One caller at a time for each cart and each payment.
    pub locks: KeyedMutex,
}

impl PaymentGateway {
    /// A gateway to these providers.
    pub fn new(providers: Providers) -> Self {
        Self { providers, locks: KeyedMutex::default() }
    }

    /// The providers that need nothing outside of this process: the sandbox first, then the manual one.
    pub(crate) fn in_process() -> Self {
        Self::new(Providers::new(vec![Arc::new(Sandbox), Arc::new(Manual)]))
    }

    /// The ids of all providers, in order of preference.
    pub(crate) fn provider_ids(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.providers.ids()
    }

    /// The provider that a checkout uses unless it names another, and whether it only plays.
    pub(crate) fn preferred(&self) -> (&'static str, bool) {
        let id = self.provider_ids().next().unwrap_or(manual::ID);
        (id, id == sandbox::ID)
    }

    /// Begins a payment with what the storefront sent.
    pub(crate) async fn initiate(
        &self,
        provider_id: &str,
        key: &str,
        (amount_minor, currency): (i64, Currency),
        data: &Data,
    ) -> Result<Data, PaymentError> {
        let provider = self.find(provider_id)?;
        let currency = currency.to_string();
        let request = Request { idempotency_key: key, amount_minor, currency: &currency, data };
        let Initiated { data } = within_time(provider.initiate(request)).await?;
        Ok(data)
    }

    /// Asks for the money of a session. The session's id is the key, so that asking again after a crash does not pay
    /// twice.
    pub(crate) async fn authorize(&self, session: &Session) -> Result<Outcome, PaymentError> {
        let provider = self.find(&session.provider_id)?;
        let currency = session.currency.to_string();
        let request = Request {
            idempotency_key: session.id.as_str(),
            amount_minor: session.amount_minor,
            currency: &currency,
            data: &session.data,
        };
        Ok(within_time(provider.authorize(request)).await?)
    }

    /// Takes a part of a payment. The key follows from what was taken before, so that asking again after a crash
    /// takes nothing twice.
    pub async fn capture(&self, payment: &Payment, amount_minor: i64) -> Result<(), PaymentError> {
        let provider = self.find(&payment.provider_id)?;
        let key = format!("{}_capture_{}", payment.id, payment.captured_minor);
        let currency = payment.currency.to_string();
        let request = request(payment, &key, &currency, amount_minor);
        check("capture", within_time(provider.capture(request)).await?)
    }

    /// Gives back a part of what was taken. The key follows from what was given back before.
    pub async fn refund(&self, payment: &Payment, amount_minor: i64) -> Result<(), PaymentError> {
        let provider = self.find(&payment.provider_id)?;
        let key = format!("{}_refund_{}", payment.id, payment.refunded_minor);
        let currency = payment.currency.to_string();
        let request = request(payment, &key, &currency, amount_minor);
        check("refund", within_time(provider.refund(request)).await?)
    }

    /// Gives up what was promised and not taken.
    pub async fn cancel(&self, payment: &Payment) -> Result<(), PaymentError> {
        let provider = self.find(&payment.provider_id)?;
        let key = format!("{}_cancel", payment.id);
        let currency = payment.currency.to_string();
        let request = request(payment, &key, &currency, payment.amount_minor);
        check("cancel", within_time(provider.cancel(request)).await?)
    }

    fn find(&self, id: &str) -> Result<&Arc<dyn Provider>, PaymentError> {
        self.providers.find(id).ok_or_else(|| PaymentError::NoProvider(id.to_owned()))
    }
}

fn request<'a>(
    payment: &'a Payment,
    key: &'a str,
    currency: &'a str,
    amount_minor: i64,
) -> Request<'a> {
    Request { idempotency_key: key, amount_minor, currency, data: &payment.data }
}

fn check(verb: &'static str, moved: Moved) -> Result<(), PaymentError> {
    match moved {
        Moved::Done { .. } => Ok(()),
        Moved::Failed { reason } => Err(PaymentError::Refused { verb, reason }),
    }
}

async fn within_time<T>(answer: Answer<'_, T>) -> Result<T, ProviderError> {
    tokio::time::timeout(PROVIDER_TIMEOUT, answer)
        .await
        .unwrap_or_else(|_late| Err(ProviderError::Unavailable))
}
