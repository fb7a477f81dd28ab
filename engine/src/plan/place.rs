//! The place of a value: the chain of windows, filters, conversions and totals around it.

use std::fmt::{Display, Formatter};

use super::rows::Rows;
use crate::check::{Key, Window};
use crate::types::Currency;

/// One change of the place where an expression is computed.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum PlaceStep {
    /// Another period.
    Window(Window),
    /// `(x where c)`: the condition for each source below.
    Filter(Vec<Rows>),
    /// Every amount below in one currency.
    Convert(Currency),
    /// The grouping by these keys only.
    Total(Vec<Key>),
}

/// The steps from the request to a value, outermost first; empty at the request itself.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    pub(crate) steps: Vec<PlaceStep>,
}

impl Place {
    /// Returns whether a record's single values apply to this place, apart from the currency.
    pub(crate) fn is_the_records(&self) -> bool {
        self.steps.iter().all(|step| match step {
            PlaceStep::Window(window) => matches!(window, Window::Opening | Window::Closing),
            PlaceStep::Filter(_) => false,
            PlaceStep::Convert(_) | PlaceStep::Total(_) => true,
        })
    }

    /// Returns the currency that amounts are converted to: the one of the outermost conversion.
    pub(crate) fn currency(&self) -> Option<Currency> {
        self.steps.iter().find_map(|step| match step {
            PlaceStep::Convert(to) => Some(*to),
            PlaceStep::Window(_) | PlaceStep::Filter(_) | PlaceStep::Total(_) => None,
        })
    }
}

impl Display for Place {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            write!(formatter, "{}{step}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl Display for PlaceStep {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Window(window) => window_text(*window, formatter),
            Self::Filter(conditions) => {
                formatter.write_str("where")?;
                for (index, rows) in conditions.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(formatter, "{comma} {}: {}", rows.name, rows.text(0))?;
                }
                Ok(())
            }
            Self::Convert(to) => write!(formatter, "in {}", to.code()),
            Self::Total(keep) if keep.is_empty() => formatter.write_str("of all groups"),
            Self::Total(keep) => {
                let names: Vec<&str> = keep.iter().map(|key| &*key.name).collect();
                write!(formatter, "of all groups but {}", names.join(", "))
            }
        }
    }
}

fn window_text(window: Window, formatter: &mut Formatter<'_>) -> std::fmt::Result {
    match window {
        Window::Previous { periods, clip } => {
            write!(formatter, "previous {periods}{}", if clip { "" } else { " in full" })
        }
        Window::Shift(span) => write!(formatter, "shift {span}"),
        Window::Trailing { span, with_current: true } => write!(formatter, "trailing {span}"),
        Window::Trailing { span, .. } => write!(formatter, "trailing {span} before"),
        Window::ToDate(unit) => write!(formatter, "{} to date", unit.name()),
        Window::During(literal) => write!(formatter, "during {literal}"),
        Window::Lifetime => formatter.write_str("lifetime"),
        Window::Running => formatter.write_str("running"),
        Window::Overall => formatter.write_str("overall"),
        Window::Opening => formatter.write_str("opening"),
        Window::Closing => formatter.write_str("closing"),
    }
}
