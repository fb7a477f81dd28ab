//! A loaded file, and the names of the files that it mentions.

/// A loaded file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The name passed to the reader.
    pub name: String,
    /// The text; empty if it could not be read.
    pub text: String,
}

/// Resolves a path relative to `importer`, including `.` and `..`.
pub(super) fn beside(importer: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let absolute = importer.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute { format!("/{joined}") } else { joined }
}
