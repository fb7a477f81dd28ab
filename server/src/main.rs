//! The command line: reads settings, starts logs, and runs the command.

use std::error::Error;
use std::io::Write;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;

use quotient_server::api_keys::{self, KeyKind};
use quotient_server::auth::Credentials;
use quotient_server::clock::Clock;
use quotient_server::config::{
    self, AdminCommand, AuditCommand, Command, CommandLine, DemoCommand, KeyType, KeysCommand,
    Settings,
};
use quotient_server::database::{self, Db};
use quotient_server::demo::{self, DemoOptions, Extent};
use quotient_server::first_start::{self, first_start};
use quotient_server::ids::ApiKeyId;
use quotient_server::state::{AppState, database_options};
use quotient_server::{audit_log, check, routes, start, telemetry, users};

/// Nearly a third of a question's time went into the system's allocator: a request is many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
            drop(writeln!(std::io::stderr(), "error: {}", explained(&*error)));
            ExitCode::FAILURE
        }
    }
}

/// Returns the text of an error with its causes, without those that it already contains.
fn explained(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let own = cause.to_string();
        if !text.contains(&own) {
            text = format!("{text}: {own}");
        }
        source = cause.source();
    }
    text
}

fn run(line: CommandLine) -> Result<(), Box<dyn Error>> {
    let CommandLine { command, settings } = line;
    match command.unwrap_or(Command::Serve) {
        Command::Serve => serve(settings),
        Command::Openapi => Ok(std::io::stdout().write_all(&routes::description()?)?),
        Command::Backup { to } => Ok(Db::copy(&options(&settings), &to)?),
        Command::Check => check(&settings),
        Command::Audit { command: AuditCommand::Verify } => verify(&settings),
        Command::Admin { command: AdminCommand::Create { email } } => {
            create_admin(&settings, &email)
        }
        Command::Keys { command } => runtime(&settings)?.block_on(change_keys(&settings, command)),
        Command::Demo { command: DemoCommand::Load { invoices } } => {
            runtime(&settings)?.block_on(load_demo(&settings, invoices))
        }
    }
}

fn serve(settings: Settings) -> Result<(), Box<dyn Error>> {
    let _logs = telemetry::start_logs(&settings.log)?;
    for name in config::unknown_variables() {
        tracing::warn!(name, "a variable of the environment is no setting");
    }
    runtime(&settings)?.block_on(async {
        let socket = start::bind(settings.http.listen)?;
        let (db, clock) = open(&settings)?;
        if let Some(summary) = first_start(&db, &settings).await? {
            writeln!(std::io::stdout(), "{summary}")?;
        }
        Ok(start::serve(socket, AppState::new(db, clock, settings)).await?)
    })
}

/// Creates an admin with the password of the settings, or of a line of standard input.
fn create_admin(settings: &Settings, email: &str) -> Result<(), Box<dyn Error>> {
    let password = if let Some(password) = &settings.first_admin.admin_password {
        password.clone()
    } else {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        line.trim_end_matches(['\r', '\n']).into()
    };
    let address = email.to_owned();
    let id = runtime(settings)?.block_on(async {
        let (db, _clock) = open(settings)?;
        Ok::<_, Box<dyn Error>>(
            db.write(move |tx| users::create_admin(tx, &address, password)).await?,
        )
    })?;
    Ok(writeln!(std::io::stdout(), "{email} is an admin: {id}")?)
}

/// Creates and prints a key, or revokes one.
async fn change_keys(settings: &Settings, command: KeysCommand) -> Result<(), Box<dyn Error>> {
    let (db, clock) = open(settings)?;
    match command {
        KeysCommand::Create { title, r#type } => {
            let kind = match r#type {
                KeyType::Publishable => KeyKind::Publishable,
                KeyType::Secret => KeyKind::Secret,
            };
            let key = db.write(move |tx| first_start::key(tx, &title, kind)).await?;
            Ok(writeln!(std::io::stdout(), "{} {}", key.id, key.token)?)
        }
        KeysCommand::Revoke { id } => {
            let id: ApiKeyId = id.parse()?;
            let credentials = Credentials::new(db, clock, &settings.auth);
            let key = credentials.change(move |tx| api_keys::revoke(tx, &id, "", tx.now())).await?;
            Ok(writeln!(std::io::stdout(), "{} {} is revoked", key.id, key.redacted)?)
        }
    }
}

/// Fills an empty database with the demo store, or a part of it, and prints a summary.
async fn load_demo(settings: &Settings, invoices: Option<u32>) -> Result<(), Box<dyn Error>> {
    let _logs = telemetry::start_logs(&settings.log)?;
    let (db, _clock) = open(settings)?;
    let (keep_dates, time_zone) = (settings.store.keep_dates, settings.store.timezone.clone());
    let extent = match invoices {
        Some(count) => Extent::Invoices(usize::try_from(count)?),
        None => Extent::Whole,
    };
    let options = DemoOptions { extent, keep_dates, time_zone };
    let summary = demo::load(&db, &options).await?;
    db.close().await;
    Ok(writeln!(std::io::stdout(), "{summary}")?)
}

/// Prints the findings of the audits; any finding is a failure.
fn check(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let findings = runtime(settings)?.block_on(async {
        let db = Db::open_existing(&options(settings))?;
        let findings = check::check(&db).await?;
        db.read(audit_log::verify).await?.map_err(Box::<dyn Error>::from)?;
        Ok::<_, Box<dyn Error>>(findings)
    })?;
    for finding in &findings {
        writeln!(std::io::stdout(), "{}: {}", finding.rule, finding.id)?;
    }
    if !findings.is_empty() {
        return Err("the database is inconsistent".into());
    }
    Ok(writeln!(std::io::stdout(), "the database is consistent")?)
}

/// Verifies the chain of the audit log; a break is a failure.
fn verify(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let verified = runtime(settings)?.block_on(async {
        let db = Db::open_existing(&options(settings))?;
        db.read(audit_log::verify).await
    })?;
    let audit_log::Head { seq, hash } = verified?;
    Ok(writeln!(std::io::stdout(), "the audit log is intact: {seq} entries, head {hash}")?)
}

fn open(settings: &Settings) -> Result<(Db, Clock), database::Error> {
    let options = options(settings);
    Ok((Db::open(&options)?, options.clock))
}

fn options(settings: &Settings) -> database::Options {
    let database = &settings.database;
    let mut options = database_options(&database.database, Clock::system());
    options.reader_count = thread_count(settings);
    options.queue_len = usize::try_from(database.waiting_writes).unwrap_or(options.queue_len);
    options.busy_timeout_ms = database.busy_timeout_ms.into();
    options.subscriptions = Arc::new(settings.subscriptions.clone());
    options
}

fn runtime(settings: &Settings) -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(thread_count(settings))
        .enable_all()
        .build()
}

/// Returns the number of threads, each with a read connection for the requests that it runs: one per processor, in
/// addition to those that long reads may occupy.
fn thread_count(settings: &Settings) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let readers = usize::try_from(settings.database.readers).unwrap_or_default();
    processors.saturating_add(readers)
}
