//! Numbers at the edge of 64 bits: sums that a database cannot hold, products that it would round.

use quotient::file::load;
use quotient::sql::{Binding, Database, Dialect, Execution, InstantUnit};
use quotient::{Engine, Inputs, Request};

use crate::sql::sqlite::{self, Sqlite};
use crate::sql::tables::{Rows, Tables};

const FILE: &str = "
source lines entity
    key id text
    field shop text
    field amount money
    field weight number
";

fn shop() -> (Engine, Tables) {
    let loaded = load("shop", &mut |_| Ok(FILE.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:?}");
    let large = "92233720368547758.07";
    let cells = [
        ["a", "x", large, "3037000500"],
        ["b", "x", large, "-3037000500"],
        ["c", "x", "-1.00", "7"],
        ["d", "y", "-92233720368547758.07", "9007199254740993"],
        ["e", "y", "-92233720368547758.07", "9007199254740993"],
        ["f", "", "", ""],
    ];
    let rows = Rows {
        source: "lines".to_owned(),
        header: ["id", "shop", "amount", "weight"].map(str::to_owned).to_vec(),
        cells: cells.iter().map(|row| row.map(str::to_owned).to_vec()).collect(),
    };
    (engine, Tables { tables: vec![rows] })
}

/// The answers over rows and over SQLite, and the statements of SQLite.
fn both(formula: &str, group_by: &[&str]) -> (Vec<String>, Vec<String>, Vec<Execution>) {
    let (engine, tables) = shop();
    let binding: Binding = tables.binding(engine.schema(), InstantUnit::Microsecond);
    let store = Sqlite::new(&tables.script(engine.schema(), &binding, sqlite::DDL));
    let database = Database::new(&store, Dialect::Sqlite, engine.schema()).with_binding(binding);
    let data = tables.data(&engine, quotient::data::Rates::new());
    let formula = engine.compile(formula).expect(formula);
    let group_by = group_by.iter().map(|key| (*key).to_owned()).collect();
    let request = Request { group_by, ..Request::default() };
    let formatted = |inputs: Inputs<'_>| {
        let answers = engine.evaluate(&[&formula], inputs, &request).expect("answers");
        answers.of(0).iter().map(|answer| quotient::format::exact(&answer.value)).collect()
    };
    (formatted(Inputs::data(&data)), formatted(Inputs::store(&database)), database.take_ran())
}

#[test]
fn sums_of_more_than_64_bits_are_taken_in_halves() {
    for group_by in [&[][..], &["lines.shop"]] {
        for formula in ["sum(lines.amount)", "avg(lines.amount)"] {
            let (rows, database, ran) = both(formula, group_by);
            assert_eq!(rows, database, "{formula}");
            assert!(ran.iter().all(|ran| matches!(ran, Execution::Query(..))), "{ran:?}");
        }
    }
    assert_eq!(
        both("sum(lines.amount)", &["lines.shop"]).1,
        ["0", "184467440737095515.14", "-184467440737095516.14"]
    );
}

#[test]
fn products_of_more_than_64_bits_are_computed_here() {
    for formula in [
        "sum(lines.weight * lines.weight)",
        "max(lines.weight * lines.weight)",
        "stddev(lines.weight)",
        "sum(lines.amount * lines.weight)",
    ] {
        let (rows, database, ran) = both(formula, &[]);
        assert_eq!(rows, database, "{formula}");
        assert!(
            ran.iter().any(|ran| matches!(ran, Execution::Streamed { .. })),
            "{formula}: {ran:?}"
        );
    }
}
