//! Starts and stops the server: the socket, its connections, and the graceful end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

use crate::checkout;
use crate::chores::Chores;
pub use crate::chores::work_due;
use crate::config::HttpSettings;
use crate::database;
use crate::middleware::PeerAddress;
use crate::routes;
use crate::state::AppState;
use quotient_foundation::state::Shared;

/// Limit: bytes of a request's head.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Limit: headers of a request.
const MAX_HEADERS: usize = 100;

/// The pause after the system could not provide a socket.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken or not available.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The cause.
        #[source]
        cause: io::Error,
    },
    /// The signals to stop cannot be received.
    #[error("cannot listen for signals")]
    Signals(#[source] io::Error),
    /// The database cannot be read or written.
    #[error(transparent)]
    Db(#[from] database::Error),
}

/// Serves until a stop signal, then finishes running requests.
///
/// # Errors
/// If it cannot start.
pub async fn serve(state: AppState) -> Result<(), StartError> {
    let address = state.shared.settings.http.listen;
    let listener =
        TcpListener::bind(address).await.map_err(|cause| StartError::Listen { address, cause })?;
    let stop = stop_signal().map_err(StartError::Signals)?;
    serve_on(listener, state, stop).await
}

/// Serves on a socket until `stop` completes, then finishes running requests and closes the database.
///
/// # Errors
/// If the database cannot be written.
pub async fn serve_on(
    listener: TcpListener,
    state: AppState,
    stop: impl Future<Output = ()>,
) -> Result<(), StartError> {
    let router = routes::router(state.clone());
    let chores = Chores::begin(&state).await?;
    let rates = Arc::clone(&state.shared.rates);
    let rate_cleanup = tokio::spawn(async move { rates.forget_full().await });
    let recovering = {
        let Shared { db, clock, .. } = state.shared.clone();
        tokio::spawn(checkout::keep_recovering(db, state.sales.gateway.clone(), clock))
    };
    let connections = GracefulShutdown::new();
    tokio::select! {
        () = accept(&listener, &router, &state.shared, &connections) => {}
        () = stop => {}
    }
    drop(listener);
    tracing::info!("stopping");
    let limit = Duration::from_secs(state.shared.settings.http.stop_timeout_s);
    if tokio::time::timeout(limit, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
    rate_cleanup.abort();
    chores.end();
    recovering.abort();
    state.shared.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Returns a future that completes at SIGTERM or SIGINT.
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Accepts connections forever, up to the limit; further ones wait in the system's queue.
async fn accept(
    listener: &TcpListener,
    router: &Router,
    state: &Shared,
    connections: &GracefulShutdown,
) {
    let settings = &state.settings.http;
    let places = usize::try_from(settings.max_connections).unwrap_or(Semaphore::MAX_PERMITS);
    let places = Arc::new(Semaphore::new(places));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, peer)) => {
                let router = router.clone();
                let connected = state.metrics.connected();
                let connection = connection(stream, PeerAddress(peer), router, settings);
                let connection = connections.watch(connection);
                tokio::spawn(async move {
                    drop(connection.await);
                    drop((place, connected));
                });
            }
            Err(error) => {
                drop::<OwnedSemaphorePermit>(place);
                tracing::warn!(%error, "no connection could be taken");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Serves one connection with its limits.
fn connection(
    stream: TcpStream,
    peer: PeerAddress,
    router: Router,
    settings: &HttpSettings,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send + 'static {
    drop(stream.set_nodelay(true));
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(peer);
        router.clone().oneshot(request)
    });
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(settings.header_timeout_s))
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
}
