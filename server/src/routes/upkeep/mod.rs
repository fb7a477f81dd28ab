//! The server's background work, and maintenance on demand: `/admin/server`.

mod backups;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::State;
use quotient_foundation::state::Shared;
use quotient_foundation::{parts, routes};
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::audit_log;
use crate::auth::{AdminReader, AdminWriter};
use crate::check;
use crate::clock::Timestamp;
use crate::database::{self, Db, Tx};
use crate::events::{self, EventBacklog};
use crate::http::{HttpError, Json, ToSchema};
use crate::jobs::{self, JobBacklog};
use crate::metrics::rollups::{self, RollupBacklog};
use backups::{BackupView, Folder};

/// Limit: reported findings of a check.
const MAX_FINDINGS: usize = 200;

/// The rule for the audit log.
const AUDIT_LOG: &str = "the audit log is as it was written";

/// The state of these routes. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Upkeep {
    shared: Shared,
    /// Held by the work on demand: one check or backup at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
    last_check: Arc<Mutex<Option<CheckView>>>,
}

parts!(Upkeep with shared:);

impl Upkeep {
    /// Returns the state of a server that has not been checked.
    pub(crate) fn new(shared: Shared) -> Self {
        Self { shared, turn: Arc::default(), last_check: Arc::default() }
    }

    fn folder(&self) -> Folder {
        Folder::of(&self.shared.settings.database, &self.shared.db)
    }

    /// Runs work that may only run once at a time, to completion, even if nobody waits for it any
    /// more.
    async fn alone<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, HttpError>> + Send + 'static,
    ) -> Result<T, HttpError> {
        let turn = Arc::clone(&self.turn).try_lock_owned();
        let turn = turn.map_err(|_taken| {
            HttpError::conflict("A check or a backup is under way; try again after it")
        })?;
        let done = tokio::spawn(async move {
            let done = work.await;
            drop(turn);
            done
        });
        done.await.map_err(HttpError::unexpected)?
    }
}

pub(super) fn router() -> OpenApiRouter<Upkeep> {
    OpenApiRouter::new()
        .routes(routes!(show_server))
        .routes(routes!(check_server))
        .routes(routes!(back_up_server))
}

/// The writes of this process.
#[derive(Debug, Serialize, ToSchema)]
struct WritesView {
    /// Those waiting for their turn.
    waiting: usize,
    /// The number of groups in which writes were committed since the start.
    groups: u64,
}

/// What the server does.
#[derive(Debug, Serialize, ToSchema)]
struct ServerView {
    /// The version of the program.
    #[schema(example = "0.1.0")]
    version: &'static str,
    writes: WritesView,
    jobs: JobBacklog,
    events: EventBacklog,
    rollups: RollupBacklog,
    /// The last check on demand since the start.
    last_check: Option<CheckView>,
    /// The newest backup in the folder of backups.
    last_backup: Option<BackupView>,
}

/// The state of the server.
#[derive(Debug, Serialize, ToSchema)]
struct ServerResponse {
    server: ServerView,
}

/// Something that is not as it must be.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct CheckFindingView {
    /// The rule that is broken.
    rule: String,
    /// Where.
    id: String,
}

/// A check of the store.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct CheckView {
    /// When it ended.
    at: Timestamp,
    /// How long it took, in milliseconds.
    took_ms: u64,
    /// Whether nothing was found.
    consistent: bool,
    /// The findings, up to 200.
    findings: Vec<CheckFindingView>,
}

/// The result of a check.
#[derive(Debug, Serialize, ToSchema)]
struct CheckResponse {
    check: CheckView,
}

/// A backup.
#[derive(Debug, Serialize, ToSchema)]
struct BackupResponse {
    backup: BackupView,
}

/// Show what the server does
///
/// Pending writes, jobs, events and rollups, the last check and the last backup.
#[crate::http::operation(get, path = "/admin/server", tag = "Server",
    responses((status = 200, description = "The state of the server", body = ServerResponse)))]
async fn show_server(
    _admin: AdminReader,
    State(upkeep): State<Upkeep>,
) -> Result<Json<ServerResponse>, HttpError> {
    let db = &upkeep.shared.db;
    let backlogs = |tx: &Tx<'_>| {
        Ok::<_, database::Error>((jobs::backlog(tx)?, events::backlog(tx)?, rollups::backlog(tx)?))
    };
    let (jobs, events, rollups) = db.read(backlogs).await?;
    let writes = WritesView { waiting: db.waiting_count(), groups: *db.commits().borrow() };
    let last_check = upkeep.last_check.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let server = ServerView {
        version: env!("CARGO_PKG_VERSION"),
        writes,
        jobs,
        events,
        rollups,
        last_check,
        last_backup: upkeep.folder().newest().await,
    };
    Ok(Json(ServerResponse { server }))
}

/// Check the whole store
///
/// The consistency rules, the rollups compared with a recount of the orders, and the chain of the audit log. Other writes wait
/// while one rollup is recounted. If it takes longer than a request may, it continues, and `/admin/server` shows its result.
#[crate::http::operation(post, path = "/admin/server/check", tag = "Server",
    responses((status = 200, description = "What was found", body = CheckResponse),
              (status = 409, description = "A check or a backup is under way")))]
async fn check_server(
    _admin: AdminWriter,
    State(upkeep): State<Upkeep>,
) -> Result<Json<CheckResponse>, HttpError> {
    let (db, clock) = (upkeep.shared.db.clone(), upkeep.shared.clock.clone());
    let last_check = Arc::clone(&upkeep.last_check);
    let check = upkeep.alone(async move {
        let started = Instant::now();
        let findings = findings(&db).await?;
        for CheckFindingView { rule, id } in &findings {
            tracing::error!(rule, id, "a consistency check failed");
        }
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let consistent = findings.is_empty();
        let check = CheckView { at: clock.now(), took_ms, consistent, findings };
        *last_check.lock().unwrap_or_else(PoisonError::into_inner) = Some(check.clone());
        Ok(check)
    });
    Ok(Json(CheckResponse { check: check.await? }))
}

async fn findings(db: &Db) -> Result<Vec<CheckFindingView>, HttpError> {
    let found = check::check(db).await?.into_iter();
    let found = found.map(|own| CheckFindingView { rule: own.rule.to_owned(), id: own.id });
    let broken = db.read(audit_log::verify).await?.err();
    let broken =
        broken.map(|own| CheckFindingView { rule: AUDIT_LOG.to_owned(), id: own.to_string() });
    Ok(broken.into_iter().chain(found).take(MAX_FINDINGS).collect())
}

/// Back up the store
///
/// Into a new file in the backup folder, while requests are served.
#[crate::http::operation(post, path = "/admin/server/backups", tag = "Server",
    responses((status = 200, description = "The backup", body = BackupResponse),
              (status = 409, description = "A check or a backup is under way, or the folder has as many as it may")))]
async fn back_up_server(
    _admin: AdminWriter,
    State(upkeep): State<Upkeep>,
) -> Result<Json<BackupResponse>, HttpError> {
    let (db, now, folder) = (upkeep.shared.db.clone(), upkeep.shared.clock.now(), upkeep.folder());
    let backup = upkeep.alone(async move { folder.add(&db, now).await }).await?;
    Ok(Json(BackupResponse { backup }))
}
