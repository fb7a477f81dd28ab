//! The client for requests to other servers.

use std::sync::Once;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

static PROVIDER: Once = Once::new();

/// Returns a builder of clients that verify certificates, follow no redirect and name this program.
pub fn builder() -> ClientBuilder {
    // A process has one cryptography provider; another library may have installed the same one already.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    Client::builder()
        .redirect(Policy::none())
        .user_agent(concat!("quotient-server/", env!("CARGO_PKG_VERSION")))
}
