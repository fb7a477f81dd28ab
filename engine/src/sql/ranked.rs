//! Order statistics: percentiles, the first and last value, the most frequent one. The database sorts
//! and numbers rows; the engine interpolates a percentile between two of them.

use std::rc::Rc;

use rust_decimal::Decimal;

use super::compile::{Compiler, FromClause, RowContext};
use super::database::Database;
use super::nested::where_all;
use super::ranges::{self, BucketRows};
use super::read::{ColumnType, count, misread};
use super::select::{AtomRef, Reader, SelectStatement, blank};
use super::term::{CompileFailure, Compiled, NumberForm, Term};
use crate::check::AggregateFunction;
use crate::evaluate::{Evaluation, FrameId};
use crate::number;
use crate::types::{Reason, Value};

/// Limit: digits of a fraction; with more, rows are streamed.
const MAX_FRACTION_DIGITS: u32 = 9;

/// Computes the answers of one atom, by bucket, then by group.
pub(super) fn cells(
    database: &Database<'_>,
    evaluation: &mut dyn Evaluation<'_>,
    site: AtomRef<'_>,
    frame: FrameId,
) -> Compiled<Vec<Value>> {
    let Some(place) = evaluation.frame(frame).cloned() else { return Ok(Vec::new()) };
    let plain = evaluation.frames_mut().ungrouped(frame);
    let fraction = evaluation.fraction(site.owner, site.atom, frame);
    let mut compiler = Compiler::new(database, evaluation, Vec::new());
    let ranges = ranges::of(&mut compiler, site.atom, plain)?;
    let groups = Rc::clone(&place.groups);
    let none = Value::missing(Reason::NoRows);
    let mut answers = blank(&ranges, groups.tuples.len(), &none);
    let buckets = ranges::filled(&ranges);
    let mut compiler = Compiler::new(database, evaluation, buckets.clone());
    let order = match site.atom.function {
        AggregateFunction::First => RowOrder::First,
        AggregateFunction::Last => RowOrder::Last,
        AggregateFunction::Mode => RowOrder::Frequency,
        _ => RowOrder::Position(Fraction::of(fraction.unwrap_or(Decimal::new(5, 1)))?),
    };
    let ranked = selected(&mut compiler, (site, plain), (&groups.keys, &ranges), &order)?;
    let (Some((selected, shape)), false) = (ranked, buckets.is_empty()) else { return Ok(answers) };
    let query = compiler.statement.finish(&selected.body);
    let reader = Reader { selected: &selected, buckets: &buckets, groups: &groups };
    let mut found: Vec<Vec<(u64, u64, Value)>> = vec![Vec::new(); answers.len()];
    database.each_row(&query, |row| {
        let (cells, rest) = reader.places(row)?;
        let [place, rows, value] = rest else { return Err(misread("a row of that length")) };
        let ranked = (count(place)?, count(rows)?, shape.value(value)?);
        for cell in cells {
            if let Some(found) = found.get_mut(cell) {
                found.push(ranked.clone());
            }
        }
        Ok(())
    })?;
    for (answer, ranked) in answers.iter_mut().zip(found).filter(|(_, ranked)| !ranked.is_empty()) {
        *answer = match &order {
            RowOrder::First | RowOrder::Last | RowOrder::Frequency => {
                ranked.into_iter().next().map_or(none.clone(), |(_, _, value)| value)
            }
            RowOrder::Position(fraction) => fraction.between(&ranked).into(),
        };
    }
    Ok(answers)
}

/// The requested positions in the order.
enum RowOrder {
    First,
    Last,
    Position(Fraction),
    /// The values by how often they occur, the smallest of several first.
    Frequency,
}

/// A fraction as a ratio of integers.
struct Fraction {
    value: Decimal,
    above: i64,
    below: i64,
}

impl Fraction {
    fn of(value: Decimal) -> Compiled<Self> {
        let inside = (Decimal::ZERO..=Decimal::ONE).contains(&value);
        let short = value.normalize();
        let below = 10_i64.checked_pow(short.scale());
        match (i64::try_from(short.mantissa()), below) {
            (Ok(above), Some(below)) if inside && short.scale() <= MAX_FRACTION_DIGITS => {
                Ok(Self { value, above, below })
            }
            _ => Err(CompileFailure::Stream("a fraction of many digits, or outside of 0 to 1")),
        }
    }

