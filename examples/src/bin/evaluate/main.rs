//! Computes the metrics of a formula file over CSV files or a JSON record.
//!
//! `arguments`, `groups` and `output` read the command line, `files` the formula file, `input`, `rows` and
//! `sources` the data; `session` computes the answers. `answering` turns them into a `report`, which
//! `table`, `json`, `csv_output` and `markdown` write. `evaluate --help` has examples and the exit codes.

mod answering;
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
mod findings;
mod fixing;
mod groups;
mod input;
mod json;
mod labels;
mod layout;
mod listing;
mod markdown;
mod output;
mod pivot;
mod report;
mod rows;
mod session;
mod sources;
mod sparkline;
mod table;
mod writing;

use std::process::ExitCode;

use clap::Parser;
use serde_json::Value;

use arguments::Arguments;
use csv_output::CsvOptions;
use failure::Failure;
use output::Format;
use report::Report;
use session::Session;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(text) => {
            console::print(&text);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            report_failure(&failure, arguments.output.format);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Prints why there is no answer: diagnostics to programs with their answers, everything else to
/// people.
fn report_failure(failure: &Failure, format: Format) {
    match failure {
        Failure::Incomplete(answers) => console::print(answers),
        Failure::Findings(findings) if format == Format::Json => {
            console::print(&json::pretty(&Value::Object(findings.json())));
        }
        Failure::Findings(findings) if format == Format::Ndjson => {
            console::print(&json::lines(&findings.diagnostics()));
        }
        Failure::Findings(_) | Failure::Usage(_) | Failure::Data(_) => {
            console::print_error(&failure.text(console::findings_style()));
        }
    }
}

/// The output, or why there is none.
fn run(arguments: &Arguments) -> Result<String, Failure> {
    arguments.output.demand_fit(arguments.kind())?;
    if arguments.upkeep.fix {
        return fixing::fix(arguments);
    }
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
        return checking::check(&session, arguments);
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
    let data = if is_opened || question.reads_rows() {
        sources::read(&session, arguments)?
    } else {
        sources::read_without_rows(&session, arguments)?
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
    let report = session.evaluate(&data, question, arguments.output.format)?;
    let text = written(&report, arguments)?;
    if report.is_incomplete { Err(Failure::Incomplete(text)) } else { Ok(text) }
}

/// The report in the requested format.
fn written(report: &Report, arguments: &Arguments) -> Result<String, Failure> {
    let output = &arguments.output;
    let pivoted = arguments.groups.pivot.then(|| pivot::pivoted(report.clone()));
    let shown = pivoted.as_ref().unwrap_or(report);
    Ok(match output.format {
        Format::Table => table::table(shown, console::answers_in_colour()),
        Format::Markdown => markdown::markdown(shown),
        Format::Json => json::json(report),
        Format::Ndjson => json::ndjson(report),
        Format::Csv => {
            let options = CsvOptions {
                has_null_reasons: output.null_reasons,
                is_unguarded: output.unguarded,
            };
            csv_output::csv(shown, options)
                .map_err(|error| Failure::data(&format!("cannot write the answers: {error}")))?
        }
    })
}
