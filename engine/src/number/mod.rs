//! Exact decimal arithmetic: 28 significant digits, half-even, and never a panic.
