//! A year of orders, as rows and as rollups, and the requests of a dashboard.

use jiff::civil::date;
use quotient::calendar::TimeUnit;
use quotient::data::{Data, Rates};
use quotient::rollup::{
    Dictionary, Granularity, RollupOptions, RollupReader, RollupSchema, Rollups,
};
use quotient::{Answers, Engine, Formula, Inputs, Request, file};

use crate::{Failure, all_sound};

const TEXT: &str = "
source orders event
    date placed_at datetime
    field total money
    field channel text
dimension channel
    orders channel
";
const FORMULAS: [&str; 3] =
    ["sum(orders.total)", "count(orders)", "sum(orders.total) / count(orders)"];

/// Returns the requests of a dashboard: the last thirty days, the year day by day, and ninety days by channel.
pub fn requests() -> [(&'static str, Request); 3] {
    let last = date(2025, 12, 31);
    let since = |first| Request { period: Some((first, last)), ..Request::default() };
    [
        ("30 days", since(date(2025, 12, 2))),
        ("365 days by day", Request { by: Some(TimeUnit::Day), ..since(date(2025, 1, 1)) }),
        (
            "90 days by channel",
            Request { group_by: vec!["channel".to_owned()], ..since(date(2025, 10, 3)) },
        ),
    ]
}

/// A year of orders, as rows and as rollups.
#[derive(Debug)]
pub struct Year {
    engine: Engine,
    formulas: Vec<Formula>,
    /// The rows of the orders.
    pub data: Data,
    definitions: RollupSchema,
    cells: Rollups,
}

impl Year {
    /// Creates a year of this many orders.
    pub fn open(orders: u32) -> Result<Self, Failure> {
        let loaded = file::load("year.metrics", &mut |_| Ok(TEXT.to_owned()));
        let (engine, findings) = Engine::from_loaded(&loaded);
        let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
        all_sound("year.metrics", &findings)?;
        let formulas = FORMULAS.iter().map(|text| engine.compile(text));
        let formulas =
            formulas.collect::<Result<Vec<_>, _>>().map_err(|found| format!("{found:?}"))?;
        let mut table = engine.table("orders", &["placed_at", "total", "channel"])?;
        for order in 0..orders {
            table.push(&row(order).each_ref().map(String::as_str))?;
        }
        let data = engine.data(vec![table.finish()], Rates::new())?;
        let all: Vec<&Formula> = formulas.iter().collect();
        let options = RollupOptions::new(Granularity::Day).by("channel");
        let definitions =
            engine.rollup_schema(&all, &options).map_err(|found| format!("{found:?}"))?;
        let mut dictionary = Dictionary::new();
        let cells = engine.fold_rollups(&definitions, &data, &mut dictionary);
        let cells = cells.map_err(|found| format!("{found:?}"))?;
        Ok(Self { engine, formulas, data, definitions, cells })
    }

    /// Returns a reader of the rollups.
    pub fn reading(&self) -> RollupReader<'_> {
        RollupReader::new(&self.definitions, &self.cells)
    }

    /// Returns the answers to a request.
    pub fn answers(&self, inputs: Inputs<'_>, request: &Request) -> Result<Answers, Failure> {
        let formulas: Vec<&Formula> = self.formulas.iter().collect();
        let answers = self.engine.evaluate(&formulas, inputs, request);
        answers.map_err(|found| format!("{found:?}").into())
    }

    /// Checks that rollups and rows give the same answers, to the last digit.
    pub fn check(&self, reading: &RollupReader<'_>, request: &Request) -> Result<(), Failure> {
        let by_rows = self.answers(Inputs::data(&self.data), request)?;
        let by_rollups = self.answers(Inputs::rollups(reading), request)?;
        for formula in 0..FORMULAS.len() {
            let values = |answers: &Answers| {
                answers.of(formula).iter().map(|answer| answer.value.clone()).collect::<Vec<_>>()
            };
            if values(&by_rows) != values(&by_rollups) || by_rows.groups != by_rollups.groups {
                return Err("rollups and rows give different answers".into());
            }
        }
        Ok(())
    }
}

/// Returns the row of an order by its number: spread over the year, over amounts and over channels.
fn row(order: u32) -> [String; 3] {
    let spread =
        |factor: u32, below: u32| order.wrapping_mul(factor).checked_rem(below).unwrap_or(0);
    let (day, minute, dollars) = (spread(31, 365), spread(7, 60), spread(7_919, 500));
    let placed = date(2025, 1, 1).saturating_add(jiff::Span::new().days(i64::from(day)));
    let channel = ["web", "app", "shop", "phone"].get(usize::try_from(spread(13, 4)).unwrap_or(0));
    [
        format!("{placed} 12:{minute:02}:00"),
        format!("{dollars}.{:02}", spread(37, 100)),
        (*channel.unwrap_or(&"web")).to_owned(),
    ]
}
