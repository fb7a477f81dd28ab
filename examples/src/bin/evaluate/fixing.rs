//! `--fix`: makes the fixes that have no alternative.
//!
//! A suggestion is applied if the engine marks it as the only one, if it leaves the files with fewer
//! diagnostics, and if no other known name would fit as well. Every step is verified on all files and
//! on their examples before anything is written.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use quotient::Engine;
use quotient::diagnostics::{Code, Diagnostic, Suggestion, nearest};
use quotient::file::{Loaded, load};
use quotient::schema::Schema;
use quotient::source::position;

use crate::arguments::Arguments;
use crate::checking::with_examples;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::findings::Findings;

/// Limit: fixes of one run.
const MOST_FIXES: usize = 500;
/// Limit: rounds over all diagnostics.
const MOST_ROUNDS: usize = 3;
/// Limit: suggestions that are applied on trial in turn, since one error may hide another.
const MOST_IN_TURN: usize = 3;
/// Limit: names that are tried instead of the nearest one.
const MOST_RIVALS: usize = 5;

/// The texts of files that differ from what is on disk, by name.
type Texts = BTreeMap<String, String>;

/// Formula files with their diagnostics.
struct Examined {
    loaded: Loaded,
    engine: Engine,
    findings: Vec<(usize, Diagnostic)>,
    errors: usize,
    /// Examples that hold.
    held: usize,
}

/// Makes the fixes, or shows them.
pub(crate) fn fix(arguments: &Arguments) -> Result<String, Failure> {
    let first = files::load(&arguments.file)?;
    let root = arguments.file.to_string_lossy().into_owned();
    let own = first.files.first().map(|file| file.text.clone()).unwrap_or_default();
    let texts = Texts::from([(root.clone(), own)]);
    let mut fixer =
        Fixer { examined: Examined::of(&root, &texts), root, texts, out: String::new(), count: 0 };
    let mut notes = fixer.round();
    for _ in 1..MOST_ROUNDS {
        let before = fixer.count;
        // What prevented a fix may have been fixed meanwhile.
        notes = fixer.round();
        if fixer.count == before {
            break;
        }
    }
    let Fixer { examined, texts, mut out, count, .. } = fixer;
    if !arguments.upkeep.dry_run {
        written(&first, &texts)?;
    }
    let findings = &examined.findings;
    let verb = if arguments.upkeep.dry_run { "would be fixed" } else { "fixed" };
    writeln!(out, "{count} {verb}, {} left", findings.len()).ok();
    let left = Findings::of_files(&examined.loaded.files, findings);
    if examined.errors > 0 {
        console::print(&out);
        console::print_error(&notes.concat());
        return Err(Failure::Findings(left));
    }
    console::print_error(&notes.concat());
    console::print_error(&left.drawn(console::findings_style()));
    Ok(out)
}

/// Files that are being fixed.
struct Fixer {
    root: String,
    texts: Texts,
    examined: Examined,
    /// The changes, for people.
    out: String,
    /// The number of fixes made.
    count: usize,
}

impl Fixer {
    /// Goes through the diagnostics once, and returns notes on suggestions with alternatives.
    fn round(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        let mut passed_over: Vec<FindingKey> = Vec::new();
        while self.count < MOST_FIXES {
            let next = self.examined.findings.iter().find(|(file, finding)| {
                finding.suggestion.as_ref().is_some_and(|suggestion| suggestion.is_sole)
                    && !passed_over.contains(&self.examined.key(*file, finding))
            });
            let Some((file, finding)) = next.cloned() else { break };
            match self.examined.fixed(&self.root, &self.texts, file, &finding) {
                Ok((name, text)) => {
                    let before = self.examined.text(file);
                    self.out.push_str(&change(&name, before, &text, &finding));
                    self.texts.insert(name, text);
                    self.examined = Examined::of(&self.root, &self.texts);
                    self.count = self.count.saturating_add(1);
                }
                Err(note) => {
                    notes.extend(note);
                    passed_over.push(self.examined.key(file, &finding));
                }
            }
        }
        notes
    }
}

