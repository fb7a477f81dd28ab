//! The id of the request that is being served, known to everything that runs for it.

use std::future::Future;

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the request that is being served; empty outside of one.
pub fn current() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

/// Runs `work` under `id`.
pub async fn scope<F: Future>(id: String, work: F) -> F::Output {
    CURRENT.scope(id, work).await
}
