//! Lists: one table of what may be filtered, searched and ordered, and the statements made from it.
//!
//! Invariant: a statement is made of pieces from a static [`Listing`]; what the caller sent is only ever bound.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

/// What a list can be asked for.
#[derive(Debug)]
pub struct Listing {
    /// The key of the answer that holds the rows, as `products`.
    pub plural: &'static str,
    /// What stands behind `from`, with an alias, as `product p`.
    pub table: &'static str,
    /// The id, which breaks ties in every order, as `p.id`.
    pub id: &'static str,
    /// What may be filtered or ordered by.
    pub columns: &'static [Column],
    /// Where `q` looks: columns, as `p.title`, or conditions with `{}` where the comparison goes, as
    /// `exists (select 1 from product_variant v where v.product_id = p.id and v.sku {})`. Empty: there is no `q`.
    pub search: &'static [&'static str],
    /// Rows on a page when `limit` is not sent.
    pub default_limit: u32,
    /// The order when none is sent: the name of a column, behind `-` for descending.
    pub default_order: &'static str,
    /// Keys of the query that the route reads by itself.
    pub extra: &'static [&'static str],
}

/// A column of a list.
#[derive(Debug)]
pub struct Column {
    /// Its name outside.
    pub name: &'static str,
    /// The expression it is, as `p.created_at`; for [`Kind::Link`] a condition with `{}` where the values go.
    pub sql: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Whether `order` may name it.
    pub orders: bool,
    /// Whether it may be filtered by.
    pub filters: bool,
}

impl Column {
    /// A column to filter and to order by.
    pub const fn new(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: true }
    }

    /// A column to filter by, that has no useful order or no index for one.
    pub const fn filter(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: false, filters: true }
    }

    /// A column to order by only.
    pub const fn order(name: &'static str, sql: &'static str, kind: Kind) -> Self {
        Self { name, sql, kind, orders: true, filters: false }
    }
}

/// What the values of a column are, and so how they are read and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An id; `null` asks for none.
    Id,
    /// Text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An instant in milliseconds; sent as RFC 3339 or a date alone, which is its first instant in UTC.
    Time,
    /// A whole number.
    Integer,
    /// `true` or `false`, stored as 1 or 0.
    Boolean,
    /// An amount; sent in major units, compared as an integer of this many decimal digits.
    Money {
        /// Digits behind the point of the integer that the column's expression gives.
        digits: u32,
    },
    /// A relation: the column's expression is a condition with `{}`, as
    /// `p.id in (select product_id from product_category_link where category_id in ({}))`.
    Link,
}

/// How a column is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// One of the values.
    AnyOf,
    /// None of the values.
    NoneOf,
    /// More than the value.
    Greater,
    /// The value or more.
    GreaterOrEqual,
    /// Less than the value.
    Less,
    /// The value or less.
    LessOrEqual,
    /// A pattern with `%` and `_`, without regard to the case of ASCII letters.
    Like,
}

/// A column compared with values.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The column.
    pub column: &'static Column,
    /// The comparison.
    pub operator: Operator,
    /// What it is compared with; one, but for the first two operators. `Null` asks for rows without a value.
    pub values: Vec<Value>,
}

/// Alternatives: at least one must hold.
pub type Alternatives = Vec<Vec<Condition>>;

/// A page of a list, as it was asked for.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// What may be asked.
    pub listing: &'static Listing,
    /// All of these hold.
    pub conditions: Vec<Condition>,
    /// Of each of these, one holds.
    pub alternatives: Vec<Alternatives>,
    /// The text that is searched for.
    pub search: Option<String>,
    /// The column of the order.
    pub order: &'static Column,
    /// Whether the order is from the last to the first.
    pub is_descending: bool,
    /// Rows on the page at most.
    pub limit: u32,
    /// Rows before the page.
    pub offset: u32,
    narrowed: Vec<(&'static str, Vec<Value>)>,
    except: Option<&'static str>,
}

/// A condition as text, and what is bound to its question marks in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhereClause {
    /// The condition, without `where`.
    pub sql: String,
    /// The values.
    pub values: Vec<Value>,
}

impl ListQuery {
    /// The first page of everything.
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

