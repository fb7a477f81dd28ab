//! Routes and their descriptions, as `OpenApiRouter` takes them, compiled to little code.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::MethodRouter;
use utoipa::openapi::path::{HttpMethod, Operation, Paths};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::PathItemExt as _;
use utoipa_axum::router::UtoipaMethodRouter;

/// Whether this build can describe its operations: the feature `openapi`. All builds serve `server/openapi.json`, which a test
/// of that feature compares with the descriptions.
pub const DESCRIBES: bool = cfg!(feature = "openapi");

static IS_DESCRIBING: AtomicBool = AtomicBool::new(false);

/// Enables descriptions of the operations that this process adds from now on. Only tests read them, and generating them
/// would take longer than anything else when a server starts.
pub fn start_describing() {
    IS_DESCRIBING.store(true, Ordering::Relaxed);
}

pub(crate) fn is_describing() -> bool {
    IS_DESCRIBING.load(Ordering::Relaxed)
}

pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// Returns handlers of `utoipa::path` that share a path, for `OpenApiRouter::routes`.
#[macro_export]
macro_rules! routes {
    ($($($part:ident)::+),+ $(,)?) => {
        $crate::routing::Operations::default()
            $(.on(
                (
                    utoipa_axum::routes!(@path [path()] of $($part)::+),
                    utoipa_axum::routes!(@path [methods()] of $($part)::+),
                ),
                $($part)::+,
                |mut schemas| utoipa_axum::routes!(@resolve_types $($part)::+ : schemas).1,
            ))+
            .build()
    };
}

#[expect(missing_debug_implementations, reason = "descriptions of utoipa have none")]
pub struct Operations<S> {
    schemas: Schemas,
    paths: Paths,
    handlers: MethodRouter<S>,
}

impl<S: Clone + Send + Sync + 'static> Default for Operations<S> {
    fn default() -> Self {
        Self { schemas: Schemas::new(), paths: Paths::new(), handlers: MethodRouter::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Operations<S> {
    /// Adds an operation: its path and methods, its handler, and what describes it.
    #[must_use]
    pub fn on<T: 'static>(
        mut self,
        route: (String, Vec<HttpMethod>),
        handler: impl Handler<T, S, Future = Answering>,
        describe: impl FnOnce(&mut Schemas) -> Operation,
    ) -> Self {
        let operation = if DESCRIBES && is_describing() {
            describe(&mut self.schemas)
        } else {
            Operation::default()
        };
        self.add(route, &AnyHandler::new(handler), operation)
    }

    fn add(
        mut self,
        (path, methods): (String, Vec<HttpMethod>),
        handler: &AnyHandler<S>,
        operation: Operation,
    ) -> Self {
        for method in &methods {
            self.handlers = self.handlers.on(method.to_method_filter(), handler.clone());
        }
        self.paths.add_path_operation(path, methods, operation);
        self
    }

    /// Returns what `OpenApiRouter::routes` takes.
    pub fn build(self) -> UtoipaMethodRouter<S> {
        (self.schemas, self.paths, self.handlers)
    }
}

/// The future of a handler's response.
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Any handler. An axum route is generic over its handler and takes a dozen functions; with one handler type, these are
/// compiled once instead of for some 600 handlers.
pub(crate) struct AnyHandler<S>(Arc<dyn Fn(Request, S) -> Answering + Send + Sync>);

impl<S> AnyHandler<S> {
    pub(crate) fn new<T>(handler: impl Handler<T, S, Future = Answering>) -> Self {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl<S> Clone for AnyHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Clone + Send + Sync + 'static> Handler<(), S> for AnyHandler<S> {
    type Future = Answering;

    fn call(self, request: Request, state: S) -> Answering {
        (self.0)(request, state)
    }
}
