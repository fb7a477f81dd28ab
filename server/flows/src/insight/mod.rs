//! What merchants learn of a flow: a rehearsal with a record of their own or with past orders, and what shoppers did.
//!
//! Rehearsals write nothing. Erasing removes what a person has written and keeps the figures.

mod queries;
mod rehearsal;
mod routes;
mod submission;

pub(crate) use routes::router;
