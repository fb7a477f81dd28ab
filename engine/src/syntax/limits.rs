//! How much a formula may ask for, each bound with its unit and its own error.

/// Bounds on formulas and on their evaluation.
///
/// The defaults suit formulas typed by people on a shared server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one formula (E701).
    pub max_bytes: usize,
    /// Tokens of one formula (E702).
    pub max_tokens: usize,
    /// Brackets, signs and branches inside each other, in one formula (E704).
    pub max_nesting: usize,
    /// The same, counted through the metrics a formula uses (E704).
    pub max_total_nesting: usize,
    /// Arguments of one call, and values in one `in (…)` (E705).
    pub max_arguments: usize,
    /// Nodes of a formula with the metrics it uses, each counted once, that draw W320.
    pub warn_nodes: usize,
    /// Nodes of a formula with the metrics it uses, each counted once (E703).
    pub max_nodes: usize,
    /// Rows and cells touched by one evaluation (E706).
    pub max_steps: u64,
    /// Values held at once by one evaluation: buckets times groups (E707).
    pub max_cells: usize,
    /// Buckets that a period may be cut into (E707).
    pub max_buckets: usize,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        max_bytes: 8 * 1024,
        max_tokens: 6_000,
        max_nesting: 64,
        max_total_nesting: 256,
        max_arguments: 64,
        warn_nodes: 500,
        max_nodes: 5_000,
        max_steps: 2_000_000_000,
        max_cells: 4_000_000,
        max_buckets: 20_000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
