//! A request for a page of a list, and its statements.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::where_clause::{WhereClause, any_of, escape_like};
use super::{Alternatives, Column, Condition, Listing};
use crate::database::Error;

/// A request for a page of a list.
#[derive(Debug, Clone)]
pub struct ListQuery {
    pub listing: &'static Listing,
    /// Conditions that all must hold.
    pub conditions: Vec<Condition>,
    /// Alternatives; one of each must hold.
    pub alternatives: Vec<Alternatives>,
    pub search: Option<String>,
    pub order: &'static Column,
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
    /// The condition of the remaining rows, if it is not the negation: in the form in which their index has it.
    others: Option<&'static str>,
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

    /// Does the same, with the condition of the remaining rows in the form in which their index has it.
    #[must_use]
    pub fn but_for(mut self, sql: &'static str, others: &'static str) -> Self {
        self.except = Some(Few { sql, others: Some(others) });
        self
    }

    pub fn count(&self, connection: &Connection) -> Result<u64, Error> {
        let WhereClause { sql, values } = self.counting();
        let count: i64 = connection
            .prepare_cached(&sql)?
            .query_row(params_from_iter(values), |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

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
    pub(in crate::database) fn numbers_with_text(
        &self,
        connection: &Connection,
        number: &'static str,
        limit: u32,
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
    pub(in crate::database) fn is_unfiltered(&self) -> bool {
        self.narrowed.is_empty() && self.conditions.is_empty() && self.alternatives.is_empty()
    }

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
