//! What is printed reads as the same tree.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quotient_fuzz::run("print_parse", bytes));
