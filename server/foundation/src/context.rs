//! The request on whose behalf a task runs: its id, and the mark of its idempotency key.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::oneshot;
use tracing::Instrument;

tokio::task_local! {
    static CURRENT: Context;
}

/// Records in a transaction that a request took effect.
type Mark = dyn Fn(&Connection) -> rusqlite::Result<()> + Send + Sync;

/// The request on whose behalf a task runs. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    request_id: Arc<str>,
    mark: Option<Arc<Mark>>,
    is_patient: bool,
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Context").field(&self.request_id).finish()
    }
}

impl Context {
    pub fn new(request_id: &str) -> Self {
        Self { request_id: request_id.into(), mark: None, is_patient: false }
    }

    /// Returns the context of the current task; outside of requests its id is empty.
    pub fn current() -> Self {
        CURRENT.try_with(Clone::clone).unwrap_or_else(|_none| Self::new(""))
    }

    /// Returns the context of a request whose transactions write `mark`.
    #[must_use]
    pub fn with_mark(
        self,
        mark: impl Fn(&Connection) -> rusqlite::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self { mark: Some(Arc::new(mark)), ..self }
    }

    /// Returns the same request without a mark, because repeating its work is harmless.
    #[must_use]
    pub fn repeatable(self) -> Self {
        Self { mark: None, ..self }
    }

    /// Returns the same request, with reads that leave some of the database's connections to others.
    #[must_use]
    pub fn patient(self) -> Self {
        Self { is_patient: true, ..self }
    }

    /// Returns whether the reads of the current task leave connections to others.
    pub(crate) fn is_patient() -> bool {
        CURRENT.try_with(|own| own.is_patient).unwrap_or_default()
    }

    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Records in a transaction that the request took effect, if it has a mark.
    pub(crate) fn mark(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.mark.as_ref().map_or(Ok(()), |mark| mark(connection))
    }

    /// Runs `work` for this request.
    pub async fn run<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Runs `work` for this request in its own task, which runs to completion even if nobody waits
    /// for it. If it panics, the sender of its result is dropped.
    pub fn spawn<T: Send + 'static>(
        self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        // Boxed, so that tasks are compiled once instead of for each kind of work.
        let work: Pin<Box<dyn Future<Output = ()> + Send>> =
            Box::pin(async move { drop(sender.send(work.await)) });
        tokio::spawn(self.run(work).in_current_span());
        receiver
    }
}
