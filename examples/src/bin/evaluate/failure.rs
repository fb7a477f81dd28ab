//! Why a run ends without an answer, and the exit code that says so.

use quotient::diagnostics::render::Style;

use crate::findings::Findings;

/// Why a run ends without an answer; the text is for people and ends with a newline.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The formulas have diagnostics, or an example fails.
    Findings(Findings),
    /// The command line refers to something that does not exist.
    Usage(String),
    /// Data cannot be read.
    Data(String),
    /// Some metrics exceed a limit, which has been reported; the text has the answers of the
    /// others.
    Incomplete(String),
}

impl Failure {
    /// A failure of one sentence, with a hint.
    pub(crate) fn usage(sentence: &str, hint: Option<&str>) -> Self {
        Self::Usage(match hint {
            Some(hint) => format!("error: {sentence}\n  help: {hint}\n"),
            None => format!("error: {sentence}\n"),
        })
    }

    /// A failure of one sentence about data.
    pub(crate) fn data(sentence: &str) -> Self {
        Self::Data(format!("error: {sentence}\n"))
    }

    /// As the help documents it.
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Findings(_) | Self::Incomplete(_) => 1,
            Self::Usage(_) => 2,
            Self::Data(_) => 3,
        }
    }

    /// What to say.
    pub(crate) fn text(&self, style: Style) -> String {
        match self {
            Self::Findings(findings) => findings.drawn(style),
            Self::Usage(text) | Self::Data(text) | Self::Incomplete(text) => text.clone(),
        }
    }
}
