//! Tests of the command line as people use it. They are one program, so that what they share is compiled once.

mod commands;
mod data_files;
mod evaluate;
mod fixing;
mod formats;
mod hard_use;
mod hard_use_of_files;
mod hard_use_of_questions;
mod pages;
