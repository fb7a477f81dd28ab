//! The data of a run: a record, or the rows of every source that has a file, and exchange rates.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quotient::data::{Data, DataError, Rates, Record, RowError, Table, TableBuilder};
use quotient::diagnostics::nearest;
use quotient::schema::{CsvForm, same_name};
use quotient::types::Currency;

use crate::arguments::Arguments;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::findings::Findings;
use crate::input;
use crate::rows::{self, Lines, Sink};
use crate::session::Session;

/// The input of formulas.
#[derive(Debug, Default)]
pub(crate) struct InputData {
    pub(crate) data: Option<Data>,
    pub(crate) record: Option<Record>,
    /// The rates for the amounts of a record.
    rates: Rates,
    /// The warnings of the record, for programs.
    pub(crate) found: Findings,
}

impl InputData {
    /// What formulas are computed over.
    pub(crate) fn inputs(&self) -> quotient::Inputs<'_> {
        quotient::Inputs::new(self.data.as_ref(), self.record.as_ref()).with_rates(&self.rates)
    }

    /// The warnings of a formula, then those of the record.
    pub(crate) fn found_with(&self, formula: Findings) -> Findings {
        let mut found = formula;
        found.add(self.found.clone());
        found
    }
}

impl Sink for TableBuilder {
    fn push(&mut self, cells: &[&str]) -> Result<(), String> {
        TableBuilder::push(self, cells).map_err(|error: RowError| error.to_string())
    }
}

/// Reads the files that the arguments and the formula file name.
///
/// With a record, files with rows are read only if the arguments name some.
pub(crate) fn read(session: &Session, arguments: &Arguments) -> Result<InputData, Failure> {
    let input = read_record(session, arguments)?;
    if input.record.is_some() && arguments.data.is_empty() {
        return Ok(InputData { rates: declared_rates(session)?, ..input });
    }
    Ok(InputData { data: Some(linked(session, arguments)?), ..input })
}

/// Reads the record and the exchange rates, for formulas that read no rows.
pub(crate) fn read_without_rows(
    session: &Session,
    arguments: &Arguments,
) -> Result<InputData, Failure> {
    let input = read_record(session, arguments)?;
    let rates = declared_rates(session)?;
    if input.record.is_some() {
        return Ok(InputData { rates, ..input });
    }
    let data = session.engine.data(Vec::new(), rates);
    let data = data.map_err(|error| Failure::data(&error.to_string()))?;
    Ok(InputData { data: Some(data), ..input })
}

fn read_record(session: &Session, arguments: &Arguments) -> Result<InputData, Failure> {
    input::demand_one_reader(&arguments.files().collect::<Vec<_>>())?;
    let Some(path) = arguments.context.as_deref() else { return Ok(InputData::default()) };
    let (record, found) = record(session, path)?;
    let found = found.beside(arguments.output.format);
    Ok(InputData { record: Some(record), found, ..InputData::default() })
}

fn record(session: &Session, path: &Path) -> Result<(Record, Findings), Failure> {
    let name = path.display().to_string();
    let failure = |reason: String| Failure::data(&format!("`{name}`: {reason}"));
    let text = if input::is_standard(path) {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|error| failure(files::reason(&error)))?;
    let record = Record::from_json(&text).map_err(|error| failure(error.to_string()))?;
    let warnings = session.engine.check_record(&text);
    Ok((record, Findings::of_text(&name, &text, &warnings)))
}

fn linked(session: &Session, arguments: &Arguments) -> Result<Data, Failure> {
    let mut tables = Vec::new();
    let mut read = Vec::new();
    let files = files(session, &arguments.data)?;
    let times = arguments.times_read();
    let rows = files.iter().flat_map(|(_, path)| std::iter::repeat_n(path.as_path(), times));
    input::demand_one_reader(&arguments.files().chain(rows).collect::<Vec<_>>())?;
    for (source, path) in files {
        let (table, lines) = table(session, &source, &path)?;
        tables.push(table);
        read.push((source, path, lines));
    }
    let data = session.engine.data(tables, declared_rates(session)?);
    let data = data.map_err(|error| Failure::data(&placed(&error, &read)))?;
    for (source, count) in data.undated(session.engine.schema()) {
        let note = if count == 1 {
            format!("note: 1 row of {source} has no date and belongs to no period\n")
        } else {
            format!("note: {count} rows of {source} have no date and belong to no period\n")
        };
        console::print_error(&note);
    }
    for (link, count) in data.unlinked() {
        console::print_error(&format!("note: {count} rows lead nowhere along {link}\n"));
    }
    Ok(data)
}

