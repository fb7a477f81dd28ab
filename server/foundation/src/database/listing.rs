//! Lists: the definition of what can be filtered, searched and ordered, and the statements built
//! from it.
//!
//! Invariant: statements are built from parts of a static [`Listing`]; text from requests is always bound.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::Error;

/// The definition of a list.
#[derive(Debug)]
pub struct Listing {
    /// The key of the rows in responses, such as `products`.
    pub plural: &'static str,
    /// The table after `from`, with an alias, such as `product p`.
    pub table: &'static str,
    /// The column that breaks ties in every order: the id, such as `p.id`, or a row number, such as `e.seq`.
    pub tie_breaker: &'static str,
    /// The columns to filter and order by.
    pub columns: &'static [Column],
    /// The columns that `q` searches, such as `p.title`, or conditions with `{}` in place of the comparison, such as
    /// `exists (select 1 from product_variant v where v.product_id = p.id and v.sku {})`. If empty, there is no `q`.
    pub search: &'static [&'static str],
    /// The default of `limit`.
    pub default_limit: u32,
    /// The default order: the name of a column, prefixed with `-` for descending.
    pub default_order: &'static str,
    /// Query keys that the route itself parses.
    pub extra: &'static [&'static str],
}

/// A column of a list.
#[derive(Debug)]
pub struct Column {
    /// The name in requests.
    pub name: &'static str,
    /// The SQL expression, such as `p.created_at`; for [`Kind::Link`] a condition with `{}` in place of the values.
    pub sql: &'static str,
    /// The kind of the values.
    pub kind: Kind,
    /// Whether the list can be ordered by it.
    pub orders: bool,
    /// Whether the list can be filtered by it.
    pub filters: bool,
}

impl Column {
    /// Creates a column to filter and to order by.
    pub const fn new(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: true }
    }

    /// Creates a column to filter by, without a useful order or an index for one.
    pub const fn filter(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: false, filters: true }
    }

    /// Creates a column to order by only.
    pub const fn order(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: false }
    }
}

/// The kind of a column's values, which determines how they are parsed and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An id; `null` selects rows without one.
    Id,
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An instant in milliseconds; RFC 3339 or a day in requests, which means its first instant in UTC.
    Time,
    /// A whole number.
    Integer,
    /// `true` or `false`, stored as 1 or 0.
    Boolean,
    /// An amount; in major units in requests, compared as an integer with this many decimal places.
    Money {
        /// Decimal places of the integer that the column's expression returns.
        digits: u32,
    },
    /// A code that is itself a credential: it can only be compared as a whole, since an order would reveal it piece by
    /// piece.
    Code,
    /// A relation: the column's expression is a condition with `{}`, such as `p.id in (select product_id from
    /// product_category_link where category_id in ({}))`.
    Link,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// One of the values.
    AnyOf,
    /// None of the values.
    NoneOf,
    /// Greater than the value.
    Greater,
    /// Greater than or equal to the value.
    GreaterOrEqual,
    /// Less than the value.
    Less,
    /// Less than or equal to the value.
    LessOrEqual,
    /// A pattern with `%` and `_`, case-insensitive for ASCII letters.
    Like,
}

/// A comparison of a column with values.
#[derive(Debug, Clone)]
pub struct Condition {
    pub column: &'static Column,
    /// The comparison.
    pub operator: Operator,
    /// The values; exactly one, except for the first two operators. `Null` selects rows without a value.
    pub values: Vec<Value>,
}

/// Alternatives: at least one must hold.
pub type Alternatives = Vec<Vec<Condition>>;

/// A request for a page of a list.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// The definition of the list.
    pub listing: &'static Listing,
    /// Conditions that all must hold.
    pub conditions: Vec<Condition>,
    /// Alternatives; one of each must hold.
    pub alternatives: Vec<Alternatives>,
    /// The search text.
    pub search: Option<String>,
    pub order: &'static Column,
    /// Whether the order is descending.
    pub is_descending: bool,
    /// The maximum number of rows on the page.
    pub limit: u32,
    /// The number of rows before the page.
    pub offset: u32,
    narrowed: Vec<(&'static str, Vec<Value>)>,
    except: Option<Few>,
}

/// Rows that a list excludes.
#[derive(Debug, Clone, Copy)]
struct Few {
    sql: &'static str,
    /// The condition of the remaining rows, if it is not the negation: in the form in which their
    /// index has it.
    others: Option<&'static str>,
}

/// A condition in SQL, and the values for its question marks in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhereClause {
    /// The condition, without `where`.
    pub sql: String,
    pub values: Vec<Value>,
}

impl ListQuery {
    /// Creates a query for the first page of all rows.
    pub fn new(listing: &'static Listing, order: &'static Column) -> Self {
        Self {
            listing,
            conditions: Vec::new(),
            alternatives: Vec::new(),
            search: None,
            order,
            is_descending: false,
            limit: listing.default_limit,
            offset: 0,
            narrowed: Vec::new(),
            except: None,
        }
    }

    /// Adds a condition of the route, such as `p.deleted_at is null` or `p.customer_id = ?`, with the values for its
    /// question marks.
    #[must_use]
    pub fn narrow(mut self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        self.narrowed.push((sql, values.into_iter().collect()));
        self
    }

    /// Excludes the few rows of a condition that is never null, such as `o.status = 'draft'`.
    #[must_use]
    pub fn except(mut self, sql: &'static str) -> Self {
        self.except = Some(Few { sql, others: None });
        self
    }

    /// Does the same, with the condition of the remaining rows in the form in which their index has
    /// it.
    #[must_use]
    pub fn but_for(mut self, sql: &'static str, others: &'static str) -> Self {
        self.except = Some(Few { sql, others: Some(others) });
        self
    }

