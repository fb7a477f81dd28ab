//! Options of rollups.

use super::bucket::Granularity;

/// Options of rollups: bucket size, dimensions, and quantile sketches for percentiles or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollupOptions {
    pub(crate) granularity: Granularity,
    pub(crate) dimensions: Vec<String>,
    pub(crate) approximate: bool,
}

impl RollupOptions {
    /// Creates options for daily or hourly buckets without dimensions, exact.
    pub const fn new(granularity: Granularity) -> Self {
        Self { granularity, dimensions: Vec::new(), approximate: false }
    }

    /// Adds a shared dimension, by which requests can filter and group. Each dimension multiplies the
    /// partial aggregates by the number of values that occur together.
    #[must_use]
    pub fn by(mut self, dimension: &str) -> Self {
        self.dimensions.push(dimension.to_owned());
        self
    }

    /// Adds a quantile sketch for each percentile, exact to 1 %. Only a reader that answers
    /// [`approximately`](super::RollupReader::approximately) reads it.
    #[must_use]
    pub const fn with_sketches(mut self) -> Self {
        self.approximate = true;
        self
    }
}
