//! Tests of captures that two servers request at once, or that are reported before they are answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::Barrier;

use super::{ADMIN, PROMISE, Sold};
use crate::http::HttpError;
use crate::ids::PaymentSessionId;
use crate::orders::{OrderError, money, settle};
use crate::payments::PaymentGateway;
use crate::payments::provider::{
    Answer, Data, Moved, Outcome, Provider, ProviderError, Providers, Request,
};
use crate::payments::report::{self, Joined, ReportedEvent, ReportedState};
use crate::payments::sandbox;

/// A part of the payment, in pence.
const PART: i64 = 295;

const SESSION: &str = "select payment_session_id from payment";

/// A processor that answers a capture only after it has met another party twice: before it captures, and after.
#[derive(Debug)]
struct Timed {
    meeting: Barrier,
    /// Its captures, by key.
    captures: Mutex<BTreeMap<String, i64>>,
}

impl Timed {
    fn new() -> Arc<Self> {
        Arc::new(Self { meeting: Barrier::new(2), captures: Mutex::default() })
    }

    fn captures(&self) -> Vec<i64> {
        self.captures.lock().unwrap().values().copied().collect()
    }
}

impl Provider for Timed {
    fn id(&self) -> &'static str {
        sandbox::ID
    }

    fn initiate<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Data> {
        Box::pin(async { Err(ProviderError::Unsupported) })
    }

    fn authorize<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Outcome> {
        Box::pin(async { Err(ProviderError::Unsupported) })
    }

    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async move {
            self.meeting.wait().await;
            let key = request.idempotency_key.to_owned();
            self.captures.lock().unwrap().entry(key).or_insert(request.amount_minor);
            self.meeting.wait().await;
            Ok(Moved::Done)
        })
    }

    fn refund<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async { Err(ProviderError::Unsupported) })
    }

    fn cancel<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async { Err(ProviderError::Unsupported) })
    }
}

fn event(state: ReportedState, received_minor: i64) -> ReportedEvent {
    ReportedEvent {
        intent_id: Some("pi_1".to_owned()),
        state,
        received_minor,
        refunded_minor: 0,
        is_disputed: false,
        created_at_s: 1,
        event_id: format!("evt_{received_minor}"),
    }
}

impl Sold {
    /// Captures through a separate server, whose locks no other server shares.
    async fn capture_by_another_server(
        &self,
        processor: &Arc<Timed>,
        amount_minor: Option<i64>,
    ) -> Result<(), HttpError> {
        let providers: Vec<Arc<dyn Provider>> = vec![Arc::<Timed>::clone(processor)];
        let gateway = PaymentGateway::new(Providers::new(providers));
        let payment = self.payment().await;
        let captured =
            money::capture(self.shop.db.clone(), gateway, payment, amount_minor, ADMIN.to_owned());
        Ok(captured.await?)
    }

    /// The processor reports the total captured so far.
    async fn report(&self, received_minor: i64) {
        self.report_event(event(ReportedState::Captured, received_minor)).await;
    }

    async fn report_event(&self, event: ReportedEvent) {
        self.write(move |tx, order| {
            let session: PaymentSessionId = tx.sql(SESSION).one([], |row| row.get(0))?;
            report::join(tx, &session, event)?;
            report::apply(tx, &session)?;
            settle(tx, order)?;
            Ok::<_, OrderError>(())
        })
        .await
        .unwrap();
    }

    /// Returns the status of the payment's session.
    async fn session(&self) -> String {
        let sql = "select status from payment_session where id = (select payment_session_id from payment)";
        self.write(move |tx, _order| tx.sql(sql).one([], |row| row.get(0))).await.unwrap()
    }

    /// Returns the number and the sum of the captures in the books.
    async fn captured(&self) -> (i64, i64) {
        let sum = self.number("select captured_minor from payment_collection").await;
        assert_eq!(self.number("select sum(amount_minor) from capture").await, sum);
        assert_eq!(self.number("select paid_minor from orders").await, sum);
        (self.number("select count(*) from capture").await, sum)
    }
}

#[tokio::test]
async fn two_servers_that_capture_a_payment_at_once_capture_it_once() {
    for amount in [None, Some(PART)] {
        let sold = Sold::mugs(1, PROMISE).await;
        let processor = Timed::new();

        let (one, other) = tokio::join!(
            sold.capture_by_another_server(&processor, amount),
            sold.capture_by_another_server(&processor, amount)
        );

        one.unwrap();
        other.unwrap();
        let there = processor.captures();
        assert_eq!(there.len(), 1, "{there:?}");
        assert_eq!(sold.captured().await, (1, there[0]), "{amount:?}");
        sold.shop.assert_sound().await;
    }
}