/// A diagnostic as recognised after changes elsewhere: its file, code, message and line.
type FindingKey = (usize, Code, String, String);

impl Examined {
    fn key(&self, file: usize, finding: &Diagnostic) -> FindingKey {
        let text = self.text(file);
        let line = position(text, finding.span.start).line.saturating_sub(1);
        let line = text.lines().nth(line).unwrap_or_default().to_owned();
        (file, finding.code, finding.message.clone(), line)
    }

    fn of(root: &str, texts: &Texts) -> Self {
        let loaded = load(root, &mut |name| match texts.get(name) {
            Some(text) => Ok(text.clone()),
            None => files::read(Path::new(name)),
        });
        let (engine, findings) = Engine::from_loaded(&loaded);
        let (findings, held) = with_examples(&engine, &loaded, findings);
        let errors = findings.iter().filter(|(_, finding)| finding.is_error()).count();
        Self { loaded, engine, findings, errors, held }
    }

    fn text(&self, file: usize) -> &str {
        self.loaded.files.get(file).map_or("", |file| file.text.as_str())
    }

    /// Whether there are fewer diagnostics than in `before`, and no example is lost. A warning must
    /// not be replaced by an error.
    fn improves_on(&self, before: &Self) -> bool {
        if self.held < before.held || self.errors > before.errors {
            return false;
        }
        let errors = || self.findings.iter().filter(|(_, finding)| finding.is_error());
        self.errors < before.errors
            || self.findings.len() < before.findings.len()
                && errors().all(|(_, finding)| before.has(finding))
    }

    /// Whether a diagnostic with that code and message exists.
    fn has(&self, finding: &Diagnostic) -> bool {
        let alike = |(_, own): &(usize, Diagnostic)| {
            (own.code, &own.message) == (finding.code, &finding.message)
        };
        self.findings.iter().any(alike)
    }

    /// The file's name and its text after the fix, or why it is not fixed.
    fn fixed(
        &self,
        root: &str,
        texts: &Texts,
        file: usize,
        finding: &Diagnostic,
    ) -> Result<(String, String), Option<String>> {
        let of = self.loaded.files.get(file).ok_or(None)?;
        let suggestion = finding.suggestion.as_ref().ok_or(None)?;
        let improves = |suggestion: &Suggestion| {
            let text = suggestion.apply(&of.text);
            let texts = with(texts, &of.name, text);
            Self::of(root, &texts).leads_on(self, root, texts, MOST_IN_TURN)
        };
        if !improves(suggestion) {
            return Err(None);
        }
        let rivals = self.rivals(&of.text, finding);
        if let Some(rival) = rivals.iter().find(|rival| improves(&suggestion_of(suggestion, rival)))
        {
            let at = position(&of.text, finding.span.start);
            let meant = suggestion.edits.first().map_or("", |edit| edit.text.as_str());
            let place = format!("{}:{}:{}", of.name, at.line, at.column);
            return Err(Some(format!("note: {place}: `{meant}` and `{rival}` would both fit\n")));
        }
        Ok((of.name.clone(), suggestion.apply(&of.text)))
    }

    /// Whether the files have fewer diagnostics, perhaps after fixing those that a fix uncovers.
    fn leads_on(self, before: &Self, root: &str, texts: Texts, in_turn: usize) -> bool {
        let (mut examined, mut texts) = (self, texts);
        for _ in 0..in_turn {
            if examined.improves_on(before) {
                return true;
            }
            let is_new = |(_, finding): &&(usize, Diagnostic)| {
                finding.suggestion.is_some() && !before.has(finding)
            };
            let Some((file, finding)) = examined.findings.iter().find(is_new) else { return false };
            let Some(of) = examined.loaded.files.get(*file) else { return false };
            let Some(suggestion) = &finding.suggestion else { return false };
            texts = with(&texts, &of.name, suggestion.apply(&of.text));
            examined = Self::of(root, &texts);
        }
        examined.improves_on(before)
    }

