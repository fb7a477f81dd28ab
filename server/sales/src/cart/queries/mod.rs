//! The SQL of carts: the same number of statements for one line as for fifty.

mod carts;
mod parts;

pub(super) use carts::{empty, find_cart, insert_cart, insert_imported, untouched, update_cart};
pub(super) use parts::{
    CREDIT_LINES, LINES, SHIPPING_METHODS, credit_lines, lines, shipping_methods, write_parts,
};
