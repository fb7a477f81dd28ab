//! Limits on formulas, each with its unit and its own error code.

/// Bounds on formulas and on their evaluation.
///
/// The defaults suit formulas typed by people on a shared server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one formula (E701).
    pub max_bytes: usize,
    /// Tokens of one formula (E702).
    pub max_tokens: usize,
    /// Nesting of brackets, signs and branches in one formula (E704).
    pub max_nesting: usize,
    /// Nesting counted through the metrics that a formula uses (E704).
    pub max_total_nesting: usize,
    /// Arguments of one call, and values in one `in (…)` (E705).
    pub max_arguments: usize,
    /// Nodes above which W320 warns, of a formula with the metrics it uses, each counted once.
    pub warn_nodes: usize,
    /// Nodes of a formula with the metrics it uses, each counted once (E703).
    pub max_nodes: usize,
    /// Rows and cells touched by one evaluation (E706).
    pub max_steps: u64,
    /// Periods held by one evaluation, with 16 more for each window, filter and grouping (E706). Windows that add up, as in
    /// `let b = shift(a, 1 day) + a; let c = shift(b, 2 days) + b`, have twice as many at each step.
    pub max_periods: usize,
    /// Values held at once by one evaluation: buckets times groups (E707).
    pub max_cells: usize,
    /// Buckets of a period (E707).
    pub max_buckets: usize,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self {
        max_bytes: 8 * 1024,
        max_tokens: 6_000,
        max_nesting: 64,
        max_total_nesting: 256,
        max_arguments: 64,
        warn_nodes: 500,
        max_nodes: 5_000,
        max_steps: 2_000_000_000,
        max_periods: 10_000_000,
        max_cells: 4_000_000,
        max_buckets: 20_000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
