//! The worker: polls for due jobs and runs them concurrently, so that none waits for a slow one of its batch.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use tokio::task::JoinSet;

use super::error::JobError;
use super::queries::{self, Job};
use crate::clock::Clock;
use crate::database::{self, Db};

/// Limit: jobs taken from the queue at once.
const BATCH_LEN: u32 = 50;
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
    /// The name of the kind in jobs.
    pub name: &'static str,
    /// The interval of recurring work, in milliseconds; none for work that is only scheduled.
    pub every_ms: Option<i64>,
    /// The function that runs a job.
    pub run: Run<T>,
}

/// Runs jobs of a list of kinds.
#[derive(Debug, Clone)]
pub struct Worker<T: 'static> {
    db: Db,
    clock: Clock,
    tools: T,
    kinds: &'static [Kind<T>],
}

impl<T: Clone + Send + Sync> Worker<T> {
    /// Creates a worker over a database, with the tools of its kinds.
    pub fn new(db: Db, clock: Clock, tools: T, kinds: &'static [Kind<T>]) -> Self {
        Self { db, clock, tools, kinds }
    }

    /// Schedules the recurring work that is not in the queue yet.
    ///
    /// # Errors
    /// [`database::Error`] if the queue cannot be written.
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

    /// Runs the due jobs; returns how many.
    ///
    /// # Errors
    /// [`database::Error`] if the queue cannot be read or written; a failed job is no error.
    pub async fn run_due(&self) -> Result<usize, database::Error> {
        let now = self.clock.now();
        let jobs = self.db.read(move |tx| queries::due(tx, now, BATCH_LEN)).await?;
        let count = jobs.len();
        let mut running = JoinSet::new();
        for job in jobs {
            let worker = self.clone();
            running.spawn(async move { worker.run(job).await });
        }
        while let Some(ended) = running.join_next().await {
            match ended {
                Ok(outcome) => outcome?,
                Err(error) => tracing::error!(%error, "a job panicked and will be retried"),
            }
        }
        Ok(count)
    }

    /// Polls for jobs until the server stops.
    pub async fn work(self) {
        loop {
            if let Err(error) = self.run_due().await {
                tracing::warn!(%error, "the job queue cannot be read or written");
            }
            tokio::time::sleep(Duration::from_millis(TICK_MS)).await;
        }
    }

    async fn run(&self, job: Job) -> Result<(), database::Error> {
        let (seq, run_at, attempt_count) = (job.seq, job.run_at, job.attempt_count);
        let kind = self.kinds.iter().find(|kind| kind.name == job.kind);
        let name = job.kind.clone();
        let outcome = match kind {
            Some(kind) => (kind.run)(self.tools.clone(), job).await,
            None => Err(JobError("no such kind of work".to_owned())),
        };
        let again_ms = kind.and_then(|kind| kind.every_ms);
        if let Err(error) = &outcome {
            tracing::warn!(job = name, %error, attempt_count, "a job failed and will be retried");
        }
        let now = self.clock.now();
        self.db
            .write(move |tx| match (outcome, again_ms) {
                (Ok(()), None) => queries::finish(tx, seq, run_at),
                (Ok(()), Some(every_ms)) => queries::put_off(tx, seq, now.plus_ms(every_ms), None),
                (Err(error), _) => {
                    let wait_ms = retry_ms(attempt_count);
                    queries::put_off(tx, seq, now.plus_ms(wait_ms), Some(&error.0))
                }
            })
            .await
    }
}

/// Returns the delay after a number of failures, in milliseconds.
fn retry_ms(attempt_count: u32) -> i64 {
    let factor = 1_i64.checked_shl(attempt_count.min(RETRY_DOUBLINGS_MAX)).unwrap_or(1);
    RETRY_MS.saturating_mul(factor)
}
