//! Work on a transaction, without its types: queues, threads and pools are compiled once, and not once for each closure.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Error, Tx};

/// Does the work; gives whether it is to be kept.
pub(super) type Task = Box<dyn FnOnce(&Tx<'_>) -> bool + Send>;

/// What the work gave, once it has run.
pub(super) struct Outcome<T, E>(Arc<Mutex<Option<Result<T, E>>>>);

/// The work as a task, and where its outcome will be.
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
        let is_kept = outcome.is_ok();
        *written.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        is_kept
    };
    (Box::new(task), Outcome(outcome))
}

impl<T, E: From<Error>> Outcome<T, E> {
    /// The outcome of a task that has `ended`. What the work says of its own failure is truer than that its transaction
    /// failed.
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
