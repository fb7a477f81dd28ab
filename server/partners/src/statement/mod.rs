//! A partner's own statement: `/partners/me`. It never reveals who bought, what, or for how much.

mod queries;
mod routes;
mod view;

pub(crate) use routes::router;
