//! Where text goes, and whether it may have colours.

use std::io::{self, IsTerminal, Write};

use quotient::diagnostics::render::Style;

/// Writes to standard output. A closed pipe, as with `head`, is not an error.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        print_error(&format!("error: cannot write: {error}\n"));
    }
}

/// Writes to standard error; if that fails, there is nowhere left to report it.
pub(crate) fn print_error(text: &str) {
    io::stderr().lock().write_all(text.as_bytes()).ok();
}

/// Whether answers go to a terminal with colours.
pub(crate) fn answers_in_colour() -> bool {
    io::stdout().is_terminal() && colours_wanted()
}

/// How findings are drawn.
pub(crate) fn findings_style() -> Style {
    if io::stderr().is_terminal() && colours_wanted() { Style::Coloured } else { Style::Plain }
}

/// As defined by <https://no-color.org>: any value but an empty one disables colours.
fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Text of a user as one line that no terminal obeys.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '·' } else { letter }).collect()
}
