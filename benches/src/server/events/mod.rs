//! Thousands of visitor events while a shopper checks out: no acknowledged one is lost, and the shopper hardly waits
//! longer. Then thousands of clicks on partner links.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

mod sender;

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::routes::Shop;
use super::socket::head;
use super::times::{millis, p99};
use super::{Client, Keys, Loaded, Process, binary};
use crate::Failure;
use crate::store::{DATABASE, open};
use sender::{Kind, Load, SendOutcome, send};

/// The pause between two checkouts.
const PAUSE: Duration = Duration::from_millis(50);

/// The browser of a visitor who follows a link.
const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// The extent of the loads.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    events: Load,
    links: Load,
    /// The invoices of the demo store, if not all.
    invoices: Option<u32>,
}

impl Extent {
    /// The loads that the goals are stated for.
    pub const FULL: Self = Self {
        events: Load { clients: 64, batch: 50, per_second: 10_000, lasting: MINUTE },
        links: Load { clients: 64, batch: 1, per_second: 2_000, lasting: MINUTE },
        invoices: None,
    };
    /// Enough to check that it works.
    pub const SMALL: Self = Self {
        events: Load { clients: 8, batch: 10, per_second: 800, lasting: SECOND },
        links: Load { clients: 8, batch: 1, per_second: 200, lasting: SECOND },
        invoices: Some(super::SAMPLE_INVOICES),
    };
}

const MINUTE: Duration = Duration::from_mins(1);
const SECOND: Duration = Duration::from_secs(1);

/// What the shopper did in some time.
#[derive(Debug, Default)]
struct Shopped {
    checkouts: Vec<Duration>,
    completions: Vec<Duration>,
    /// Processor time of the server.
    cpu: Duration,
}

/// Loads a demo store, lets a shopper check out alone and then beside the events, follows links, and prints the outcome.
///
/// # Errors
/// If the server does not start, a checkout fails, or an acknowledged event is not in the store.
pub fn run(target: &Path, extent: Extent) -> Result<(), Failure> {
    let folder = target.join("events");
    let loaded = Process::load(&binary()?, &folder, extent.invoices)?;
    let keys = loaded.keys()?;
    count_events(&loaded, &keys, &folder, extent.events)?;
    follow_links(&loaded, &keys, &folder, extent.links)
}

fn count_events(loaded: &Loaded, keys: &Keys, folder: &Path, load: Load) -> Result<(), Failure> {
    let (server, _took) = loaded.start()?;
    let shop = Shop::discover(Client::new(&server, keys))?;
    let mut number = 0;
    // The first checkouts fill the caches.
    check_out(&shop, &server, &mut number, load.lasting.checked_div(10).unwrap_or_default())?;
    let alone = check_out(&shop, &server, &mut number, load.lasting)?;
    let headers =
        [("x-publishable-api-key", &*keys.publishable), ("content-type", "application/json")];
    let kind = Kind::Events(head(&server, "POST /store/tracking/events", &headers));
    let (sent, beside) =
        send(&server, (&kind, load), || check_out(&shop, &server, &mut number, load.lasting))?;
    server.stop()?;
    let stored = stored(folder)?;
    let lost = sent.acknowledged.iter().filter(|number| !stored.contains(number)).count();
    report("events", load, &sent, stored.len(), lost);
    compare(&alone, &beside, sent.acknowledged.len());
    if lost > 0 || sent.acknowledged.is_empty() {
        return Err(format!("{lost} acknowledged events are lost").into());
    }
    Ok(())
}

