//! Quotient server.
