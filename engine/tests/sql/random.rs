//! Random stores: any schema, few rows, with empty cells, missing keys, days without rows, and
//! times around clock changes.

use quotient::schema::{DataType, Field, Schema, Source};

use crate::sql::tables::{Rows, Tables};

/// The same numbers for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
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
    let mut dice = Dice::new(seed);
    let sizes: Vec<u64> = schema.sources.iter().map(|_| dice.roll(40)).collect();
    let table = |source: &Source, size: u64| {
        let rows = (0..size)
            .map(|row| {
                let cell = |field: &Field| cell(&mut dice, (schema, source, field), row, &sizes);
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
    dice: &mut Dice,
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
        return match dice.roll(12) {
            0 => String::new(),
            1 => "lost".to_owned(),
            _ => {
                let row = dice.roll(size.max(1));
                format!("{}{:03}", target.name.chars().next().unwrap_or('k'), (row * 7) % 101)
            }
        };
    }
    if dice.once_in(9) {
        return String::new();
    }
    if let Some(values) = &field.known_values {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        return dice.pick(&values).to_owned();
    }
    of_type(dice, &field.data_type, &field.name)
}

fn of_type(dice: &mut Dice, data_type: &DataType, name: &str) -> String {
    match data_type {
        DataType::Text if name.contains("currency") => {
            dice.pick(&["EUR", "USD", "GBP", "eur", "XXX"]).to_owned()
        }
        DataType::Text => {
            dice.pick(&["DE", "FR", "de", "Ä", "search", "expansion", "CREDIT", "DEBIT"]).to_owned()
        }
        DataType::Bool => dice.pick(&["true", "false"]).to_owned(),
        DataType::Money(_) | DataType::MoneyBy { .. } => {
            let sign = if dice.once_in(15) { "-" } else { "" };
            format!("{sign}{}.{:02}", dice.roll(400), dice.roll(100))
        }
        DataType::Count(_) => dice.roll(30).to_string(),
        DataType::Number | DataType::Ratio | DataType::Percent => {
            format!("1.{:04}", dice.roll(10_000))
        }
        DataType::Duration => dice.roll(100_000).to_string(),
        DataType::Date => format!("2026-{:02}-{:02}", 1 + dice.roll(3), 1 + dice.roll(28)),
        DataType::DateTime => {
            if dice.once_in(3) {
                return dice.pick(&TIMES).to_owned();
            }
            let (month, day) = (1 + dice.roll(3), 1 + dice.roll(28));
            let (hour, minute, second) = (dice.roll(24), dice.roll(60), dice.roll(60));
            format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
        }
    }
}
