//! Databases that tests start with: each is created by the first test that needs it, and copied for the
//! others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quotient_server::database::temporary;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::{TestServer, file_in, new_folder};

/// The bytes of databases by their names.
static TEMPLATES: Mutex<BTreeMap<String, Arc<OnceCell<Vec<u8>>>>> = Mutex::new(BTreeMap::new());

/// Returns a folder with a copy of the database of the name, which `make` makes.
pub(super) async fn copy(name: &str, make: impl AsyncFnOnce() -> TestServer) -> TempDir {
    let template = {
        let mut templates = TEMPLATES.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(templates.entry(name.to_owned()).or_default())
    };
    let content = template.get_or_init(|| async { bytes(&make().await).await }).await;
    folder_with(content)
}

/// Returns a folder with a database of these bytes.
pub(super) fn folder_with(content: &[u8]) -> TempDir {
    let folder = new_folder();
    temporary::write(&file_in(&folder), content);
    folder
}

/// Returns the bytes of a server's database.
pub(super) async fn bytes(server: &TestServer) -> Vec<u8> {
    let (_folder, path) = server.copied().await;
    std::fs::read(path).expect("a copy")
}