#[tokio::test]
async fn a_capture_that_the_processor_reports_before_it_answers_is_counted_once() {
    let sold = Sold::mugs(1, PROMISE).await;
    let whole = sold.number("select amount_minor from payment").await;
    // Everything, a part as requested, and a part of which less had arrived.
    for (asked, reported, captures) in
        [(None, whole, 1), (Some(PART), PART, 1), (Some(PART), 100, 2)]
    {
        let sold = Sold::mugs(1, PROMISE).await;
        let processor = Timed::new();
        let reporting = async {
            processor.meeting.wait().await;
            sold.report(reported).await;
            processor.meeting.wait().await;
        };

        let (captured, ()) =
            tokio::join!(sold.capture_by_another_server(&processor, asked), reporting);

        captured.unwrap();
        let sum = asked.unwrap_or(whole);
        assert_eq!(processor.captures(), [sum]);
        assert_eq!(sold.captured().await, (captures, sum), "{reported} reported");
        // Repeating it, and earlier facts, change nothing.
        sold.report(reported).await;
        sold.report(sum).await;
        assert_eq!(sold.captured().await, (captures, sum), "{reported} reported again");
        sold.shop.assert_sound().await;
    }
}

#[tokio::test]
async fn a_report_that_says_less_is_stale_if_it_is_older() {
    let sold = Sold::mugs(1, PROMISE).await;
    let joined = async |state, created_at_s| {
        sold.write(move |tx, _order| {
            let session: PaymentSessionId = tx.sql(SESSION).one([], |row| row.get(0))?;
            let event = ReportedEvent { created_at_s, ..event(state, 0) };
            report::join(tx, &session, event)
        })
        .await
        .unwrap()
    };
    for (state, created_at_s, expected) in [
        (ReportedState::Authorized, 10, Joined::New),
        (ReportedState::Authorized, 10, Joined::Known),
        (ReportedState::Authorized, 9, Joined::Known),
        (ReportedState::RequiresAction, 9, Joined::Stale),
        (ReportedState::RequiresAction, 10, Joined::Known),
        (ReportedState::RequiresAction, 11, Joined::Known),
        (ReportedState::Captured, 5, Joined::New),
    ] {
        assert_eq!(joined(state, created_at_s).await, expected, "{state:?} {created_at_s}");
    }
}

#[tokio::test]
async fn a_late_report_moves_no_session_back() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.report_event(event(ReportedState::RequiresAction, 0)).await;
    assert_eq!(sold.session().await, "authorized");
    sold.report_event(ReportedEvent { created_at_s: 2, ..event(ReportedState::Failed, 0) }).await;
    assert_eq!(sold.session().await, "authorized");
    let asking = "update payment_session set status = 'requires_more'";
    sold.write(move |tx, _order| tx.sql(asking).run([])).await.unwrap();
    sold.report_event(ReportedEvent { created_at_s: 3, ..event(ReportedState::Failed, 0) }).await;
    assert_eq!(sold.session().await, "error");
}

#[tokio::test]
async fn a_reported_cancellation_undoes_nothing_that_was_captured() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.report(PART).await;
    sold.report_event(event(ReportedState::Canceled, PART)).await;
    assert_eq!(sold.captured().await, (1, PART));
    assert_eq!(sold.number("select count(*) from payment where canceled_at is not null").await, 0);
}

#[tokio::test]
async fn a_reported_cancellation_undoes_no_capture_that_was_not_reported() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.capture(Some(PART)).await.unwrap();
    sold.report_event(event(ReportedState::Canceled, 0)).await;
    assert_eq!(sold.captured().await, (1, PART));
    assert_eq!(sold.number("select count(*) from payment where canceled_at is not null").await, 0);
}

#[tokio::test]
async fn a_refund_reported_by_the_processor_is_marked() {
    let sold = Sold::mugs(1, PROMISE).await;
    let refunded = ReportedEvent { refunded_minor: 95, ..event(ReportedState::Captured, PART) };
    sold.report_event(refunded).await;
    let said = "select sum(amount_minor) from refund where note = 'reported by the processor'";
    assert_eq!(sold.number(said).await, 95);
}
