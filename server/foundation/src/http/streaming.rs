//! Files that are read part by part, as fast as the client receives them.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::Frame;
use tokio::sync::mpsc;

use crate::context;
use crate::database::{self, Db, Tx};

/// Limit: parts of a file waiting for the client.
const QUEUED_PARTS: usize = 2;

/// Reads a part of a file.
type Part<S> = fn(&Tx<'_>, S) -> Result<Option<(String, S)>, database::Error>;

/// Streams a file while it is read. Each part is read in its own snapshot: `part` returns its text and the next state,
/// and none at the end. With a `limit`, parts are long reads of at most that time. An error truncates the file.
pub fn body<S: Send + 'static>(db: Db, begin: S, part: Part<S>, limit: Option<Duration>) -> Body {
    let (parts, receiver) = mpsc::channel(QUEUED_PARTS);
    context::Context::current().spawn(send(db, parts, (begin, part, limit)));
    Body::new(Parts(receiver))
}

async fn send<S: Send + 'static>(
    db: Db,
    parts: mpsc::Sender<Result<Bytes, database::Error>>,
    (begin, part, limit): (S, Part<S>, Option<Duration>),
) {
    let mut state = begin;
    loop {
        let read = move |tx: &Tx<'_>| part(tx, state);
        let read = match limit {
            Some(limit) => db.read_within(limit, read).await,
            None => db.read(read).await,
        };
        match read {
            Ok(Some((text, next))) => {
                state = next;
                if parts.send(Ok(text.into())).await.is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, "an export was interrupted");
                // The client may have disconnected.
                let _left = parts.send(Err(error)).await;
                return;
            }
        }
    }
}

/// A body of consecutive parts.
struct Parts(mpsc::Receiver<Result<Bytes, database::Error>>);

impl hyper::body::Body for Parts {
    type Data = Bytes;
    type Error = database::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, database::Error>>> {
        self.0.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data)))
    }
}
