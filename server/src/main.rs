//! The command line: reads settings, starts logs, and does what it is told.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use quotient_server::clock::Clock;
use quotient_server::config::{Command, CommandLine, Settings};
use quotient_server::database::{Db, Options};
use quotient_server::state::AppState;
use quotient_server::{routes, start, telemetry};

fn main() -> ExitCode {
    let line = match CommandLine::read(std::env::args_os()) {
        Ok(line) => line,
        Err(error) => {
            let is_refusal = error.use_stderr();
            drop(error.print());
            return if is_refusal { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match run(line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = error.to_string();
            let mut source = error.source();
            while let Some(cause) = source {
                text = format!("{text}: {cause}");
                source = cause.source();
            }
            drop(writeln!(std::io::stderr(), "error: {text}"));
            ExitCode::FAILURE
        }
    }
}

fn run(line: CommandLine) -> Result<(), Box<dyn Error>> {
    let CommandLine { command, settings } = line;
    match command.unwrap_or(Command::Serve) {
        Command::Serve => serve(settings),
        Command::Openapi => {
            let text = serde_json::to_string_pretty(&routes::description()?)?;
            Ok(writeln!(std::io::stdout(), "{text}")?)
        }
        Command::Backup { to } => runtime()?.block_on(async {
            let (db, _clock) = open(&settings)?;
            Ok(db.backup(to).await?)
        }),
        Command::Check => check(&settings),
        Command::Admin { .. } | Command::Keys { .. } | Command::Demo { .. } => {
            Err("this command is not part of this build".into())
        }
    }
}

fn serve(settings: Settings) -> Result<(), Box<dyn Error>> {
    telemetry::start_logs(&settings.log)?;
    runtime()?.block_on(async {
        let (db, clock) = open(&settings)?;
        tracing::info!(address = %settings.http.listen, "listening");
        Ok(start::serve(AppState::new(db, clock, settings)).await?)
    })
}

/// Prints what the audits find; that is a failure.
fn check(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let findings = runtime()?.block_on(async {
        let (db, _clock) = open(settings)?;
        db.read(quotient_server::database::audit).await
    })?;
    for finding in &findings {
        writeln!(std::io::stdout(), "{finding:?}")?;
    }
    if findings.is_empty() { Ok(()) } else { Err("the database is not in order".into()) }
}

fn open(settings: &Settings) -> Result<(Db, Clock), quotient_server::database::Error> {
    let clock = Clock::system();
    let database = &settings.database;
    let mut options = Options::new(&database.database, clock.clone());
    options.reader_count = usize::try_from(database.readers).unwrap_or(options.reader_count);
    options.queue_len = usize::try_from(database.waiting_writes).unwrap_or(options.queue_len);
    options.busy_timeout_ms = database.busy_timeout_ms.into();
    Ok((Db::open(&options)?, clock))
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}
