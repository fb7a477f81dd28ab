//! A partner's own statement: `/partners/me`. It never says who has bought, what, or for how much.

mod queries;
mod routes;
mod view;

pub(crate) use routes::router;
