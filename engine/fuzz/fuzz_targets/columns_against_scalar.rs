//! Every row of a batch has the value of scalar evaluation.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quotient_fuzz::run("columns_against_scalar", bytes));