    /// Interpolates the value at the fraction from the two nearest values, given with their
    /// positions from 1 and the count of all.
    fn between(&self, ranked: &[(u64, u64, Value)]) -> Result<Decimal, Reason> {
        let rows = ranked.first().map(|(_, rows, _)| *rows).ok_or(Reason::NoRows)?;
        let last = Decimal::from(rows.saturating_sub(1));
        let position = number::multiply(last, self.value)?;
        let whole = position.floor();
        let at = |index: Decimal| {
            let wanted = number::add(index, Decimal::ONE).ok()?;
            let row = ranked.iter().find(|(place, _, _)| Decimal::from(*place) == wanted);
            row.and_then(|(_, _, value)| value.as_number())
        };
        let low = at(whole).ok_or(Reason::NoRows)?;
        let rest = number::subtract(position, whole)?;
        if rest.is_zero() {
            return Ok(low);
        }
        let high = number::add(whole, Decimal::ONE).ok().and_then(at).unwrap_or(low);
        number::interpolate(low, high, rest)
    }
}

fn selected(
    compiler: &mut Compiler<'_, '_>,
    (site, frame): (AtomRef<'_>, FrameId),
    (keys, ranges): (&[crate::evaluate::GroupKey], &[BucketRows]),
    order: &RowOrder,
) -> Compiled<Option<(SelectStatement, ColumnType)>> {
    let mut from = FromClause::new(site.atom.source);
    let keys = compiler.keys(&mut from, keys)?;
    let rows = (site.owner, site.atom, frame);
    let mut conditions = compiler.row_conditions(&mut from, rows, ranges)?;
    let at = RowContext { owner: site.owner, frame };
    let value = site.atom.value.ok_or(CompileFailure::Stream("a place in no order"))?;
    let value = compiler.term(&mut from, at, value)?;
    let shape = ColumnType::of(&value).ok_or(CompileFailure::Stream("a place among constants"))?;
    let text = value.nullable().unwrap_or_default().to_owned();
    conditions.push(format!("{text} IS NOT NULL"));
    let sorted = match order {
        RowOrder::Position(_) => position(&value)?,
        RowOrder::First | RowOrder::Last => by_date(compiler, &mut from, site, order)?,
        RowOrder::Frequency => by_frequency(compiler, &value)?,
    };
    let Some((columns, shapes)) = keys else { return Ok(None) };
    let head = compiler.head(columns, shapes);
    let tables = compiler.from(&from, head.per_bucket)?;
    let rows = format!("{tables}{}", where_all(&conditions));
    let ranked = if matches!(order, RowOrder::Frequency) {
        numbered_values(&head.columns, &text, &sorted, &rows)
    } else {
        numbered_rows(&head.columns, &text, &sorted, &rows)
    };
    let outer = each((0..head.columns.len()).map(|at| format!("q.g{at}, ")));
    let shown = shown(compiler, &value);
    let keep = kept(compiler, order);
    let body = format!("SELECT {outer}q.n, q.m, {shown}\nFROM ({ranked}) AS q\nWHERE {keep}");
    Ok(Some((SelectStatement { body, places: Vec::new(), head }, shape)))
}

/// Selects each row's value with its number in the order of its group, and how many rows there are.
fn numbered_rows(keys: &[String], text: &str, sorted: &str, rows: &str) -> String {
    let inner = named_keys(keys);
    let (parts, over) = (partition(keys), window(keys, sorted));
    format!(
        "SELECT {inner}{text} AS v,\n        \
         CAST(row_number() OVER ({over}) AS BIGINT) AS n,\n        \
         CAST(count(*) OVER ({parts}) AS BIGINT) AS m\n{rows}"
    )
}

/// Selects each different value with its number in the order of its group, and how often it occurs.
fn numbered_values(keys: &[String], text: &str, sorted: &str, rows: &str) -> String {
    let inner = named_keys(keys);
    let groups: Vec<String> = (0..keys.len()).map(|at| format!("p.g{at}")).collect();
    let outer = each(groups.iter().map(|name| format!("{name}, ")));
    let over = window(&groups, sorted);
    let by = each(keys.iter().map(|column| format!("{column}, ")));
    format!(
        "SELECT {outer}p.v, p.m,\n        \
         CAST(row_number() OVER ({over}) AS BIGINT) AS n\nFROM (\
         SELECT {inner}{text} AS v, CAST(count(*) AS BIGINT) AS m\n{rows}\nGROUP BY {by}{text}) AS p"
    )
}

/// The window of the rows of a group, in order.
fn window(keys: &[String], sorted: &str) -> String {
    if keys.is_empty() { sorted.to_owned() } else { format!("{} {sorted}", partition(keys)) }
}

fn named_keys(keys: &[String]) -> String {
    each(keys.iter().enumerate().map(|(at, column)| format!("{column} AS g{at}, ")))
}

fn each(texts: impl Iterator<Item = String>) -> String {
    texts.collect()
}

fn partition(keys: &[String]) -> String {
    if keys.is_empty() { String::new() } else { format!("PARTITION BY {}", keys.join(", ")) }
}

fn by_frequency(compiler: &Compiler<'_, '_>, value: &Term) -> Compiled<String> {
    let smallest = match value {
        Term::Text(_) => compiler.statement.dialect().words().by_bytes("p.v"),
        Term::Number(number) if number.is_wide || !number.beside.is_zero() => {
            return Err(CompileFailure::Stream("different results of arithmetic"));
        }
        Term::Number(_) | Term::Bool(_) | Term::Instant(..) | Term::Day(_) => "p.v".to_owned(),
        Term::Truth(_) | Term::Constant(_) => {
            return Err(CompileFailure::Stream("a place among constants"));
        }
    };
    Ok(format!("ORDER BY p.m DESC, {smallest}"))
}

/// Returns the value of a numbered row in a form that a cell can hold.
fn shown(compiler: &Compiler<'_, '_>, value: &Term) -> String {
    match value {
        Term::Number(number) if number.is_wide => {
            compiler.statement.dialect().words().narrow("q.v")
        }
        _ => "q.v".to_owned(),
    }
}

fn position(value: &Term) -> Compiled<String> {
    match value {
        Term::Number(number) if number.beside.is_zero() && number.form != NumberForm::Decimals => {
            Ok(format!("ORDER BY {}", number.text))
        }
        _ => Err(CompileFailure::Stream("a place among what is no plain number")),
    }
}

/// Sorts by date, ties by key.
fn by_date(
    compiler: &mut Compiler<'_, '_>,
    from: &mut FromClause,
    site: AtomRef<'_>,
    order: &RowOrder,
) -> Compiled<String> {
    let source = compiler.schema().source_at(site.atom.source);
    let key = source.and_then(|source| source.key);
    let key = key.ok_or(CompileFailure::Stream("the first or last of rows without a key"))?;
    let key = match compiler.column(from, &crate::schema::Path::field(key))? {
        Term::Text(text) => compiler.statement.dialect().words().by_bytes(&text),
        other => other.nullable().unwrap_or_default().to_owned(),
    };
    let date = site.atom.date.as_ref().map(|date| compiler.column(from, date)).transpose()?;
    let date = date.as_ref().and_then(Term::nullable).map(str::to_owned);
    let direction = match order {
        RowOrder::Last => " DESC NULLS LAST",
        RowOrder::First | RowOrder::Position(_) | RowOrder::Frequency => " NULLS FIRST",
    };
    let sorted: Vec<String> =
        date.into_iter().chain([key]).map(|column| format!("{column}{direction}")).collect();
    Ok(format!("ORDER BY {}", sorted.join(", ")))
}

/// Keeps the rows around the fraction: n - 1 or n - 2 is the whole part of (m - 1) times it.
fn kept(compiler: &mut Compiler<'_, '_>, order: &RowOrder) -> String {
    let RowOrder::Position(Fraction { above, below, .. }) = order else {
        return "q.n = 1".to_owned();
    };
    let statement = &mut compiler.statement;
    let (above, twice) = (statement.integer(*above), statement.integer(below.saturating_mul(2)));
    let below = statement.integer(*below);
    format!(
        "q.n * {below} <= (q.m - 1) * {above} + {twice} AND (q.m - 1) * {above} < q.n * {below}"
    )
}
