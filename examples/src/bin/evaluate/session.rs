//! Formulas and their answers, as the arguments ask for them.

use jiff::Timestamp;
use jiff::civil::Date;
use quotient::calendar::{Calendar, TimeUnit};
use quotient::diagnostics::{Code, Diagnostic, nearest};
use quotient::engine::BreakdownRequest;
use quotient::file::Loaded;
use quotient::schema::{Source, same_name};
use quotient::source::Span;
use quotient::types::Currency;
use quotient::{Comparison, Engine, Formula, Metric, Request};

use crate::arguments::{Arguments, Compare, Unit};
use crate::breakdown::{demand_parameters, filter};
use crate::console;
use crate::failure::Failure;
use crate::findings::Findings;
use crate::output::Format;
use crate::report::{Heading, Report};
use crate::sources::InputData;

/// A formula file that was read.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) engine: Engine,
    pub(crate) loaded: Loaded,
    /// The diagnostics, each with the index of its file.
    pub(crate) findings: Vec<(usize, Diagnostic)>,
}

/// A column of the report: a formula with its title.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) heading: Heading,
    pub(crate) formula: Formula,
}

/// What a run computes.
#[derive(Debug)]
pub(crate) struct Question {
    columns: Vec<Column>,
    request: BreakdownRequest,
    /// The warnings, for programs.
    found: Findings,
}

impl Question {
    /// Whether the answers depend on rows.
    pub(crate) fn reads_rows(&self) -> bool {
        let request = &self.request.request;
        request.by.is_some()
            || !request.group_by.is_empty()
            || self.columns.iter().any(|column| !column.formula.sources().is_empty())
    }
}

/// The first and the last requested day; `None` for all of time.
fn days(
    arguments: &Arguments,
    calendar: &Calendar,
    now: Timestamp,
) -> Result<Option<(Date, Date)>, Failure> {
    let outside = || Failure::usage("the period lies outside of the calendar", None);
    let today = calendar.date_of(now);
    if let Some(length) = arguments.last {
        // Counted from the end of today, as `trailing` does: two months to 28 February begin in January.
        let end = today.tomorrow().map_err(|_range| outside())?;
        return Ok(Some((end.checked_sub(length).map_err(|_range| outside())?, today)));
    }
    let Some(from) = arguments.from else { return Ok(None) };
    let from = calendar.resolve(from).ok_or_else(outside)?;
    let to = match arguments.to {
        Some(to) => {
            let next = calendar.date_of(calendar.resolve(to).ok_or_else(outside)?.end);
            next.yesterday().map_err(|_range| outside())?
        }
        None => today,
    };
    Ok(Some((calendar.date_of(from.start), to)))
}

impl Session {
    /// Compiles the formulas; those that are invalid are among the diagnostics.
    pub(crate) fn open(loaded: Loaded) -> Self {
        let (engine, findings) = Engine::from_loaded(&loaded);
        Self { engine, loaded, findings }
    }

    /// Refuses to continue after an error in any formula.
    pub(crate) fn demand_sound(&self) -> Result<(), Failure> {
        if !self.findings.iter().any(|(_, finding)| finding.is_error()) {
            return Ok(());
        }
        Err(Failure::Findings(Findings::of_files(&self.loaded.files, &self.findings)))
    }

    /// The metric of that key or title.
    pub(crate) fn metric(&self, name: &str) -> Result<&Metric, Failure> {
        if let Some(metric) = self.engine.metric(name) {
            return Ok(metric);
        }
        let keys = self.engine.metrics().iter().map(|metric| metric.key.as_str());
        let hint = nearest(name, keys).map(|near| format!("did you mean `{near}`?"));
        let hint = hint.unwrap_or_else(|| "--list shows what there is".to_owned());
        Err(Failure::usage(&format!("there is no metric `{name}`"), Some(&hint)))
    }

    /// The metric as a formula of its own, with its warnings.
    pub(crate) fn formula_of(&self, metric: &Metric) -> Result<(Formula, Findings), Failure> {
        self.compile(&format!("[{}]", metric.key))
    }

    /// The formula, with its warnings.
    fn compile(&self, text: &str) -> Result<(Formula, Findings), Failure> {
        let validation = self.engine.validate(text);
        let findings = Findings::of_text("formula", text, &validation.diagnostics);
        match validation.formula {
            None => Err(Failure::Findings(findings)),
            Some(formula) => Ok((formula, findings)),
        }
    }

