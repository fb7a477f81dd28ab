//! Background work of the server: following the outbox and revocations, and recurring jobs.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::auth::{self, Credentials, reset};
use crate::cart;
use crate::checkout::{self, finish};
use crate::clock::{DAY_MS, HOUR_MS};
use crate::config::Settings;
use crate::database::{self, Db, Tx, text_index};
use crate::events::{Subscriber, Subscribers};
use crate::flows;
use crate::jobs::{JobError, Kind, Run, Worker};
use crate::mail::Mailer;
use crate::metrics::Evaluator;
use crate::metrics::alerts::delivery::{self, Notifier};
use crate::metrics::alerts::watch;
use crate::metrics::reports::snapshots;
use crate::metrics::rollups;
use crate::middleware::idempotency;
use crate::orders::{mail, refunding, reversal};
use crate::partners::{clicks, conversions};
use crate::payments::{PaymentGateway, parking};
use crate::privacy;
use crate::state::AppState;
use crate::subscriptions;
use crate::users::{self, SEND_INVITATION};
use crate::webhooks::{self, Inbox};
use quotient_storefront::reviews::BADGES;
use quotient_storefront::sms::{self, SmsGateway, VIEWS};
use quotient_storefront::visits;

/// How long events are stored after every subscriber has handled them.
const EVENT_RETENTION_MS: i64 = 30 * DAY_MS;

/// The subscribers of the outbox; the last ones need a mail server.
const SUBSCRIBERS: &[Subscriber] = &[
    webhooks::PARCELS,
    subscriptions::SAVED_METHODS,
    conversions::SUBSCRIBER,
    webhooks::DISPATCH,
    BADGES,
    VIEWS,
    sms::MESSAGES,
    flows::HOLD,
    webhooks::NOTICES,
    mail::SUBSCRIBER,
];

/// How many of the subscribers need a mail server.
const OF_MAIL: usize = 2;

fn subscribers(db: Db, settings: &Settings) -> Subscribers {
    let list = match SUBSCRIBERS.split_last_chunk::<OF_MAIL>() {
        Some((others, _of_mail)) if settings.mail.smtp_host.is_none() => others,
        Some(_) | None => SUBSCRIBERS,
    };
    Subscribers::new(db, list)
}

/// The tools of jobs.
#[derive(Debug, Clone)]
struct Tools {
    db: Db,
    gateway: PaymentGateway,
    inbox: Inbox,
    evaluator: Evaluator,
    notifier: Notifier,
    credentials: Credentials,
    sms: SmsGateway,
    settings: Arc<Settings>,
}

impl Tools {
    fn mailer(&self) -> Option<Mailer> {
        Mailer::of(&self.settings.mail)
    }
}

/// Returns a kind of job that others schedule.
const fn once(name: &'static str, run: Run<Tools>) -> Kind<Tools> {
    Kind { name, every_ms: None, run }
}

/// Returns a kind of job that runs again and again.
const fn every(every_ms: i64, name: &'static str, run: Run<Tools>) -> Kind<Tools> {
    Kind { name, every_ms: Some(every_ms), run }
}

