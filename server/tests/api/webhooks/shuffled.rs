//! Deliveries that are shuffled, doubled and partly forged end in the state of the ordered run.

#![expect(clippy::arithmetic_side_effects, reason = "the numbers of deliveries are small")]

use std::time::Duration;

use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::*;
use crate::harness::TestServer;

/// Limit: how often a delivery is sent again that the server has no room for.
const MAX_REPEATS: usize = 20;

/// A random number generator whose numbers are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = usize::try_from(self.0 >> 33).expect("a number");
        number.checked_rem(sides).expect("a side")
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.roll(place.saturating_add(1)));
        }
    }
}

/// Returns the events of a payment in the order in which they happened: one of five stories.
fn story(number: usize, paid: &Paid) -> Vec<Value> {
    let id = |step: usize| format!("evt_{number}_{step}");
    let at = |step: usize| {
        i64::try_from(number.saturating_mul(1_000).saturating_add(step)).expect("a time")
    };
    let amount_minor = paid.amount_minor;
    let named = |mut event: Value| {
        let pointer = match event["type"].as_str() {
            Some("charge.refunded") => "/data/object/payment_intent",
            _ => "/data/object/id",
        };
        *event.pointer_mut(pointer).expect("an intent") = json!(format!("pi_{number}"));
        event
    };
    let step = |step: usize, kind: &str, received_minor: i64| {
        named(intent(paid, (&id(step), kind), at(step), received_minor))
    };
    let requires = step(1, "payment_intent.requires_action", 0);
    let failed = step(2, "payment_intent.payment_failed", 0);
    let authorized = step(3, "payment_intent.amount_capturable_updated", 0);
    let captured = step(4, "payment_intent.succeeded", amount_minor);
    let canceled = step(9, "payment_intent.canceled", 0);
    let part = named(refund(paid, &id(5), at(5), 100));
    let whole = named(refund(paid, &id(6), at(6), amount_minor));
    match number % 5 {
        0 => vec![requires, failed, authorized, captured],
        1 => vec![authorized, captured, part, whole],
        2 => vec![requires, authorized, canceled],
        3 => vec![authorized, captured, part, canceled],
        _ => vec![requires, failed],
    }
}

/// Returns the store's financial records, without its own ids and times.
async fn books(server: &TestServer) -> Vec<String> {
    let rows = server.beside().read::<_, Error>(|tx| {
        let sql = "select json_array(s.id, s.status, t.state, t.received_minor, t.refunded_minor,
                          (select coalesce(sum(k.amount_minor), 0) from capture k join payment p on p.id = k.payment_id
                            where p.payment_session_id = s.id),
                          (select coalesce(sum(r.amount_minor), 0) from refund r join payment p on p.id = r.payment_id
                            where p.payment_session_id = s.id),
                          (select p.canceled_at is not null from payment p where p.payment_session_id = s.id),
                          c.status, c.authorized_minor, c.captured_minor, c.refunded_minor, o.payment_status, o.paid_minor,
                          o.refunded_minor)
                     from payment_session s
                     join payment_collection c on c.id = s.payment_collection_id
                     left join orders o on o.id = c.order_id
                     left join payment_report t on t.session_id = s.id
                    order by s.id";
        let mut statement = tx.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    });
    rows.await.expect("the books")
}

/// What a sender has sent.
#[derive(Debug, Default)]
struct Sent {
    deliveries: usize,
    forged: usize,
    /// Sent again because the server had no space.
    repeated: usize,
}

impl Sent {
    /// Sends an event as the processor does: if the server has no space, it is sent again after the time that the server
    /// states.
    async fn send(&mut self, server: &TestServer, event: &Value, secret: &str) -> u16 {
        let body = event.to_string();
        let headers = processor(secret, now_s(server), &body);
        for _ in 0..MAX_REPEATS {
            let reply = deliver(server, PROCESSOR, &headers, body.as_bytes()).await;
            if !matches!(reply.status, 429 | 503) {
                return reply.status;
            }
            self.repeated += 1;
            let after_s = reply.headers["retry-after"].to_str().expect("a text");
            tokio::time::sleep(Duration::from_secs(after_s.parse().expect("seconds"))).await;
        }
        panic!("the server has no room for {event}");
    }

    async fn send_or_forge(&mut self, server: &TestServer, event: &Value, dice: &mut Dice) {
        if dice.roll(5) == 0 {
            // Forged: another secret, another amount.
            let mut forged = event.clone();
            forged["data"]["object"]["amount_refunded"] = json!(1);
            let secret = "whsec_not the secret of the store";
            assert_eq!(self.send(server, &forged, secret).await, 400);
            self.forged += 1;
        }
        assert_eq!(self.send(server, event, SECRET).await, 200);
        self.deliveries += 1;
    }
}

#[tokio::test]
async fn shuffled_doubled_and_forged_deliveries_end_in_the_state_of_the_ordered_run() {
    compare(rounds(10, 60), rounds(3, 100)).await;
}

#[tokio::test]
async fn ten_thousand_deliveries_of_a_thousand_payments_end_in_the_state_of_the_ordered_run() {
    compare(rounds(20, 1_000), 1).await;
}

/// Compares shuffled deliveries of payments with the ordered run.
async fn compare(payments: usize, shuffles: usize) {
    let (server, stories) = paid(payments).await;
    let mut twins = Vec::new();
    for _ in 0..shuffles {
        twins.push(server.twin(&SIGNED).await);
    }
    let mut ordered = Sent::default();
    for event in stories.iter().flatten() {
        assert_eq!(ordered.send(&server, event, SECRET).await, 200);
    }
    let expected = books(&server).await;
    assert_eq!(expected.len(), payments);

    for (seed, twin) in (7..).zip(&twins) {
        assert_eq!(books_after_shuffle(twin, &stories, seed).await, expected, "shuffle {seed}");
    }
}

/// Sends the events in another order; returns the books that follow.
#[expect(clippy::print_stdout, reason = "how much was sent is for people")]
async fn books_after_shuffle(twin: &TestServer, stories: &[Vec<Value>], seed: u64) -> Vec<String> {
    let sent = send_shuffled(twin, stories, Dice(seed)).await;
    println!("shuffle {seed}: {sent:?}");
    let verified = "select count(*) from webhook_delivery where is_verified";
    let events = stories.iter().flatten().count();
    assert_eq!(usize::try_from(twin.number(verified).await), Ok(events), "none is forged");
    twin.assert_sound().await;
    books(twin).await
}

/// Creates a shop with paid orders; returns the events of each.
async fn paid(payments: usize) -> (TestServer, Vec<Vec<Value>>) {
    let (server, store) = signed_store().await;
    server.sql("update inventory_level set stocked_quantity = 1000000").await;
    let mut stories = Vec::new();
    for number in 0..payments {
        let paid = order_with(&server, &store, "pm_card_authorize_only").await;
        stories.push(story(number, &paid));
    }
    (server, stories)
}

/// Sends every event one to five times in some order.
async fn send_shuffled(server: &TestServer, stories: &[Vec<Value>], mut dice: Dice) -> Sent {
    let mut sent: Vec<&Value> = Vec::new();
    for event in stories.iter().flatten() {
        sent.extend(std::iter::repeat_n(event, dice.roll(5).saturating_add(1)));
    }
    dice.shuffle(&mut sent);
    let mut sender = Sent::default();
    for event in sent {
        sender.send_or_forge(server, event, &mut dice).await;
    }
    sender
}
