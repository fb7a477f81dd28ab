//! The conditions of a list in SQL.

use rusqlite::types::Value;

use super::{Alternatives, Condition, Kind, Operator};

/// A condition in SQL, and the values for its question marks in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhereClause {
    /// The condition, without `where`.
    pub sql: String,
    pub values: Vec<Value>,
}

impl WhereClause {
    pub(super) fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" and ");
        }
        self.sql.push('(');
        self.sql.push_str(sql);
        self.sql.push(')');
        self.values.extend(values);
    }
}

impl Condition {
    pub(super) fn compile(&self) -> WhereClause {
        let Self { column, operator, values } = self;
        let one = |sign: &str| WhereClause {
            sql: format!("{} {sign} {}", column.sql, self.bound("?")),
            values: values.clone(),
        };
        match operator {
            Operator::AnyOf => self.among(),
            Operator::NoneOf => {
                let among = self.among();
                // Invariant: a null value is not among the values, where SQL would return null.
                let sql = format!("not coalesce({}, false)", parenthesised(&among.sql));
                WhereClause { sql, values: among.values }
            }
            Operator::Greater => one(">"),
            Operator::GreaterOrEqual => one(">="),
            Operator::Less => one("<"),
            Operator::LessOrEqual => one("<="),
            Operator::Like => one("like"),
        }
    }

    fn has_days(&self) -> bool {
        let is_day = |own: &Value| matches!(own, Value::Text(_));
        self.column.kind == Kind::Time && self.values.iter().any(is_day)
    }

    /// Returns a value in SQL; a day as an instant in the store's time zone.
    fn bound(&self, value: &str) -> String {
        if self.has_days() {
            instant(value, matches!(self.operator, Operator::LessOrEqual | Operator::Greater))
        } else {
            value.to_owned()
        }
    }

    /// The column is one of the values. Several are bound as one list, so that the statement does not depend on their number.
    fn among(&self) -> WhereClause {
        let Self { column, values, .. } = self;
        let asks_null = values.contains(&Value::Null);
        let non_null: Vec<&Value> = values.iter().filter(|value| **value != Value::Null).collect();
        let (list, bound) = match non_null.as_slice() {
            [one] => ("?".to_owned(), vec![(*one).clone()]),
            many => ("select value from json_each(?)".to_owned(), vec![json_list(many)]),
        };
        if let Some((before, after)) = column.sql.split_once("{}") {
            return WhereClause { sql: format!("{before}{list}{after}"), values: bound };
        }
        let sql = column.sql;
        if non_null.is_empty() && asks_null {
            return WhereClause { sql: format!("{sql} is null"), values: Vec::new() };
        }
        let (test, bound) = if self.has_days() {
            self.within(&non_null)
        } else if non_null.len() == 1 {
            (format!("{sql} = {list}"), bound)
        } else {
            (format!("{sql} in ({list})"), bound)
        };
        let test = if asks_null { format!("{test} or {sql} is null") } else { test };
        WhereClause { sql: test, values: bound }
    }

    /// The column is within one of the days, or one of the instants among them.
    fn within(&self, days: &[&Value]) -> (String, Vec<Value>) {
        let between = |value: &str| {
            let (start, end) = (instant(value, false), instant(value, true));
            format!("{} between {start} and {end}", self.column.sql)
        };
        match days {
            [day] => (between("?"), vec![(*day).clone(), (*day).clone()]),
            many => {
                let sql = format!("exists (select 1 from json_each(?) where {})", between("value"));
                (sql, vec![json_list(many)])
            }
        }
    }
}

/// Returns the first or last instant of a value in SQL that may be a day. In a subquery that does not depend on the rows, it
/// is computed once.
fn instant(value: &str, is_end: bool) -> String {
    format!("(select instant_of({value}, {is_end}, (select time_zone from store)))")
}

pub(super) fn any_of(alternatives: &Alternatives) -> WhereClause {
    let mut parts = Vec::with_capacity(alternatives.len());
    let mut values = Vec::new();
    for conditions in alternatives {
        let mut part = WhereClause::default();
        for condition in conditions {
            let WhereClause { sql, values } = condition.compile();
            part.and(&sql, values);
        }
        parts.push(if part.sql.is_empty() { "true".to_owned() } else { parenthesised(&part.sql) });
        values.extend(part.values);
    }
    WhereClause { sql: parts.join(" or "), values }
}

fn parenthesised(sql: &str) -> String {
    format!("({sql})")
}

fn json_list(values: &[&Value]) -> Value {
    let items = values.iter().map(|value| match value {
        Value::Integer(number) => serde_json::Value::from(*number),
        Value::Text(text) => serde_json::Value::from(text.as_str()),
        Value::Null | Value::Real(_) | Value::Blob(_) => serde_json::Value::Null,
    });
    Value::Text(items.collect::<serde_json::Value>().to_string())
}

/// Escapes the wildcards of `like … escape '\'` in a text.
pub fn escape_like(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
