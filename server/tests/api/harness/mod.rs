//! A server per test: its database, its clock, and the people who call it.
//!
//! Requests go through the whole router without a socket. The databases that tests start with are created once per run,
//! and copied for each test. At the end of a test every statement that it ran is checked: none may
//! scan a growing table.

mod call;
mod chance;
pub(crate) mod figures;
mod holder;
mod people;
mod plans;
mod post_office;
mod receiver;
mod shopping;
mod store;
mod template;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use axum::Router;
use quotient_sales::webhooks::EVENTS;
use quotient_server::clock::{Clock, Timestamp};
use quotient_server::config::{CommandLine, Settings};
use quotient_server::database::{Db, Error, Finding, temporary};
use quotient_server::demo::{self, DemoOptions, Extent};
use quotient_server::state::{AppState, database_options};
use quotient_server::{check, routes, start};
use serde_json::Value;
use tempfile::TempDir;

pub(crate) use call::Reply;
pub(crate) use chance::Chance;
pub(crate) use people::{PARTNER_ID, PUBLISHABLE_ID, Person};
pub(crate) use post_office::{PostOffice, ReceivedMail};
pub(crate) use receiver::{Call, Receiver};
pub(crate) use shopping::address;
pub(crate) use store::Store;

/// The time at which every test begins: a Saturday in November.
pub(crate) const BEGIN: Timestamp = Timestamp::from_millis(1_795_262_400_000);

/// Returns the description of the API.
pub(crate) fn description() -> Value {
    let text = routes::description().expect("a description");
    serde_json::from_slice(&text).expect("JSON")
}

/// A server with its database; dropping it deletes the files.
#[derive(Debug)]
pub(crate) struct TestServer {
    /// The database, for data that no route returns.
    pub(crate) db: Db,
    /// The clock, which stands still until a test moves it.
    pub(crate) clock: Clock,
    /// The routes, for byte-by-byte checks of responses.
    pub(crate) router: Router,
    state: AppState,
    beside: OnceLock<Db>,
    folder: TempDir,
    /// Whether the test reads whole tables on purpose.
    scans: AtomicBool,
}

impl TestServer {
    /// Creates a server with its people and without anything to sell.
    pub(crate) async fn empty() -> Self {
        Self::with_settings(&[]).await
    }

    /// Does the same as [`TestServer::empty`] with the test's own settings, such as `--login-per-minute=3`.
    pub(crate) async fn with_settings(settings: &[&str]) -> Self {
        let folder = template::copy("people", async || {
            let server = Self::open(new_folder());
            people::make_all(&server.db).await;
            server
        });
        Self::open_with(folder.await, settings)
    }

    /// Creates a server with a mail server beside it, which refuses the first e-mails.
    pub(crate) async fn with_post_office(refusals: usize) -> (Self, PostOffice) {
        let office = PostOffice::refusing(refusals).await;
        let settings = office.settings();
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        (Self::with_settings(&settings).await, office)
    }

    /// Creates a server with a store that sells: see [`Store`].
    pub(crate) async fn with_store() -> (Self, Store) {
        Self::with_store_and(&[]).await
    }

    /// Does the same with the test's own settings.
    pub(crate) async fn with_store_and(settings: &[&str]) -> (Self, Store) {
        let (folder, store) = store::copy().await;
        (Self::open_with(folder, settings), store)
    }

    /// Does the same with a ledger of the sandbox; returns the path of its file too.
    pub(crate) async fn with_ledger(settings: &[&str]) -> (Self, Store, PathBuf) {
        let (folder, store) = store::copy().await;
        let ledger = folder.path().join("ledger");
        let setting = format!("--sandbox-ledger={}", ledger.display());
        (Self::open_with(folder, &[settings, &[&setting]].concat()), store, ledger)
    }

    /// Writes the row of the store, as a first start does.
    pub(crate) async fn write_store(&self, currency: &'static str) {
        let other = self.other_process();
        let made = other.write::<_, Error>(move |tx| {
            tx.execute(
                "insert into store (id, name, default_currency, created_at, updated_at)
                 values ('store_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Shop', ?1, 0, 0)",
                [currency],
            )?;
            Ok(tx.execute(
                "insert into store_currency (currency, is_default, created_at) values (?1, 1, 0)",
                [currency],
            )?)
        });
        made.await.expect("a store");
    }