/// All kinds of jobs.
const KINDS: &[Kind<Tools>] = &[
    every(HOUR_MS, "auth.forget_ended", |Tools { db, .. }, _job| {
        Box::pin(async move { Ok(db.write(auth::forget_ended).await.map(drop)?) })
    }),
    every(HOUR_MS, "idempotency.forget_old", |Tools { db, .. }, _job| {
        Box::pin(async move { Ok(db.write(idempotency::forget_old).await.map(drop)?) })
    }),
    every(DAY_MS, "events.prune", |Tools { db, settings, .. }, _job| {
        Box::pin(async move { Ok(prune(db, &settings).await?) })
    }),
    every(HOUR_MS, "metrics.snapshot", |Tools { db, .. }, _job| {
        Box::pin(async move { Ok(db.write(snapshots::take_yesterday).await?) })
    }),
    every(HOUR_MS, "database.audit", |Tools { db, .. }, _job| {
        Box::pin(async move { audit(&db).await })
    }),
    every(watch::EVERY_MS, "metrics.watch_alerts", |Tools { db, evaluator, .. }, _job| {
        Box::pin(async move {
            watch::run(&db, &evaluator).await?;
            Ok(())
        })
    }),
    once(delivery::KIND, |Tools { db, notifier, .. }, job| {
        Box::pin(delivery::deliver(db, notifier, job))
    }),
    once(reset::SEND_RESET, |tools, job| {
        let (mailer, settings) = (tools.mailer(), tools.settings.mail.clone());
        Box::pin(reset::send(tools.credentials, mailer, settings, job))
    }),
    once(SEND_INVITATION, |tools, job| {
        let (mailer, settings) = (tools.mailer(), tools.settings.mail.clone());
        Box::pin(users::send_invitation(tools.db, mailer, settings, job))
    }),
    once(mail::SEND, |tools, job| {
        let mailer = tools.mailer();
        Box::pin(mail::send(tools.db, mailer, job))
    }),
    once(finish::FINISH, |Tools { db, gateway, .. }, job| {
        Box::pin(finish::finish(db, gateway, job))
    }),
    once(parking::CANCEL, |Tools { db, gateway, .. }, job| {
        Box::pin(parking::cancel(db, gateway, job))
    }),
    every(
        subscriptions::RENEW_EVERY_MS,
        subscriptions::RENEW,
        |Tools { db, gateway, .. }, _job| {
            Box::pin(async move {
                subscriptions::act_on_due(&db, &gateway).await?;
                Ok(())
            })
        },
    ),
    every(flows::RECOVER_EVERY_MS, flows::RECOVER, |Tools { db, gateway, .. }, _job| {
        Box::pin(flows::recover(db, gateway))
    }),
    once(flows::RELEASE, |Tools { db, .. }, job| Box::pin(flows::release(db, job))),
    every(DAY_MS, "flows.forget", |Tools { db, settings, .. }, _job| {
        let days = settings.store.flow_answer_days;
        Box::pin(async move { Ok(db.write(move |tx| flows::forget(tx, days)).await?) })
    }),
    once(reversal::REVERSE, |Tools { db, gateway, .. }, job| {
        Box::pin(reversal::reverse_again(db, gateway, job))
    }),
    once(refunding::REFUND, |Tools { db, gateway, .. }, job| {
        Box::pin(refunding::refund_again(db, gateway, job))
    }),
    once(checkout::COMPLETE_PAID, |Tools { db, gateway, .. }, job| {
        Box::pin(checkout::complete_paid(db, gateway, job))
    }),
    once(webhooks::HANDLE, |Tools { db, gateway, inbox, .. }, job| {
        Box::pin(webhooks::handle_again(db, gateway, inbox.receivers, job))
    }),
    once(webhooks::SEND, |Tools { db, notifier, inbox, .. }, job| {
        Box::pin(webhooks::send(db, notifier.clock, inbox.sender, job))
    }),
    once(webhooks::NOTIFY, |tools, job| {
        let mailer = tools.mailer();
        Box::pin(webhooks::notify(tools.db, mailer, job))
    }),
    every(DAY_MS, "visits.forget_old", |Tools { db, settings, .. }, _job| {
        Box::pin(async move {
            Ok(visits::forget_old(&db, settings.visitors.tracking_retention_days).await?)
        })
    }),
    every(DAY_MS, "carts.empty_untouched", |Tools { db, .. }, _job| {
        Box::pin(async move { Ok(cart::empty_untouched(&db).await?) })
    }),
    every(conversions::APPROVE_EVERY_MS, "partners.approve", |Tools { db, .. }, _job| {
        Box::pin(async move { until_done(&db, conversions::approve_due).await })
    }),
    every(HOUR_MS, "partners.prune_clicks", |Tools { db, settings, .. }, _job| {
        Box::pin(async move {
            let days = settings.partners.partner_click_days;
            until_done(&db, move |tx| clicks::prune(tx, days)).await
        })
    }),
    once(sms::SYNC, |Tools { db, sms, .. }, job| Box::pin(sms::sync_again(db, sms, job))),
    once(sms::HEAR, |Tools { db, sms, .. }, job| Box::pin(sms::hear(db, sms, job))),
    once(sms::DETACH, |Tools { sms, .. }, job| Box::pin(sms::detach(sms, job))),
    once(sms::TELL, |Tools { db, sms, .. }, job| Box::pin(sms::tell(db, sms, job))),
    every(
        privacy::ERASE_EVERY_MS,
        "privacy.erase_due",
        |Tools { db, gateway, credentials, .. }, _job| {
            Box::pin(privacy::erase_due(db, gateway, credentials))
        },
    ),
    every(HOUR_MS, "webhooks.prune", |Tools { db, .. }, _job| {
        Box::pin(async move { until_done(&db, webhooks::prune).await })
    }),
];

