//! The server's background work, and maintenance on demand.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::form::Form;
use crate::page::{PageError, PageResult, go};
use crate::store::Store;
use crate::visit::Visit;

/// The page with the buttons.
const PAGE: &str = "/app/health";

/// Limit: how long the page waits for the work, which then continues without it. Requests have a longer time
/// limit.
const WAIT_LIMIT: Duration = Duration::from_secs(10);

/// The backlog, and the latest maintenance.
#[derive(Debug, Deserialize)]
pub(super) struct Server {
    pub(super) version: String,
    pub(super) writes: Writes,
    pub(super) jobs: Jobs,
    pub(super) events: Events,
    pub(super) rollups: Rollups,
    pub(super) last_check: Option<Check>,
    pub(super) last_backup: Option<Backup>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Writes {
    pub(super) waiting: Value,
    pub(super) groups: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct Jobs {
    pub(super) waiting: Value,
    pub(super) due: Value,
    pub(super) failing: Value,
    pub(super) due_since: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Events {
    pub(super) waiting: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct Rollups {
    pub(super) pending_orders: Value,
    pub(super) dirty_buckets: Value,
    pub(super) unbuilt_tables: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct Check {
    at: String,
    took_ms: Value,
    consistent: bool,
    pub(super) findings: Vec<Finding>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Finding {
    pub(super) rule: String,
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Backup {
    pub(super) file: String,
    at: String,
    bytes: Value,
}

impl Server {
    /// Returns the backlog as facts.
    pub(super) fn facts(&self, store: &Store) -> Vec<(&'static str, String)> {
        let count = |value: &Value| store.locale.count(value);
        let mut facts = vec![
            ("Writes that wait", count(&self.writes.waiting)),
            ("Groups of writes committed", count(&self.writes.groups)),
            ("Jobs due", count(&self.jobs.due)),
            ("Jobs for later", count(&self.later())),
            ("Jobs that failed, and are tried again", count(&self.jobs.failing)),
            ("Events not yet delivered", count(&self.events.waiting)),
            ("Orders not yet in the rollups", count(&self.rollups.pending_orders)),
            ("Hours and days to rebuild", count(&self.rollups.dirty_buckets)),
            ("Rollups being built", count(&self.rollups.unbuilt_tables)),
        ];
        if let Some(since) = &self.jobs.due_since {
            facts.insert(3, ("The oldest of them since", store.moment(since)));
        }
        facts
    }

    fn later(&self) -> Value {
        let number = |value: &Value| value.as_i64().unwrap_or_default();
        number(&self.jobs.waiting).saturating_sub(number(&self.jobs.due)).into()
    }
}

impl Check {
    pub(super) fn look(&self) -> (&'static str, &'static str) {
        if self.consistent { ("good", "consistent") } else { ("warn", "inconsistent") }
    }

    /// Returns when it happened, and how long it took.
    pub(super) fn when(&self, store: &Store) -> String {
        format!("{}, in {} ms", store.moment(&self.at), store.locale.count(&self.took_ms))
    }
}

impl Backup {
    /// Returns when it was made, and its size.
    pub(super) fn when(&self, store: &Store) -> String {
        format!("{}, {} bytes", store.moment(&self.at), store.locale.count(&self.bytes))
    }
}

pub(crate) async fn do_work(visit: Visit, Form(fields): Form) -> PageResult {
    let path = match fields.text("action") {
        "check" => "/admin/server/check",
        "back-up" => "/admin/server/backups",
        _ => return Err(visit.missing()),
    };
    let body = json!({});
    let work = visit.api.post::<Value>(path, &body);
    match tokio::time::timeout(WAIT_LIMIT, work).await {
        Ok(Ok(_)) => go("/app/health?done=done#upkeep"),
        Ok(Err(failure)) => Err(PageError::refused_change(&failure.permitted()?, PAGE)),
        Err(_late) => go("/app/health?done=begun#upkeep"),
    }
}