    /// The request in the arguments, before any data is read.
    pub(crate) fn question(&self, arguments: &Arguments) -> Result<Question, Failure> {
        let (columns, mut found) = self.columns(arguments)?;
        let request = self.request(arguments)?;
        let (columns, left_out) = self.narrowable(columns, arguments, &request)?;
        found.add(left_out);
        let request = self.breakdown(&columns, arguments, request)?;
        Ok(Question { columns, request, found })
    }

    /// Computes the answers.
    pub(crate) fn evaluate(
        &self,
        input: &InputData,
        question: Question,
        format: Format,
    ) -> Result<Report, Failure> {
        let Question { mut columns, request, mut found } = question;
        let request = &request;
        let evaluate = |columns: &[Column]| {
            let formulas: Vec<&Formula> = columns.iter().map(|column| &column.formula).collect();
            self.engine.breakdown(&formulas, input.inputs(), request)
        };
        let mut answers = evaluate(&columns);
        let mut too_large = Findings::default();
        if columns.len() > 1 && answers.as_ref().is_err_and(|found| is_too_large(found)) {
            let is_refused = |column: &mut Column| match evaluate(std::slice::from_ref(column)) {
                Err(found) if is_too_large(&found) => {
                    let (key, text) = (&column.heading.key, column.formula.text());
                    too_large.add(Findings::of_text(key, text, &found));
                    true
                }
                Ok(_) | Err(_) => false,
            };
            columns.extract_if(.., is_refused).for_each(drop);
        }
        let is_incomplete = !too_large.is_empty();
        if is_incomplete && !columns.is_empty() {
            found.add(too_large.beside(format));
            answers = evaluate(&columns);
        }
        let breakdown = answers.map_err(|findings| refused_in(&columns, &findings, evaluate))?;
        let answers = &breakdown.answers;
        if !answers.missing_inputs.is_empty() && input.record.is_some() {
            let names = answers.missing_inputs.join(", ");
            console::print_error(&format!("note: the context does not give {names}\n"));
        }
        self.note_uncovered_start(&columns, &request.request);
        let mut report = self.report(columns, &breakdown, &request.request);
        if answers.first().is_some_and(|answer| answer.period.is_none()) {
            report.period = None;
            report.whole = None;
        }
        report.is_incomplete = is_incomplete;
        found.add(input.found.clone());
        report.diagnostics = found.diagnostics();
        Ok(report)
    }

    /// Prints which sources begin after the first requested day: earlier days are not zero.
    fn note_uncovered_start(&self, columns: &[Column], request: &Request) {
        let Some((from, to)) = request.period else { return };
        let sources = self.engine.schema().sources.iter();
        for source in sources.filter(|source| {
            columns.iter().any(|column| column.formula.sources().contains(&source.name))
        }) {
            let first = source.coverage.map(|covered| covered.first);
            if let Some(first) = first.filter(|first| from < *first && *first <= to) {
                let name = &source.name;
                console::print_error(&format!("note: {name} is covered from {first} on\n"));
            }
        }
    }

    fn columns(&self, arguments: &Arguments) -> Result<(Vec<Column>, Findings), Failure> {
        let format = arguments.output.format;
        let mut found = Findings::default();
        let mut compiled = |text: &str| {
            let (formula, own) = self.compile(text)?;
            found.add(own.beside(format));
            Ok(formula)
        };
        let named: Result<Vec<&Metric>, Failure> =
            arguments.metrics.iter().map(|name| self.metric(name)).collect();
        let mut metrics = named?;
        if metrics.is_empty() && arguments.formulas.is_empty() {
            metrics = self.engine.metrics().iter().filter(|metric| !metric.unlisted).collect();
        }
        let mut columns = Vec::new();
        for metric in metrics {
            let formula = compiled(&format!("[{}]", metric.key))?;
            columns.push(Column { heading: Heading::of(metric), formula });
        }
        for text in &arguments.formulas {
            let formula = compiled(text)?;
            let heading = Heading { key: text.clone(), title: text.clone(), ..Heading::default() };
            columns.push(Column { heading, formula });
        }
        // Answers are identified by their keys.
        let mut seen: Vec<String> = Vec::new();
        columns.retain(|column| {
            let is_first = !seen.contains(&column.heading.key);
            seen.push(column.heading.key.clone());
            is_first
        });
        if columns.is_empty() {
            return Err(Failure::usage("the file has no metric to compute", None));
        }
        Ok((columns, found))
    }

