//! Carts over a database: what a change does, what is refused, and how many statements it takes.

mod buying;
mod codes;
mod places;
mod shop;
mod speed;
