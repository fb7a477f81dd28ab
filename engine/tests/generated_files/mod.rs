//! Files in the repository that code writes: each must read as the code would write it again.

use std::path::Path;

/// Compares a file below the repository's root with the expected content, or writes it with
/// `INSTA_UPDATE=always`. Returns the difference, if any.
pub(crate) fn difference(path: &str, wanted: &str) -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::fs::read_to_string(&file).is_ok_and(|text| text == wanted) {
        return None;
    }
    if !is_update() {
        return Some(format!("{path} should read:\n{wanted}"));
    }
    let written = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&file, wanted));
    written.err().map(|error| format!("{path}: {error}"))
}

/// Whether files are to be written, as for snapshots.
fn is_update() -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "the switch that snapshots have is for these too"
    )]
    let update = std::env::var("INSTA_UPDATE");
    update.is_ok_and(|update| update == "always")
}