    /// Creates a server with the first invoices of the demo store.
    pub(crate) async fn with_demo(invoices: usize) -> Self {
        Self::with_demo_in(invoices, "UTC", BEGIN).await
    }

    /// Does the same for a store in another time zone, whose history ends the day before `loaded`.
    pub(crate) async fn with_demo_in(invoices: usize, zone: &str, loaded: Timestamp) -> Self {
        let name = format!("{invoices} invoices in {zone}, {loaded}");
        let folder = template::copy(&name, async || {
            let folder = new_folder();
            // Filled over separate connections, whose statements are not checked.
            let options = database_options(file_in(&folder), Clock::fixed(loaded));
            let filled = Db::open(&options).expect("a database");
            let extent = Extent::Invoices(invoices);
            let options =
                DemoOptions { extent, time_zone: zone.to_owned(), ..DemoOptions::default() };
            demo::load(&filled, &options).await.expect("the demo store");
            filled.close().await;
            let server = Self::open(folder);
            people::make_all(&server.db).await;
            server
        });
        Self::open(folder.await)
    }

    fn open(folder: TempDir) -> Self {
        Self::open_with(folder, &[])
    }

    fn open_with(folder: TempDir, settings: &[&str]) -> Self {
        let clock = Clock::fixed(BEGIN);
        let mut options = database_options(file_in(&folder), clock.clone());
        options.counts_statements = true;
        options.busy_timeout_ms = 200;
        let settings =
            if settings.is_empty() { USUAL_SETTINGS.clone() } else { read_settings(settings) };
        options.subscriptions = Arc::new(settings.subscriptions.clone());
        let db = Db::open(&options).expect("a database");
        let state = AppState::new(db.clone(), clock.clone(), settings);
        let router = routes::router(state.clone());
        let scans = AtomicBool::new(false);
        Self { db, clock, router, state, beside: OnceLock::new(), folder, scans }
    }

    /// Returns the number of statements that some work takes.
    pub(crate) async fn statements(&self, work: impl Future<Output = Reply>) -> u64 {
        let before = self.db.statement_count();
        let reply = work.await;
        assert!(reply.status < 300, "{reply:?}");
        self.db.statement_count().saturating_sub(before)
    }

    /// Listens on a socket too, until the test ends; returns the address.
    pub(crate) async fn listen(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(start::serve_on(listener, self.state.clone(), std::future::pending()));
        address
    }

    /// Runs the jobs that are due; returns their number.
    pub(crate) async fn work(&self) -> usize {
        start::work_due(&self.state).await.expect("the queue can be read")
    }

    /// Returns another server with a copy of the database, at the same time.
    pub(crate) async fn twin(&self, settings: &[&str]) -> Self {
        let (folder, _path) = self.copied().await;
        let twin = Self::open_with(folder, settings);
        twin.clock.advance(self.clock.now().as_millis().saturating_sub(BEGIN.as_millis()));
        twin
    }

    /// Starts delivering new events to the subscribers.
    pub(crate) async fn follow(&self) {
        start::prepare_subscribers(&self.state).await.expect("the outbox can be read");
    }

    /// Delivers past events to the subscribers; returns their number.
    pub(crate) async fn tell(&self) -> usize {
        start::tell_subscribers(&self.state).await.expect("the outbox can be read")
    }

    /// Writes data queued in memory: warehouse requests, clicks and reports.
    pub(crate) async fn drain(&self) {
        self.state.drain().await;
    }

    /// Returns the pages of growing tables that were sorted because no index has their order.
    pub(crate) async fn sorted_pages(&self) -> Vec<String> {
        plans::sorted(&self.db).await
    }

    /// Returns the steps of the plans of the statements so far that contain a text.
    pub(crate) async fn plans(&self, part: &'static str) -> Vec<String> {
        plans::of(&self.db, part).await
    }

    /// Declares that the test checks the whole store, which scans every table.
    pub(crate) fn scans_on_purpose(&self) {
        self.scans.store(true, Ordering::Relaxed);
    }

    /// Opens the same file as another process would.
    pub(crate) fn other_process(&self) -> Db {
        let path = file_in(&self.folder);
        Db::open(&database_options(path, self.clock.clone())).expect("a database")
    }

