//! Prices over a database.