    /// Returns the number of rows on all pages.
    pub fn count(&self, connection: &Connection) -> Result<u64, Error> {
        let WhereClause { sql, values } = self.counting();
        let count: i64 = connection
            .prepare_cached(&sql)?
            .query_row(params_from_iter(values), |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// Returns the statement that counts the rows on all pages.
    fn counting(&self) -> WhereClause {
        let table = self.listing.table;
        let Some(Few { sql: few, .. }) = self.except.filter(|_| self.is_unfiltered()) else {
            let WhereClause { sql, values } = self.where_clause();
            return WhereClause {
                sql: format!("select count(*) from {table} where {sql}"),
                values,
            };
        };
        // SQLite counts a whole table by its pages, and indexed matches by an index that covers the searched
        // columns, so subtracting the few excluded rows is cheaper than counting the others.
        let mut all = self.searched();
        let mut excluded = WhereClause::default();
        excluded.and(few, []);
        if !all.sql.is_empty() {
            excluded.and(&all.sql, all.values.clone());
            all.sql.insert_str(0, " where ");
        }
        let (all_sql, few) = (all.sql, excluded.sql);
        WhereClause {
            sql: format!(
                "select (select count(*) from {table}{all_sql}) - (select count(*) from {table} where {few})"
            ),
            values: [all.values, excluded.values].concat(),
        }
    }

    /// Returns the row numbers that match the search text, regardless of other filters.
    pub(super) fn numbers_with_text(
        &self,
        connection: &Connection,
        (number, limit): (&'static str, u32),
    ) -> Result<Vec<i64>, Error> {
        let WhereClause { sql, mut values } = self.searched();
        values.push(Value::from(limit));
        let table = self.listing.table;
        let statement = format!("select {number} from {table} where {sql} limit ?");
        let mut statement = connection.prepare_cached(&statement)?;
        let numbers = statement.query_map(params_from_iter(values), |row| row.get(0))?;
        Ok(numbers.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the rows of the page. `columns` follows `select`.
    pub fn page<T>(
        &self,
        connection: &Connection,
        columns: &'static str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        if self.limit == 0 {
            return Ok(Vec::new());
        }
        let WhereClause { sql, mut values } = self.where_clause();
        values.extend([Value::from(self.limit), Value::from(self.offset)]);
        let (table, order) = (self.listing.table, self.order_by());
        let statement =
            format!("select {columns} from {table} where {sql} order by {order} limit ? offset ?");
        let mut statement = connection.prepare_cached(&statement)?;
        Ok(statement.query_map(params_from_iter(values), read)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns whether the query has no conditions but its search.
    pub(super) fn is_unfiltered(&self) -> bool {
        self.narrowed.is_empty() && self.conditions.is_empty() && self.alternatives.is_empty()
    }

    /// Returns the conjunction of all conditions.
    pub fn where_clause(&self) -> WhereClause {
        let mut clause = WhereClause::default();
        match self.except {
            Some(Few { others: Some(others), .. }) => clause.and(others, []),
            Some(Few { sql, others: None }) => clause.and(&format!("not ({sql})"), []),
            None => {}
        }
        for (sql, values) in &self.narrowed {
            clause.and(sql, values.iter().cloned());
        }
        for condition in &self.conditions {
            let part = condition.compile();
            clause.and(&part.sql, part.values);
        }
        for alternatives in &self.alternatives {
            let part = any_of(alternatives);
            clause.and(&part.sql, part.values);
        }
        let searched = self.searched();
        if !searched.sql.is_empty() {
            clause.and(&searched.sql, searched.values);
        }
        if clause.sql.is_empty() {
            clause.sql.push_str("true");
        }
        clause
    }

    fn order_by(&self) -> String {
        let direction = if self.is_descending { "desc" } else { "asc" };
        let (order, tie_breaker) = (self.order.sql, self.listing.tie_breaker);
        if order == tie_breaker {
            return format!("{order} {direction}");
        }
        format!("{order} {direction}, {tie_breaker} {direction}")
    }

    /// Returns the condition that a row contains the search text; empty without a search.
    fn searched(&self) -> WhereClause {
        const COMPARISON: &str = r"like ? escape '\'";
        let Some(text) = &self.search else { return WhereClause::default() };
        let pattern = format!("%{}%", escape_like(text));
        let parts: Vec<String> = self
            .listing
            .search
            .iter()
            .map(|place| match place.split_once("{}") {
                Some((before, after)) => format!("{before}{COMPARISON}{after}"),
                None => format!("{place} {COMPARISON}"),
            })
            .collect();
        let values = vec![Value::Text(pattern); parts.len()];
        WhereClause { sql: parts.join(" or "), values }
    }
}

impl WhereClause {
    fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
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
    fn compile(&self) -> WhereClause {
        let Self { column, operator, values } = self;
        let one = |sign: &str| WhereClause {
            sql: format!("{} {sign} ?", column.sql),
            values: values.clone(),
        };
        match operator {
            Operator::AnyOf => among(column, values),
            Operator::NoneOf => {
                let among = among(column, values);
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
}

/// The column is one of the values. Several are bound as one list, so that the statement does not depend on their
/// number.
fn among(column: &Column, values: &[Value]) -> WhereClause {
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
    let test =
        if non_null.len() == 1 { format!("{sql} = ?") } else { format!("{sql} in ({list})") };
    let test = if asks_null { format!("{test} or {sql} is null") } else { test };
    WhereClause { sql: test, values: bound }
}

fn any_of(alternatives: &Alternatives) -> WhereClause {
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
