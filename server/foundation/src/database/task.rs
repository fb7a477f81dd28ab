//! Type-erased work on a transaction, so that queues, threads and pools are compiled once instead of for each closure.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Error, Tx};

/// Runs the work; returns whether to keep its changes.
pub(super) type Task = Box<dyn FnOnce(&Tx<'_>) -> bool + Send>;

/// The result of the work, once it has run.
pub(super) struct Outcome<T, E>(Arc<Mutex<Option<Result<T, E>>>>);

/// Returns the work as a task, and the place of its result.
pub(super) fn task<T, E>(
    work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Task, Outcome<T, E>)
where
    T: Send + 'static,
    E: Send + 'static,
{
    let outcome = Arc::new(Mutex::new(None));
    let written = Arc::clone(&outcome);
    let task = move |tx: &Tx<'_>| {
        let outcome = work(tx);
        let succeeded = outcome.is_ok();
        *written.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        succeeded
    };
    (Box::new(task), Outcome(outcome))
}

impl<T, E: From<Error>> Outcome<T, E> {
    /// Returns the result of a task that has `ended`. An error of the work itself takes precedence over a failure of
    /// its transaction.
    pub(super) fn after(self, ended: Result<(), Error>) -> Result<T, E> {
        let outcome = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (outcome, ended) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(failure)) => Err(failure.into()),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(Error::Panicked.into()),
        }
    }
}
