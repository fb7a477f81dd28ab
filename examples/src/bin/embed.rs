//! The library in 30 lines: two inputs, a formula, a record, an answer.
#![expect(clippy::print_stdout, reason = "it is a program that prints")]

use std::error::Error;

use quotient::data::Record;
use quotient::{Engine, Inputs, Request, file};

/// What formulas may speak of. A program with tables of rows declares sources here.
const SHOP: &str = "
input revenue money(EUR)
input orders count
";

fn main() -> Result<(), Box<dyn Error>> {
    let loaded = file::load("shop", &mut |_name| Ok(SHOP.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "the declarations above are sound");

    let formula = engine.compile("revenue / orders").map_err(|findings| format!("{findings:?}"))?;
    println!("type: {}", formula.ty());

    for json in [r#"{"revenue": 1250.00, "orders": 32}"#, r#"{"revenue": 0, "orders": 0}"#] {
        let record = Record::from_json(json)?;
        let answers = engine
            .evaluate(&[&formula], Inputs::record(&record), &Request::default())
            .map_err(|findings| format!("{findings:?}"))?;
        println!("{json} → {}", answers.first().ok_or("one formula, one answer")?.formatted);
    }
    Ok(())
}
