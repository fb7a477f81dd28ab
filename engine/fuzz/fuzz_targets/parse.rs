//! Any text is read, checked, drawn and computed or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quotient_fuzz::run("parse", bytes));
