//! Another process that locks the database.

use std::sync::mpsc::{Sender, channel};

use quotient_server::database::Error;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::TestServer;

/// A process in the middle of a write.
pub(crate) struct Holder {
    release: Sender<()>,
    write: JoinHandle<Result<(), Error>>,
}

impl TestServer {
    /// Lets another process lock the database until it is told to stop.
    pub(crate) async fn locked(&self) -> Holder {
        let other = self.other_process();
        let (release, held) = channel::<()>();
        let (begun, holding) = oneshot::channel();
        let write = tokio::spawn(async move {
            let write = other.write::<_, Error>(move |_tx| {
                let _heard = begun.send(());
                let _ended = held.recv();
                Ok(())
            });
            write.await
        });
        holding.await.expect("the other process holds the database");
        Holder { release, write }
    }
}

impl Holder {
    /// Ends the write.
    pub(crate) async fn release(self) {
        self.release.send(()).expect("the other process waits");
        self.write.await.expect("it ends").expect("it commits");
    }
}
