//! The SQL of carts: one statement per function, and the same number of statements for one line as for fifty.

mod carts;
mod credit;
mod lines;
mod methods;

pub(super) use carts::{find_cart, insert_cart, insert_imported, update_cart};
pub(super) use credit::{credit_lines, delete_credit_lines, put_credit_lines};
pub(super) use lines::{delete_lines, lines, put_lines};
pub(super) use methods::{delete_methods, put_methods, shipping_methods};
