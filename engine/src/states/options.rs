//! How cells are cut and keyed, as a program chooses it.

use super::slot::Granularity;

/// How finely time is cut, which dimensions key a cell, and whether percentiles are sketched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateOptions {
    pub(crate) granularity: Granularity,
    pub(crate) dimensions: Vec<String>,
    pub(crate) approximate: bool,
}

impl StateOptions {
    /// Cells of days or hours, without dimensions, exact.
    pub const fn new(granularity: Granularity) -> Self {
        Self { granularity, dimensions: Vec::new(), approximate: false }
    }

    /// The same, keyed by one more shared dimension. Requests can then filter and group by it; each
    /// dimension multiplies the cells by the values that occur together.
    #[must_use]
    pub fn by(mut self, dimension: &str) -> Self {
        self.dimensions.push(dimension.to_owned());
        self
    }

    /// The same with a sketch for each percentile, to within 1 %; it is read only where
    /// [`Reading::approximately`](super::Reading::approximately) says so.
    #[must_use]
    pub const fn with_sketches(mut self) -> Self {
        self.approximate = true;
        self
    }
}