fn follow_links(loaded: &Loaded, keys: &Keys, folder: &Path, load: Load) -> Result<(), Failure> {
    let (server, _took) = loaded.start()?;
    let client = Client::new(&server, keys);
    let partner = json!({ "name": "Bench", "email": "bench@example.com" });
    let made = client.post_as_admin("/admin/partners", &partner)?;
    let id = made.pointer("/partner/id").and_then(|id| id.as_str()).ok_or("no partner")?;
    let offer = json!({
        "code": "BENCH", "landing_url": "/spring", "currency_code": "gbp",
        "commission": { "type": "percent", "value": 7.5 },
    });
    let made = client.post_as_admin(&format!("/admin/partners/{id}/offers"), &offer)?;
    let id = made.pointer("/partner_offer/id").and_then(|id| id.as_str()).ok_or("no offer")?;
    let line = "GET /track/partners/click/BENCH";
    let kind = Kind::Link(head(&server, line, &[("user-agent", BROWSER)]) + "\r\n");
    let before = server.cpu()?;
    let (sent, cpu) = send(&server, (&kind, load), || {
        thread::sleep(load.lasting);
        Ok(server.cpu()?.saturating_sub(before))
    })?;
    server.stop()?;
    let sql = "select count(*) from partner_click where offer_id = ?1";
    let rows: i64 = open(&folder.join(DATABASE))?.query_one(sql, [id], |row| row.get(0))?;
    let (rows, taken) = (usize::try_from(rows)?, sent.acknowledged.len());
    let lost = taken.saturating_sub(rows);
    report("links", load, &sent, rows, lost);
    print_cpu(cpu.as_secs_f64(), taken, "a click");
    if lost > 0 || taken == 0 {
        return Err(format!("{lost} clicks are lost").into());
    }
    Ok(())
}

/// Checks out again and again for a while.
fn check_out(
    shop: &Shop,
    server: &Process,
    number: &mut usize,
    lasting: Duration,
) -> Result<Shopped, Failure> {
    let (start, before) = (Instant::now(), server.cpu()?);
    let mut shopped = Shopped::default();
    while start.elapsed() < lasting {
        *number = number.saturating_add(1);
        let begun = Instant::now();
        let cart = shop.fill_cart(*number)?;
        let filled = Instant::now();
        shop.place(&cart)?;
        shopped.checkouts.push(begun.elapsed());
        shopped.completions.push(filled.elapsed());
        thread::sleep(PAUSE);
    }
    shopped.cpu = server.cpu()?.saturating_sub(before);
    Ok(shopped)
}

/// Returns the numbers of the events in the store, whose server has stopped.
fn stored(folder: &Path) -> Result<BTreeSet<u64>, Failure> {
    let connection = open(&folder.join(DATABASE))?;
    let sql =
        "select properties ->> 'number' from visit_event where properties ->> 'number' is not null";
    let mut statement = connection.prepare(sql)?;
    let (mut numbers, mut count) = (BTreeSet::new(), 0_usize);
    for number in statement.query_map([], |row| row.get::<_, i64>(0))? {
        numbers.insert(u64::try_from(number?)?);
        count = count.saturating_add(1);
    }
    if count > numbers.len() {
        return Err("an event is counted twice".into());
    }
    Ok(numbers)
}

fn count(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn report(what: &str, load: Load, sent: &SendOutcome, stored: usize, lost: usize) {
    let acknowledged = sent.acknowledged.len();
    println!(
        "{what}: {} clients, {} a request: {acknowledged} acknowledged, {:.0} a second (goal {}), {} refused, {stored} in \
         the store, {lost} lost (goal 0); p99 of a request {:.1} ms",
        load.clients,
        load.batch,
        count(acknowledged) / sent.wall.as_secs_f64(),
        load.per_second,
        sent.refused,
        millis(p99(&sent.times)),
    );
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn compare(alone: &Shopped, beside: &Shopped, events: usize) {
    for (name, alone, beside) in [
        ("checkout", &alone.checkouts, &beside.checkouts),
        ("its completion", &alone.completions, &beside.completions),
    ] {
        let (before, during) = (millis(p99(alone)), millis(p99(beside)));
        println!(
            "{name}: p99 {before:.1} ms alone ({}), {during:.1} ms meanwhile ({}), {:.2} times (goal 1.25)",
            alone.len(),
            beside.len(),
            during / before
        );
    }
    let of_checkout = alone.cpu.as_secs_f64() / count(alone.checkouts.len());
    let of_events = beside.cpu.as_secs_f64() - of_checkout * count(beside.checkouts.len());
    print_cpu(of_events, events, "an event");
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn print_cpu(seconds: f64, things: usize, thing: &str) {
    println!("CPU of the server: {:.1} µs {thing}", seconds / count(things) * 1e6);
}