async fn prune(db: Db, settings: &Settings) -> Result<(), database::Error> {
    let now = db.read(|tx| Ok::<_, database::Error>(tx.now())).await?;
    let before = now.minus_ms(EVENT_RETENTION_MS);
    let subscribers = subscribers(db, settings);
    while subscribers.prune(before).await? > 0 {}
    Ok(())
}

/// Repeats a write until nothing is left for it to do, so that other writes need not wait for all of it.
async fn until_done<E: From<database::Error> + std::error::Error + Send + 'static>(
    db: &Db,
    write: impl Fn(&Tx<'_>) -> Result<usize, E> + Copy + Send + 'static,
) -> Result<(), JobError> {
    while db.write(write).await? > 0 {}
    Ok(())
}

/// Logs the findings of the audit; they do not fail the job.
async fn audit(db: &Db) -> Result<(), JobError> {
    let findings = db.read(database::audit).await?;
    for finding in &findings {
        tracing::error!(rule = finding.rule, id = finding.id, "a consistency check failed");
    }
    tracing::info!(findings = findings.len(), "consistency checks finished");
    Ok(())
}

fn worker(state: &AppState) -> Worker<Tools> {
    let AppState { shared, sales, metrics, visitors, .. } = state.clone();
    let clock = metrics.notifier.clock.clone();
    let tools = Tools {
        db: shared.db.clone(),
        gateway: sales.gateway,
        inbox: sales.inbox,
        evaluator: metrics.evaluator,
        notifier: metrics.notifier,
        credentials: shared.credentials.clone(),
        sms: visitors.sms,
        settings: Arc::clone(&shared.settings),
    };
    Worker::new(shared.db.clone(), clock, tools, KINDS)
}

/// Delivers past events to the subscribers, in a server that is not running; returns how many.
pub async fn tell_subscribers(state: &AppState) -> Result<usize, database::Error> {
    subscribers(state.shared.db.clone(), &state.shared.settings).catch_up().await
}

/// Prepares the subscribers, in a server that is not running, for the events from now on.
pub async fn prepare_subscribers(state: &AppState) -> Result<(), database::Error> {
    subscribers(state.shared.db.clone(), &state.shared.settings).prepare().await
}

/// Runs the jobs that are due by the clock of a server that is not running; returns how many.
pub async fn work_due(state: &AppState) -> Result<usize, database::Error> {
    let worker = worker(state);
    worker.prepare().await?;
    worker.run_due().await
}

/// The tasks that run until the server stops.
#[derive(Debug)]
pub(crate) struct Chores(Vec<JoinHandle<()>>);

impl Chores {
    /// Starts the tasks.
    pub(crate) async fn begin(state: &AppState) -> Result<Self, database::Error> {
        let subscribers = subscribers(state.shared.db.clone(), &state.shared.settings);
        subscribers.prepare().await?;
        if Mailer::of(&state.shared.settings.mail).is_none() {
            tracing::info!("no mail server is configured (smtp_host), so no e-mails are sent");
        }
        let worker = worker(state);
        worker.prepare().await?;
        let credentials = state.shared.credentials.clone();
        let prefix_sums = Arc::clone(state.metrics.evaluator.caches().prefix_sums());
        Ok(Self(vec![
            tokio::spawn(subscribers.follow()),
            tokio::spawn(worker.work()),
            tokio::spawn(credentials.follow_revocations()),
            tokio::spawn(text_index::keep_adding(state.shared.db.clone())),
            tokio::spawn(rollups::build_continuously(state.shared.db.clone(), prefix_sums)),
            tokio::spawn(state.sales.inbox.ring.clone().keep_draining(state.shared.db.clone())),
            tokio::spawn(state.partners.clicks.clone().keep_draining(state.shared.db.clone())),
            tokio::spawn(state.partners.reports.clone().keep_draining(state.shared.db.clone())),
        ]))
    }

    /// Stops the tasks. A write in progress is still completed.
    pub(crate) fn end(self) {
        for task in self.0 {
            task.abort();
        }
    }
}
