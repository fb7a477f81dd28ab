//! Text indexes: which rows of a growing table may contain a search text.
//!
//! An index holds the trigrams of the rows. It costs the writers of rows nothing: [`keep_adding`] adds new rows later,
//! many at once, and a search also reads the rows after the last one added; triggers update rows that change. The index
//! returns a superset of the matches: the list's own conditions still apply, so an index changes no result.

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::named_params;
use rusqlite::types::Value;

use super::listing::ListQuery;
use super::{Db, Error, Tx};

/// The interval between looks for new rows.
const EVERY: Duration = Duration::from_secs(10);
/// The pause after each write: longer than the interval at which another process retries to lock the file.
const PAUSE: Duration = Duration::from_millis(120);
/// The number of new rows to wait for: a search reads fewer in no time, and adding a single one costs as much as
/// adding many.
const ROWS_MIN: i64 = 512;
/// Limit: rows added in one write, so that other writes do not wait long.
const ROWS_AT_ONCE: i64 = 512;
/// Limit: candidate rows. If there are more, reading the list until its page is full is faster.
const FOUND_MAX: u32 = 8_192;
/// The characters of an indexed sequence.
const TRIGRAM: usize = 3;

#[derive(Debug)]
pub struct TextIndex {
    /// The table of the index; `{name}_row` is the view of its rows' texts.
    name: &'static str,
    /// The table of the rows, and the column with their numbers.
    table: &'static str,
    number: &'static str,
    /// The list condition that a row is among the candidates.
    among: &'static str,
}

/// Orders by their numbers and e-mail addresses.
pub static ORDERS: TextIndex = TextIndex {
    name: "order_text",
    table: "orders",
    number: "display_id",
    among: "o.display_id in (select value from json_each(?))",
};

/// Customers by their addresses, names, companies and telephone numbers.
pub static CUSTOMERS: TextIndex = TextIndex {
    name: "customer_text",
    table: "customer",
    number: "number",
    among: "c.number in (select value from json_each(?))",
};

static ALL: [&TextIndex; 2] = [&ORDERS, &CUSTOMERS];

impl TextIndex {
    /// Narrows a search to the rows that may contain its text, if these are few.
    pub fn narrow(&self, tx: &Tx<'_>, query: ListQuery) -> Result<ListQuery, Error> {
        let Some(text) = query.search.as_deref() else { return Ok(query) };
        let found = match trigrams(text) {
            Some(trigrams) => self.rows_with(tx, &trigrams)?,
            // The searched columns are read once, whereas the page and the count would read whole rows.
            None if query.is_unfiltered() => query.numbers_with_text(tx, self.number, FOUND_MAX)?,
            None => return Ok(query),
        };
        if u32::try_from(found.len()).is_ok_and(|len| len < FOUND_MAX) {
            let found: serde_json::Value = found.into_iter().collect();
            return Ok(query.narrow(self.among, [Value::Text(found.to_string())]));
        }
        Ok(query)
    }

    /// Returns the rows that may contain trigrams.
    fn rows_with(&self, tx: &Tx<'_>, trigrams: &str) -> Result<Vec<i64>, Error> {
        let Self { name, number, .. } = self;
        let found = format!(
            "select rowid from {name} where {name} match :text union all select {number} {} limit :limit",
            self.rows_after()
        );
        tx.sql(&found)
            .all(named_params! { ":text": trigrams, ":limit": FOUND_MAX }, |row| row.get(0))
    }

    /// Adds the next rows to the index if enough of them are waiting; returns whether it did.
    fn add_next(&self, tx: &Tx<'_>, rows_min: i64) -> Result<bool, Error> {
        let Some(last) = self.next(tx, rows_min)? else { return Ok(false) };
        let Self { name, .. } = self;
        let add = format!(
            "insert into {name} (rowid, body) select number, body from {name}_row
              where number > (select last_row from text_index where name = '{name}') and number <= :last"
        );
        tx.sql(&add).run(named_params! { ":last": last })?;
        tx.sql("update text_index set last_row = :last where name = :name")
            .run(named_params! { ":last": last, ":name": name })?;
        Ok(true)
    }

