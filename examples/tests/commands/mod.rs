//! Command lines as people write them, and runs of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot run a program has failed")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run printed, and its exit code.
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The folder `fixtures` of the repository.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// Runs `evaluate` with these arguments in a folder.
pub(crate) fn evaluate(folder: &Path, arguments: &[String]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The words of a command line. Blanks separate them, but for those in double quotes.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut is_quoted, mut is_word) = (String::new(), false, false);
    for letter in line.chars() {
        match letter {
            '"' => (is_quoted, is_word) = (!is_quoted, true),
            ' ' if !is_quoted => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            letter => {
                word.push(letter);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}
