//! The catalog over a database.
