//! What merchants learn about a flow: rehearsals with a record of their own or with past orders, and what shoppers
//! did.
//!
//! Rehearsals write nothing. Erasing a session removes what the person wrote and keeps the figures.

mod queries;
mod rehearsal;
mod routes;
mod submission;

pub(crate) use routes::router;