    pub(crate) fn request(&self, arguments: &Arguments) -> Result<Request, Failure> {
        let calendar = self.calendar(arguments)?;
        let now = arguments.now.unwrap_or_else(present);
        let period = days(arguments, &calendar, now)?;
        if let Some((from, to)) = period
            && to < from
        {
            let sentence = format!("the period ends on {to}, before it starts on {from}");
            return Err(Failure::usage(&sentence, None));
        }
        let currency = arguments.output.currency.as_deref().map(currency);
        let group_by = arguments.groups.dimensions();
        self.demand_dimensions(&group_by)?;
        demand_parameters(arguments)?;
        Ok(Request {
            period,
            by: arguments.by.map(time_unit),
            group_by,
            filter: arguments
                .groups
                .condition
                .as_ref()
                .map(|condition| filter(arguments, condition)),
            compare: arguments.compare.map(|compare| match compare {
                Compare::Previous => Comparison::Previous,
                Compare::LastYear => Comparison::LastYear,
            }),
            timezone: arguments.timezone.clone(),
            currency: currency.transpose()?,
            now,
        })
    }

    fn demand_dimensions(&self, names: &[String]) -> Result<(), Failure> {
        let schema = self.engine.schema();
        for name in names {
            // A path such as `orders.status` or an expression is the engine's to resolve.
            let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            if schema.dimension(name).is_none() && is_name {
                let known = schema.dimensions.iter().map(|dimension| dimension.name.as_str());
                let has_field = |source: &&Source| {
                    source.fields.iter().any(|field| same_name(&field.name, name))
                };
                let source = schema.sources.iter().find(has_field);
                let field = source.map(|source| format!("{}.{name}", source.name));
                let near = field.or_else(|| nearest(name, known.clone()).map(str::to_owned));
                let hint = near.map_or_else(
                    || format!("there are: {}", known.collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                let sentence = format!("there is no dimension `{name}`");
                return Err(Failure::usage(&sentence, Some(&hint)));
            }
        }
        Ok(())
    }

    pub(crate) fn calendar(&self, arguments: &Arguments) -> Result<Calendar, Failure> {
        let calendar = self.engine.schema().store.calendar.clone();
        let Some(zone) = &arguments.timezone else { return Ok(calendar) };
        calendar.in_zone(zone).map_err(|error| {
            let known = Calendar::zone_names();
            let hint = nearest(zone, known.iter().map(String::as_str));
            let hint = hint.map(|near| format!("did you mean `{near}`?"));
            Failure::usage(&error.to_string(), hint.as_deref())
        })
    }
}

/// Whether the request exceeds a limit on values or buckets.
fn is_too_large(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|finding| finding.code == Code::E707)
}

/// The currency of a code.
pub(crate) fn currency(code: &str) -> Result<Currency, Failure> {
    Currency::from_code(&code.to_ascii_uppercase()).ok_or_else(|| {
        let sentence = format!("`{code}` is no currency of ISO 4217");
        Failure::usage(&sentence, Some("three letters: USD, EUR, GBP, JPY"))
    })
}

#[expect(clippy::disallowed_methods, reason = "a program's edge is where the clock is read")]
fn present() -> Timestamp {
    let now = Timestamp::now();
    // Fractions of a second would only distract.
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// The failure of a request that the engine refuses.
pub(crate) fn refused(findings: &[Diagnostic]) -> Failure {
    Failure::Findings(Findings::of_request(findings))
}

/// The failure of formulas over a context: a missing name has its place in each formula that needs it.
fn refused_in<T>(
    columns: &[Column],
    findings: &[Diagnostic],
    evaluate: impl Fn(&[Column]) -> Result<T, Vec<Diagnostic>>,
) -> Failure {
    // Without a span, it is in a used metric or in the context itself.
    let is_placed = |finding: &Diagnostic| {
        matches!(finding.code, Code::E501 | Code::E503 | Code::E504)
            && finding.span != Span::default()
    };
    let (placed, others): (Vec<_>, Vec<_>) = findings.iter().cloned().partition(is_placed);
    if placed.is_empty() {
        return refused(findings);
    }
    let mut found = Findings::default();
    for column in columns {
        let own = match columns {
            [_] => placed.clone(),
            _ => evaluate(std::slice::from_ref(column)).err().unwrap_or_default(),
        };
        let own: Vec<_> = own.into_iter().filter(is_placed).collect();
        if !own.is_empty() {
            found.add(Findings::of_text("formula", column.formula.text(), &own));
        }
    }
    if !others.is_empty() {
        found.add(Findings::of_request(&others));
    }
    Failure::Findings(found)
}

const fn time_unit(unit: Unit) -> TimeUnit {
    match unit {
        Unit::Day => TimeUnit::Day,
        Unit::Week => TimeUnit::Week,
        Unit::Month => TimeUnit::Month,
        Unit::Quarter => TimeUnit::Quarter,
        Unit::Year => TimeUnit::Year,
    }
}
