//! The server at its limits: connections that stay open, and calls beyond its capacity.

mod connections;
mod overload;

use std::path::Path;
use std::time::Duration;

use super::socket::{Socket, head};
use super::{Client, Keys, Process, binary};
use crate::Failure;

/// The request that is repeated, and the server.
#[derive(Debug, Clone)]
struct Target {
    address: String,
    request: String,
}

impl Target {
    fn of(server: &Process, keys: &Keys, path: &str) -> Self {
        let line = format!("GET {path}");
        let head = head(server, &line, &[("x-publishable-api-key", &keys.publishable)]);
        Self { address: server.address().to_owned(), request: head + "\r\n" }
    }

    fn connect(&self) -> Result<Socket, Failure> {
        Socket::connect(&self.address)
    }
}

/// The extent of the load.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// The number of connections that stay open.
    connections: u32,
    /// The number of concurrent connections in an overload.
    clients: u32,
    /// The duration of each load.
    load: Duration,
    /// The number of invoices of the demo store.
    invoices: u32,
}

impl Extent {
    /// The load that the goals are stated for, over ten seconds instead of a minute.
    pub const FULL: Self = Self {
        connections: 10_000,
        clients: 2_500,
        load: Duration::from_secs(10),
        invoices: 2_000,
    };
    /// Enough to check that it works.
    pub const SMALL: Self =
        Self { connections: 200, clients: 100, load: Duration::from_millis(300), invoices: 200 };
}

/// Loads a store and measures connections, overload, or both.
///
/// # Errors
/// If the server does not start, or a connection breaks.
pub fn run(
    target: &Path,
    extent: Extent,
    (connections, overload): (bool, bool),
) -> Result<(), Failure> {
    let loaded = Process::load(&binary()?, &target.join("limits"), Some(extent.invoices))?;
    let keys = loaded.keys()?;
    let places = extent.connections.saturating_add(100).to_string();
    // All of the benchmark's connections come from one address.
    let settings = [
        "--max-connections",
        &places,
        "--max-address-connections",
        &places,
        "--header-timeout-s",
        "60",
    ];
    if connections {
        let (server, _took) = loaded.start_with(&settings)?;
        connections::measure(&server, &Target::of(&server, &keys, "/store/regions"), extent)?;
        server.stop()?;
    }
    if overload {
        let (server, _took) = loaded.start_with(&settings)?;
        let page = Client::new(&server, &keys).get("/store/products?limit=1&fields=id")?;
        let id = page.pointer("/products/0/id").and_then(|id| id.as_str()).ok_or("no product")?;
        let target = Target::of(&server, &keys, &format!("/store/products/{id}"));
        overload::measure(&target, extent)?;
        server.stop()?;
    }
    Ok(())
}
