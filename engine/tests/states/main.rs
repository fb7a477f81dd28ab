//! States answer what rows answer, to the last digit, or say why they do not.

mod kpis;
#[path = "../stores/mod.rs"]
#[expect(dead_code, reason = "stores are read with their exchange rates here")]
mod stores;
