//! Lists.

mod len;
mod list;

pub(crate) use len::LEN;
pub(crate) use list::LIST;
