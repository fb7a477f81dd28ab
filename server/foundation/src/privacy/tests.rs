//! Compares the list of personal data with the schema.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::queries;
use super::tables::{self, Erasure, FOR_STAFF, OTHERS};
use super::{erase, seek};
use crate::clock::{Clock, Timestamp};
use crate::database::{Db, Error, MIGRATIONS, functions, temporary};
use crate::ids::CustomerId;

/// Words that make a column name look personal.
const WORDS: &[&str] = &[
    "address",
    "birth",
    "birthday",
    "city",
    "comment",
    "company",
    "customer",
    "email",
    "fingerprint",
    "ip",
    "name",
    "note",
    "phone",
    "postal",
    "province",
    "referrer",
    "sub1",
    "sub2",
    "sub3",
    "visitor",
];

fn schema() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    for migration in MIGRATIONS {
        connection.execute_batch(migration).unwrap();
    }
    functions::add(&connection).unwrap();
    connection
}

fn columns(connection: &Connection) -> Vec<(String, String)> {
    let sql = "select t.name, c.name from sqlite_schema t join pragma_table_info(t.name) c
                where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_column_that_looks_personal_is_named() {
    let named: BTreeSet<String> = tables::all()
        .flat_map(|table| table.columns.iter().map(|column| format!("{}.{column}", table.table)))
        .chain(OTHERS.iter().flat_map(|(_, columns)| columns.iter().map(|name| (*name).to_owned())))
        .collect();
    let missing: Vec<String> = columns(&schema())
        .into_iter()
        .filter(|(_, column)| column.split('_').any(|word| WORDS.contains(&word)))
        .map(|(table, column)| format!("{table}.{column}"))
        .filter(|name| !named.contains(name))
        .collect();
    assert!(missing.is_empty(), "say in privacy/tables what becomes of {missing:#?}");
}

#[test]
fn every_named_column_exists_once() {
    let there: BTreeSet<String> =
        columns(&schema()).into_iter().map(|(table, column)| format!("{table}.{column}")).collect();
    let mut seen = BTreeSet::new();
    let of_tables = tables::all()
        .flat_map(|table| table.columns.iter().map(|column| format!("{}.{column}", table.table)));
    let others = OTHERS.iter().flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned()));
    for name in of_tables.chain(others) {
        assert!(there.contains(&name), "{name} is not in the schema");
        assert!(seen.insert(name.clone()), "{name} is named twice");
    }
    let for_staff = FOR_STAFF
        .iter()
        .flat_map(|(table, names)| names.iter().map(move |name| format!("{table}.{name}")));
    for name in for_staff {
        assert!(there.contains(&name), "{name} is not in the schema");
    }
}

#[test]
fn every_condition_and_every_erasure_is_a_statement() {
    let connection = schema();
    for table in tables::all() {
        let (name, rows) = (table.table, table.rows);
        if let Erasure::Keep(why) = table.erasure {
            assert!(!why.is_empty());
        }
        let erasure = queries::erasing(table, rows);
        let erasure = erasure.unwrap_or_else(|| format!("select 1 from {name} where {rows}"));
        let of_scan = table.scan().map(|scan| {
            [Some(queries::seeking(table, scan)), queries::erasing(table, scan.is_found)]
        });
        let of_scan = of_scan.into_iter().flatten().flatten();
        if tables::LONG.contains(&name) {
            let some = queries::erasing(table, &queries::next_rows(table)).unwrap();
            connection.prepare(&some).unwrap();
        }
        let key = queries::key(&connection, name).unwrap();
        let pages = [false, true].map(|is_continued| queries::page(table, &key, is_continued));
        let others = [Some(erasure), queries::detaching(table)].into_iter().flatten().chain(pages);
        for statement in others.chain(of_scan) {
            connection.prepare(&statement).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn a_condition_reads_only_tables_before_its_own() {
    let place = |name: &str| tables::all().position(|table| table.table == name);
    for (own, table) in tables::all().enumerate() {
        let words = table.rows.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let words: Vec<&str> = words.collect();
        for pair in words.windows(2).filter(|pair| matches!(pair[0], "from" | "join")) {
            assert!(place(pair[1]).is_none_or(|other| other < own), "{}: {}", table.table, pair[1]);
        }
    }
}

/// Reading everything again would make all other writes wait.
#[tokio::test]
async fn an_erasure_includes_rows_that_arrived_after_the_search() {
    const NOW_MS: i64 = 1_800_000_000_000;
    let clock = Clock::fixed(Timestamp::from_millis(NOW_MS));
    let db = Db::open(&temporary::options(&clock)).unwrap();
    let id = CustomerId::new();
    let customer = id.to_string();
    db.write::<_, Error>(move |tx| {
        let sql = "insert into customer (id, email, has_account, created_at, updated_at)
                   values (?1, 'na@shop.example', 1, 1, 1)";
        Ok(tx.execute(sql, [customer])?)
    })
    .await
    .unwrap();
    let deliver = |delivery: &'static str, at_ms: i64| {
        db.write::<_, Error>(move |tx| {
            let sql = "insert into webhook_delivery
                         (id, direction, receiver, external_id, body, status, received_at)
                       values (?1, 'inbound', 'email-provider', ?1, cast('to=na@shop.example' as blob), 'received', ?2)";
            Ok(tx.execute(sql, (delivery, at_ms))?)
        })
    };

    deliver("wh_old", 1).await.unwrap();
    let person = id.clone();
    let sought = db.read::<_, Error>(move |tx| seek(tx, &person)).await.unwrap();
    deliver("wh_new", NOW_MS).await.unwrap();
    deliver("wh_not_read", 2).await.unwrap();
    db.write::<_, Error>(move |tx| erase(tx, &id, &sought)).await.unwrap();

    let left = db.read::<String, Error>(|tx| {
        let sql = "select group_concat(id) from webhook_delivery where body is not null";
        tx.sql(sql).one([], |row| row.get(0))
    });
    assert_eq!(left.await.unwrap(), "wh_not_read");
}
