//! A card processor of Stripe's kind: `PaymentIntents` with manual or automatic capture, 3-D Secure, saved methods and
//! charges without the shopper.
//!
//! Invariant: before money is moved, the processor is asked for the state of the intent, so that a repeated call moves
//! nothing twice even where idempotency keys are ignored. What a time-out leaves open is therefore
//! [`ProviderError::Unavailable`], never a refusal.

mod client;
mod object;
mod setup;
mod units;

#[cfg(test)]
mod tests;

use quotient_foundation::digest::sha256_hex;
use serde_json::Value;

use self::client::{Client, StripeError};
use self::object::{Intent, Method, Refunds, Status};
pub(crate) use self::units::to_minor;
use super::provider::{
    AUTHENTICATION_REQUIRED, Answer, Data, HolderRequest, Moved, Outcome, Provider, ProviderError,
    Request, SavedMethod, is_present,
};
use crate::config::{CaptureMethod, StripeSettings};
use crate::database::Word as _;

pub const ID: &str = "pp_stripe";

/// Limit: pages of a hundred intents that are searched for one; beyond them the idempotency key has to do.
const MAX_PAGES: usize = 100;

/// The processor.
#[derive(Debug)]
pub(crate) struct Stripe {
    client: Client,
    capture: CaptureMethod,
}

impl Stripe {
    /// Returns the processor, if a secret key is set.
    pub(crate) fn new(settings: &StripeSettings) -> Option<Self> {
        let secret = settings.stripe_secret_key.clone()?;
        let client = Client::new(settings.stripe_api.clone(), secret)?;
        Some(Self { client, capture: settings.stripe_capture })
    }

    /// Returns the intent of a session or payment.
    async fn intent(&self, data: &Data) -> Result<Intent, StripeError> {
        let id = data.get("id").and_then(Value::as_str).unwrap_or_default();
        self.client.get(&format!("payment_intents/{}", object::path_part(id)?), &[]).await
    }

    fn new_intent(
        &self,
        request: &Request<'_>,
    ) -> Result<Vec<(&'static str, String)>, ProviderError> {
        Ok(vec![
            ("amount", units::amount(request)?.to_string()),
            ("currency", request.currency.to_string()),
            ("capture_method", self.capture.word().to_owned()),
            ("payment_method_types[]", "card".to_owned()),
            ("metadata[session_id]", request.idempotency_key.to_owned()),
        ])
    }

    /// Confirms an intent. If another request has confirmed it in the meantime, it is returned
    /// unchanged.
    async fn confirm_intent(
        &self,
        data: &Data,
        form: &[(&str, String)],
        key: &str,
    ) -> Result<Intent, StripeError> {
        let id = data.get("id").and_then(Value::as_str).unwrap_or_default();
        let path = format!("payment_intents/{}/confirm", object::path_part(id)?);
        match self.client.post(&path, form, key).await {
            Err(refused @ StripeError::Invalid { .. }) => {
                let intent = self.intent(data).await?;
                if intent.status.is_open() { Err(refused) } else { Ok(intent) }
            }
            answer => answer,
        }
    }

    /// Returns the intent of an earlier call with a key that went unanswered.
    async fn intent_of(&self, key: &str, holder: &str) -> Result<Option<Intent>, StripeError> {
        let limit = ("limit", "100".to_owned());
        let mut filter = vec![("customer", holder.to_owned()), limit.clone()];
        for _ in 0..MAX_PAGES {
            let answer = self.client.get("payment_intents", &filter).await;
            let page: object::Intents = match answer {
                // Not every processor of this kind can filter intents or lists the newest first.
                Err(StripeError::Invalid { .. }) => {
                    filter = vec![limit.clone()];
                    self.client.get("payment_intents", &filter).await?
                }
                answer => answer?,
            };
            let next = page.next();
            if let Some(intent) = page.of_session(key) {
                return Ok(Some(intent));
            }
            let Some(next) = next else { break };
            filter.retain(|(name, _)| *name != "starting_after");
            filter.push(("starting_after", next));
        }
        Ok(None)
    }
}