/// The file of each source that has one; those of the arguments take precedence.
fn files(
    session: &Session,
    given: &[(String, PathBuf)],
) -> Result<Vec<(String, PathBuf)>, Failure> {
    let sources = &session.engine.schema().sources;
    for (name, _) in given {
        if !sources.iter().any(|source| same_name(&source.name, name)) {
            let names = sources.iter().map(|source| source.name.as_str());
            let hint = nearest(name, names).map(|near| format!("did you mean `{near}`?"));
            let sentence = format!("there is no source `{name}`");
            return Err(Failure::usage(&sentence, hint.as_deref()));
        }
    }
    let file = |name: &str, declared: Option<&String>| {
        let argument =
            given.iter().rfind(|(of, _)| same_name(of, name)).map(|(_, path)| path.clone());
        argument.or_else(|| declared.map(PathBuf::from))
    };
    let named = sources.iter().filter_map(|source| {
        file(&source.name, source.data.as_ref()).map(|path| (source.name.clone(), path))
    });
    Ok(named.collect())
}

fn table(session: &Session, source: &str, path: &Path) -> Result<(Table, Lines), Failure> {
    let schema = session.engine.schema();
    let declared = schema.source(source).and_then(|source| schema.source_at(source));
    let form = declared.map(|source| source.form.clone()).unwrap_or_default();
    let (builder, lines) = rows::read(path, &form, |header| {
        session.engine.table(source, header).map_err(|error| error.to_string())
    })?;
    Ok((builder.finish(), lines))
}

/// An error of data, with the lines of the rows that it is about.
fn placed(error: &DataError, read: &[(String, PathBuf, Lines)]) -> String {
    let DataError::DuplicateKey { source_name, key, rows: (first, second) } = error else {
        return error.to_string();
    };
    let file = read.iter().find(|(source, ..)| source == source_name);
    let place = file
        .and_then(|(_, path, lines)| Some((path.display(), lines.of(*first)?, lines.of(*second)?)));
    match place {
        Some((path, first, second)) => {
            format!("{path}:{second}: the key `{key}` is already used in line {first}")
        }
        None => error.to_string(),
    }
}

/// Lines of day, currency and rate.
#[derive(Debug, Default)]
struct RateRows {
    rates: Rates,
    /// Where the header has day, currency and rate.
    columns: [usize; 3],
}

/// The exchange rates in the file that the formula file names.
fn declared_rates(session: &Session) -> Result<Rates, Failure> {
    let Some(path) = &session.loaded.rates else { return Ok(Rates::new()) };
    rows::read(Path::new(path), &CsvForm::default(), RateRows::new).map(|(rows, _)| rows.rates)
}

impl RateRows {
    fn new(header: &[&str]) -> Result<Self, String> {
        let column = |name: &str| {
            let at = header.iter().position(|cell| same_name(cell.trim(), name));
            at.ok_or_else(|| {
                format!(
                    "rates need columns day, currency and rate; there are: {}",
                    header.join(", ")
                )
            })
        };
        let columns = [column("day")?, column("currency")?, column("rate")?];
        Ok(Self { rates: Rates::new(), columns })
    }
}

impl Sink for RateRows {
    fn push(&mut self, cells: &[&str]) -> Result<(), String> {
        let [day, currency, rate] =
            self.columns.map(|column| cells.get(column).copied().unwrap_or_default().trim());
        let not = |column: &str, value: &str, what: &str| {
            Err(format!("column `{column}`: `{value}` is not {what}"))
        };
        let Ok(day) = day.parse() else { return not("day", day, "a day such as 2026-01-31") };
        let Some(code) = Currency::from_code(currency) else {
            return not("currency", currency, "a currency of ISO 4217");
        };
        let Some(number) = quotient::number::parse(rate) else {
            return not("rate", rate, "a number");
        };
        self.rates.set(day, code, number).or_else(|_| not("rate", rate, "above zero"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_whatever_the_order_of_their_columns() {
        let mut rows = RateRows::new(&["rate", "Day", "currency", "source"]).unwrap();

        assert_eq!(Sink::push(&mut rows, &["1.25", "2026-01-31", "GBP", "x"]), Ok(()));
        let store = Currency::USD;
        let day = "2026-02-01".parse().unwrap();
        let rate = rows.rates.rate(day, Currency::from_code("GBP").unwrap(), store);
        assert_eq!(rate.map(|rate| rate.to_string()), Ok("1.25".to_owned()));
    }

    #[test]
    fn an_invalid_rate_is_refused_with_the_expected_form() {
        let mut rows = RateRows::new(&["day", "currency", "rate"]).unwrap();
        for (cells, message) in [
            (
                ["2026-02-30", "GBP", "1"],
                "column `day`: `2026-02-30` is not a day such as 2026-01-31",
            ),
            (["2026-02-01", "gbp", "1"], "column `currency`: `gbp` is not a currency of ISO 4217"),
            (["2026-02-01", "GBP", "1,2"], "column `rate`: `1,2` is not a number"),
            (["2026-02-01", "GBP", "0"], "column `rate`: `0` is not above zero"),
        ] {
            assert_eq!(Sink::push(&mut rows, &cells), Err(message.to_owned()));
        }
        assert!(RateRows::new(&["day", "rate"]).is_err());
    }
}
