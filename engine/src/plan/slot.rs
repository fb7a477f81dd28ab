//! Slots: the inputs of a program.

use std::fmt::{Display, Formatter};
use std::sync::Arc;

use super::listing::{constant, name};
use super::place::Place;
use super::program::Program;
use super::rows::{PlannedAtom, PlannedPer};
use crate::calendar::PeriodLiteral;
use crate::check::{BucketWindow, Key, PeriodPart};
use crate::schema::Path;
use crate::types::{Currency, Type, Value};

/// An input of a program, with the place where its value is taken.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Slot {
    pub(crate) content: Content,
    pub(crate) place: Place,
    pub(crate) ty: Type,
}

/// The content of a slot.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Content {
    /// A value by name: an input, or a name whose value the caller provides.
    Input(Arc<str>),
    /// An aggregate over rows.
    Atom(Box<PlannedAtom>),
    /// An aggregate over the values for each key.
    Per(Box<PlannedPer>),
    /// The rank of a value among groups.
    Rank { value: Box<Program>, by: Option<Key> },
    /// A value computed from those in the buckets of the request.
    OverBuckets { window: BucketWindow, value: Box<Program> },
    /// A value computed from amounts that keep the currencies of their rows.
    InCurrencies(Box<Program>),
    /// An amount written in the formula, with its currency; it is converted to the currency of the place.
    Amount(#[serde(with = "super::serialized::value")] Value, Currency),
    /// A period written in the formula.
    Literal(PeriodLiteral),
    /// The period of the place; null where the calendar has no such period.
    Reach,
    /// The period of the place, or its start or end.
    Period(PeriodPart),
    /// The present.
    Now,
    /// The present day.
    Today,
    /// In rows: the field of the row at the end of a path.
    Column(Path, Arc<str>),
    /// In rows: an aggregate over the rows linked to this row.
    PerRow(Box<Program>),
    /// In rows: a value of the whole period, from outside the aggregate.
    Outer(Box<Program>),
}

/// The kind of a slot, by what fills it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotKind {
    /// The caller, by name.
    Input,
    /// Rows: an aggregate over one source.
    Atom,
    /// Rows: an aggregate over aggregates, a rank, an amount to be converted, or what is computed from
    /// amounts of several currencies.
    Compound,
    /// The request: its period, calendar or present.
    Time,
    /// The column of a row.
    Column,
}

impl Slot {
    /// Returns the kind of the slot.
    pub fn kind(&self) -> SlotKind {
        match &self.content {
            Content::Input(_) if self.place.is_the_records() && self.place.currency().is_none() => {
                SlotKind::Input
            }
            Content::Atom(_) => SlotKind::Atom,
            Content::Input(_)
            | Content::Per(_)
            | Content::Rank { .. }
            | Content::OverBuckets { .. }
            | Content::InCurrencies(_)
            | Content::Amount(..)
            | Content::PerRow(_)
            | Content::Outer(_) => SlotKind::Compound,
            Content::Reach
            | Content::Literal(_)
            | Content::Period(_)
            | Content::Now
            | Content::Today => SlotKind::Time,
            Content::Column(..) => SlotKind::Column,
        }
    }

    /// Returns the name of an input or a column; `None` for other slots.
    pub fn name(&self) -> Option<&str> {
        match &self.content {
            Content::Input(name) if self.kind() == SlotKind::Input => Some(name),
            Content::Column(_, name) => Some(name),
            _ => None,
        }
    }

    /// Returns the type with its unit.
    pub fn ty(&self) -> &Type {
        &self.ty
    }
}

/// Formats the slot as a formula would, with the place after an `@`.
impl Display for Slot {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.content {
            Content::Input(text) => formatter.write_str(&name(text))?,
            Content::Atom(atom) => atom.fmt(formatter)?,
            Content::Per(per) => per.fmt(formatter)?,
            Content::Rank { value, by: None } => {
                write!(formatter, "rank({})", value.expression(0))?;
            }
            Content::Rank { value, by: Some(key) } => {
                write!(formatter, "rank({}, by: {})", value.expression(0), key.name)?;
            }
            Content::OverBuckets { window, value } => {
                let value = value.expression(0);
                match window {
                    BucketWindow::Previous(n) => {
                        write!(formatter, "previous_bucket({value}, {n})")?;
                    }
                    BucketWindow::Average(n) => write!(formatter, "moving_avg({value}, {n})")?,
                    BucketWindow::Rank => write!(formatter, "rank({value}, by: period)")?,
                }
            }
            Content::InCurrencies(value) => formatter.write_str(&value.expression(0))?,
            Content::Amount(value, currency) => {
                formatter.write_str(&constant(value, Some(*currency)))?;
            }
            Content::Literal(literal) => literal.fmt(formatter)?,
            // No name is written in this way.
            Content::Reach => formatter.write_str("<reach>")?,
            Content::Period(part) => formatter.write_str(match part {
                PeriodPart::Whole => "period",
                PeriodPart::Start => "period_start",
                PeriodPart::End => "period_end",
            })?,
            Content::Now => formatter.write_str("now()")?,
            Content::Today => formatter.write_str("today()")?,
            Content::Column(_, name) => formatter.write_str(name)?,
            Content::PerRow(program) => write!(formatter, "[{}]", program.expression(0))?,
            Content::Outer(program) => write!(formatter, "outer [{}]", program.expression(0))?,
        }
        if self.place.steps.is_empty() {
            return Ok(());
        }
        write!(formatter, " @ {}", self.place)
    }
}
