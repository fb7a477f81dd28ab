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
type ReadPart<S> = fn(&Tx<'_>, S) -> Part<S>;

/// The text of a part with the state that reads the next one; none at the end.
type Part<S> = Result<Option<(String, S)>, database::Error>;

/// Streams a file while it is read, each part in its own snapshot. With a `limit`, parts are long reads of at most that
/// time. An error after the first part truncates the file.
///
/// # Errors
/// If the first part cannot be read.
pub async fn body<S: Send + 'static>(
    db: Db,
    begin: S,
    part: ReadPart<S>,
    limit: Option<Duration>,
) -> Result<Body, database::Error> {
    let first = read(&db, begin, part, limit).await?;
    let (parts, receiver) = mpsc::channel(QUEUED_PARTS);
    context::Context::current().spawn(send(db, parts, (first, part, limit)));
    Ok(Body::new(Parts(receiver)))
}

async fn read<S: Send + 'static>(
    db: &Db,
    state: S,
    part: ReadPart<S>,
    limit: Option<Duration>,
) -> Part<S> {
    let read = move |tx: &Tx<'_>| part(tx, state);
    match limit {
        Some(limit) => db.read_within(limit, read).await,
        None => db.read(read).await,
    }
}

async fn send<S: Send + 'static>(
    db: Db,
    parts: mpsc::Sender<Result<Bytes, database::Error>>,
    (mut next, part, limit): (Option<(String, S)>, ReadPart<S>, Option<Duration>),
) {
    while let Some((text, state)) = next {
        if parts.send(Ok(text.into())).await.is_err() {
            return;
        }
        next = match read(&db, state, part, limit).await {
            Ok(next) => next,
            Err(error) => {
                tracing::error!(%error, "an export was interrupted");
                // The client may have disconnected.
                let _left = parts.send(Err(error)).await;
                return;
            }
        };
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