/// Returns the form that confirms an intent with a token, and its idempotency key.
fn token_form(request: &Request<'_>, token: &str) -> (Vec<(&'static str, String)>, String) {
    let digest = sha256_hex(token);
    let key = format!("{}_token_{digest}", request.idempotency_key);
    let mut form = vec![("confirmation_token", token.to_owned())];
    if let Some(url) = request.data.get("return_url").and_then(Value::as_str) {
        form.push(("return_url", url.to_owned()));
    }
    (form, key)
}

impl Provider for Stripe {
    fn id(&self) -> &'static str {
        ID
    }

    fn initiate<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        Box::pin(async move {
            let mut form = self.new_intent(&request)?;
            for name in ["customer", "payment_method"] {
                if let Some(value) = request.data.get(name).and_then(Value::as_str) {
                    form.push((name, value.to_owned()));
                }
            }
            if let Some(usage) = request.data.get("setup_future_usage").and_then(Value::as_str) {
                form.push(("payment_method_options[card][setup_future_usage]", usage.to_owned()));
            }
            let key = format!("{}_create", request.idempotency_key);
            let intent: Intent = self.client.post("payment_intents", &form, &key).await?;
            Ok(intent.data(request.data))
        })
    }

    fn initiate_setup<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        Box::pin(self.start_setup(request))
    }

    fn setup_data<'a>(&'a self, data: &'a Data) -> Answer<'a, Option<Data>> {
        Box::pin(self.find_setup_data(data))
    }

    /// Confirms the intent unless the shopper's browser has.
    fn authorize<'a>(&'a self, request: Request<'a>) -> Answer<'a, Outcome> {
        Box::pin(async move {
            let amount = units::amount(&request)?;
            let mut intent = self.intent(request.data).await?;
            if intent.amount != amount || intent.currency != request.currency.to_string() {
                let reason = "the payment is for another amount: begin a new payment session";
                return Err(ProviderError::Invalid { reason: reason.to_owned() });
            }
            if intent.status == Status::RequiresConfirmation {
                // With the key of a declined card, the processor would only repeat the refusal.
                let key = format!("{}_confirm_{}", request.idempotency_key, intent.attempt());
                intent = match self.confirm_intent(request.data, &[], &key).await {
                    Err(StripeError::Declined { code }) => {
                        return Ok(Outcome::Declined { reason: code });
                    }
                    answer => answer?,
                };
            }
            intent.outcome(request.data)
        })
    }

    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async move {
            let amount = units::amount(&request)?;
            let intent = self.intent(request.data).await?;
            if intent.status == Status::RequiresCapture {
                let path = format!("payment_intents/{}/capture", intent.id);
                let form = [("amount_to_capture", amount.to_string())];
                self.client.post::<Intent>(&path, &form, request.idempotency_key).await?;
                return Ok(Moved::Done);
            }
            // An earlier call may have captured it without an answer.
            if intent.status == Status::Succeeded && intent.received() == amount {
                return Ok(Moved::Done);
            }
            Ok(Moved::Failed { reason: "capture_failed".to_owned() })
        })
    }

    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async move {
            let amount = units::amount(&request)?;
            let intent = self.intent(request.data).await?;
            let filter = [("payment_intent", intent.id.clone()), ("limit", "100".to_owned())];
            let refunds: Refunds = self.client.get("refunds", &filter).await?;
            if !refunds.has(request.idempotency_key) {
                let form = [
                    ("payment_intent", intent.id.clone()),
                    ("amount", amount.to_string()),
                    ("metadata[key]", request.idempotency_key.to_owned()),
                ];
                let made: Result<Value, _> =
                    self.client.post("refunds", &form, request.idempotency_key).await;
                match made {
                    Ok(_) => {}
                    Err(StripeError::Invalid { message }) => {
                        tracing::warn!(intent = intent.id, reason = message, "a refund is refused");
                        return Ok(Moved::Failed { reason: "refund_failed".to_owned() });
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(Moved::Done)
        })
    }

    fn cancel<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async move {
            if self.cancel_setup(&request).await? {
                return Ok(Moved::Done);
            }
            let intent = self.intent(request.data).await?;
            if intent.status == Status::Succeeded {
                return Ok(Moved::Failed { reason: "already_captured".to_owned() });
            }
            if intent.status == Status::Canceled {
                return Ok(Moved::Done);
            }
            let path = format!("payment_intents/{}/cancel", intent.id);
            self.client.post::<Intent>(&path, &[], request.idempotency_key).await?;
            Ok(Moved::Done)
        })
    }

    fn update_amount<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        Box::pin(async move {
            let amount = units::amount(&request)?;
            let mut intent = self.intent(request.data).await?;
            if !intent.status.is_open() {
                let reason = intent.status.as_str().to_owned();
                return Err(ProviderError::Invalid { reason });
            }
            if intent.amount != amount {
                let path = format!("payment_intents/{}", intent.id);
                intent = self.client.set(&path, &[("amount", amount.to_string())]).await?;
            }
            if intent.amount != amount {
                return Err(ProviderError::Unavailable);
            }
            Ok(intent.data(request.data))
        })
    }

    fn confirm<'a>(&'a self, request: Request<'a>, token: &'a str) -> Answer<'a, Outcome> {
        Box::pin(async move {
            units::amount(&request)?;
            let intent = self.intent(request.data).await?;
            if !intent.status.is_open() {
                return intent.outcome(request.data);
            }
            let (form, key) = token_form(&request, token);
            match self.confirm_intent(request.data, &form, &key).await {
                Ok(intent) => intent.outcome(request.data),
                Err(StripeError::Declined { code }) => Ok(Outcome::Declined { reason: code }),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn confirm_setup<'a>(&'a self, request: Request<'a>, token: &'a str) -> Answer<'a, Outcome> {
        Box::pin(self.confirm_setup_intent(request, token))
    }

    fn charge<'a>(
        &'a self,
        request: Request<'a>,
        holder: &'a str,
        method: &'a str,
    ) -> Answer<'a, Outcome> {
        Box::pin(async move {
            let mut form = self.new_intent(&request)?;
            if let Some(intent) = self.intent_of(request.idempotency_key, holder).await? {
                return intent.outcome_of_charge(request.data);
            }
            form.retain(|(name, _)| *name != "capture_method");
            form.extend([
                ("capture_method", CaptureMethod::Automatic.word().to_owned()),
                ("customer", holder.to_owned()),
                ("payment_method", method.to_owned()),
                ("confirm", "true".to_owned()),
            ]);
            if !is_present(request.data) {
                form.push(("off_session", "true".to_owned()));
            }
            match self
                .client
                .post::<Intent>("payment_intents", &form, request.idempotency_key)
                .await
            {
                Ok(intent) => intent.outcome(request.data),
                // The shopper authenticates the refused payment, so its secret is needed.
                Err(StripeError::Declined { code }) if code == AUTHENTICATION_REQUIRED => {
                    match self.intent_of(request.idempotency_key, holder).await? {
                        Some(intent) => intent.outcome_of_charge(request.data),
                        None => Ok(Outcome::Declined { reason: code }),
                    }
                }
                Err(StripeError::Declined { code }) => Ok(Outcome::Declined { reason: code }),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn create_holder<'a>(&'a self, request: HolderRequest<'a>) -> Answer<'a, String> {
        Box::pin(async move {
            let form = [
                ("email", request.email.to_owned()),
                ("metadata[customer_id]", request.customer_id.to_owned()),
            ];
            let key = format!("{}_customer", request.customer_id);
            let customer: object::Customer = self.client.post("customers", &form, &key).await?;
            Ok(customer.id)
        })
    }

    fn save_method<'a>(&'a self, holder: &'a str, data: &'a Data) -> Answer<'a, SavedMethod> {
        Box::pin(async move {
            let token = data.get("payment_method").and_then(Value::as_str).unwrap_or_default();
            let path = format!("payment_methods/{}/attach", object::path_part(token)?);
            let form = [("customer", holder.to_owned())];
            let method: Method =
                self.client.post(&path, &form, &format!("{holder}_{token}")).await?;
            Ok(method.saved())
        })
    }

    fn delete_method<'a>(&'a self, reference: &'a str) -> Answer<'a, ()> {
        Box::pin(async move {
            let path = format!("payment_methods/{}/detach", object::path_part(reference)?);
            let _method: Value =
                self.client.post(&path, &[], &format!("{reference}_detach")).await?;
            Ok(())
        })
    }
}
