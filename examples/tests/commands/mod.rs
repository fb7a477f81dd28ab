//! Command lines as people write them, runs of them, and files that live as long as a test.
#![expect(clippy::expect_used, reason = "a test that cannot run a program has failed")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The output of a run, and its exit code.
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// The folder `fixtures` of the repository.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn command<W: AsRef<str>>(folder: &Path, arguments: &[W]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evaluate"));
    command.args(arguments.iter().map(AsRef::as_ref)).current_dir(folder);
    command
}

/// Runs `evaluate` with these arguments in a folder.
pub(crate) fn evaluate_in<W: AsRef<str>>(folder: &Path, arguments: &[W]) -> Outcome {
    command(folder, arguments).output().expect("a run").into()
}

/// Runs `evaluate` in the fixtures folder. Blanks separate the arguments.
pub(crate) fn evaluate(line: &str) -> Outcome {
    evaluate_words(&line.split_whitespace().collect::<Vec<_>>())
}

/// Runs `evaluate` in the fixtures folder with these arguments.
pub(crate) fn evaluate_words(words: &[&str]) -> Outcome {
    evaluate_in(&fixtures(), words)
}

/// Runs `evaluate` in the fixtures folder with these arguments and this standard input.
pub(crate) fn piped(words: &[&str], input: &[u8]) -> Outcome {
    let mut command = command(&fixtures(), words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a run");
    // A program that refuses its arguments does not read its input.
    child.stdin.take().expect("a pipe").write_all(input).ok();
    child.wait_with_output().expect("an end").into()
}

/// A file with this name in a folder of its own, deleted when dropped.
pub(crate) struct Scratch {
    path: PathBuf,
    _folder: TempDir,
}

impl Scratch {
    pub(crate) fn new(name: &str, text: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        Self { path, _folder: folder }
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// The words of a command line, separated by blanks outside of double quotes.
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

/// The stores by short name.
const STORES: [(&str, &str); 5] = [
    ("corner", "stores/corner/corner.metrics"),
    ("shop", "online-retail/shop.metrics"),
    ("daily", "stores/edges/daily.metrics"),
    ("gaps", "stores/edges/gaps.metrics"),
    ("amounts", "stores/edges/amounts.metrics"),
];

/// A command, its exit code, and fragments of its output; with `!` in front, fragments that are absent.
pub(crate) type Row = (&'static str, i32, &'static [&'static str]);

/// Returns what is wrong with a row, if anything is.
fn complaint((line, code, fragments): &Row) -> Option<String> {
    let mut words = words(line);
    words.retain(|word| word != "evaluate");
    for (name, path) in STORES {
        if let Some(file) = words.first_mut().filter(|first| *first == name) {
            path.clone_into(file);
        }
    }
    let outcome = evaluate_in(&fixtures(), &words);
    let shown = format!("{}{}", outcome.stdout, outcome.stderr);
    let holds = |fragment: &&str| match fragment.strip_prefix('!') {
        Some(absent) => !shown.contains(absent),
        None => shown.contains(*fragment),
    };
    let missing: Vec<&str> =
        fragments.iter().filter(|fragment| !holds(fragment)).copied().collect();
    let is_right = outcome.code == Some(*code) && missing.is_empty();
    (!is_right).then(|| format!("{line}\n{:?}, not {missing:?}\n{shown}", outcome.code))
}

pub(crate) fn run(rows: &[Row]) {
    let wrong: Vec<String> = rows.iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
