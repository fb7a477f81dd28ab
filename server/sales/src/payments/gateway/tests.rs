//! The requests to providers, and their keys.

use std::sync::Mutex;

use super::*;
use crate::clock::Timestamp;
use crate::ids::OrderId;
use crate::money::Currency;
use crate::payments::payment::Collection;
use crate::payments::sandbox;

/// Records its requests, and cancels nothing that was paid.
#[derive(Debug, Default)]
struct Recorder {
    calls: Mutex<Vec<String>>,
    is_paid: bool,
}

impl Recorder {
    fn call(&self, name: &str, request: Request<'_>) {
        let Request { idempotency_key, amount_minor, currency, .. } = request;
        self.note(format!("{name} {amount_minor} {currency} {idempotency_key}"));
    }

    fn note(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }

    fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }

    fn moved(&self, name: &str, request: Request<'_>) -> Answer<'_, Moved> {
        self.call(name, request);
        let moved = if self.is_paid && name == "cancel" {
            Moved::Failed { reason: "captured".to_owned() }
        } else {
            Moved::Done
        };
        Box::pin(async { Ok(moved) })
    }

    fn paid(&self, name: &str, request: Request<'_>) -> Answer<'_, Outcome> {
        self.call(name, request);
        Box::pin(async { Ok(Outcome::Captured { data: Data::new() }) })
    }
}

impl Provider for Recorder {
    fn id(&self) -> &'static str {
        "pp_recorder"
    }

    fn initiate<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        self.call("initiate", request);
        Box::pin(async { Ok(Data::new()) })
    }

    fn authorize<'a>(&'a self, request: Request<'a>) -> Answer<'a, Outcome> {
        self.paid("authorize", request)
    }

    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        self.moved("capture", request)
    }

    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        self.moved("refund", request)
    }

    fn cancel<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        self.moved("cancel", request)
    }

    fn update_amount<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        self.call("update", request);
        Box::pin(async { Ok(Data::from_iter([("updated".to_owned(), true.into())])) })
    }

    fn confirm<'a>(&'a self, request: Request<'a>, token: &'a str) -> Answer<'a, Outcome> {
        self.paid(&format!("confirm {token}"), request)
    }

    fn charge<'a>(
        &'a self,
        request: Request<'a>,
        holder: &'a str,
        method: &'a str,
    ) -> Answer<'a, Outcome> {
        self.paid(&format!("charge {holder} {method}"), request)
    }

    fn delete_method<'a>(&'a self, reference: &'a str) -> Answer<'a, ()> {
        self.note(format!("delete {reference}"));
        Box::pin(async { Ok(()) })
    }
}

/// Returns a gateway with a recorder, and a session of five pounds.
fn recorded(is_paid: bool) -> (PaymentGateway, Arc<Recorder>, Session) {
    let recorder = Arc::new(Recorder { is_paid, ..Recorder::default() });
    let providers: Vec<Arc<dyn Provider>> = vec![Arc::<Recorder>::clone(&recorder)];
    let gateway = PaymentGateway::new(Providers::new(providers));
    let now = Timestamp::from_millis(0);
    let collection = Collection::new(Currency::from_code("gbp").unwrap(), 500, now);
    let session = Session::new(&collection, "pp_recorder".to_owned(), now);
    (gateway, recorder, session)
}

#[tokio::test]
async fn every_call_names_its_amount_and_a_key_of_its_own() {
    let (gateway, recorder, session) = recorded(false);
    let id = session.id.as_str();
    let payment = Payment::new(session.clone(), OrderId::new(), Timestamp::from_millis(0));
    let paid = Payment { captured_minor: 120, ..payment.clone() };
    let saved = SavedCharge {
        key: "cycle_1".to_owned(),
        holder: "cus_1".to_owned(),
        method: "pm_1".to_owned(),
    };

    gateway.initiate(&session, Purpose::Pay).await.unwrap();
    gateway.authorize(&session).await.unwrap();
    gateway.confirm(&session, "tok_1", Purpose::Pay).await.unwrap();
    gateway.charge(&session, &saved).await.unwrap();
    let updated = gateway.update_amount(&session, 450).await.unwrap();
    assert_eq!(updated["updated"], true);
    gateway.capture(&payment, 120).await.unwrap();
    gateway.capture(&paid, 380).await.unwrap();
    gateway.refund(&paid, "ref_1", 95).await.unwrap();
    gateway.cancel(&payment).await.unwrap();
    gateway.delete_method("pp_recorder", "pm_1").await.unwrap();
    assert!(!gateway.end_session(&session).await.unwrap());

    let payment = payment.id.as_str();
    assert_eq!(
        recorder.calls(),
        [
            format!("initiate 500 gbp {id}"),
            format!("authorize 500 gbp {id}"),
            format!("confirm tok_1 500 gbp {id}"),
            "charge cus_1 pm_1 500 gbp cycle_1".to_owned(),
            format!("update 450 gbp {id}"),
            format!("capture 120 gbp {payment}_capture_0"),
            format!("capture 380 gbp {payment}_capture_120"),
            "refund 95 gbp ref_1".to_owned(),
            format!("cancel 500 gbp {payment}_cancel"),
            "delete pm_1".to_owned(),
            format!("cancel 500 gbp {id}_cancel"),
        ]
    );
}

#[tokio::test]
async fn a_session_that_was_paid_after_all_is_paid_back() {
    let (gateway, recorder, session) = recorded(true);
    assert!(gateway.end_session(&session).await.unwrap());
    let id = session.id.as_str();
    let calls = [format!("cancel 500 gbp {id}_cancel"), format!("refund 500 gbp {id}_return")];
    assert_eq!(recorder.calls(), calls);

    let unknown = Session { provider_id: "pp_gone".to_owned(), ..session.clone() };
    assert!(!gateway.end_session(&unknown).await.unwrap());
    assert!(matches!(gateway.authorize(&unknown).await, Err(PaymentError::NoProvider(_))));
    assert!(recorder.calls().is_empty());
}

#[test]
fn the_first_provider_is_preferred() {
    assert_eq!(recorded(false).0.preferred(), "pp_recorder");
    let sandbox: Vec<Arc<dyn Provider>> = vec![Arc::new(Sandbox::default()), Arc::new(Manual)];
    let gateway = PaymentGateway::new(Providers::new(sandbox));
    assert_eq!(gateway.preferred(), sandbox::ID);
    let none = PaymentGateway::new(Providers::new(Vec::new()));
    assert_eq!(none.preferred(), manual::ID);
}