    /// Returns the last of the next rows to be added; none if too few are waiting.
    fn next(&self, tx: &Tx<'_>, rows_min: i64) -> Result<Option<i64>, Error> {
        let number = self.number;
        let next = format!(
            "select count(*), max({number}) from (select {number} {} order by {number} limit :limit)",
            self.rows_after()
        );
        let parameters = named_params! { ":limit": ROWS_AT_ONCE };
        let (count, last): (i64, Option<i64>) =
            tx.sql(&next).one(parameters, |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(last.filter(|_| count >= rows_min))
    }

    /// Returns the clause for the rows that are not in the index.
    fn rows_after(&self) -> String {
        let Self { name, table, number, .. } = self;
        format!(
            "from {table} where {number} > (select last_row from text_index where name = '{name}')"
        )
    }
}

/// Adds all waiting rows to all indexes.
pub fn add_all(tx: &Tx<'_>) -> Result<(), Error> {
    for index in ALL {
        while index.add_next(tx, 1)? {}
    }
    Ok(())
}

/// Adds new rows to the indexes, forever.
pub async fn keep_adding(db: Db) {
    let mut every = tokio::time::interval(EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        for index in ALL {
            if let Err(error) = add_waiting(&db, index).await {
                tracing::warn!(%error, index = index.name, "rows could not be added to an index");
            }
        }
    }
}

async fn add_waiting(db: &Db, index: &'static TextIndex) -> Result<(), Error> {
    while db.read(|tx| index.next(tx, ROWS_MIN)).await?.is_some() {
        db.write(|tx| index.add_next(tx, ROWS_MIN)).await?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Returns the condition that an indexed text has every trigram of a text; none if that is too short.
fn trigrams(text: &str) -> Option<String> {
    if text.contains(char::is_control) {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let trigram = |window: &[char]| {
        let trigram: String = window.iter().collect();
        format!("\"{}\"", trigram.replace('"', "\"\""))
    };
    let all: BTreeSet<String> = characters.windows(TRIGRAM).map(trigram).collect();
    let all: Vec<String> = all.into_iter().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Timestamp};
    use crate::database::listing::{Column, Kind, Listing};
    use crate::database::{Options, like, temporary};

    static LISTING: Listing = Listing {
        plural: "customers",
        table: "customer c",
        tie_breaker: "c.id",
        columns: &[Column::new("id", "c.id", Kind::Id)],
        search: &["c.email", "c.first_name", "c.last_name", "c.company_name", "c.phone"],
        default_limit: 200,
        default_order: "id",
        extra: &[],
    };

    const SEARCHES: &[&str] = &[
        "ada",
        "ADA",
        "lamp",
        "mp@ex",
        "@example.com",
        "é",
        "ödl",
        "ÖDL",
        "a",
        "ad",
        "0",
        "555",
        "+44 ",
        "o'b",
        "\"q\"",
        "100%",
        "_",
        "%da%",
        "x\\y",
        "da\nlo",
        "lovelace",
        "nobody has this",
        "",
    ];

    fn database() -> Db {
        let (folder, path) = temporary::place();
        let clock = Clock::fixed(Timestamp::from_millis(1_000));
        Db::open(&Options { folder: Some(folder), ..Options::new(path, clock) }).unwrap()
    }

    fn insert(tx: &Tx<'_>, email: &str, rest: [Option<&str>; 4]) {
        let [first_name, last_name, company, phone] = rest;
        tx.sql(
            "insert into customer (id, email, first_name, last_name, company_name, phone, created_at, updated_at)
             values ('cus_' || lower(hex(randomblob(8))), ?1, ?2, ?3, ?4, ?5, 1, 1)",
        )
        .run((email, first_name, last_name, company, phone))
        .unwrap();
    }

    fn fill(tx: &Tx<'_>) {
        insert(tx, "ada@example.com", [Some("Ada"), Some("Lovelace"), None, Some("+44 555 0100")]);
        insert(
            tx,
            "lamp@example.org",
            [Some("Zoë"), Some("Ödland"), Some("Lamps \"q\" & Co"), None],
        );
        insert(tx, "x@y.example", [None, Some("O'Brien"), Some("100% Wool_x\\y"), None]);
    }

    fn found(tx: &Tx<'_>, query: &ListQuery) -> Vec<String> {
        query.page(tx, "c.email", |row| row.get(0)).unwrap()
    }

    /// Asserts that every search has the same result with and without the index.
    fn assert_same(tx: &Tx<'_>, when: &str) {
        for text in SEARCHES {
            let mut query = ListQuery::new(&LISTING, LISTING.columns.first().unwrap());
            query.search = Some((*text).to_owned());
            let narrowed = CUSTOMERS.narrow(tx, query.clone()).unwrap();
            assert_eq!(found(tx, &narrowed), found(tx, &query), "{text:?} {when}");
            assert_eq!(narrowed.count(tx).unwrap(), query.count(tx).unwrap(), "{text:?} {when}");

            let others = query.except("c.number = 2");
            let narrowed = CUSTOMERS.narrow(tx, others.clone()).unwrap();
            let rows = found(tx, &others);
            assert_eq!(found(tx, &narrowed), rows, "{text:?} {when}");
            let counts = [others.count(tx).unwrap(), narrowed.count(tx).unwrap()];
            assert_eq!(counts, [u64::try_from(rows.len()).unwrap(); 2], "{text:?} {when}");
        }
    }

    /// Returns how many rows of the index contain a text.
    fn held(tx: &Tx<'_>, text: &str) -> i64 {
        tx.sql("select count(*) from customer_text where customer_text match ?1")
            .one([trigrams(text).unwrap()], |row| row.get(0))
            .unwrap()
    }

    #[tokio::test]
    async fn a_search_finds_the_same_with_an_index_as_without() {
        let db = database();
        let written = db.write::<_, Error>(|tx| {
            fill(tx);
            assert_same(tx, "before rows are added");
            add_all(tx)?;
            assert_eq!((held(tx, "lovelace"), held(tx, "LAMP"), held(tx, "example")), (1, 1, 3));
            assert_same(tx, "when all are in the index");

            insert(tx, "late@example.com", [Some("Adam"), None, None, None]);
            assert_same(tx, "with a row after the last");
            assert_eq!(held(tx, "late"), 0);

            tx.execute(
                "update customer set email = 'nobody@else.example' where first_name = 'Ada'",
                [],
            )?;
            tx.execute("update customer set last_name = null, phone = '0800 555'", [])?;
            tx.execute(
                "update customer set email = 'later@example.com' where first_name = 'Adam'",
                [],
            )?;
            assert_eq!((held(tx, "ada@"), held(tx, "lovelace"), held(tx, "0800")), (0, 0, 3));
            assert_same(tx, "after changes");
            add_all(tx)?;
            assert_same(tx, "after changes, all in the index");
            Ok(())
        });
        written.await.unwrap();
    }

    #[tokio::test]
    async fn an_index_finds_a_letter_in_each_case_that_a_search_finds_it_in() {
        let letters = ('\u{80}'..=char::MAX).filter(|letter| like::lower(*letter) != *letter);
        let letters: Vec<char> = letters.collect();
        assert!(letters.len() > 400, "{} letters", letters.len());

        let db = database();
        let written = db.write::<_, Error>(move |tx| {
            for (number, letter) in (1_i64..).zip(&letters) {
                tx.sql("insert into customer_text (rowid, body) values (?1, ?2)")
                    .run((number, format!("xy{letter}")))?;
            }
            for letter in letters {
                assert_ne!(held(tx, &format!("xy{}", like::lower(letter))), 0, "{letter}");
            }
            Ok(())
        });

        written.await.unwrap();
    }

    #[tokio::test]
    async fn a_short_text_is_looked_for_in_an_index_of_what_orders_are_found_by() {
        let sql = r"explain query plan select count(*) from orders o
                     where cast(o.display_id as text) like '%a%' escape '\' or o.email like '%a%' escape '\'";
        let plan =
            |tx: &Tx<'_>| Ok::<_, Error>(tx.query_row(sql, [], |row| row.get::<_, String>(3))?);

        let plan = database().read(plan).await.unwrap();

        assert!(plan.contains("COVERING INDEX orders_by_email"), "{plan}");
    }

    #[tokio::test]
    async fn a_row_that_gets_the_number_of_a_deleted_one_is_found() {
        let db = database();
        let written = db.write::<_, Error>(|tx| {
            fill(tx);
            add_all(tx)?;
            tx.execute("delete from customer where number = 2", [])?;
            tx.execute("delete from customer where number = 3", [])?;
            assert_eq!(held(tx, "lamp"), 0);
            assert_same(tx, "after the last were deleted");

            insert(tx, "again@lamp.example", [None; 4]);
            assert_same(tx, "with a number given again");
            add_all(tx)?;
            assert_eq!(held(tx, "lamp"), 1);
            assert_same(tx, "with a number given again, in the index");
            Ok(())
        });
        written.await.unwrap();
    }

    #[tokio::test]
    async fn rows_are_added_once_there_are_enough_of_them() {
        let db = database();
        let add = || async {
            add_waiting(&db, &CUSTOMERS).await.unwrap();
            let held = |tx: &Tx<'_>| Ok::<_, Error>(held(tx, "example"));
            db.read(held).await.unwrap()
        };
        let written = db.write::<_, Error>(|tx| {
            for number in 1..ROWS_MIN {
                insert(tx, &format!("{number}@example.com"), [None; 4]);
            }
            Ok(())
        });
        written.await.unwrap();
        assert_eq!(add().await, 0);

        let written = db.write::<_, Error>(|tx| {
            insert(tx, "last@example.com", [None; 4]);
            Ok(())
        });
        written.await.unwrap();

        assert_eq!(add().await, ROWS_MIN);
    }
}
