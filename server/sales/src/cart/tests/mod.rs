//! Tests of carts on a database: changes, refusals and the number of statements.

mod buying;
mod codes;
mod places;
mod quotes;
mod retention;
mod shop;
mod speed;
