//! The first start: creates a store in an empty database, an admin, two keys, and the metrics of the demo store.
//!
//! Secrets are shown once, by [`FirstStart`]; later starts show nothing.

use std::fmt;
use std::net::SocketAddr;

use secrecy::{ExposeSecret, SecretString};

use crate::api_keys::{self, ApiKey, ApiKeyError, KeyKind, NewKey};
use crate::auth::{RandomError, Secret};
use crate::config::Settings;
use crate::database::{self, Db, Tx};
use crate::demo::{self, DemoError, DemoOptions, Extent, Summary};
use crate::metrics::{self, MetricError};
use crate::money::{Currency, CurrencyError};
use crate::regions::{self, StoreChange};
use crate::users::{self, UserError};

/// The name of a store without demo data.
const EMPTY_STORE: &str = "Store";
/// The currency of such a store until it is changed.
const EMPTY_STORE_CURRENCY: &str = "gbp";
/// Characters of a generated password: 80 random bits.
const PASSWORD_LEN: usize = 20;

/// Why a first start fails.
#[derive(Debug, thiserror::Error)]
pub enum FirstStartError {
    /// The demo store cannot be created.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// The first admin cannot be created.
    #[error("the first admin cannot be created: {0}")]
    User(#[from] UserError),
    /// A key cannot be created.
    #[error("a key cannot be created: {0}")]
    Key(#[from] ApiKeyError),
    /// A metric of the demo store cannot be created.
    #[error("a metric cannot be created: {0}")]
    Metric(#[from] MetricError),
    /// The system provides no random bytes.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The store cannot be created.
    #[error("the store cannot be created: {0}")]
    Store(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<CurrencyError> for FirstStartError {
    fn from(error: CurrencyError) -> Self {
        Self::Store(error.to_string())
    }
}

/// The results of a first start. Its display shows secrets: print it once and do not store it.
pub struct FirstStart {
    address: SocketAddr,
    email: String,
    password: Option<SecretString>,
    secret_key: SecretString,
    publishable_key: String,
    demo: Option<Summary>,
}

/// Creates what a database needs to be served: a store, an admin, keys. Returns none if there already is an admin.
///
/// # Errors
/// The part that cannot be created; nothing of that part remains.
pub async fn first_start(
    db: &Db,
    settings: &Settings,
) -> Result<Option<FirstStart>, FirstStartError> {
    let demo = store(db, settings).await?;
    if db.read(users::exist).await? {
        return Ok(None);
    }
    let email = settings.first_admin.admin_email.clone();
    let configured = settings.first_admin.admin_password.clone();
    let generated = if configured.is_none() { Some(generate_password()?) } else { None };
    let Some(password) = configured.or_else(|| generated.clone()) else { return Ok(None) };
    let (admin, is_demo) = (email.clone(), demo.is_some());
    let (secret_key, publishable_key) = db
        .write(move |tx| {
            let admin_id = users::create_admin(tx, &admin, password)?;
            if is_demo {
                metrics::create_demo_metrics(tx, admin_id.as_str())?;
            }
            let secret = key(tx, "First secret key", KeyKind::Secret)?;
            Ok::<_, FirstStartError>((secret, key(tx, "Web shop", KeyKind::Publishable)?))
        })
        .await?;
    Ok(Some(FirstStart {
        address: settings.http.listen,
        email,
        password: generated,
        secret_key: secret_key.token.into(),
        publishable_key: publishable_key.token,
        demo,
    }))
}

/// Creates a key; a publishable one is linked to the store's default channel.
pub fn key(tx: &Tx<'_>, title: &str, kind: KeyKind) -> Result<ApiKey, FirstStartError> {
    let channel = match kind {
        KeyKind::Publishable => regions::default_channel(tx)
            .map_err(|error| FirstStartError::Store(error.to_string()))?,
        KeyKind::Secret => None,
    };
    let new = NewKey {
        title: title.to_owned(),
        kind,
        created_by: String::new(),
        sales_channel_ids: channel.into_iter().collect(),
    };
    Ok(api_keys::create(tx, new)?)
}

/// Fills an empty database with the demo store, or with a store without products.
async fn store(db: &Db, settings: &Settings) -> Result<Option<Summary>, FirstStartError> {
    if !demo::is_empty(db).await? {
        return Ok(None);
    }
    let time_zone = settings.store.timezone.clone();
    if !settings.store.empty {
        let keep_dates = settings.store.keep_dates;
        let options = DemoOptions { extent: Extent::Whole, keep_dates, time_zone };
        tracing::info!("the database is empty; creating the demo store");
        return Ok(Some(demo::load(db, &options).await?));
    }
    let currency = Currency::from_code(EMPTY_STORE_CURRENCY)?;
    db.write(move |tx| {
        regions::ensure_store(tx, EMPTY_STORE, currency)?;
        let change = StoreChange { time_zone: Some(time_zone), ..StoreChange::default() };
        regions::change_store(tx, change).map(drop)
    })
    .await
    .map_err(|error| FirstStartError::Store(error.to_string()))?;
    Ok(None)
}

fn generate_password() -> Result<SecretString, RandomError> {
    let bits = Secret::generate("")?;
    Ok(bits.reveal().chars().take(PASSWORD_LEN).collect::<String>().into())
}

impl fmt::Display for FirstStart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, email, publishable_key, .. } = self;
        let secret_key = self.secret_key.expose_secret();
        let password = self.password.as_ref().map_or("as configured", ExposeSecret::expose_secret);
        if let Some(summary) = &self.demo {
            writeln!(formatter, "The demo store: {summary}\n")?;
        }
        writeln!(
            formatter,
            "These credentials are shown only once.\n\n  \
             admin            {email}\n  \
             password         {password}\n  \
             secret key       {secret_key}\n  \
             publishable key  {publishable_key}\n  \
             address          http://{address} (API reference: http://{address}/docs)\n\n\
             Try it:\n\n  \
             curl 'http://{address}/health/ready'\n  \
             curl -H 'x-publishable-api-key: {publishable_key}' 'http://{address}/store/products?limit=3'\n  \
             curl -H 'Authorization: Bearer {secret_key}' 'http://{address}/admin/orders?limit=3'"
        )?;
        let formula = if self.demo.is_some() { "net_sales / order_count" } else { "count(orders)" };
        write!(
            formatter,
            "  curl -H 'Authorization: Bearer {secret_key}' -H 'Content-Type: application/json' \
             'http://{address}/admin/metrics/compute' -d '{{\"formula\": \"{formula}\"}}'"
        )
    }
}

impl fmt::Debug for FirstStart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FirstStart").field("email", &self.email).finish_non_exhaustive()
    }
}
