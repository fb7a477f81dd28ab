//! What routes share. Each takes the part it needs: `State<Db>`, not `State<AppState>`.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::FromRef;

use crate::auth::Credentials;
use crate::catalog::ProductCounts;
use crate::clock::Clock;
use crate::config::Settings;
use crate::database::{self, Db};
use crate::metrics::alerts::delivery::Outgoing;
use crate::metrics::states::STATES;
use crate::metrics::{Library, Workbench};
use crate::middleware::RateLimits;
use crate::payments::Till;
use crate::telemetry::Metrics;

/// How a store's database is opened: with the states of its metrics kept up.
pub fn database_options(path: impl Into<PathBuf>, clock: Clock) -> database::Options {
    database::Options { folding: Some(STATES), ..database::Options::new(path, clock) }
}

/// Everything that routes share. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// The settings.
    pub settings: Arc<Settings>,
    /// The figures.
    pub metrics: Metrics,
    /// How many products lists hold.
    pub(crate) product_counts: ProductCounts,
    /// The buckets of callers.
    pub rates: Arc<RateLimits>,
    /// Tokens and keys.
    pub credentials: Credentials,
    /// The store's metrics, ready to compute.
    pub(crate) library: Library,
    /// What computing them keeps in memory.
    pub(crate) workbench: Workbench,
    /// The payment providers, and the turns that callers take at them.
    pub(crate) till: Till,
    /// How alerts tell.
    pub(crate) outgoing: Outgoing,
}

impl AppState {
    /// The state of a server over a database.
    pub fn new(db: Db, clock: Clock, settings: Settings) -> Self {
        let rates = Arc::new(RateLimits::new(&settings.limits));
        let workbench = Workbench::new(clock.clone(), &settings.limits);
        let credentials = Credentials::new(db.clone(), clock.clone(), &settings.auth);
        let outgoing = Outgoing::of(clock.clone(), &settings);
        let (settings, metrics) = (Arc::new(settings), Metrics::default());
        let product_counts = ProductCounts::default();
        let till = Till::in_process();
        let library = Library::default();
        Self {
            db,
            clock,
            settings,
            metrics,
            product_counts,
            rates,
            credentials,
            library,
            workbench,
            till,
            outgoing,
        }
    }
}

/// Lets a route take one part of the state.
macro_rules! part {
    ($part:ty, $name:ident) => {
        impl FromRef<AppState> for $part {
            fn from_ref(state: &AppState) -> Self {
                <$part>::clone(&state.$name)
            }
        }
    };
}

part!(Db, db);
part!(Clock, clock);
part!(Arc<Settings>, settings);
part!(Metrics, metrics);
part!(Arc<RateLimits>, rates);
part!(Credentials, credentials);
part!(ProductCounts, product_counts);
part!(Library, library);
part!(Workbench, workbench);
part!(Till, till);
part!(Outgoing, outgoing);
