//! The settings file. Its values become the defaults of arguments, so that one parser reads all of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Command;
use clap::error::ErrorKind;

/// The file that is read if no other is named.
const DEFAULT_PATH: &str = "quotient.toml";

/// Sets the defaults of the arguments of `command` to the values of the file.
pub(super) fn with_defaults(
    command: Command,
    arguments: &[OsString],
) -> Result<Command, clap::Error> {
    let named_file = named_path(&command, arguments);
    let path = named_file.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_PATH));
    if named_file.is_none() && !path.exists() {
        return Ok(command);
    }
    let text =
        std::fs::read_to_string(&path).map_err(|error| invalid(&path, &error.to_string()))?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| invalid(&path, &error.to_string()))?;
    table.iter().try_fold(command, |command, (key, value)| with_default(command, &path, key, value))
}

/// Returns the file named by the command line or the environment. Other arguments are checked later.
fn named_path(command: &Command, arguments: &[OsString]) -> Option<PathBuf> {
    let lenient = command.clone().ignore_errors(true).disable_help_flag(true);
    let matches = lenient.try_get_matches_from(arguments).ok()?;
    matches.try_get_one::<PathBuf>("config").ok().flatten().cloned()
}

fn with_default(
    command: Command,
    path: &Path,
    key: &str,
    value: &toml::Value,
) -> Result<Command, clap::Error> {
    let is_known = command.get_arguments().any(|argument| argument.get_id() == key);
    if !is_known || key == "config" {
        return Err(invalid(path, &format!("`{key}` is not a setting")));
    }
    let values = match value.as_array() {
        Some(items) => items.iter().map(plain).collect::<Option<Vec<_>>>(),
        None => plain(value).map(|text| vec![text]),
    };
    let values = values.ok_or_else(|| invalid(path, &format!("`{key}` must be a plain value")))?;
    Ok(command.mut_arg(key, |argument| argument.default_values(values)))
}

fn plain(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(truth) => Some(truth.to_string()),
        toml::Value::Float(_)
        | toml::Value::Datetime(_)
        | toml::Value::Array(_)
        | toml::Value::Table(_) => None,
    }
}

fn invalid(path: &Path, message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{}: {message}\n", path.display()))
}