    /// Other names similar to a misspelt one.
    fn rivals(&self, text: &str, finding: &Diagnostic) -> Vec<String> {
        let is_question =
            finding.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
        let edits = finding.suggestion.as_ref().map(|suggestion| suggestion.edits.as_slice());
        let (true, Some([edit])) = (is_question, edits) else { return Vec::new() };
        // The keys of records and texts are in quotes.
        let quote = edit.text.chars().next().filter(|letter| matches!(letter, '"' | '\''));
        let bare = |text: &str| text.trim_matches(['"', '\'']).to_owned();
        let (wrong, meant) = (bare(edit.span.slice(text)), bare(&edit.text));
        let mut names = names(self.engine.schema());
        names.extend(self.engine.metrics().iter().map(|metric| metric.key.clone()));
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !name.eq_ignore_ascii_case(&meant));
        let mut rivals = Vec::new();
        while rivals.len() < MOST_RIVALS
            && let Some(near) = nearest(&wrong, names.iter().map(String::as_str)).map(str::to_owned)
        {
            names.retain(|name| *name != near);
            rivals.push(match quote {
                Some(quote) => format!("{quote}{near}{quote}"),
                None => near,
            });
        }
        rivals
    }
}

/// Every name of a schema that a formula can use.
fn names(schema: &Schema) -> Vec<String> {
    let mut names = Vec::new();
    for source in &schema.sources {
        names.push(source.name.clone());
        names.extend(source.fields.iter().map(|field| field.name.clone()));
        names.extend(source.links.iter().map(|link| link.name.clone()));
        let known = source.fields.iter().flat_map(|field| field.known_values.iter().flatten());
        names.extend(known.cloned());
    }
    names.extend(schema.dimensions.iter().map(|dimension| dimension.name.clone()));
    names.extend(schema.placeholders.iter().map(|placeholder| placeholder.key.clone()));
    names.extend(schema.populations.iter().map(|population| population.name.clone()));
    names.extend(schema.inputs.iter().map(|input| input.name.clone()));
    names.extend(quotient::functions::ALL.iter().map(|spec| spec.name.to_owned()));
    names.extend(quotient::types::Currency::all().map(|currency| currency.code().to_owned()));
    names
}

fn with(texts: &Texts, name: &str, text: String) -> Texts {
    let mut texts = texts.clone();
    texts.insert(name.to_owned(), text);
    texts
}

/// The suggestion with another name.
fn suggestion_of(suggestion: &Suggestion, name: &str) -> Suggestion {
    let mut other = suggestion.clone();
    for edit in &mut other.edits {
        name.clone_into(&mut edit.text);
    }
    other
}

/// The place, the finding, and the lines before and after.
fn change(name: &str, before: &str, after: &str, finding: &Diagnostic) -> String {
    let at = position(before, finding.span.start);
    let message = console::one_line(&finding.message);
    let mut out = format!("{name}:{}:{}: {} {message}\n", at.line, at.column, finding.code);
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()).saturating_sub(same);
    let backwards = old.iter().rev().zip(new.iter().rev()).take(most);
    let tail = backwards.take_while(|(old, new)| old == new).count();
    for (sign, lines) in [('-', old), ('+', new)] {
        let end = lines.len().saturating_sub(tail);
        for line in lines.get(same..end).unwrap_or_default() {
            writeln!(out, "{sign} {}", console::one_line(line)).ok();
        }
    }
    out
}

/// Writes the files whose text changed.
fn written(first: &Loaded, texts: &Texts) -> Result<(), Failure> {
    for file in &first.files {
        if let Some(text) = texts.get(&file.name).filter(|text| **text != file.text) {
            files::replace(Path::new(&file.name), text)?;
        }
    }
    Ok(())
}