    /// Returns connections for inspecting and changing the database, whose statements are not checked. They stay open:
    /// closing a database moves its log into the file, which delays a server's writes.
    pub(crate) fn beside(&self) -> &Db {
        self.beside.get_or_init(|| self.other_process())
    }

    /// Copies the database for a separate process; dropping the folder deletes the copy.
    pub(crate) async fn copied(&self) -> (TempDir, PathBuf) {
        let folder = new_folder();
        let path = file_in(&folder);
        self.db.backup(path.clone()).await.expect("a copy");
        (folder, path)
    }

    /// Returns which of these are anywhere in the database, even in free pages.
    pub(crate) async fn at_rest<'a, T: AsRef<[u8]> + ?Sized>(
        &self,
        searched: &[&'a T],
    ) -> Vec<&'a T> {
        let file = template::bytes(self).await;
        let holds = |bytes: &[u8]| memchr::memmem::find(&file, bytes).is_some();
        searched.iter().copied().filter(|bytes| holds(bytes.as_ref())).collect()
    }

    /// Asserts that a token is nowhere in the database, neither as text nor as bytes.
    pub(crate) async fn assert_not_at_rest(&self, token: &str) {
        let (_prefix, secret) = token.split_once('_').expect("a prefix");
        let bytes = hex::decode(secret).expect("hexadecimal digits");
        let found = self.at_rest(&[secret.as_bytes(), &bytes]).await;
        assert!(found.is_empty(), "the token is stored: {found:?}");
    }

    /// Asserts that the check finds no bad row.
    pub(crate) async fn assert_sound(&self) {
        let findings = self.findings().await;
        assert!(findings.is_empty(), "{findings:#?}");
        self.assert_events_are_known().await;
    }

    /// Panics unless all events that happened are those of [`EVENTS`], or of families that stay inside.
    async fn assert_events_are_known(&self) {
        let names = self.beside().read::<_, Error>(|tx| {
            let mut names = tx.prepare("select distinct name from event")?;
            let names = names.query_map([], |row| row.get::<_, String>(0))?;
            Ok(names.collect::<rusqlite::Result<Vec<_>>>()?)
        });
        let families = EVENTS.iter().filter_map(|event| event.split('.').next());
        let families: BTreeSet<&str> = families.collect();
        for name in names.await.expect("names") {
            let goes_out = name.split('.').next().is_some_and(|family| families.contains(family));
            assert!(!goes_out || EVENTS.contains(&name.as_str()), "{name} is not listed");
        }
    }

    /// Returns the findings of the check. It scans everything on purpose, so it uses connections whose statements are not
    /// checked.
    pub(crate) async fn findings(&self) -> Vec<Finding> {
        check::check(self.beside()).await.expect("the check runs")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let is_over = !std::thread::panicking() && !self.scans.load(Ordering::Relaxed);
        let faults = if is_over { plans::faults(&self.db) } else { Vec::new() };
        assert!(faults.is_empty(), "a table that grows is read from end to end: {faults:#?}");
    }
}

/// Settings whose limits no test reaches by accident.
const SETTINGS: [&str; 9] = [
    "quotient-server",
    "--store-per-minute=1000000",
    "--admin-per-minute=1000000",
    "--login-per-minute=1000",
    "--validate-per-minute=1000000",
    "--flow-begins-per-minute=1000000",
    "--flow-presses-per-minute=1000000",
    "--flow-reads-per-minute=1000000",
    "--allowed-origins=https://shop.example",
];

/// Parsed once for all tests that do not change them.
static USUAL_SETTINGS: LazyLock<Settings> = LazyLock::new(|| read_settings(&[]));

/// Reads the usual settings with changes.
fn read_settings(changes: &[&str]) -> Settings {
    let is_changed = |setting: &&str| {
        let name = setting.split('=').next();
        changes.iter().any(|change| change.split('=').next() == name)
    };
    let usual = SETTINGS.iter().filter(|setting| !is_changed(setting));
    let line = usual.chain(changes).map(Into::into);
    CommandLine::read(line).expect("settings").settings
}

/// Creates a temporary folder.
fn new_folder() -> TempDir {
    temporary::folder().expect("a folder")
}

/// Returns the path of the database in a folder.
fn file_in(folder: &TempDir) -> PathBuf {
    folder.path().join("store.db")
}
