//! Metrics made, changed and found again.
