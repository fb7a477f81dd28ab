//! Any formula over any rows has the value that the model counts.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quotient_fuzz::run("check_and_run", bytes));
