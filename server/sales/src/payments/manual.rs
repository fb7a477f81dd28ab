//! The provider for payments made outside the server: cash, invoice, bank transfer.
//!
//! It authorizes every payment; an admin captures it once the money has arrived.

use super::provider::{Answer, Data, Moved, Outcome, Provider, Request, check, ready};

pub const ID: &str = "pp_system_default";

/// Authorizes everything and stores no data.
#[derive(Debug, Clone, Copy)]
pub struct Manual;

impl Provider for Manual {
    fn id(&self) -> &'static str {
        ID
    }

    fn initiate<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        ready(check(&request).map(|()| Data::new()))
    }

    fn authorize<'a>(&'a self, request: Request<'a>) -> Answer<'a, Outcome> {
        ready(check(&request).map(|()| Outcome::Authorized { data: Data::new() }))
    }

    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        ready(check(&request).map(|()| Moved::Done))
    }

    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        ready(check(&request).map(|()| Moved::Done))
    }

    fn cancel<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        ready(check(&request).map(|()| Moved::Done))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ID, Manual};
    use crate::money::Currency;
    use crate::payments::provider::{Data, Moved, Outcome, Provider, ProviderError, Request};

    #[tokio::test]
    async fn everything_is_authorized_and_no_sent_data_is_stored() {
        let sent = json!({"card": "4242424242424242"}).as_object().cloned().unwrap();
        let request = Request {
            idempotency_key: "payses_1",
            amount_minor: 100,
            currency: Currency::from_code("usd").unwrap(),
            data: &sent,
        };
        let data = Data::new();
        assert_eq!(Manual.id(), ID);
        assert_eq!(Manual.initiate(request).await.unwrap(), data);
        let promised = Outcome::Authorized { data };
        assert_eq!(Manual.authorize(request).await, Ok(promised));
        let done = Ok(Moved::Done);
        assert_eq!(Manual.capture(request).await, done);
        assert_eq!(Manual.refund(request).await, done);
        assert_eq!(Manual.cancel(request).await, done);
    }

    #[tokio::test]
    async fn nothing_is_not_paid() {
        let data = Data::new();
        for amount_minor in [0, -1] {
            let currency = Currency::from_code("usd").unwrap();
            let request =
                Request { idempotency_key: "payses_1", amount_minor, currency, data: &data };
            let refused = Manual.authorize(request).await;
            assert!(matches!(refused, Err(ProviderError::Invalid { .. })), "{amount_minor}");
        }
    }
}
