//! The state of a page and running its blocks.

use std::collections::BTreeMap;
use std::rc::Rc;

use quotient::data::{Data, Record};
use quotient::diagnostics::Diagnostic;
use quotient::diagnostics::render::{Style, render};
use quotient::file::{Loaded, load};
use quotient::{Engine, Inputs};

use super::answer::printed;
use super::rates::rates;
use super::request::PageRequest;
use crate::stores::{data_at, fixtures, loaded};

/// A formula file with its rows.
struct Store {
    engine: Engine,
    data: Data,
}

/// What a block gives.
pub(crate) struct Output {
    /// `result` or `diagnostic`.
    pub(crate) kind: &'static str,
    /// What stands in it.
    pub(crate) body: String,
}

impl Output {
    fn diagnostics(name: &str, text: &str, findings: &[Diagnostic]) -> Self {
        let drawn = render(name, text, findings, Style::Plain);
        Self { kind: "diagnostic", body: drawn.trim_end().to_owned() }
    }

    fn result(body: String) -> Self {
        Self { kind: "result", body }
    }
}

/// The state of a page.
#[derive(Default)]
pub(crate) struct Session {
    /// The stores of the page by path.
    stores: BTreeMap<String, Rc<Store>>,
    store: Option<Rc<Store>>,
    /// The request of the page.
    query: PageRequest,
    /// The additional clauses for the next formula.
    next: Option<String>,
    record: Option<Record>,
    /// The formula file of a `metrics` block.
    file: Option<Rc<Store>>,
}

impl Session {
    /// Reads a line of prose.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), String> {
        if self.next.is_some() && !text.is_empty() {
            self.next = None;
            return Err("a request without its formula".to_owned());
        }
        if text.starts_with('#') {
            self.record = None;
            self.file = None;
        } else if let Some(line) = text.strip_prefix("Store: ") {
            return self.open(line);
        } else if let Some(clauses) =
            text.strip_prefix('*').and_then(|rest| rest.strip_suffix(".*"))
            && !clauses.starts_with('*')
        {
            let store = self.current()?;
            self.query.with(clauses, &store.engine)?;
            self.next = Some(clauses.to_owned());
        }
        Ok(())
    }

    /// `[corner](../stores/corner/corner.metrics), February 2026.`
    fn open(&mut self, line: &str) -> Result<(), String> {
        let after = line.split_once("](").map_or("", |(_, after)| after);
        let (path, clauses) =
            after.split_once(')').ok_or("`Store:` is followed by a link and a period")?;
        let path = path.strip_prefix("../").ok_or("a store lies below `fixtures`")?;
        let store = match self.stores.get(path) {
            Some(store) => Rc::clone(store),
            None => Rc::new(store(&loaded(path)).map_err(|findings| format!("{findings:?}"))?),
        };
        self.stores.insert(path.to_owned(), Rc::clone(&store));
        let clauses = clauses.trim_start_matches(',');
        self.query = PageRequest::default().with(clauses, &store.engine)?;
        self.store = Some(store);
        Ok(())
    }

    fn current(&self) -> Result<Rc<Store>, String> {
        let store = self.file.as_ref().or(self.store.as_ref());
        store.map(Rc::clone).ok_or_else(|| "no line `Store:` before it".to_owned())
    }

    /// Takes a record, and returns its warnings.
    pub(crate) fn context(&mut self, body: &str) -> Result<Vec<Output>, String> {
        self.record = Some(Record::from_json(body).map_err(|error| error.to_string())?);
        let warnings = self.current()?.engine.check_record(body);
        let drawn = || Output::diagnostics("context", body, &warnings);
        Ok((!warnings.is_empty()).then(drawn).into_iter().collect())
    }

    /// Loads a formula file that lies in the manual's folder.
    pub(crate) fn metrics(&mut self, body: &str) -> Vec<Output> {
        const NAME: &str = "manual/page.metrics";
        let text = format!("{body}\n");
        let loaded = load(NAME, &mut |name| {
            if name == NAME {
                return Ok(text.clone());
            }
            std::fs::read_to_string(fixtures().join(name)).map_err(|error| error.to_string())
        });
        let (engine, findings) = Engine::from_loaded(&loaded);
        let examples = engine.run_examples(&loaded);
        let findings: Vec<Diagnostic> = findings
            .into_iter()
            .chain(examples.failed)
            .chain(examples.warnings)
            .filter(|(file, _)| *file == 0)
            .map(|(_, finding)| finding)
            .collect();
        let mut outputs = Vec::new();
        if !findings.is_empty() {
            outputs.push(Output::diagnostics("page.metrics", &text, &findings));
        }
        if examples.passed > 0 {
            outputs.push(Output::result(format!("examples that hold: {}", examples.passed)));
        }
        self.file = store(&loaded).ok().map(Rc::new);
        outputs
    }

    pub(crate) fn formula(&mut self, text: &str) -> Result<Vec<Output>, String> {
        let store = self.current()?;
        let clauses = self.next.take();
        let mut query = self.query.clone();
        if self.record.is_some() {
            // A record states its own period.
            query.request.period = None;
        }
        if let Some(clauses) = clauses {
            query = query.with(&clauses, &store.engine)?;
        }
        let validation = store.engine.validate_as(text, query.saved_as.as_deref());
        let mut findings = validation.diagnostics;
        let mut result = None;
        let refused = query.request.filter.as_ref().zip(validation.formula.as_ref());
        let refused = refused.and_then(|(filter, formula)| {
            let findings = store.engine.narrowed(formula, filter).err()?;
            Some(Output::diagnostics("where", &filter.condition, &findings))
        });
        if let Some(refused) = refused {
            return Ok(vec![refused]);
        }
        if let Some(formula) = &validation.formula {
            let inputs = match &self.record {
                Some(record) => Inputs::record(record),
                None => Inputs::data(&store.data),
            };
            match store.engine.evaluate(&[formula], inputs, &query.request) {
                Ok(answers) => result = Some(printed(&store.engine, text, &query, &answers)),
                Err(found) => findings.extend(found),
            }
        }
        let mut outputs = Vec::new();
        if !findings.is_empty() {
            outputs.push(Output::diagnostics("formula", text, &findings));
        }
        outputs.extend(result.map(Output::result));
        Ok(outputs)
    }
}

/// A formula file with its rows, or the errors in it.
fn store(loaded: &Loaded) -> Result<Store, Vec<Diagnostic>> {
    let (engine, findings) = Engine::from_loaded(loaded);
    let errors: Vec<Diagnostic> =
        findings.into_iter().map(|(_, finding)| finding).filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let data = data_at(&engine, rates(loaded));
    Ok(Store { engine, data })
}
