//! The admin pages, as a browser with a session asks for them.

use std::path::Path;
use std::time::{Duration, Instant};

use ureq::Agent;

use super::process::{ADMIN, EMAIL, PASSWORD};
use super::{Client, Process, SAMPLE_INVOICES, binary, content, in_order, median, shown};
use crate::Failure;
use crate::store::Effort;

/// The number of times that a page is requested, and as often after an order.
const ROUNDS: usize = 51;
const ROUNDS_WITH_ORDERS: usize = 11;

/// The processor time of a second in which a server does only its upkeep.
const IDLE: Duration = Duration::from_millis(50);

/// A page of every kind that an empty registry of metrics has.
const PAGES: [&str; 17] = [
    "/app",
    "/app?range=7d",
    "/app?range=12m",
    "/app/metrics",
    "/app/metrics/templates",
    "/app/metrics/order_count",
    "/app/workbench",
    "/app/alerts",
    "/app/reports/top-products",
    "/app/reports/margins",
    "/app/orders",
    "/app/products",
    "/app/customers",
    "/app/promotions",
    "/app/people",
    "/app/search?q=lamp",
    "/app/health",
];

/// Requests each page of a demo store with its content, and each page of a store with a year of many orders, and prints their
/// bytes and times.
///
/// # Errors
/// If a server does not start, or a page is not delivered.
pub fn run(target: &Path, is_test: bool) -> Result<(), Failure> {
    let folder = target.join("pages");
    let loaded = Process::load(&binary()?, &folder, is_test.then_some(SAMPLE_INVOICES))?;
    let keys = loaded.keys()?;
    let (server, _) = loaded.start_with(&ADMIN)?;
    let rounds = if is_test { (1, 1) } else { (ROUNDS, ROUNDS_WITH_ORDERS) };
    measure("the demo store", &server, rounds, None)?;
    content::measure(&Client::new(&server, &keys), rounds.0)?;
    server.stop()?;
    let effort = if is_test { Effort::ONCE } else { Effort::FULL };
    let [_, many] = effort.extents;
    let name = format!("{} orders", many.orders);
    crate::store::served(target, many, |server, order| measure(&name, server, rounds, Some(order)))
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn measure(
    store: &str,
    server: &Process,
    (rounds, rounds_with_orders): (usize, usize),
    order: Option<&dyn Fn() -> Result<(), Failure>>,
) -> Result<(), Failure> {
    let visitor = Visitor::log_in(server)?;
    until_idle(server)?;
    println!(
        "\n| {store} | bytes, compressed | first | median | slowest | median after an order |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for page in PAGES {
        // The first answer fills the caches, as the first visitor of a day does.
        let start = Instant::now();
        let bytes = visitor.request(page)?;
        let first = start.elapsed();
        let times = in_order(rounds, || visitor.timed(page))?;
        let after = order.map(|order| {
            in_order(rounds_with_orders, || {
                order()?;
                visitor.timed(page)
            })
        });
        let after =
            after.transpose()?.map_or_else(|| "–".to_owned(), |times| shown(median(&times)));
        let slowest = times.last().copied().unwrap_or_default();
        let (first, middle, slowest) = (shown(first), shown(median(&times)), shown(slowest));
        println!("| {page} | {bytes} | {first} | {middle} | {slowest} | {after} |");
    }
    Ok(())
}

/// Waits until a server that has just been filled has built its rollups and its search index.
fn until_idle(server: &Process) -> Result<(), Failure> {
    loop {
        let before = server.cpu()?;
        std::thread::sleep(Duration::from_secs(1));
        if server.cpu()?.saturating_sub(before) < IDLE {
            return Ok(());
        }
    }
}

/// A browser with a session.
#[derive(Debug)]
struct Visitor {
    agent: Agent,
    url: String,
    cookie: String,
}

impl Visitor {
    /// Logs in by the form.
    fn log_in(server: &Process) -> Result<Self, Failure> {
        let config = Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let agent: Agent = config.build().into();
        let sent = [("email", EMAIL), ("password", PASSWORD), ("next", "/app")];
        let answer = agent.post(format!("{}/app/log-in", server.url)).send_form(sent)?;
        let cookie = answer.headers().get("set-cookie").and_then(|value| value.to_str().ok());
        let cookie = cookie.and_then(|text| text.split(';').next()).ok_or("no session")?;
        Ok(Self { cookie: cookie.to_owned(), url: server.url.clone(), agent })
    }

    /// Requests a page, and returns the time until it has arrived.
    fn timed(&self, page: &str) -> Result<Duration, Failure> {
        let start = Instant::now();
        self.request(page)?;
        Ok(start.elapsed())
    }

    /// Requests a page, and returns its bytes over the wire.
    fn request(&self, page: &str) -> Result<usize, Failure> {
        let request = self.agent.get(format!("{}{page}", self.url));
        let request = request.header("cookie", &self.cookie).header("accept-encoding", "gzip");
        let answer = request.header("accept", "text/html").call()?;
        let status = answer.status();
        if status != 200 {
            return Err(format!("{page}: {status}").into());
        }
        Ok(answer.into_body().read_to_vec()?.len())
    }
}
