//! A dashboard from states beside the same from rows, for a year of few orders and of ten times as
//! many.

use jiff::civil::date;
use quotient::calendar::TimeUnit;
use quotient::data::{Data, Rates};
use quotient::states::{Cells, Definitions, Dictionary, Granularity, Reading, StateOptions};
use quotient::{Answers, Engine, Formula, Inputs, Request, file};

use super::line::beside;
use super::{Goal, Line, Session};
use crate::measure::{Contestant, measure};
use crate::{Failure, all_sound};

/// What is read is the cells of the days asked for, however many orders they stand for.
const GROWTH: Goal = Goal::Within(1.2);

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

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let orders = if session.testing { 1_000 } else { 100_000 };
    let (small, large) = (Store::open(orders)?, Store::open(orders.saturating_mul(10))?);
    let (few, many) = (small.reading(), large.reading());
    let mut lines = Vec::new();
    for (what, request) in requests() {
        large.check(&many, &request)?;
        small.check(&few, &request)?;
        let mut contestants = [
            Contestant::new("states of 10×", || {
                large.answers(Inputs::states(&many), &request).is_ok()
            }),
            Contestant::new("states of 1×", || {
                small.answers(Inputs::states(&few), &request).is_ok()
            }),
            Contestant::new("rows of 10×", || {
                large.answers(Inputs::data(&large.data), &request).is_ok()
            }),
            Contestant::new("rows of 1×", || {
                small.answers(Inputs::data(&small.data), &request).is_ok()
            }),
        ];
        let times = measure(&mut contestants, session.effort);
        lines.extend(beside(what, &times, &[("states of 1×", GROWTH)]));
    }
    Ok(lines)
}

/// What a dashboard asks: the last thirty days, the year day by day, and ninety days by channel.
fn requests() -> [(&'static str, Request); 3] {
    let last = date(2025, 12, 31);
    let since = |first| Request { period: Some((first, last)), ..Request::default() };
    [
        ("dashboard, 30 days", since(date(2025, 12, 2))),
        (
            "dashboard, 365 days by day",
            Request { by: Some(TimeUnit::Day), ..since(date(2025, 1, 1)) },
        ),
        (
            "dashboard, 90 days by channel",
            Request { group_by: vec!["channel".to_owned()], ..since(date(2025, 10, 3)) },
        ),
    ]
}

/// A year of orders, as rows and as states.
#[derive(Debug)]
struct Store {
    engine: Engine,
    formulas: Vec<Formula>,
    data: Data,
    definitions: Definitions,
    cells: Cells,
}

impl Store {
    fn open(orders: u32) -> Result<Self, Failure> {
        let loaded = file::load("states.metrics", &mut |_| Ok(TEXT.to_owned()));
        let (engine, findings) = Engine::from_loaded(&loaded);
        let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
        all_sound("states.metrics", &findings)?;
        let formulas = FORMULAS.iter().map(|text| engine.compile(text));
        let formulas =
            formulas.collect::<Result<Vec<_>, _>>().map_err(|found| format!("{found:?}"))?;
        let mut table = engine.table("orders", &["placed_at", "total", "channel"])?;
        for order in 0..orders {
            table.push(&row(order).each_ref().map(String::as_str))?;
        }
        let data = engine.data(vec![table.finish()], Rates::new())?;
        let asked: Vec<&Formula> = formulas.iter().collect();
        let options = StateOptions::new(Granularity::Day).by("channel");
        let definitions = engine.states(&asked, &options).map_err(|found| format!("{found:?}"))?;
        let mut dictionary = Dictionary::new();
        let cells = engine.fold_states(&definitions, &data, &mut dictionary);
        let cells = cells.map_err(|found| format!("{found:?}"))?;
        Ok(Self { engine, formulas, data, definitions, cells })
    }

    fn reading(&self) -> Reading<'_> {
        Reading::new(&self.definitions, &self.cells)
    }

    fn answers(&self, inputs: Inputs<'_>, request: &Request) -> Result<Answers, Failure> {
        let formulas: Vec<&Formula> = self.formulas.iter().collect();
        let answers = self.engine.evaluate(&formulas, inputs, request);
        answers.map_err(|found| format!("{found:?}").into())
    }

    /// States answer what rows answer, to the last digit.
    fn check(&self, reading: &Reading<'_>, request: &Request) -> Result<(), Failure> {
        let by_rows = self.answers(Inputs::data(&self.data), request)?;
        let by_states = self.answers(Inputs::states(reading), request)?;
        for formula in 0..FORMULAS.len() {
            let values = |answers: &Answers| {
                answers.of(formula).iter().map(|answer| answer.value.clone()).collect::<Vec<_>>()
            };
            if values(&by_rows) != values(&by_states) || by_rows.groups != by_states.groups {
                return Err("states do not answer what rows answer".into());
            }
        }
        Ok(())
    }
}

/// An order by its number: spread over the year, over amounts and over channels.
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
