//! Tests of the job queue.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Barrier, Semaphore};

use super::worker::{MAX_OF_KIND, Running};
use super::{Job, JobError, Kind, Worker, schedule};
use crate::clock::{Clock, Timestamp};
use crate::database::{Db, Error, temporary};

fn open() -> (Db, Clock) {
    let clock = Clock::fixed(Timestamp::from_millis(1_000));
    (Db::open(&temporary::options(&clock)).unwrap(), clock)
}

const KINDS: &[Kind<Db>] = &[
    Kind { name: "note", every_ms: None, run: |db, job| Box::pin(note(db, job)) },
    Kind { name: "fail", every_ms: None, run: |_db, _job| Box::pin(fail()) },
    Kind { name: "panic", every_ms: None, run: |_db, _job| Box::pin(async { panic!("a storm") }) },
    Kind { name: "tick", every_ms: Some(60_000), run: |db, job| Box::pin(note(db, job)) },
];

/// Kinds whose jobs schedule themselves again.
const REPEATED: &[Kind<Db>] = &[
    Kind { name: "repeat", every_ms: None, run: |db, job| Box::pin(repeat(db, job)) },
    Kind { name: "tick", every_ms: Some(60_000), run: |db, job| Box::pin(repeat(db, job)) },
    Kind { name: "stumble", every_ms: None, run: |db, job| Box::pin(repeat_and_fail(db, job)) },
];

async fn note(db: Db, job: Job) -> Result<(), JobError> {
    let label = format!("{} {}", job.kind, job.key);
    db.write::<_, Error>(move |tx| {
        tx.execute(
            "insert into refund_reason (id, label, code, created_at, updated_at)
             values (hex(randomblob(8)), ?1, hex(randomblob(8)), 0, 0)",
            [label],
        )?;
        Ok(())
    })
    .await?;
    Ok(())
}

/// Schedules itself again, a second later.
async fn repeat(db: Db, job: Job) -> Result<(), JobError> {
    let (kind, key) = (job.kind.clone(), job.key.clone());
    db.write(move |tx| schedule(tx, &kind, &key, tx.now().plus_ms(1_000), "{}")).await?;
    note(db, job).await
}

async fn repeat_and_fail(db: Db, job: Job) -> Result<(), JobError> {
    repeat(db, job).await?;
    fail().await
}

async fn fail() -> Result<(), JobError> {
    std::future::ready(Err(JobError("it rains".to_owned()))).await
}

