//! The worker: polls for due jobs and runs them concurrently, so that no job waits for a slow one.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};

use super::queries::{self, Job, JobError};
use crate::clock::Clock;
use crate::database::{self, Db};

/// Limit: jobs running at once.
const MAX_RUNNING: usize = 100;
/// Limit: jobs of one kind running at once, so that jobs that wait for another server leave room for other kinds.
pub(super) const MAX_OF_KIND: usize = 50;
/// Limit: rounds of looking for jobs hidden by others with the same prefix.
const MAX_ROUNDS: usize = 10;
/// The polling interval, in milliseconds.
const TICK_MS: u64 = 1_000;
/// The delay after a first failure, doubled by each further one, in milliseconds.
const RETRY_MS: i64 = 5_000;
/// Limit: the number of doublings.
const RETRY_DOUBLINGS_MAX: u32 = 10;

/// The function that runs a due job with its tools.
pub type Run<T> = fn(T, Job) -> Pin<Box<dyn Future<Output = Result<(), JobError>> + Send>>;

/// A kind of work, which needs tools `T`.
#[derive(Debug, Clone, Copy)]
pub struct Kind<T> {
    pub name: &'static str,
    /// The interval of recurring work, in milliseconds; none for work that is only scheduled.
    pub every_ms: Option<i64>,
    pub run: Run<T>,
}

#[derive(Debug, Clone)]
pub struct Worker<T: 'static> {
    db: Db,
    clock: Clock,
    tools: T,
    kinds: &'static [Kind<T>],
}

impl<T: Clone + Send + Sync> Worker<T> {
    pub fn new(db: Db, clock: Clock, tools: T, kinds: &'static [Kind<T>]) -> Self {
        Self { db, clock, tools, kinds }
    }

    /// Schedules the recurring work that is not queued yet.
    pub async fn prepare(&self) -> Result<(), database::Error> {
        let kinds = self.kinds.iter();
        let recurring: Vec<_> =
            kinds.filter_map(|kind| Some((kind.name, kind.every_ms?))).collect();
        self.db
            .write(move |tx| {
                for (name, every_ms) in recurring {
                    queries::ensure(tx, name, tx.now().plus_ms(every_ms))?;
                }
                Ok(())
            })
            .await
    }

    /// Runs the due jobs, up to the limits, and waits until they end; returns how many.
    ///
    /// # Errors
    /// [`database::Error`] if the queue cannot be read or written; a failed job is not an error.
    pub async fn run_due(&self) -> Result<usize, database::Error> {
        let mut running = Running::default();
        let count = self.begin_due(&mut running).await?;
        while let Some(ended) = running.tasks.join_next().await {
            outcome_of(ended)?;
        }
        Ok(count)
    }

    /// Starts the due jobs that are not running yet, up to the limits; returns how many.
    pub(super) async fn begin_due(&self, running: &mut Running) -> Result<usize, database::Error> {
        let mut count = 0_usize;
        for _ in 0..MAX_ROUNDS {
            let (begun, are_others_hidden) = self.begin_some(running).await?;
            count = count.saturating_add(begun);
            if begun == 0 || !are_others_hidden {
                break;
            }
        }
        Ok(count)
    }

    /// Starts some of the due jobs; returns how many, and whether jobs of full prefixes may have hidden others.
    async fn begin_some(&self, running: &mut Running) -> Result<(usize, bool), database::Error> {
        let now = self.clock.now();
        let (seqs, full) = (running.seqs(), (running.full_kinds(), running.full_prefixes()));
        let limit = u32::try_from(MAX_RUNNING.saturating_sub(seqs.len())).unwrap_or_default();
        let jobs =
            self.db.read(move |tx| queries::due(tx, now, (seqs.as_slice(), &full), limit)).await?;
        let (mut count, mut are_others_hidden) = (0_usize, false);
        for job in jobs {
            if running.count_of(&job.kind) >= MAX_OF_KIND {
                continue;
            }
            let prefix = job.prefix();
            if prefix.as_ref().is_some_and(|prefix| running.is_full(&job.kind, prefix)) {
                are_others_hidden = true;
                continue;
            }
            let (seq, kind, worker) = (job.seq, job.kind.clone(), self.clone());
            let task = running.tasks.spawn(async move { worker.run(job).await });
            running.jobs.push(RunningJob { id: task.id(), seq, kind, prefix });
            count = count.saturating_add(1);
        }
        Ok((count, are_others_hidden))
    }

    /// Polls for jobs until the server stops.
    pub async fn work(self) {
        let mut running = Running::default();
        loop {
            running.forget_ended();
            if let Err(error) = self.begin_due(&mut running).await {
                warn(&error);
            }
            tokio::time::sleep(Duration::from_millis(TICK_MS)).await;
        }
    }

