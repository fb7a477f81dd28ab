//! A function of the program's own beside those of the language: formulas call it for every row.
#![expect(clippy::print_stdout, reason = "it is a program that prints")]

use std::error::Error;

use quotient::data::Rates;
use quotient::functions::{
    Behaviour, Family, FunctionSpec, Nulls, Parameter, ParameterKind, Scalar,
};
use quotient::types::{Reason, Type, Value};
use quotient::{Engine, Inputs, Request, file};

const SHOP: &str = "
source orders event
    date placed_at datetime
    field postcode text
    field total money(EUR)

/// What was sold to the south.
metric south = sum(orders.total where zone_of(postcode) = 'south')
";

/// The shipping zone of a postcode, which is known to the program alone.
static ZONE_OF: FunctionSpec = FunctionSpec {
    name: "zone_of",
    aliases: &[],
    family: Family::Texts,
    signature: "zone_of(postcode)",
    summary: "The shipping zone of a postcode: `south` or `north`.",
    details: "Null (domain) for what is no postcode.",
    parameters: &[Parameter::required("postcode", ParameterKind::Text)],
    examples: &[],
    exact: true,
    behaviour: Behaviour::Scalar(Scalar {
        result: |_types| Ok(Type::Text),
        call: |arguments, _environment| match arguments {
            [Value::Text(postcode)] => zone_of(postcode),
            _ => Value::missing(Reason::Domain),
        },
        nulls: Nulls::Propagate,
    }),
};

fn zone_of(postcode: &str) -> Value {
    match postcode.chars().next() {
        Some('7' | '8' | '9') => Value::Text("south".into()),
        Some('0'..='6') => Value::Text("north".into()),
        Some(_) | None => Value::missing(Reason::Domain),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let loaded = file::load("shop.metrics", &mut |_name| Ok(SHOP.to_owned()));
    let (engine, findings) = Engine::from_loaded_and(&loaded, &[&ZONE_OF])?;
    assert!(findings.is_empty(), "the declarations above are sound");

    let mut orders = engine.table("orders", &["placed_at", "postcode", "total"])?;
    for (postcode, total) in [("80331", "40.00"), ("20095", "25.50"), ("70173", "9.00"), ("", "3")]
    {
        orders.push(&["2026-02-03 09:30:00", postcode, total])?;
    }
    let data = engine.data(vec![orders.finish()], Rates::new())?;

    for text in ["south", "south / sum(orders.total)", "zone_of(80331)"] {
        match engine.compile(text) {
            Ok(formula) => {
                let answers =
                    engine.evaluate(&[&formula], Inputs::data(&data), &Request::default());
                let answers = answers.map_err(|findings| format!("{findings:?}"))?;
                println!("{text} = {}", answers.first().ok_or("one answer")?.formatted);
            }
            Err(findings) => {
                let first = findings.first().ok_or("a finding")?;
                println!("{text}: {}", first.message);
            }
        }
    }
    Ok(())
}
