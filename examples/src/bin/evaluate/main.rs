//! Computes the metrics of a formula file over CSV files or a JSON record.
//!
//! `arguments` and `groups` read the command line, `files` the formula file, `rows` and `sources` the data;
//! `session` is the only module that computes, and turns answers into a `report`, which `table`,
//! `json` and `csv_output` write. `evaluate --help` has examples and the exit codes.

mod arguments;
mod baseline;
mod breakdown;
mod checking;
mod columns;
mod console;
mod csv_output;
mod decompose;
mod differing;
mod explain;
mod failure;
mod files;
mod groups;
mod json;
mod labels;
mod listing;
mod pivot;
mod progress;
mod report;
mod rows;
mod session;
mod sources;
mod sparkline;
mod table;
mod writing;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Format};
use failure::Failure;
use session::Session;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(text) => {
            console::print(&text);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            if let Failure::Incomplete(answers) = &failure {
                console::print(answers);
            } else {
                console::print_error(failure.text());
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// What to print, or why there is nothing to print.
fn run(arguments: &Arguments) -> Result<String, Failure> {
    let loaded = files::load(&arguments.file)?;
    if arguments.upkeep.fmt {
        let text = loaded.files.first().map(|file| file.text.as_str()).unwrap_or_default();
        return if arguments.upkeep.write {
            files::rewrite(&arguments.file, text).map(|_changed| String::new())
        } else {
            Ok(files::formatted(text))
        };
    }
    let session = Session::open(loaded);
    if arguments.upkeep.check {
        return checking::check(&session);
    }
    if let Some(text) = &arguments.complete {
        return Ok(writing::complete(&session, arguments, text));
    }
    session.demand_sound()?;
    if arguments.list {
        return listing::list(&session, arguments);
    }
    if let Some(text) = &arguments.fits {
        return writing::fits(&session, arguments, text);
    }
    if let Some((from, to)) = &arguments.rename {
        return writing::renamed(&session, arguments, (from, to));
    }
    // Names are looked up before files are read.
    let opened = [&arguments.explain, &arguments.decompose, &arguments.diff];
    for name in opened.into_iter().flatten() {
        session.metric(name)?;
    }
    let question = session.question(arguments)?;
    let is_opened = opened.into_iter().any(Option::is_some);
    if is_opened && arguments.format == Format::Csv {
        let hint = Some("--format json has the same for programs");
        return Err(Failure::usage("--format csv is for answers in rows", hint));
    }
    let data = if is_opened || question.reads_rows() {
        sources::read(&session, arguments)?
    } else {
        sources::read_record(arguments)?
    };
    if let Some(key) = &arguments.explain {
        return explain::explain(&session, &data, arguments, key);
    }
    if let Some(key) = &arguments.decompose {
        return decompose::decompose(&session, &data, arguments, key);
    }
    if let Some(key) = &arguments.diff {
        return differing::differing(&session, &data, arguments, key);
    }
    let report = session.evaluate(&data, question)?;
    let report = match arguments.format {
        Format::Table | Format::Csv if arguments.groups.pivot => pivot::pivoted(report),
        Format::Table | Format::Csv | Format::Json => report,
    };
    let text = match arguments.format {
        Format::Table => table::table(&report, console::answers_in_colour()),
        Format::Json => json::json(&report),
        Format::Csv => csv_output::csv(&report)
            .map_err(|error| Failure::data(&format!("cannot write the answers: {error}")))?,
    };
    if report.is_incomplete { Err(Failure::Incomplete(text)) } else { Ok(text) }
}
