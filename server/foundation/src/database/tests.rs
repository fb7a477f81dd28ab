//! Tests of the database: groups, savepoints, instants, refusals.
#![expect(clippy::disallowed_methods, reason = "a separate connection plays another process")]

use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::task::Poll;
use std::time::Duration;

use rusqlite::Connection;

use super::{Db, Error, Options, Tx, audit, check_awaited, temporary};
use crate::clock::{Clock, Timestamp};
use crate::context::Context;

fn options() -> Options {
    options_at(Clock::fixed(Timestamp::from_millis(1_000)))
}

fn options_at(clock: Clock) -> Options {
    let (folder, path) = temporary::place();
    Options { folder: Some(folder), ..Options::new(path, clock) }
}

fn channel(tx: &Tx<'_>, id: &str) -> Result<(), Error> {
    tx.execute(
        "insert into sales_channel (id, name, created_at, updated_at) values (?1, ?1, ?2, ?2)",
        (id, tx.now()),
    )?;
    Ok(())
}

async fn count(db: &Db) -> i64 {
    db.read::<_, Error>(|tx| tx.sql("select count(*) from sales_channel").one([], |row| row.get(0)))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_failed_write_leaves_nothing_and_its_neighbours_stay() {
    let db = Db::open(&options()).unwrap();
    let writes: Vec<_> = (0..40)
        .map(|number| {
            let db = db.clone();
            tokio::spawn(async move {
                db.write(move |tx| {
                    channel(tx, &format!("sc_{number}"))?;
                    if number % 4 == 0 { Err(Error::Busy) } else { Ok(()) }
                })
                .await
            })
        })
        .collect();

    let mut failed = 0;
    for write in writes {
        failed += i32::from(write.await.unwrap().is_err());
    }

    assert_eq!((failed, count(&db).await), (10, 30));
}

/// As `pragma secure_delete` returns it: 0 for off, 1 for on, 2 for fast.
fn overwrites(tx: &Tx<'_>) -> Result<i64, Error> {
    Ok(tx.query_row("pragma secure_delete", [], |row| row.get(0))?)
}

#[tokio::test]
async fn erased_content_is_overwritten_and_the_setting_is_restored() {
    let db = Db::open(&options()).unwrap();

    let modes = db.write::<_, Error>(|tx| {
        let before = overwrites(tx)?;
        let within = tx.overwriting(overwrites)?;
        let failed = tx.overwriting(|_tx| Err::<(), Error>(Error::Busy));
        assert!(failed.is_err());
        Ok([before, within, overwrites(tx)?])
    });

    assert_eq!(modes.await.unwrap(), [2, 1, 2]);
}

#[tokio::test]
async fn a_failed_part_of_a_write_is_undone_and_the_rest_stays() {
    let db = Db::open(&options()).unwrap();

    db.write::<_, Error>(|tx| {
        channel(tx, "sc_before")?;
        let failed = tx.attempt(|tx| {
            channel(tx, "sc_part")?;
            Err::<(), Error>(Error::Busy)
        })?;
        assert!(failed.is_err());
        tx.attempt(|tx| channel(tx, "sc_after"))?
    })
    .await
    .unwrap();

    assert_eq!(count(&db).await, 2);
}

#[tokio::test]
async fn what_is_recorded_despite_a_failure_stays() {
    let db = Db::open(&options()).unwrap();
    // The first of a group is undone in another way than those that wait behind it.
    let writes: Vec<_> = (0..8)
        .map(|number| {
            let db = db.clone();
            tokio::spawn(async move {
                db.write::<(), Error>(move |tx| {
                    tx.despite(move |tx| channel(tx, &format!("sc_record_{number}")));
                    channel(tx, &format!("sc_{number}"))?;
                    Err(Error::Busy)
                })
                .await
            })
        })
        .collect();

    for write in writes {
        assert!(write.await.unwrap().is_err());
    }

    assert_eq!(count(&db).await, 8, "the records");
}

#[tokio::test]
async fn a_panic_in_a_write_is_an_error_and_is_undone() {
    let db = Db::open(&options()).unwrap();

    let outcome = db
        .write::<(), Error>(|tx| {
            channel(tx, "sc_1")?;
            panic!("a bug");
        })
        .await;

    assert!(matches!(outcome, Err(Error::Panicked)), "{outcome:?}");
    assert_eq!(count(&db).await, 0);
}

#[tokio::test]
async fn a_panic_in_a_read_leaves_the_reader_usable() {
    let db = Db::open(&Options { reader_count: 1, ..options() }).unwrap();
    let outcome = db.read::<(), Error>(|_tx| panic!("a bug")).await;
    assert!(matches!(outcome, Err(Error::Panicked)), "{outcome:?}");
    assert_eq!(count(&db).await, 0);
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let db = Db::open(&options()).unwrap();
    assert!(db.read(|tx| channel(tx, "sc_1")).await.is_err());
}

#[tokio::test]
async fn the_same_key_twice_is_a_duplicate() {
    let db = Db::open(&options()).unwrap();
    db.write(|tx| channel(tx, "sc_1")).await.unwrap();
    let second = db.write(|tx| channel(tx, "sc_1")).await;
    assert!(matches!(second, Err(Error::Duplicate(_))), "{second:?}");
}

#[tokio::test]
async fn instants_never_go_back() {
    let clock = Clock::fixed(Timestamp::from_millis(5_000));
    let db = Db::open(&options_at(clock.clone())).unwrap();
    let first = db.write::<_, Error>(|tx| Ok(tx.now())).await.unwrap();
    clock.advance(-3_000);
    let second = db.write::<_, Error>(|tx| Ok(tx.now())).await.unwrap();
    assert_eq!(first, second);
}

#[tokio::test]
async fn a_file_of_a_later_version_is_refused() {
    let options = options();
    drop(Db::open(&options).unwrap());
    Connection::open(&options.path).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let outcome = Db::open(&options);
    assert!(matches!(outcome, Err(Error::Newer { found: 999, .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_writer_that_waits_too_long_for_another_process_is_busy_and_then_goes_on() {
    let options = Options { busy_timeout_ms: 20, ..options() };
    let db = Db::open(&options).unwrap();
    let other = Connection::open(&options.path).unwrap();
    other.execute_batch("begin immediate").unwrap();

    let refused = db.write(|tx| channel(tx, "sc_1")).await;
    assert!(matches!(refused, Err(Error::Busy)), "{refused:?}");
    assert_eq!(count(&db).await, 0, "reads go on");

    other.execute_batch("rollback").unwrap();
    db.write(|tx| channel(tx, "sc_1")).await.unwrap();
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let db = Db::open(&Options { queue_len: 1, ..options() }).unwrap();
    let (release, gate) = mpsc::channel::<()>();
    let (begun, beginning) = tokio::sync::oneshot::channel();
    let slow = db.clone();
    let slow = tokio::spawn(async move {
        slow.write::<_, Error>(move |_tx| {
            let _heard = begun.send(());
            let _ended = gate.recv();
            Ok(())
        })
        .await
    });
    beginning.await.unwrap();
    let other = db.clone();
    let queued = tokio::spawn(async move { other.write(|tx| channel(tx, "sc_1")).await });
    while db.waiting_count() == 0 {
        tokio::task::yield_now().await;
    }

    let refused = db.write(|tx| channel(tx, "sc_2")).await;

    release.send(()).unwrap();
    assert!(matches!(refused, Err(Error::Overloaded)), "{refused:?}");
    assert!(slow.await.unwrap().is_ok() && queued.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_write_is_done_even_if_its_caller_left() {
    let db = Db::open(&options()).unwrap();
    let mut write = Box::pin(db.write(|tx| channel(tx, "sc_1")));
    poll_fn(|context| {
        let _not_awaited = write.as_mut().poll(context);
        Poll::Ready(())
    })
    .await;
    drop(write);

    db.write::<_, Error>(|_tx| Ok(())).await.unwrap();
    assert_eq!(count(&db).await, 1);
}

#[tokio::test]
async fn a_backup_is_a_whole_database_and_never_replaces_a_file() {
    let db = Db::open(&options()).unwrap();
    db.write(|tx| channel(tx, "sc_1")).await.unwrap();
    let target = db.path().with_file_name("copy.db");

    db.backup(target.clone()).await.unwrap();

    let copy = Db::open(&Options::new(target.clone(), Clock::system())).unwrap();
    assert_eq!(count(&copy).await, 1);
    assert!(matches!(db.backup(target).await, Err(Error::Exists(_))));
}

#[tokio::test]
async fn a_backup_that_fails_leaves_nothing() {
    let db = Db::open(&options()).unwrap();
    let target = db.path().with_file_name("copy.db");
    // A non-empty folder in the way of the incomplete copy.
    let part = db.path().with_file_name("copy.db.part");
    std::fs::create_dir(&part).unwrap();
    std::fs::write(part.join("file"), "").unwrap();
    assert!(db.backup(target.clone()).await.is_err());
    assert!(!target.exists());

    std::fs::remove_dir_all(&part).unwrap();
    std::fs::write(&part, "what a copy that was killed has left").unwrap();
    db.backup(target.clone()).await.unwrap();
    assert!(target.exists() && !part.exists());
}

#[tokio::test]
async fn a_copy_of_a_file_changes_nothing_of_it_and_never_creates_it() {
    let options = options();
    let target = options.path.with_file_name("copy.db");
    assert!(matches!(Db::copy(&options, &target), Err(Error::File { .. })));
    assert!(matches!(Db::open_existing(&options), Err(Error::File { .. })));
    assert!(!options.path.exists() && !target.exists());

    drop(Db::open(&options).unwrap());
    let version = |path: &PathBuf, version: Option<i64>| -> i64 {
        let file = Connection::open(path).unwrap();
        if let Some(version) = version {
            file.pragma_update(None, "user_version", version).unwrap();
        }
        file.query_row("pragma user_version", [], |row| row.get(0)).unwrap()
    };
    // A file of an older version is not migrated by a program that only inspects it.
    version(&options.path, Some(3));
    let older = Db::open_existing(&options);
    assert!(matches!(older, Err(Error::Older { found: 3, .. })), "{older:?}");
    assert_eq!(version(&options.path, None), 3);
    // A file of another version is copied unchanged.
    version(&options.path, Some(999));
    Db::copy(&options, &target).unwrap();
    assert_eq!((version(&options.path, None), version(&target, None)), (999, 999));
    assert!(matches!(Db::copy(&options, &target), Err(Error::Exists(_))));
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    let options = options();
    let other = Connection::open(&options.path).unwrap();
    other.execute_batch("create table message (text)").unwrap();
    std::fs::set_permissions(&options.path, std::fs::Permissions::from_mode(0o600)).unwrap();

    assert!(matches!(Db::open(&options), Err(Error::Foreign)));

    let count: i64 =
        other.query_row("select count(*) from sqlite_schema", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1, "nothing was added");
}

#[tokio::test]
async fn every_audit_query_runs_and_an_empty_store_is_sound() {
    let db = Db::open(&options()).unwrap();
    assert_eq!(db.read(audit).await.unwrap(), []);
}

#[tokio::test]
async fn statements_are_counted_on_request() {
    let db = Db::open(&Options { counts_statements: true, ..options() }).unwrap();
    let before = db.statement_count();
    count(&db).await;
    assert_eq!(db.statement_count() - before, 3, "begin, select, commit");
}

#[tokio::test]
async fn after_closing_writes_are_refused() {
    let db = Db::open(&options()).unwrap();
    db.close().await;
    assert!(matches!(db.write(|tx| channel(tx, "sc_1")).await, Err(Error::Overloaded)));
}

#[tokio::test]
async fn after_closing_everything_is_in_the_main_file() {
    let options = options();
    let db = Db::open(&options).unwrap();
    db.write(|tx| channel(tx, "sc_1")).await.unwrap();
    count(&db).await;
    db.close().await;

    let journal = PathBuf::from(format!("{}-wal", options.path.display()));
    assert_eq!(std::fs::metadata(journal).map_or(0, |found| found.len()), 0);
}

#[tokio::test]
async fn after_a_commit_that_failed_nothing_is_there_and_the_connection_is_another() {
    let db = Db::open(&options()).unwrap();
    db.write::<_, Error>(|tx| Ok(tx.execute_batch("create temp table mark (x)")?)).await.unwrap();
    let is_marked = || {
        db.write::<_, Error>(|tx| {
            let sql = "select count(*) from temp.sqlite_schema where name = 'mark'";
            Ok(tx.query_row(sql, [], |row| row.get::<_, i64>(0))? == 1)
        })
    };
    assert!(is_marked().await.unwrap(), "writes have one connection");

    let failed = db
        .write(|tx| {
            // A reference to a missing row is rejected only when the whole transaction is committed.
            tx.execute_batch("pragma defer_foreign_keys = on")?;
            channel(tx, "sc_1")?;
            tx.execute("insert into api_key_sales_channel values ('apk_1', 'sc_1')", [])?;
            Ok::<_, Error>(())
        })
        .await;

    assert!(matches!(failed, Err(Error::Sqlite(_))), "{failed:?}");
    assert_eq!(count(&db).await, 0);
    assert!(!is_marked().await.unwrap(), "a connection whose commit failed is not used again");
    db.write(|tx| channel(tx, "sc_2")).await.unwrap();
    assert_eq!(count(&db).await, 1);
}

#[tokio::test]
async fn a_full_disk_refuses_what_does_not_fit_and_takes_it_when_there_is_room() {
    let db = Db::open(&options()).unwrap();
    let room = |pages: i64| {
        db.write::<_, Error>(move |tx| {
            let used: i64 = tx.query_row("pragma page_count", [], |row| row.get(0))?;
            let set = format!("pragma max_page_count = {}", used.saturating_add(pages));
            Ok(tx.query_row(&set, [], |_row| Ok(()))?)
        })
    };
    room(4).await.unwrap();
    let mut acknowledged = 0;
    let refused = loop {
        let name = format!("{acknowledged}{}", "x".repeat(5_000));
        match db.write(move |tx| channel(tx, &name)).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
    };

    assert!(matches!(refused, Error::Full), "{refused:?}");
    assert_eq!(count(&db).await, acknowledged, "what was acknowledged, and nothing of the rest");
    room(100).await.unwrap();
    db.write(|tx| channel(tx, &"y".repeat(5_000))).await.unwrap();
    assert_eq!(db.read(audit).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_past_its_time_is_stopped_and_its_connection_serves_others() {
    let db = Db::open(&Options { reader_count: 1, ..options() }).unwrap();
    let endless =
        "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";

    let late = db.read_within::<i64, Error>(Duration::from_millis(50), move |tx| {
        tx.sql(endless).one([], |row| row.get(0))
    });
    assert!(matches!(late.await, Err(Error::Late)));

    let others = tokio::time::timeout(Duration::from_secs(30), count(&db));
    assert_eq!(others.await.unwrap(), 0);
    let quick = db.read_within::<_, Error>(Duration::from_secs(30), |tx| Ok(tx.now()));
    assert_eq!(quick.await.unwrap().as_millis(), 1_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn work_between_the_statements_of_a_read_ends_when_nobody_waits() {
    let db = Db::open(&options()).unwrap();
    // More than there are threads.
    for _ in 0..4 {
        let late = db.read_within::<(), Error>(Duration::from_millis(20), |_tx| {
            loop {
                check_awaited()?;
            }
        });
        assert!(matches!(late.await, Err(Error::Late)));
    }

    let quick = db.read_within::<_, Error>(Duration::from_secs(30), |tx| Ok(tx.now()));
    assert_eq!(quick.await.unwrap().as_millis(), 1_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_reads_beyond_the_queue_are_refused() {
    let db = Db::open(&options()).unwrap();
    let [running, is_open] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    let long = || {
        let (running, is_open) = (Arc::clone(&running), Arc::clone(&is_open));
        Box::pin(db.read_within::<_, Error>(Duration::from_secs(30), move |_tx| {
            running.fetch_add(1, Ordering::SeqCst);
            while is_open.load(Ordering::SeqCst) == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        }))
    };
    let mut reads = Vec::new();
    for number in 1..=32 {
        let mut read = long();
        assert!(tokio::time::timeout(Duration::from_millis(1), &mut read).await.is_err());
        reads.push(read);
        while running.load(Ordering::SeqCst) < number.min(2) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    assert!(matches!(long().await, Err(Error::Overloaded)));

    is_open.store(1, Ordering::SeqCst);
    for read in reads {
        read.await.unwrap();
    }
}

/// A long read may sort a million rows.
#[tokio::test(flavor = "multi_thread")]
async fn long_reads_sort_in_files_and_others_in_memory() {
    const FILE: i64 = 1;
    const MEMORY: i64 = 2;
    let db = Db::open(&options()).unwrap();
    let place = |tx: &Tx<'_>| -> Result<i64, Error> {
        Ok(tx.pragma_query_value(None, "temp_store", |row| row.get(0))?)
    };

    assert_eq!(db.read_within(Duration::from_secs(30), place).await.unwrap(), FILE);
    assert_eq!(db.read(place).await.unwrap(), MEMORY);
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_with_a_limit_run_side_by_side() {
    let db = Db::open(&Options { reader_count: 2, ..options() }).unwrap();
    let both = Arc::new(Barrier::new(2));
    let read = || {
        let both = Arc::clone(&both);
        db.read_within::<_, Error>(Duration::from_secs(30), move |_tx| Ok(both.wait().is_leader()))
    };

    let (one, other) = tokio::join!(read(), read());

    assert_ne!(one.unwrap(), other.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn patient_reads_leave_half_of_the_connections_to_others() {
    let db = Db::open(&Options { reader_count: 2, ..options() }).unwrap();
    let (arrive, arrivals) = mpsc::channel();
    let (let_go, held) = mpsc::channel();
    let held = Arc::new(Mutex::new(held));
    let start = || {
        let (db, arrive, held) = (db.clone(), arrive.clone(), Arc::clone(&held));
        Context::new("").patient().spawn(async move {
            db.read::<_, Error>(move |_tx| {
                arrive.send(()).unwrap();
                held.lock().unwrap().recv().unwrap();
                Ok(())
            })
            .await
        })
    };
    let patient = [start(), start()];
    arrivals.recv().unwrap();

    let others = tokio::time::timeout(Duration::from_secs(30), count(&db));
    assert_eq!(others.await.unwrap(), 0);
    assert!(arrivals.try_recv().is_err(), "the other patient read waits");
    // Either of them may have come first.
    for _ in &patient {
        let_go.send(()).unwrap();
    }
    for read in patient {
        read.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_returned_connection_does_not_wait_for_the_read_that_asked_first() {
    let db = Db::open(&Options { reader_count: 1, ..options() }).unwrap();
    let (arrive, arrivals) = mpsc::channel();
    let (let_go, held) = mpsc::channel::<()>();
    let busy = db.clone();
    let holder = std::thread::spawn(move || {
        let read = busy.read::<_, Error>(move |_tx| {
            arrive.send(()).unwrap();
            held.recv().unwrap();
            Ok(())
        });
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(read)
    });
    arrivals.recv().unwrap();
    let (mut first, mut second) = (pin!(count(&db)), pin!(count(&db)));
    assert!(poll_once(first.as_mut()).await.is_pending());

    let_go.send(()).unwrap();
    holder.join().unwrap().unwrap();

    assert!(poll_once(second.as_mut()).await.is_ready());
    assert_eq!(first.await, 0);
}

async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_everybody_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    let options = temporary::options(&Clock::system());
    Db::open(&options).unwrap().close().await;
    for (mode, is_open) in [(0o644, false), (0o606, false), (0o640, true), (0o600, true)] {
        std::fs::set_permissions(&options.path, std::fs::Permissions::from_mode(mode)).unwrap();
        let opened = Db::open(&options);
        assert_eq!(opened.is_ok(), is_open, "{mode:o}");
        assert_eq!(matches!(opened, Err(Error::Exposed(_))), !is_open, "{mode:o}");
    }
}

#[tokio::test]
async fn the_log_is_copied_into_the_file_while_it_is_written() {
    let options = options();
    let db = Db::open(&options).unwrap();
    let write = async |bytes: i64| {
        db.write::<_, Error>(move |tx| {
            let sql = "insert into sales_channel (id, name, created_at, updated_at)
                       values ('sc_' || hex(randomblob(8)), hex(randomblob(?1)), 0, 0)";
            Ok(tx.execute(sql, [bytes])?)
        })
        .await
        .unwrap();
    };
    let size = || std::fs::metadata(&options.path).unwrap().len();
    for _number in 0..20 {
        write(512 * 1024).await;
    }
    let (mut tries, copied) = (0, 16 * 1024 * 1024);

    while size() < copied && tries < 1_000 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        write(1).await;
        tries += 1;
    }

    assert!(size() >= copied, "{} bytes", size());
    assert_eq!(count(&db).await, 20 + tries);
    db.close().await;
}
