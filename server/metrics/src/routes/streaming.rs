//! Files that are read part by part, as fast as they are taken.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::Frame;
use tokio::sync::mpsc;

use crate::database::{self, Db, Tx};

/// Limit: parts of a file that wait for who reads it.
const WAITING_PARTS: usize = 2;

/// What reads a part of a file.
type Part<S> = fn(&Tx<'_>, S) -> Result<Option<(String, S)>, database::Error>;

/// A file that is sent while it is read. Each part is read in a snapshot of its own: `part` gives its text and how far
/// the file has come by then, and nothing at its end. A failure breaks the file off.
pub(crate) fn body<S: Send + 'static>(db: Db, begin: S, part: Part<S>) -> Body {
    let (parts, waiting) = mpsc::channel(WAITING_PARTS);
    tokio::spawn(send((db, parts), begin, part));
    Body::new(Parts(waiting))
}

async fn send<S: Send + 'static>(
    (db, parts): (Db, mpsc::Sender<Result<Bytes, database::Error>>),
    begin: S,
    part: Part<S>,
) {
    let mut come = begin;
    loop {
        match db.read(move |tx| part(tx, come)).await {
            Ok(Some((text, next))) => {
                come = next;
                if parts.send(Ok(text.into())).await.is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, "an export broke off");
                // Nobody may be reading any more.
                let _left = parts.send(Err(error)).await;
                return;
            }
        }
    }
}

/// A body of parts that come one after another.
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