    /// Adds a condition of the route's own, as `p.deleted_at is null` or `p.customer_id = ?`, with what is bound to
    /// its question marks.
    #[must_use]
    pub fn narrow(mut self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        self.narrowed.push((sql, values.into_iter().collect()));
        self
    }

    /// Leaves out rows, of which there are few: those of a condition that is never null, as `o.status = 'draft'`.
    #[must_use]
    pub fn except(mut self, sql: &'static str) -> Self {
        self.except = Some(sql);
        self
    }

    /// How many rows there are on all pages.
    pub fn count(&self, connection: &Connection) -> rusqlite::Result<u64> {
        let WhereClause { sql, values } = self.where_clause();
        let table = self.listing.table;
        let statement = match self.except {
            // All rows are counted by the page, so that what is left out costs less than what is there.
            Some(few) if self.is_of_everything() => format!(
                "select (select count(*) from {table}) - (select count(*) from {table} where {few})"
            ),
            Some(_) | None => format!("select count(*) from {table} where {sql}"),
        };
        let count: i64 = connection
            .prepare_cached(&statement)?
            .query_row(params_from_iter(values), |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// The rows of the page. `columns` is what stands behind `select`.
    pub fn page<T>(
        &self,
        connection: &Connection,
        columns: &'static str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        if self.limit == 0 {
            return Ok(Vec::new());
        }
        let WhereClause { sql, mut values } = self.where_clause();
        values.extend([Value::from(self.limit), Value::from(self.offset)]);
        let (table, order) = (self.listing.table, self.order_by());
        let statement =
            format!("select {columns} from {table} where {sql} order by {order} limit ? offset ?");
        connection.prepare_cached(&statement)?.query_map(params_from_iter(values), read)?.collect()
    }

    /// Whether nothing was asked for but what is there.
    fn is_of_everything(&self) -> bool {
        self.narrowed.is_empty()
            && self.conditions.is_empty()
            && self.alternatives.is_empty()
            && self.search.is_none()
    }

    /// The condition of all that was asked for.
    pub fn where_clause(&self) -> WhereClause {
        let mut clause = WhereClause::default();
        if let Some(few) = self.except {
            clause.and(&format!("not ({few})"), []);
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
        if let Some(text) = &self.search {
            let part = self.search_for(text);
            clause.and(&part.sql, part.values);
        }
        if clause.sql.is_empty() {
            clause.sql.push_str("true");
        }
        clause
    }

    fn order_by(&self) -> String {
        let direction = if self.is_descending { "desc" } else { "asc" };
        let (order, id) = (self.order.sql, self.listing.id);
        if order == id {
            return format!("{id} {direction}");
        }
        format!("{order} {direction}, {id} {direction}")
    }

    fn search_for(&self, text: &str) -> WhereClause {
        const COMPARISON: &str = r"like ? escape '\'";
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
                // Invariant: what is not known is not one of the values, where SQL would say that it is unknown.
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

/// The column is one of the values. Many are bound as one list, so that the statement does not depend on their number.
fn among(column: &Column, values: &[Value]) -> WhereClause {
    let asks_null = values.contains(&Value::Null);
    let known: Vec<&Value> = values.iter().filter(|value| **value != Value::Null).collect();
    let (list, bound) = match known.as_slice() {
        [one] => ("?".to_owned(), vec![(*one).clone()]),
        many => ("select value from json_each(?)".to_owned(), vec![json_list(many)]),
    };
    if let Some((before, after)) = column.sql.split_once("{}") {
        return WhereClause { sql: format!("{before}{list}{after}"), values: bound };
    }
    let sql = column.sql;
    if known.is_empty() && asks_null {
        return WhereClause { sql: format!("{sql} is null"), values: Vec::new() };
    }
    let test = if known.len() == 1 { format!("{sql} = ?") } else { format!("{sql} in ({list})") };
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

/// Asks for nothing, to see that the database answers.
pub fn ping(connection: &Connection) -> Result<(), super::Error> {
    connection.prepare_cached("select 1")?.query_row([], |row| row.get::<_, i64>(0))?;
    Ok(())
}

/// Takes from a text what `like … escape '\'` would read as a wildcard.
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
