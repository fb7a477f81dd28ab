//! The shared state of all routes. Each takes the part it needs: `State<Db>`, not the whole.

use std::ops::Deref;
use std::sync::Arc;

use crate::auth::{Credentials, DayKeys};
use crate::clock::Clock;
use crate::config::Settings;
use crate::database::Db;
use crate::middleware::RateLimits;
use crate::telemetry::Metrics;

/// The state that the routes of every domain share. Cheap to clone.
///
/// A domain with its own state has this one in a field `shared`; [`parts!`](crate::parts) lets its routes extract the
/// parts of both.
#[derive(Debug, Clone)]
pub struct Shared(Arc<Parts>);

#[derive(Debug)]
pub struct Parts {
    pub db: Db,
    pub clock: Clock,
    pub settings: Arc<Settings>,
    pub metrics: Metrics,
    pub rates: Arc<RateLimits>,
    pub credentials: Credentials,
    /// The keys of the day's address pseudonyms.
    pub day_keys: DayKeys,
}

impl Shared {
    pub fn new(db: Db, clock: Clock, settings: Settings) -> Self {
        let rates = Arc::new(RateLimits::new(clock.clone(), settings.limits.clone()));
        let credentials = Credentials::new(db.clone(), clock.clone(), &settings.auth);
        let (settings, metrics) = (Arc::new(settings), Metrics::default());
        let day_keys = DayKeys::default();
        Self(Arc::new(Parts { db, clock, settings, metrics, rates, credentials, day_keys }))
    }
}

impl Deref for Shared {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl AsRef<Self> for Shared {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Lets routes extract single parts of their domain's state; `with shared` adds the parts of the field
/// `shared`.
#[macro_export]
macro_rules! parts {
    ($state:ident: $($field:ident $(. $inner:ident)*: $part:ty),+ $(,)?) => {$(
        impl axum::extract::FromRef<$state> for $part {
            fn from_ref(state: &$state) -> Self {
                <$part>::clone(&state.$field$(.$inner)*)
            }
        }
    )+};
    ($state:ident with shared: $($field:ident: $part:ty),* $(,)?) => {
        impl AsRef<$crate::state::Shared> for $state {
            fn as_ref(&self) -> &$crate::state::Shared {
                &self.shared
            }
        }

        $crate::parts!($state:
            shared.db: $crate::database::Db,
            shared.clock: $crate::clock::Clock,
            shared.settings: std::sync::Arc<$crate::config::Settings>,
            shared.credentials: $crate::auth::Credentials,
            shared.rates: std::sync::Arc<$crate::middleware::RateLimits>,
            $($field: $part),*
        );
    };
}

parts!(Shared:
    db: Db,
    clock: Clock,
    settings: Arc<Settings>,
    metrics: Metrics,
    rates: Arc<RateLimits>,
    credentials: Credentials,
);
