//! Sessions that only save their method: nothing is charged, and the processor makes sure that the method can
//! be charged later.

use serde_json::Value;

use super::client::StripeError;
use super::object::{self, Setup, Status};
use super::{Data, Outcome, ProviderError, Request, Stripe, token_form};
use crate::payments::provider::check;

impl Stripe {
    /// Registers a session that only saves its method. If the storefront knows the method, there is nothing to register.
    pub(super) async fn start_setup(&self, request: Request<'_>) -> Result<Data, ProviderError> {
        check(&request)?;
        let word = |name: &str| request.data.get(name).and_then(Value::as_str).map(str::to_owned);
        if word("payment_method").is_some() {
            return Ok(request.data.clone());
        }
        let mut form = vec![
            ("usage", word("setup_future_usage").unwrap_or_else(|| "off_session".to_owned())),
            ("payment_method_types[]", "card".to_owned()),
            ("metadata[session_id]", request.idempotency_key.to_owned()),
        ];
        form.extend(word("customer").map(|customer| ("customer", customer)));
        let key = format!("{}_create", request.idempotency_key);
        let setup: Setup = self.client.post("setup_intents", &form, &key).await?;
        Ok(setup.data(request.data))
    }

    /// Confirms a session that only saves its method, with a token.
    pub(super) async fn confirm_setup_intent(
        &self,
        request: Request<'_>,
        token: &str,
    ) -> Result<Outcome, ProviderError> {
        let Some(id) = setup_of(request.data) else {
            let reason = "the session does not keep a method of a token".to_owned();
            return Err(ProviderError::Invalid { reason });
        };
        let path = format!("setup_intents/{}", object::path_part(id)?);
        let mut setup: Setup = self.client.get(&path, &[]).await?;
        if setup.status.is_open() {
            let (form, key) = token_form(&request, token);
            setup = match self.client.post(&format!("{path}/confirm"), &form, &key).await {
                Err(StripeError::Declined { code }) => {
                    return Ok(Outcome::Declined { reason: code });
                }
                confirmed => confirmed?,
            };
        }
        let mut data = setup.data(request.data);
        match setup.status {
            Status::Succeeded => Ok(Outcome::Captured { data }),
            Status::RequiresAction | Status::RequiresConfirmation => {
                // It cannot be charged yet.
                data.remove("payment_method");
                Ok(Outcome::RequiresMore { data })
            }
            Status::RequiresPaymentMethod | Status::Canceled => {
                Ok(Outcome::Declined { reason: "card_declined".to_owned() })
            }
            Status::Processing | Status::RequiresCapture | Status::Unknown => {
                Err(ProviderError::Unavailable)
            }
        }
    }

    /// Returns the data of a session with its method, which the shopper's browser may have reported only to the
    /// processor.
    pub(super) async fn find_setup_data(&self, data: &Data) -> Result<Option<Data>, ProviderError> {
        if data.contains_key("payment_method") {
            return Ok(Some(data.clone()));
        }
        let Some(id) = setup_of(data) else {
            return Ok(Some(self.intent(data).await?.data(data)));
        };
        let path = format!("setup_intents/{}", object::path_part(id)?);
        let setup: Setup = self.client.get(&path, &[]).await?;
        match setup.status {
            Status::Succeeded => Ok(Some(setup.data(data))),
            Status::Processing | Status::Unknown => Err(ProviderError::Unavailable),
            Status::RequiresPaymentMethod
            | Status::RequiresConfirmation
            | Status::RequiresAction
            | Status::RequiresCapture
            | Status::Canceled => Ok(None),
        }
    }

    /// Ends a session that only saves its method; returns whether it is one. A succeeded one cannot be canceled, and
    /// costs nothing.
    pub(super) async fn cancel_setup(&self, request: &Request<'_>) -> Result<bool, StripeError> {
        let Some(id) = setup_of(request.data) else { return Ok(!request.data.contains_key("id")) };
        let path = format!("setup_intents/{}/cancel", object::path_part(id)?);
        match self.client.post::<Value>(&path, &[], request.idempotency_key).await {
            Ok(_) | Err(StripeError::Invalid { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

/// Returns the processor's id of a session that only saves its method.
fn setup_of(data: &Data) -> Option<&str> {
    data.get("id")?.as_str().filter(|id| id.starts_with("seti_"))
}
