//! Random stores: any schema, few rows, with empty cells, missing keys, days without rows, and
//! times around clock changes.

use quotient::schema::{DataType, Field, Schema, Source};

use crate::sql::tables::{Rows, Tables};

/// The same numbers for the same seed.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides.max(1)
    }

    fn once_in(&mut self, sides: u64) -> bool {
        self.roll(sides) == 0
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        let sides = u64::try_from(of.len()).expect("few");
        let index = usize::try_from(self.roll(sides)).expect("few");
        of.get(index).copied().unwrap_or_default()
    }
}

/// Instants that edges of days, months and clock changes fall on, and some between.
const TIMES: [&str; 14] = [
    "2025-12-31T23:59:59Z",
    "2026-01-01T00:00:00Z",
    "2026-01-15T12:00:00.5Z",
    "2026-02-28T23:00:00Z",
    "2026-03-01T05:00:00Z",
    "2026-03-08T06:59:59Z",
    "2026-03-08T07:30:00Z",
    "2026-03-28T23:00:00Z",
    "2026-03-29T00:59:59.999999Z",
    "2026-03-29T01:00:00Z",
    "2026-03-29T22:00:00Z",
    "2026-03-31T21:59:59Z",
    "2026-03-31T23:59:59Z",
    "2026-04-01T00:00:00Z",
];

/// Rows for every source of a schema.
pub(crate) fn store(schema: &Schema, seed: u64) -> Tables {
    let mut rng = Rng::new(seed);
    let sizes: Vec<u64> = schema.sources.iter().map(|_| rng.roll(40)).collect();
    let table = |source: &Source, size: u64| {
        let rows = (0..size)
            .map(|row| {
                let cell = |field: &Field| cell(&mut rng, (schema, source, field), row, &sizes);
                source.fields.iter().map(cell).collect()
            })
            .collect();
        let header = source.fields.iter().map(|field| field.name.clone()).collect();
        Rows { source: source.name.clone(), header, cells: rows }
    };
    let mut table = table;
    Tables { tables: schema.sources.iter().zip(&sizes).map(|(s, n)| table(s, *n)).collect() }
}

fn cell(
    rng: &mut Rng,
    (schema, source, field): (&Schema, &Source, &Field),
    row: u64,
    sizes: &[u64],
) -> String {
    let is_key = source
        .key
        .and_then(|key| source.fields.get(key.0))
        .is_some_and(|key| key.name == field.name);
    if is_key {
        // Keys are not in the order of their rows.
        return format!("{}{:03}", source.name.chars().next().unwrap_or('k'), (row * 7) % 101);
    }
    let link = source
        .links
        .iter()
        .find(|link| source.fields.get(link.by.0).is_some_and(|by| by.name == field.name));
    if let Some(link) = link {
        let target = schema.source_at(link.target).expect("a target");
        let size = sizes.get(link.target.0).copied().unwrap_or(0);
        return match rng.roll(12) {
            0 => String::new(),
            1 => "lost".to_owned(),
            _ => {
                let row = rng.roll(size.max(1));
                format!("{}{:03}", target.name.chars().next().unwrap_or('k'), (row * 7) % 101)
            }
        };
    }
    if rng.once_in(9) {
        return String::new();
    }
    if let Some(values) = &field.known_values {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        return rng.pick(&values).to_owned();
    }
    of_type(rng, &field.data_type, &field.name)
}

fn of_type(rng: &mut Rng, data_type: &DataType, name: &str) -> String {
    match data_type {
        DataType::Text if name.contains("currency") => {
            rng.pick(&["EUR", "USD", "GBP", "eur", "XXX"]).to_owned()
        }
        DataType::Text => {
            rng.pick(&["DE", "FR", "de", "Ä", "search", "expansion", "CREDIT", "DEBIT"]).to_owned()
        }
        DataType::Bool => rng.pick(&["true", "false"]).to_owned(),
        DataType::Money(_) | DataType::MoneyBy { .. } => {
            let sign = if rng.once_in(15) { "-" } else { "" };
            format!("{sign}{}.{:02}", rng.roll(400), rng.roll(100))
        }
        DataType::Count(_) => rng.roll(30).to_string(),
        DataType::Number | DataType::Ratio | DataType::Percent => {
            format!("1.{:04}", rng.roll(10_000))
        }
        DataType::Duration => rng.roll(100_000).to_string(),
        DataType::Date => format!("2026-{:02}-{:02}", 1 + rng.roll(3), 1 + rng.roll(28)),
        DataType::DateTime => {
            if rng.once_in(3) {
                return rng.pick(&TIMES).to_owned();
            }
            let (month, day) = (1 + rng.roll(3), 1 + rng.roll(28));
            let (hour, minute, second) = (rng.roll(24), rng.roll(60), rng.roll(60));
            format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
        }
    }
}
