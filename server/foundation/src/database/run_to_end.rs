//! Work that goes on without its caller.

use super::Error;
use crate::context::Context;

impl Context {
    /// Runs `work` for this request to completion, even if nobody waits for it any more.
    ///
    /// # Errors
    /// Those of `work`; [`Error::Panicked`] if it panics.
    pub async fn run_to_end<T: Send + 'static, E: From<Error> + Send + 'static>(
        self,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, E> {
        self.spawn(work).await.unwrap_or_else(|_panicked| Err(Error::Panicked.into()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_runs_to_its_end_without_its_caller_and_a_panic_is_an_error() {
        let (sender, ended) = oneshot::channel();
        let work = async move {
            tokio::task::yield_now().await;
            sender.send(()).unwrap();
            Ok::<_, Error>(())
        };
        let mut called = Box::pin(Context::new("").run_to_end(work));
        assert!(
            std::future::poll_fn(|task| std::task::Poll::Ready(called.as_mut().poll(task)))
                .await
                .is_pending()
        );
        drop(called);
        assert!(ended.await.is_ok());

        let panics = async { panic!("as a test") };
        let outcome: Result<(), Error> = Context::new("").run_to_end(panics).await;
        assert!(matches!(outcome, Err(Error::Panicked)));
    }
}
