//! Formula files from disk, and back.

use std::fs;
use std::io::{self, Error, ErrorKind, Read as _};
use std::path::Path;

use quotient::diagnostics::nearest;
use quotient::file::{self, Loaded, MAX_FILE_BYTES};
use quotient::syntax;

use crate::failure::Failure;
use crate::input;

const NO_TEXT: &str = "it is not UTF-8 text";

/// Reads a formula file with its imports. Diagnostics are in the result; a missing first file is a
/// failure.
pub(crate) fn load(path: &Path) -> Result<Loaded, Failure> {
    let first = read(path).map_err(|reason| {
        let sentence = format!("cannot read `{}`: {reason}", path.display());
        let near = beside(path);
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        Failure::usage(&sentence, hint.as_deref())
    })?;
    let root = path.to_string_lossy();
    Ok(file::load(&root, &mut |name| {
        if name == root { Ok(first.clone()) } else { read(Path::new(name)) }
    }))
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX);
    let too_large = || format!("it is larger than {MAX_FILE_BYTES} bytes");
    if input::is_standard(path) {
        // One byte more than allowed tells that there are more; the text may end within a character.
        let mut bytes = Vec::new();
        let read = io::stdin().take(limit.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| reason(&error))?;
        if bytes.len() > MAX_FILE_BYTES {
            return Err(too_large());
        }
        return String::from_utf8(bytes).map_err(|_invalid| NO_TEXT.to_owned());
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > limit) {
        return Err(too_large());
    }
    fs::read_to_string(path).map_err(|error| reason(&error))
}

/// Why a file cannot be read, in words.
pub(crate) fn reason(error: &Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        "there is no such file".to_owned()
    } else if error.kind() == ErrorKind::InvalidData {
        NO_TEXT.to_owned()
    } else {
        error.to_string()
    }
}

/// A formula file in the same folder with a similar name.
fn beside(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut names: Vec<String> = fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "metrics"))
        .collect();
    names.sort_unstable();
    let wrong = path.file_name()?.to_str()?;
    let others = names.iter().map(String::as_str).filter(|name| *name != wrong);
    let near = nearest(wrong, others)?;
    Some(path.with_file_name(near).display().to_string())
}

/// The text in its canonical form.
pub(crate) fn formatted(text: &str) -> String {
    file::format(text, &|formula| {
        let parsed = syntax::parse(formula, &syntax::Limits::default());
        parsed.ok().ok().map(|expr| syntax::format(&expr))
    })
}

/// Rewrites the file in its canonical form, unless it already has it.
pub(crate) fn rewrite(path: &Path, written: &str) -> Result<bool, Failure> {
    let text = formatted(written);
    if text == written {
        return Ok(false);
    }
    replace(path, &text).map(|()| true)
}

/// Writes a file anew.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    if input::is_standard(path) {
        return Err(Failure::usage("standard input cannot be changed, only a file can", None));
    }
    // To a file beside it first, so that a full disk does not damage the file.
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, path)).map_err(|error| {
        Failure::usage(&format!("cannot write `{}`: {error}", path.display()), None)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient::diagnostics::render::Style;

    #[test]
    fn a_missing_file_is_answered_with_its_neighbour() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/evaluate/tests/shp.metrics");

        let failure = load(&path).unwrap_err();

        assert_eq!(failure.exit_code(), 2);
        let text = failure.text(Style::Plain);
        assert!(text.contains("there is no such file"), "{text}");
        assert!(text.contains("shop.metrics`?"), "{text}");
    }

    #[test]
    fn a_file_is_rewritten_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "metric a  =  1+2\n").unwrap();

        let first = rewrite(file.path(), &fs::read_to_string(&file).unwrap());
        let text = fs::read_to_string(&file).unwrap();
        let second = rewrite(file.path(), &text);

        assert_eq!((first, second), (Ok(true), Ok(false)));
        assert_eq!(text, "metric a = 1 + 2\n");
    }
}
