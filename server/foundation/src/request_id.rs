//! The id of the current request, available to everything that runs for it.

use std::future::Future;

tokio::task_local! {
    static CURRENT: String;
}

/// Returns the id of the current request; empty outside of requests.
pub fn current() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

/// Runs `work` under `id`.
pub async fn scope<F: Future>(id: String, work: F) -> F::Output {
    CURRENT.scope(id, work).await
}
