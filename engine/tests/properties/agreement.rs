//! The engine over rows agrees with the model.

use quotient::Engine;
use quotient::data::Data;

use crate::model::agreement::{Case, cases, compared};
use crate::model::generate::questions::RandomRequest;
use crate::model::tree::Quantity;
use crate::properties::exploring::explore;

/// The smallest part of a formula for which a request differs, with the rows.
fn smallest(case: &Case, engine: (&Engine, &Data), query: &RandomRequest, whole: String) -> String {
    let mut parts: Vec<&Quantity> = case.formulas.iter().flat_map(Quantity::parts).collect();
    parts.sort_by_key(|part| part.to_string().len());
    let differs = |part: &Quantity| {
        let alone = Case { formulas: vec![part.clone()], ..case.clone() };
        compared(&alone, engine, query).err()
    };
    let differs = parts.into_iter().find_map(differs).unwrap_or(whole);
    format!("{differs}\n{}", case.store)
}

#[test]
fn any_formula_has_the_value_that_the_model_counts() {
    explore("rows and model", &cases(3, 4, 2), 60, |case| {
        let (engine, data) = case.engine();
        let engine = (&engine, &data);
        let counts = case.requests.iter().map(|query| {
            compared(case, engine, query).map_err(|whole| smallest(case, engine, query, whole))
        });
        counts.sum()
    });
}
