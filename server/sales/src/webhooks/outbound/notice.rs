//! The e-mail that notifies administrators that an endpoint was disabled.

use serde::Deserialize;

use super::endpoint::WebhookEndpoint;
use crate::database::{self, Db, Table as _, Tx};
use crate::events::{Event, Subscriber};
use crate::ids::{EventId, UserId, WebhookEndpointId};
use crate::jobs::{self, Job, JobError};
use crate::mail::templates::EndpointDisabled;
use crate::mail::{Mailer, sent};
use crate::webhooks::announce::DISABLED;
use crate::webhooks::queries;

/// The kind of the job that sends a notice. Its key is the event and the administrator.
pub const NOTIFY: &str = "webhooks.notify";

/// Schedules a notice for every administrator. Needed only with a mail server.
pub const NOTICES: Subscriber =
    Subscriber { name: "webhooks.notices", events: &[DISABLED], handle: schedule };

fn schedule(tx: &Tx<'_>, event: &Event) -> Result<(), database::Error> {
    for id in queries::administrators(tx)? {
        let key = format!("{}/{id}", event.id);
        jobs::schedule(tx, NOTIFY, &key, tx.now(), &event.payload)?;
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
struct Disabled {
    id: WebhookEndpointId,
    reason: String,
}

/// Sends a notice.
///
/// # Errors
/// If the mail server does not accept it; the job is retried.
pub async fn notify(db: Db, mailer: Option<Mailer>, job: Job) -> Result<(), JobError> {
    let user = job.key.split_once('/').and_then(|(_, id)| id.parse::<UserId>().ok());
    let disabled = serde_json::from_str::<Disabled>(&job.payload);
    let (Some(mailer), Some(user), Ok(Disabled { id, reason })) = (mailer, user, disabled) else {
        return Ok(());
    };
    let found = db.read::<_, database::Error>(move |tx| {
        Ok((queries::email_of(tx, &user)?, WebhookEndpoint::find(tx, &id)?))
    });
    let (Some(email), Some(endpoint)) = found.await? else { return Ok(()) };
    let mail = EndpointDisabled { shop: mailer.shop(), url: &endpoint.url, reason: &reason };
    let message_id = EventId::new().to_string();
    let outcome = mailer.write(&mail, (email, message_id.clone())).await;
    if outcome.is_ok() {
        db.write(move |tx| sent::note(tx, &message_id, None)).await?;
    }
    job.delivered(outcome)
}
