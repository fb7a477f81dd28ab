//! Renewals of subscriptions, and checkouts for comparison.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::routes::{Call, Shop, expect, text};
use super::times::millis;
use super::{Client, Process, SAMPLE_INVOICES, binary};
use crate::Failure;

/// The number of subscriptions.
const SUBSCRIPTIONS: usize = 20;
/// The number of renewals, and of checkouts.
const ROUNDS: usize = 600;

/// Loads a demo store and prints the processor time of the server for a checkout and for a renewal. A subscription is made due by
/// pausing and resuming it: two requests that ordinary renewals do not need, and that are included in the time.
///
/// # Errors
/// If the server does not start, or a renewal does not become an order.
#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub fn run(target: &Path, is_test: bool) -> Result<(), Failure> {
    let folder = target.join("renewals");
    let loaded = Process::load(&binary()?, &folder, is_test.then_some(SAMPLE_INVOICES))?;
    let keys = loaded.keys()?;
    let (server, _took) = loaded.start()?;
    let client = Client::new(&server, &keys);
    let shop = Shop::discover(client.clone())?;
    let (count, rounds) = if is_test { (1, 2) } else { (SUBSCRIPTIONS, ROUNDS) };
    let plan = shop.plan()?;
    let subscribe = |number| shop.subscribe(&plan, number);
    let subscriptions: Vec<String> = (0..count).map(subscribe).collect::<Result<_, _>>()?;
    let renew = |number: usize| {
        let place = number.checked_rem(count).unwrap_or(0);
        let id = subscriptions.get(place).ok_or("no subscription")?;
        client.post_as_admin(&format!("/admin/subscriptions/{id}/pause"), &json!({}))?;
        let path = format!("/admin/subscriptions/{id}/resume");
        client.post_as_admin(&path, &json!({ "from": "now" })).map(drop)
    };
    let buy = |number| shop.call(Call::Checkout, number);
    // Each is warm before it is measured.
    each(&server, count, &buy)?;
    each(&server, count, &renew)?;
    let checkout = each(&server, rounds, &buy)?;
    let before = orders(&client)?;
    let renewal = each(&server, rounds, &renew)?;
    let renewed = orders(&client)?.saturating_sub(before);
    server.stop()?;
    expect(renewed == rounds, "an order for each renewal")?;
    println!(
        "{rounds} checkouts: {:.2} ms of the server each; {rounds} renewals with what makes them due: {:.2} ms each, {:.2} \
         times (goal 3)",
        millis(checkout),
        millis(renewal),
        millis(renewal) / millis(checkout),
    );
    Ok(())
}

/// Returns the processor time of the server for one of several calls.
fn each(
    server: &Process,
    rounds: usize,
    call: &impl Fn(usize) -> Result<(), Failure>,
) -> Result<Duration, Failure> {
    let before = server.cpu()?;
    for number in 0..rounds {
        call(number)?;
    }
    let used = server.cpu()?.saturating_sub(before);
    Ok(used.checked_div(u32::try_from(rounds)?).unwrap_or_default())
}

fn orders(client: &Client) -> Result<usize, Failure> {
    let page = client.get("/admin/orders?limit=1&fields=id")?;
    let count = page.pointer("/count").and_then(Value::as_u64).ok_or("no count")?;
    Ok(usize::try_from(count)?)
}

impl Shop {
    /// Creates a monthly plan of all products.
    fn plan(&self) -> Result<String, Failure> {
        let new = json!({ "name": "Monthly", "product_ids": self.products, "interval": "month" });
        let made = self.client.post_as_admin("/admin/subscription-plans", &new)?;
        text(&made, "/subscription_plan/id")
    }

    /// Subscribes a new guest by a plan; returns the subscription.
    fn subscribe(&self, plan: &str, number: usize) -> Result<String, Failure> {
        let cart = self.filled_cart(number)?;
        let path = format!("/store/carts/{cart}");
        let shown = self.client.get(&path)?;
        let item = json!({ "item_id": text(&shown, "/cart/items/0/id")?, "plan_id": plan });
        let pricing = json!({ "items": [item] });
        self.client.post(&format!("{path}/sync-subscription-pricing"), &pricing)?;
        let guest = json!({ "email": format!("subscriber{number}@example.com") });
        self.client.post(&format!("{path}/subscription-customer"), &guest)?;
        self.ship(&cart)?;
        let saved =
            json!({ "provider_id": "pp_sandbox", "data": { "payment_method": "pm_card_visa" } });
        self.client.post(&format!("{path}/subscription-payment-session"), &saved)?;
        let made = self.client.post(&format!("{path}/subscribe"), &json!({}))?;
        text(&made, "/subscriptions/0/id")
    }
}
