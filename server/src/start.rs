//! Starts and stops the server: the socket, its connections, and the graceful end.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::checkout;
use crate::chores::Chores;
pub use crate::chores::{prepare_subscribers, tell_subscribers, work_due};
use crate::config::{CommandLine, HttpSettings};
use crate::database;
use crate::flows;
use crate::middleware::{MAX_HEAD_BYTES, PeerAddress, network};
use crate::orders::refunding;
use crate::routes;
use crate::state::AppState;
use crate::subscriptions;
use crate::webhooks::Receivers;
use quotient_foundation::state::Shared;

/// Limit: headers of a request.
const MAX_HEADERS: usize = 100;

/// Limit: bytes that the system buffers for a client that does not read. By default it buffers megabytes: a few hundred
/// clients take gigabytes, and copying the bytes blocks the others.
const SEND_BUFFER_BYTES: u32 = 128 * 1024;

/// Limit: connections that wait to be accepted.
const MAX_WAITING_CONNECTIONS: u32 = 1024;

/// The pause after the system could not provide a socket.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long kept-alive connections still answer a request after the stop signal, announcing that they close.
const FAREWELL: Duration = Duration::from_millis(250);

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken or not available.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
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

/// Takes the address, before anything is created for a server that could not serve; `serve` listens on it.
pub fn bind(address: SocketAddr) -> Result<TcpSocket, StartError> {
    bound(address).map_err(|cause| StartError::Listen { address, cause })
}

/// Opens the socket, whose connections inherit its limits.
fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Serves until a stop signal, then finishes running requests.
pub async fn serve(socket: TcpSocket, state: AppState) -> Result<(), StartError> {
    let address = state.shared.settings.http.listen;
    raise_file_limit();
    let listener = socket.listen(MAX_WAITING_CONNECTIONS);
    let listener = listener.map_err(|cause| StartError::Listen { address, cause })?;
    tracing::info!(%address, "listening");
    let stop = stop_signal().map_err(StartError::Signals)?;
    serve_on(listener, state, stop).await
}

/// Serves on a socket until `stop` completes, then finishes running requests and closes the database.
pub async fn serve_on(
    listener: TcpListener,
    state: AppState,
    stop: impl Future<Output = ()>,
) -> Result<(), StartError> {
    let router = routes::router(state.clone());
    let chores = Chores::begin(&state).await?;
    let mut background = background(&state);
    let (connections, is_stopping) = (GracefulShutdown::new(), Arc::new(AtomicBool::new(false)));
    tokio::select! {
        () = accept(&listener, &router, &is_stopping, &state.shared, &connections) => {}
        () = stop => {}
    }
    drop(listener);
    tracing::info!("stopping");
    is_stopping.store(true, Ordering::Relaxed);
    tokio::time::sleep(FAREWELL).await;
    let limit = Duration::from_secs(state.shared.settings.http.stop_timeout_s);
    if tokio::time::timeout(limit, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
    chores.end();
    background.abort_all();
    state.drain().await;
    state.shared.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Starts the tasks that run until the server stops.
fn background(state: &AppState) -> JoinSet<()> {
    let (db, clock) = (state.shared.db.clone(), state.shared.clock.clone());
    let gateway = state.sales.gateway.clone();
    let mut tasks = JoinSet::new();
    tasks.spawn(checkout::keep_recovering(db.clone(), gateway.clone(), clock));
    tasks.spawn(subscriptions::recover(db.clone(), gateway.clone()));
    tasks.spawn(refunding::recover(db.clone()));
    tasks.spawn(flows::recover_all(db, gateway));
    tasks.spawn(reread_secrets(state.sales.inbox.receivers.clone()));
    tasks
}

/// Reads the secrets of webhooks again at every SIGHUP, so that they can be replaced without a restart.
async fn reread_secrets(receivers: Receivers) {
    let Ok(mut hangups) = signal(SignalKind::hangup()) else { return };
    while hangups.recv().await.is_some() {
        match CommandLine::read(std::env::args_os()) {
            Ok(line) => {
                receivers.replace(&line.settings.webhooks);
                tracing::info!("the secrets of webhooks were read again");
            }
            Err(error) => {
                let reason = error.to_string();
                tracing::error!(reason, "the settings are wrong and stay as they were");
            }
        }
    }
}

/// Raises the limit of open files as far as the system lets it, because every connection is one.
pub fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
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
    is_stopping: &Arc<AtomicBool>,
    state: &Shared,
    connections: &GracefulShutdown,
) {
    let settings = &state.settings.http;
    let places = usize::try_from(settings.max_connections).unwrap_or(Semaphore::MAX_PERMITS);
    let places = Arc::new(Semaphore::new(places));
    let addresses = Addresses::default();
    let max_of_address = usize::try_from(settings.max_address_connections).unwrap_or(usize::MAX);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, peer)) => {
                let address = peer.ip().to_canonical();
                let is_proxy = settings.trusted_proxies.contains(&address);
                let limit = if is_proxy { usize::MAX } else { max_of_address };
                // Without a free slot the socket is closed, so that one address cannot take all connections.
                let Some(of_address) = addresses.take(network(address), limit) else { continue };
                let service = (router.clone(), Arc::clone(is_stopping));
                let connected = state.metrics.connected();
                let connection = connection(stream, PeerAddress(peer), service, settings);
                let connection = connections.watch(connection);
                tokio::spawn(async move {
                    drop(connection.await);
                    drop((place, of_address, connected));
                });
            }
            Err(error) => {
                drop::<OwnedSemaphorePermit>(place);
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// The number of connections of each [`network`].
#[derive(Clone, Default)]
struct Addresses(Arc<Mutex<BTreeMap<IpAddr, usize>>>);

/// A connection of an address, counted until it is dropped.
struct AddressPlace(Addresses, IpAddr);

impl Addresses {
    /// Counts a connection, unless the address has as many as the limit.
    fn take(&self, address: IpAddr, limit: usize) -> Option<AddressPlace> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get(&address).copied().unwrap_or_default();
        if count >= limit {
            return None;
        }
        counts.insert(address, count.saturating_add(1));
        Some(AddressPlace(self.clone(), address))
    }
}

impl Drop for AddressPlace {
    fn drop(&mut self) {
        let Self(Addresses(counts), address) = self;
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(address) {
            Some(count) if *count > 1 => *count = count.saturating_sub(1),
            _last => drop(counts.remove(address)),
        }
    }
}

/// Serves one connection with its limits.
fn connection(
    stream: TcpStream,
    peer: PeerAddress,
    (router, is_stopping): (Router, Arc<AtomicBool>),
    settings: &HttpSettings,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send + 'static {
    drop(stream.set_nodelay(true));
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(peer);
        let (response, is_stopping) = (router.clone().oneshot(request), Arc::clone(&is_stopping));
        async move {
            let mut response = response.await?;
            if is_stopping.load(Ordering::Relaxed) {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(Duration::from_secs(settings.write_timeout_s)));
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(settings.header_timeout_s))
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
}