async fn notes(db: &Db) -> i64 {
    db.read::<_, Error>(|tx| tx.sql("select count(*) from refund_reason").one([], |row| row.get(0)))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_job_runs_once_when_it_is_due() {
    let (db, clock) = open();
    let worker = Worker::new(db.clone(), clock.clone(), db.clone(), KINDS);
    let at = Timestamp::from_millis(5_000);
    for _ in 0..2 {
        db.write(move |tx| schedule(tx, "note", "order 1", at, "{}")).await.unwrap();
    }

    assert_eq!(worker.run_due().await.unwrap(), 0);
    clock.advance(4_000);
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(worker.run_due().await.unwrap(), 0);
    assert_eq!(notes(&db).await, 1);
}

#[tokio::test]
async fn a_job_that_is_scheduled_again_while_it_runs_is_run_again() {
    let (db, clock) = open();
    let worker = Worker::new(db.clone(), clock.clone(), db.clone(), REPEATED);
    for kind in ["repeat", "tick", "stumble"] {
        db.write(move |tx| schedule(tx, kind, "order 1", tx.now(), "{}")).await.unwrap();
    }

    for _ in 0..3 {
        assert_eq!(worker.run_due().await.unwrap(), 3);
        assert_eq!(worker.run_due().await.unwrap(), 0);
        clock.advance(1_000);
    }
    assert_eq!(notes(&db).await, 9);
}

#[tokio::test]
async fn a_job_that_fails_is_tried_again_later_each_time() {
    let (db, clock) = open();
    let worker = Worker::new(db.clone(), clock.clone(), db.clone(), KINDS);
    for kind in ["fail", "panic"] {
        db.write(|tx| schedule(tx, kind, "", tx.now(), "{}")).await.unwrap();
    }

    for wait_ms in [5_000, 10_000, 20_000] {
        assert_eq!(worker.run_due().await.unwrap(), 2);
        clock.advance(wait_ms - 1);
        assert_eq!(worker.run_due().await.unwrap(), 0, "{wait_ms}");
        clock.advance(1);
    }
}

#[tokio::test]
async fn recurring_work_is_done_again_and_a_restart_adds_none() {
    let (db, clock) = open();
    let worker = Worker::new(db.clone(), clock.clone(), db.clone(), KINDS);
    for _ in 0..2 {
        worker.prepare().await.unwrap();
    }
    for _ in 0..3 {
        clock.advance(60_000);
        assert_eq!(worker.run_due().await.unwrap(), 1);
    }
    assert_eq!(notes(&db).await, 3);
}

/// Two jobs that only end together.
const MEET: &[Kind<Arc<Barrier>>] = &[Kind {
    name: "meet",
    every_ms: None,
    run: |barrier, _job| {
        Box::pin(async move {
            barrier.wait().await;
            Ok(())
        })
    },
}];

#[tokio::test]
async fn jobs_that_are_due_at_once_do_not_wait_for_one_another() {
    let (db, clock) = open();
    let worker = Worker::new(db.clone(), clock.clone(), Arc::new(Barrier::new(2)), MEET);
    for key in ["one", "other"] {
        let at = clock.now();
        db.write(move |tx| schedule(tx, "meet", key, at, "{}")).await.unwrap();
    }

    let ran = tokio::time::timeout(Duration::from_secs(20), worker.run_due()).await;

    assert_eq!(ran.unwrap().unwrap(), 2);
}

/// Jobs that wait for another server, and one that does not.
const WAIT: &[Kind<Arc<Semaphore>>] = &[
    Kind {
        name: "wait",
        every_ms: None,
        run: |answers, _job| {
            Box::pin(async move {
                answers.acquire().await.expect("it is open").forget();
                Ok(())
            })
        },
    },
    Kind { name: "quick", every_ms: None, run: |_answers, _job| Box::pin(async { Ok(()) }) },
];

async fn schedule_all(db: &Db, clock: &Clock, kind: &'static str, count: usize) {
    schedule_under(db, clock, kind, "", count).await;
}

async fn schedule_under(
    db: &Db,
    clock: &Clock,
    kind: &'static str,
    prefix: &'static str,
    count: usize,
) {
    let at = clock.now();
    db.write::<_, Error>(move |tx| {
        (0..count).try_for_each(|number| schedule(tx, kind, &format!("{prefix}{number}"), at, "{}"))
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn jobs_that_wait_for_another_server_hold_up_no_others() {
    let (db, clock) = open();
    let answers = Arc::new(Semaphore::new(0));
    let worker = Worker::new(db.clone(), clock.clone(), Arc::clone(&answers), WAIT);
    let mut running = Running::default();
    schedule_all(&db, &clock, "wait", 3 * MAX_OF_KIND).await;

    assert_eq!(worker.begin_due(&mut running).await.unwrap(), MAX_OF_KIND);
    assert_eq!(worker.begin_due(&mut running).await.unwrap(), 0);
    clock.advance(1);
    schedule_all(&db, &clock, "quick", 2).await;
    assert_eq!(worker.begin_due(&mut running).await.unwrap(), 2);
    for _ in 0..2 {
        running.tasks.join_next().await.unwrap().unwrap().unwrap();
    }
    assert_eq!(running.tasks.len(), MAX_OF_KIND, "those that wait still do");
}

#[tokio::test]
async fn a_job_that_has_ended_makes_room_for_the_next() {
    let (db, clock) = open();
    let answers = Arc::new(Semaphore::new(0));
    let worker = Worker::new(db.clone(), clock.clone(), Arc::clone(&answers), WAIT);
    let mut running = Running::default();
    schedule_all(&db, &clock, "wait", MAX_OF_KIND + 1).await;
    assert_eq!(worker.begin_due(&mut running).await.unwrap(), MAX_OF_KIND);

    answers.add_permits(1);
    while running.tasks.len() == MAX_OF_KIND {
        tokio::task::yield_now().await;
        running.forget_ended();
    }

    assert_eq!(worker.begin_due(&mut running).await.unwrap(), 1);
}

/// Starts the jobs that can start; returns how many.
async fn begun(worker: &Worker<Arc<Semaphore>>, running: &mut Running) -> usize {
    worker.begin_due(running).await.unwrap()
}

#[tokio::test]
async fn jobs_that_wait_for_one_server_hold_up_no_others_of_their_kind() {
    let (db, clock) = open();
    let answers = Arc::new(Semaphore::new(0));
    let worker = Worker::new(db.clone(), clock.clone(), Arc::clone(&answers), WAIT);
    let mut running = Running::default();
    schedule_under(&db, &clock, "wait", "hangs/", 300).await;
    clock.advance(1);
    schedule_under(&db, &clock, "wait", "other/", 300).await;
    clock.advance(1);
    schedule_under(&db, &clock, "wait", "third/", 3).await;

    // 25 of 50, then 13 of the remaining 25, then all three.
    assert_eq!(begun(&worker, &mut running).await, 25 + 13 + 3);
    assert_eq!(begun(&worker, &mut running).await, 0);
    clock.advance(1);
    schedule_under(&db, &clock, "wait", "fourth/", 1).await;
    assert_eq!(begun(&worker, &mut running).await, 1);
}
