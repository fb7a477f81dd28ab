//! What a state is a state of: the readable, hashed name that programs keep cells by.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::slot::Grain;

/// How many hexadecimal digits name a definition.
const HASH_DIGITS: usize = 32;

/// How rows become a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StateKind {
    /// A [`Tally`](super::Tally): sums, counts, averages, shares of rows.
    Tally,
    /// A [`Spread`](super::Spread): standard deviations.
    Spread,
    /// A [`Sketch`](super::Sketch): approximate percentiles.
    Sketch,
    /// An [`Extreme`](super::Extreme): the least value.
    Least,
    /// An [`Extreme`](super::Extreme): the largest value.
    Largest,
    /// An [`Edge`](super::Edge): the first value in time.
    First,
    /// An [`Edge`](super::Edge): the last value in time.
    Last,
    /// [`Keys`](super::Keys): different values.
    Keys,
    /// [`Repeats`](super::Repeats): keys seen, and seen again.
    Repeats,
}

impl StateKind {
    /// The name in a listing.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tally => "tally",
            Self::Spread => "spread",
            Self::Sketch => "sketch",
            Self::Least => "least",
            Self::Largest => "largest",
            Self::First => "first",
            Self::Last => "last",
            Self::Keys => "keys",
            Self::Repeats => "repeats",
        }
    }

    /// Whether every change can be taken out again without the rows.
    pub const fn subtracts(self) -> bool {
        matches!(self, Self::Tally | Self::Spread | Self::Sketch)
    }
}

/// What places a row in time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Dating {
    /// Nothing: rows that exist, without a date.
    Never,
    /// A column.
    By(String),
    /// The later of two columns, where both have a value: what was opened and is closed.
    Later(String, String),
}

/// A state that formulas need: over which rows, of what, how, and when.
///
/// Names are those of the schema. Two formulas with an equal definition share its cells; the
/// [`hash`](Self::hash) is the same in every run and on every machine, and changes with anything
/// that changes what a cell holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StateDefinition {
    /// The source of the rows.
    pub source: String,
    /// What places a row in time.
    pub dating: Dating,
    /// What is aggregated, as a formula over the row; none for rows themselves.
    pub value: Option<String>,
    /// What a row must meet, in order of the texts.
    pub conditions: Vec<String>,
    /// How rows become a state.
    pub kind: StateKind,
    /// The unit of the value; none for what has no unit.
    pub unit: Option<String>,
    /// For a set of keys: whose keys they are.
    pub keys_of: Option<String>,
    /// What a cell is keyed by beside its time: names with the columns of the source.
    pub dimensions: Vec<(String, String)>,
    /// The currency column, where amounts of several currencies are kept apart: the last part of
    /// a cell's key.
    pub currency: Option<String>,
    /// What the number of a cell counts.
    pub grain: Grain,
    /// The zone and calendar, where the same rows have other cells in another.
    pub calendar: Option<String>,
}

impl StateDefinition {
    /// The stable name of the definition: the beginning of the SHA-256 of its text, in hexadecimal.
    pub fn hash(&self) -> String {
        let digest = Sha256::digest(self.to_string().as_bytes());
        let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let digits = nibbles.filter_map(|nibble| char::from_digit(u32::from(nibble), 16));
        digits.take(HASH_DIGITS).collect()
    }
}

impl fmt::Display for StateDefinition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of ", self.kind.name())?;
        match &self.value {
            Some(value) => write!(out, "{value}")?,
            None => write!(out, "rows")?,
        }
        if let Some(unit) = &self.unit {
            write!(out, " in {unit}")?;
        }
        if let Some(keys_of) = &self.keys_of {
            write!(out, " as keys of {keys_of}")?;
        }
        write!(out, " from {}", self.source)?;
        for (index, condition) in self.conditions.iter().enumerate() {
            let word = if index == 0 { "where" } else { "and" };
            write!(out, " {word} {condition}")?;
        }
        match &self.dating {
            Dating::Never => {}
            Dating::By(column) => write!(out, " dated by {column}")?,
            Dating::Later(opened, closed) => {
                write!(out, " dated by the later of {opened} and {closed}")?;
            }
        }
        write!(out, " by {}", self.grain.name())?;
        if let Some(calendar) = &self.calendar {
            write!(out, " of {calendar}")?;
        }
        for (name, column) in &self.dimensions {
            write!(out, " × {name}")?;
            if name != column {
                write!(out, " ({column})")?;
            }
        }
        if let Some(currency) = &self.currency {
            write!(out, " × currency {currency}")?;
        }
        Ok(())
    }
}
