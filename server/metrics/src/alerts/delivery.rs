//! Deliveries: a notification is sent to a channel until the channel accepts it, with growing delays, and
//! abandoned after a while. The channel's latest response is recorded.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::task::JoinSet;

use super::alert::{Alert, AlertDeliveryStatus};
use super::channel::{Channel, ChannelPolicy};
use super::notification::{Notification, NotificationKind};
use super::queries;
use crate::clock::Clock;
use crate::config::Settings;
use crate::database::{Db, Error, Tx};
use crate::ids::{AlertDeliveryId, AlertHistoryId};
use crate::jobs::{self, Job, JobError};
use crate::mail::{MailMessage, Mailer};
use crate::webhooks::{self, Secret, SecretError, Sender};

/// The job kind of deliveries.
pub const KIND: &str = "metrics.deliver_alert";

/// Limit: the time of one attempt.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Notifier {
    /// The clock for signatures.
    pub clock: Clock,
    sender: Sender,
    mailer: Option<Mailer>,
}

impl Notifier {
    pub fn of(clock: Clock, settings: &Settings) -> Self {
        let sender = Sender::new(settings.alerts.webhook_private_targets);
        Self { clock, sender, mailer: Mailer::of(&settings.mail) }
    }

    pub const fn policy(&self) -> ChannelPolicy {
        let allows_private = self.sender.allows_private();
        ChannelPolicy { allows_private, has_mail: self.mailer.is_some() }
    }
}

/// The job's payload. The channel is without its secret.
#[derive(Debug, Serialize, Deserialize)]
struct Delivery {
    channel: Channel,
    notification: Notification,
}

pub(super) fn order(
    tx: &Tx<'_>,
    channel: &Channel,
    notification: &Notification,
) -> Result<(), Error> {
    let id = AlertDeliveryId::new();
    let channel = channel.without_secret();
    queries::insert_delivery(tx, &id, &notification.data, &channel)?;
    let delivery = json!({ "channel": channel, "notification": notification });
    jobs::schedule(tx, KIND, id.as_str(), tx.now(), &delivery.to_string())
}

/// Attempts a delivery once.
///
/// # Errors
/// If the channel does not accept it; the job is tried again.
pub async fn deliver(db: Db, notifier: Notifier, job: Job) -> Result<(), JobError> {
    let Ok(Delivery { channel, notification }) = serde_json::from_str(&job.payload) else {
        tracing::error!(job = job.key, "a delivery cannot be read and was dropped");
        return Ok(());
    };
    // The secret is read from the alert now; if the alert or the channel no longer exists, nothing
    // is sent.
    let id = notification.data.id.clone();
    let alert = db.read::<_, Error>(move |tx| queries::find(tx, &id)).await?;
    let stored = alert.and_then(|alert| {
        alert
            .channels
            .into_iter()
            .find(|stored| stored.without_secret() == channel.without_secret())
    });
    let Some(channel) = stored else {
        let dropped = (AlertDeliveryStatus::Dropped, "the alert or its channel is gone".to_owned());
        write_down(&db, job.key, dropped).await;
        return Ok(());
    };
    let sent = send(&notifier, &channel, &job.key, &notification).await;
    let outcome = job.delivered(sent.clone().map(drop));
    let status = AlertDeliveryStatus::after(sent.is_ok(), outcome.is_ok());
    write_down(&db, job.key, (status, sent.unwrap_or_else(|reason| reason))).await;
    outcome
}

/// Records the outcome of a delivery, with the response. If recording fails, it is not sent again.
async fn write_down(db: &Db, id: String, (status, answer): (AlertDeliveryStatus, String)) {
    let write = move |tx: &Tx<'_>| queries::answer_delivery(tx, &id, status, &answer);
    if let Err(error) = db.write::<_, Error>(write).await {
        tracing::warn!(%error, "the answer to a delivery was not written down");
    }
}

/// Sends a test notification to every channel and returns the outcomes in channel order; nothing is retried.
pub(crate) async fn try_out(
    notifier: &Notifier,
    alert: &Alert,
) -> Vec<(Channel, Result<(), String>)> {
    let notification = Notification::of(NotificationKind::Tried, notifier.clock.now(), alert, None);
    let trial = AlertHistoryId::new();
    let mut running = JoinSet::new();
    for (index, channel) in alert.channels.iter().cloned().enumerate() {
        let (notifier, notification, id) =
            (notifier.clone(), notification.clone(), format!("{trial}_{index}"));
        running.spawn(async move {
            let outcome = send(&notifier, &channel, &id, &notification).await.map(drop);
            (index, channel.without_secret(), outcome)
        });
    }
    let mut outcomes = running.join_all().await;
    outcomes.sort_by_key(|(index, ..)| *index);
    outcomes.into_iter().map(|(_, channel, outcome)| (channel, outcome)).collect()
}

/// Sends to a channel and returns its response, or the reason if that fails or times out.
async fn send(
    notifier: &Notifier,
    channel: &Channel,
    id: &str,
    notification: &Notification,
) -> Result<String, String> {
    let delivery = async {
        match (channel, &notifier.mailer) {
            (Channel::Log {}, _) => {
                notification.log();
                Ok("it is in the log".to_owned())
            }
            (Channel::Webhook { url, secret: Some(secret) }, _) => {
                let body = json!(notification).to_string();
                call(notifier, url, secret, id, &body).await
            }
            (Channel::Webhook { secret: None, .. }, _) => Err("it has no secret".to_owned()),
            (Channel::Email { to }, Some(mailer)) => {
                let (to, id) = (to.clone(), id.to_owned());
                let (subject, text) = (notification.subject(), notification.text());
                let sent = mailer.send(MailMessage { to, id, subject, text, html: None }).await;
                sent.map(|()| "the mail server accepted it".to_owned())
            }
            (Channel::Email { .. }, None) => Err("no mail server is configured".to_owned()),
        }
    };
    let outcome = tokio::time::timeout(TIMEOUT, delivery).await;
    outcome.unwrap_or_else(|_late| Err("it did not answer in time".to_owned()))
}

async fn call(
    notifier: &Notifier,
    url: &str,
    secret: &str,
    id: &str,
    body: &str,
) -> Result<String, String> {
    let secret: Secret = secret.parse().map_err(|error: SecretError| error.to_string())?;
    let at = notifier.clock.now();
    let delivery = webhooks::Delivery { url, secrets: &[secret], id, at, body };
    let answer = notifier.sender.send(delivery).await.map_err(|error| error.to_string())?;
    answer.accepted().map(|()| format!("it answered {}", answer.status))
}
