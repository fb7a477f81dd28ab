//! The gateway: calls providers outside of any transaction, each with a timeout.

use std::sync::Arc;
use std::time::Duration;

use super::PaymentError;
use super::keyed_mutex::KeyedMutex;
use super::manual::{self, Manual};
use super::methods::SavedCharge;
use super::payment::{Payment, Session};
use super::provider::{
    Answer, Data, HolderRequest, Moved, Outcome, Provider, ProviderError, Providers, Purpose,
    Request, SavedMethod,
};
use super::sandbox::Sandbox;
use super::stripe::Stripe;
use crate::config::PaymentSettings;

/// Limit: time to wait for a provider.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(10);

/// The providers, and the locks that callers hold during calls. Cheap to clone.
#[derive(Debug, Clone)]
pub struct PaymentGateway {
    providers: Providers,
    /// The per-key locks, one for each cart and each payment.
    pub locks: KeyedMutex,
}

impl PaymentGateway {
    pub fn new(providers: Providers) -> Self {
        Self { providers, locks: KeyedMutex::default() }
    }

    /// Returns a gateway to the configured providers. There is a sandbox only without a processor, unless configured
    /// otherwise: its test cards would pay for real goods.
    pub(crate) fn of(settings: &PaymentSettings) -> Self {
        let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
        if let Some(stripe) = Stripe::new(&settings.stripe) {
            providers.push(Arc::new(stripe));
        }
        if settings.sandbox_payments.unwrap_or(providers.is_empty()) {
            providers.insert(0, Arc::new(Sandbox::new(settings.sandbox_ledger.clone())));
        }
        providers.push(Arc::new(Manual));
        Self::new(Providers::new(providers))
    }

    /// Returns the ids of all providers, in order of preference.
    pub fn provider_ids(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.providers.ids()
    }

