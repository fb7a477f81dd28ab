//! A full disk, unwritable files, failing syncs: acknowledged writes are kept, others are refused, reads continue, and
//! the server recovers when the fault is over.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::clients::{Acknowledged, Client, WRITERS, shop_during};
use super::process::{Process, has_tracer, succeeds, wait};
use crate::harness::{Store, TestServer};

/// The number of orders before the fault, and again after it.
const ORDERS: usize = 15;

/// A fault: how it begins and how it ends.
struct Fault<B, E> {
    begin: B,
    end: E,
}

/// Lets eight clients shop before, during and after a fault.
fn survive<B: FnOnce(), E: FnOnce()>(
    server: &Process,
    store: &Store,
    acknowledged: &Arc<Acknowledged>,
    fault: Fault<B, E>,
) {
    shop_during(&server.url, store, acknowledged, || {
        wait("nothing is ordered before the fault", || acknowledged.order_count() >= ORDERS);
        (fault.begin)();
        wait("the fault has no effect", || acknowledged.refusal_count() >= WRITERS);
        let reader = Client::new(&server.url);
        for path in ["/store/products", "/store/regions", "/health/live"] {
            assert_eq!(reader.get(path), Some(200), "{path} during the fault");
        }
        wait("the server seems ready", || reader.get("/health/ready") == Some(503));
        (fault.end)();
        wait("the server is not ready again", || reader.get("/health/ready") == Some(200));
        let enough = acknowledged.order_count().saturating_add(ORDERS);
        wait("nothing is ordered after the fault", || acknowledged.order_count() >= enough);
    });
}

/// Creates a store in its own file.
pub(super) async fn copy() -> (TempDir, PathBuf, Store) {
    let (server, store) = TestServer::with_store().await;
    let (folder, path) = server.copied().await;
    (folder, path, store)
}

#[tokio::test]
async fn files_that_cannot_be_written_lose_nothing_that_was_acknowledged() {
    if !succeeds(&["prlimit", "--version"]) {
        return println!("not tested: there is no prlimit");
    }
    let (_folder, path, store) = copy().await;
    let acknowledged = Arc::new(Acknowledged::default());
    let (of_server, list) = (path.clone(), Arc::clone(&acknowledged));
    let life = tokio::task::spawn_blocking(move || {
        // Without the signal, a write beyond the limit is an error like one of the disk.
        let wrapper = ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""];
        let mut server = Process::start_under(&wrapper, &of_server);
        let process = server.id().to_string();
        let limit = |limit: &str| {
            assert!(succeeds(&["prlimit", "--pid", &process, &format!("--fsize={limit}:")]));
        };
        let fault = Fault { begin: || limit("4096"), end: || limit("unlimited") };
        survive(&server, &store, &list, fault);
        server.kill();
    });
    life.await.expect("a life of the server");
    acknowledged.verify(&path, "after files could not be written").await;
}

/// Returns the command that mounts a small disk, visible only to the server, with the database on it.
fn small_disk(place: &Path, path: &Path) -> String {
    let (place, path) = (place.display(), path.display());
    format!("mount -t tmpfs -o size=32m tmpfs {place} && cp {path} {place}/store.db")
}

#[tokio::test]
async fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let (folder, path, store) = copy().await;
    let place = folder.path().join("disk");
    std::fs::create_dir_all(&place).expect("a folder");
    let disk = small_disk(&place, &path);
    if !succeeds(&["unshare", "-rm", "sh", "-c", &disk]) {
        return println!("not tested: nobody may mount a disk of their own here");
    }
    let acknowledged = Arc::new(Acknowledged::default());
    let (copied, list) = (path.clone(), Arc::clone(&acknowledged));
    let life = tokio::task::spawn_blocking(move || {
        let command = format!("{disk} && exec \"$0\" \"$@\"");
        let wrapper = ["unshare", "-rm", "sh", "-c", &command];
        let mut server = Process::start_under(&wrapper, &place.join("store.db"));
        // The same folder in the server's mount namespace.
        let seen = format!("/proc/{}/root{}", server.id(), place.display());
        let filler = format!("{seen}/filler");
        let fault = Fault { begin: || fill(&filler), end: || drop(std::fs::remove_file(&filler)) };
        survive(&server, &store, &list, fault);
        for suffix in ["", "-wal"] {
            let target = format!("{}{suffix}", copied.display());
            std::fs::copy(format!("{seen}/store.db{suffix}"), target).expect("a copy");
        }
        server.kill();
    });
    life.await.expect("a life of the server");
    acknowledged.verify(&path, "after the disk was full").await;
}

/// Fills the disk.
fn fill(path: &str) {
    let mut file = std::fs::File::create(path).expect("a file");
    for size in [65_536, 4_096, 1] {
        while file.write_all(&vec![b'x'; size]).is_ok() {}
    }
}

#[tokio::test]
async fn syncs_that_fail_lose_nothing_that_was_acknowledged() {
    if !has_tracer() {
        return println!("not tested: there is no strace that may trace");
    }
    let (_folder, path, store) = copy().await;
    let acknowledged = Arc::new(Acknowledged::default());
    let (of_server, list) = (path.clone(), Arc::clone(&acknowledged));
    let life = tokio::task::spawn_blocking(move || {
        let failing = "inject=fsync,fdatasync:error=EIO:when=150..153";
        // With `-D` the started process is the server, not the tracer.
        let watcher = ["strace", "-D", "-f", "-qq", "-o", "/dev/null"];
        let wrapper = [&watcher[..], &["-e", "trace=fsync,fdatasync", "-e", failing]].concat();
        let mut server = Process::start_under(&wrapper, &of_server);
        // The fault begins and ends by itself, according to the number of syncs.
        survive(&server, &store, &list, Fault { begin: || (), end: || () });
        server.kill();
    });
    life.await.expect("a life of the server");
    acknowledged.verify(&path, "after syncs failed").await;
}
