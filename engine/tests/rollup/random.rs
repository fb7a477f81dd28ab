//! Random rows for any schema.

use quotient::Engine;
use quotient::data::{Data, Rates};
use quotient::schema::{DataType, Field, FieldId, Source};

/// The rows of every source, as cells of text in the order of the source's fields.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(crate) by_source: Vec<Vec<Vec<String>>>,
}

/// Numbers that a seed decides.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.below(among.len())]
    }

    fn cell(&mut self, engine: &Engine, source: &Source, field: (FieldId, &Field)) -> String {
        let (id, field) = field;
        if self.below(10) == 0 {
            return String::new();
        }
        if let Some(link) = source.links.iter().find(|link| link.by == id) {
            // One key in eight is of no row.
            let target = &engine.schema().sources[link.target.0].name;
            return format!("{target}{}", self.below(ROWS + ROWS / 8));
        }
        if let Some(known) = &field.known_values {
            return known[self.below(known.len())].clone();
        }
        let is_code = source.fields.iter().any(
            |other| matches!(other.data_type, DataType::MoneyBy { currency, .. } if currency == id),
        );
        let day = ["2025-12", "2026-01", "2026-02", "2026-03"][self.below(4)];
        let day = format!("{day}-{:02}", 1 + self.below(28));
        match field.data_type {
            DataType::Text if is_code => self.pick(&["USD", "EUR", "GBP"]).to_owned(),
            DataType::Text => self.pick(&["DE", "FR", "spring", "DE", "AT"]).to_owned(),
            DataType::Bool => self.pick(&["true", "false"]).to_owned(),
            DataType::Date => day,
            DataType::DateTime => format!("{day}T{:02}:{:02}:00Z", self.below(24), self.below(60)),
            DataType::Count(_) => self.below(6).to_string(),
            DataType::Number | DataType::Ratio | DataType::Percent => {
                format!("1.{:03}", self.below(1_000))
            }
            DataType::Money(_) | DataType::MoneyBy { .. } | DataType::Duration => {
                format!("{}.{:02}", self.below(120), self.below(100))
            }
        }
    }

    /// A row of a source with its own key.
    pub(crate) fn row(&mut self, engine: &Engine, source: &Source, index: usize) -> Vec<String> {
        let fields = (0..).map(FieldId).zip(&source.fields);
        let cells = fields.map(|(id, field)| {
            if source.key == Some(id) {
                return format!("{}{index}", source.name);
            }
            self.cell(engine, source, (id, field))
        });
        cells.collect()
    }
}

/// How many rows a source has.
const ROWS: usize = 24;

impl Rows {
    pub(crate) fn new(engine: &Engine, rng: &mut Rng) -> Self {
        let sources = engine.schema().sources.iter();
        let by_source =
            sources.map(|source| (0..ROWS).map(|index| rng.row(engine, source, index)).collect());
        Self { by_source: by_source.collect() }
    }

    /// The rows as data, restricted to some of one source.
    pub(crate) fn data(
        &self,
        engine: &Engine,
        rates: &Rates,
        only: Option<(usize, &[usize])>,
    ) -> Data {
        let mut tables = Vec::new();
        for (index, source) in engine.schema().sources.iter().enumerate() {
            let header: Vec<&str> = source.fields.iter().map(|field| field.name.as_str()).collect();
            let mut table = engine.table(&source.name, &header).expect("a table");
            let narrowed = only.filter(|(own, _)| *own == index);
            for (number, row) in self.by_source[index].iter().enumerate() {
                if narrowed.is_none_or(|(_, meant)| meant.contains(&number)) {
                    let cells: Vec<&str> = row.iter().map(String::as_str).collect();
                    table.push(&cells).expect("a row");
                }
            }
            tables.push(table.finish());
        }
        engine.data(tables, rates.clone()).expect("rows that link")
    }
}