    /// Returns the default provider of a checkout.
    pub fn preferred(&self) -> &'static str {
        self.provider_ids().next().unwrap_or(manual::ID)
    }

    /// Starts a session with the data that the storefront sent, and returns the provider's.
    pub(crate) async fn initiate(
        &self,
        session: &Session,
        purpose: Purpose,
    ) -> Result<Data, PaymentError> {
        let provider = self.find(&session.provider_id)?;
        let request = of_session(session);
        let answer = match purpose {
            Purpose::Pay => provider.initiate(request),
            Purpose::Setup => provider.initiate_setup(request),
        };
        Ok(within_time(answer).await?)
    }

    /// Returns the data of a session with the method to save; none if the shopper has to act first.
    pub(crate) async fn setup_data(&self, session: &Session) -> Result<Option<Data>, PaymentError> {
        Ok(within_time(self.find(&session.provider_id)?.setup_data(&session.data)).await?)
    }

    /// Requests the payment of a session. The session's id is the idempotency key, so that a retry after a crash does
    /// not charge twice.
    pub(crate) async fn authorize(&self, session: &Session) -> Result<Outcome, PaymentError> {
        let provider = self.find(&session.provider_id)?;
        Ok(within_time(provider.authorize(of_session(session))).await?)
    }

    /// Captures a part of a payment. The idempotency key is derived from the amount captured before, so that a retry
    /// after a crash does not capture twice.
    pub async fn capture(&self, payment: &Payment, amount_minor: i64) -> Result<(), PaymentError> {
        let provider = self.find(&payment.provider_id)?;
        let key = format!("{}_capture_{}", payment.id, payment.captured_minor);
        let request = request(payment, &key, amount_minor);
        check("capture", within_time(provider.capture(request)).await?)
    }

    /// Refunds a part of the captured amount, once for each key.
    pub async fn refund(
        &self,
        payment: &Payment,
        key: &str,
        amount_minor: i64,
    ) -> Result<(), PaymentError> {
        let provider = self.find(&payment.provider_id)?;
        let request = request(payment, key, amount_minor);
        check("refund", within_time(provider.refund(request)).await?)
    }

    /// Cancels an authorization that is not captured.
    pub async fn cancel(&self, payment: &Payment) -> Result<(), PaymentError> {
        let provider = self.find(&payment.provider_id)?;
        let key = format!("{}_cancel", payment.id);
        let request = request(payment, &key, payment.amount_minor);
        check("cancel", within_time(provider.cancel(request)).await?)
    }

    /// Cancels a session that no order needs; returns whether it had been paid and was refunded.
    pub(crate) async fn end_session(&self, session: &Session) -> Result<bool, PaymentError> {
        let Some(provider) = self.providers.find(&session.provider_id) else { return Ok(false) };
        let key = format!("{}_cancel", session.id);
        let request = Request { idempotency_key: &key, ..of_session(session) };
        if within_time(provider.cancel(request)).await? == Moved::Done {
            return Ok(false);
        }
        let key = format!("{}_return", session.id);
        let request = Request { idempotency_key: &key, ..of_session(session) };
        check("refund", within_time(provider.refund(request)).await?)?;
        Ok(true)
    }

    /// Changes the amount of a session that is not authorized; returns the provider's data.
    pub(crate) async fn update_amount(
        &self,
        session: &Session,
        amount_minor: i64,
    ) -> Result<Data, PaymentError> {
        let provider = self.find(&session.provider_id)?;
        let request = Request { amount_minor, ..of_session(session) };
        Ok(within_time(provider.update_amount(request)).await?)
    }

    /// Authorizes a session with a token created in the shopper's browser, or only saves the token's method.
    pub(crate) async fn confirm(
        &self,
        session: &Session,
        token: &str,
        purpose: Purpose,
    ) -> Result<Outcome, PaymentError> {
        let provider = self.find(&session.provider_id)?;
        let request = of_session(session);
        let answer = match purpose {
            Purpose::Pay => provider.confirm(request, token),
            Purpose::Setup => provider.confirm_setup(request, token),
        };
        Ok(within_time(answer).await?)
    }

    /// Charges a saved method for a session, without the shopper.
    pub(super) async fn charge(
        &self,
        session: &Session,
        saved: &SavedCharge,
    ) -> Result<Outcome, PaymentError> {
        let provider = self.find(&session.provider_id)?;
        let request = Request { idempotency_key: &saved.key, ..of_session(session) };
        Ok(within_time(provider.charge(request, &saved.holder, &saved.method)).await?)
    }

    /// Registers a customer with a provider, and returns its id of the customer; `None` if it has no account holders.
    pub(crate) async fn create_holder(
        &self,
        provider_id: &str,
        request: HolderRequest<'_>,
    ) -> Result<Option<String>, PaymentError> {
        match within_time(self.find(provider_id)?.create_holder(request)).await {
            Err(ProviderError::Unsupported) => Ok(None),
            made => Ok(Some(made?)),
        }
    }

    pub(crate) async fn save_method(
        &self,
        provider_id: &str,
        holder: &str,
        data: &Data,
    ) -> Result<SavedMethod, PaymentError> {
        Ok(within_time(self.find(provider_id)?.save_method(holder, data)).await?)
    }

    /// Removes a saved method at the provider, unless that has forgotten the method, never removes any, or is no longer
    /// configured: the caller removes it here all the same.
    ///
    /// # Errors
    /// If the provider does not answer.
    pub(crate) async fn delete_method(
        &self,
        provider_id: &str,
        reference: &str,
    ) -> Result<(), PaymentError> {
        let Some(provider) = self.providers.find(provider_id) else {
            tracing::warn!(provider_id, reference, "a method stays at a provider not configured");
            return Ok(());
        };
        match within_time(provider.delete_method(reference)).await {
            Ok(()) | Err(ProviderError::Unsupported | ProviderError::Invalid { .. }) => Ok(()),
            Err(error @ ProviderError::Unavailable) => Err(error.into()),
        }
    }

    fn find(&self, id: &str) -> Result<&Arc<dyn Provider>, PaymentError> {
        self.providers.find(id).ok_or_else(|| PaymentError::NoProvider(id.to_owned()))
    }
}

fn of_session(session: &Session) -> Request<'_> {
    Request {
        idempotency_key: session.id.as_str(),
        amount_minor: session.amount_minor,
        currency: session.currency,
        data: &session.data,
    }
}

fn request<'a>(payment: &'a Payment, key: &'a str, amount_minor: i64) -> Request<'a> {
    Request { idempotency_key: key, amount_minor, currency: payment.currency, data: &payment.data }
}

fn check(verb: &'static str, moved: Moved) -> Result<(), PaymentError> {
    match moved {
        Moved::Done => Ok(()),
        Moved::Failed { reason } => Err(PaymentError::Refused { verb, reason }),
    }
}

async fn within_time<T>(answer: Answer<'_, T>) -> Result<T, ProviderError> {
    tokio::time::timeout(PROVIDER_TIMEOUT, answer)
        .await
        .unwrap_or_else(|_late| Err(ProviderError::Unavailable))
}

#[cfg(test)]
mod tests;