    async fn run(&self, job: Job) -> Result<(), database::Error> {
        let (seq, run_at, attempt_count) = (job.seq, job.run_at, job.attempt_count);
        let kind = self.kinds.iter().find(|kind| kind.name == job.kind);
        let name = job.kind.clone();
        let outcome = match kind {
            Some(kind) => outcome((kind.run)(self.tools.clone(), job)).await,
            None => Err(JobError("no such kind of work".to_owned())),
        };
        let again_ms = kind.and_then(|kind| kind.every_ms);
        if let Err(error) = &outcome {
            tracing::warn!(
                job = name,
                error = %error.0,
                attempt_count,
                "a job failed and will be retried"
            );
        }
        let now = self.clock.now();
        self.db
            .write(move |tx| match (outcome, again_ms) {
                (Ok(()), None) => queries::finish(tx, seq, run_at),
                (Ok(()), Some(every_ms)) => {
                    queries::put_off(tx, (seq, run_at), now.plus_ms(every_ms), None)
                }
                (Err(error), _) => {
                    let next_at = now.plus_ms(retry_ms(attempt_count));
                    queries::put_off(tx, (seq, run_at), next_at, Some(&error.0))
                }
            })
            .await
    }
}

/// Runs a job to its end. A panic is its error; if the caller is dropped, the job is aborted.
async fn outcome(
    job: impl Future<Output = Result<(), JobError>> + Send + 'static,
) -> Result<(), JobError> {
    let mut task = JoinSet::new();
    task.spawn(job);
    match task.join_next().await {
        Some(Ok(outcome)) => outcome,
        Some(Err(panicked)) => Err(JobError(panicked.to_string())),
        None => Ok(()),
    }
}

#[derive(Debug, Default)]
pub(super) struct Running {
    pub(super) tasks: JoinSet<Result<(), database::Error>>,
    jobs: Vec<RunningJob>,
}

#[derive(Debug)]
struct RunningJob {
    id: Id,
    seq: i64,
    kind: String,
    prefix: Option<String>,
}

impl Running {
    fn seqs(&self) -> Vec<i64> {
        self.jobs.iter().map(|job| job.seq).collect()
    }

    fn count_of(&self, kind: &str) -> usize {
        self.jobs.iter().filter(|job| job.kind == kind).count()
    }

    fn full_kinds(&self) -> BTreeSet<String> {
        let kinds = self.jobs.iter().map(|job| &job.kind);
        kinds.filter(|kind| self.count_of(kind) >= MAX_OF_KIND).cloned().collect()
    }

    /// Returns whether a prefix has as many running jobs of a kind as it leaves free for others: each further prefix
    /// gets half of the remaining places, so that a few prefixes cannot take all of them.
    fn is_full(&self, kind: &str, prefix: &str) -> bool {
        let is_same = |job: &&RunningJob| job.kind == kind && job.prefix.as_deref() == Some(prefix);
        let taken = self.jobs.iter().filter(is_same).count();
        taken > 0 && taken >= MAX_OF_KIND.saturating_sub(self.count_of(kind))
    }

    fn full_prefixes(&self) -> BTreeSet<String> {
        let prefixes = self.jobs.iter().filter_map(|job| Some((&job.kind, job.prefix.as_ref()?)));
        let full = prefixes.filter(|(kind, prefix)| self.is_full(kind, prefix));
        full.map(|(_, prefix)| prefix.clone()).collect()
    }

    pub(super) fn forget_ended(&mut self) {
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            let id = match &ended {
                Ok((id, _)) => *id,
                Err(error) => error.id(),
            };
            self.jobs.retain(|job| job.id != id);
            if let Err(error) = outcome_of(ended.map(|(_, outcome)| outcome)) {
                warn(&error);
            }
        }
    }
}

/// Returns how a job ended; a panic is logged.
fn outcome_of(
    ended: Result<Result<(), database::Error>, JoinError>,
) -> Result<(), database::Error> {
    ended.unwrap_or_else(|error| {
        tracing::error!(%error, "a job panicked and will be retried");
        Ok(())
    })
}

fn warn(error: &database::Error) {
    tracing::warn!(%error, "the job queue cannot be read or written");
}

/// Returns the delay after a number of failures, in milliseconds.
fn retry_ms(attempt_count: u32) -> i64 {
    let factor = 1_i64.checked_shl(attempt_count.min(RETRY_DOUBLINGS_MAX)).unwrap_or(1);
    RETRY_MS.saturating_mul(factor)
}
