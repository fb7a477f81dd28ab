//! E-mails with password reset tokens. A token exists only in the e-mail; the database has its digest.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::actor::ActorType;
use super::credentials::Credentials;
use super::email::Email;
use crate::clock::MINUTE_MS;
use crate::config::MailSettings;
use crate::database::{self, Tx, Word as _};
use crate::ids::EventId;
use crate::jobs::{self, Job, JobError};
use crate::mail::Mailer;
use crate::mail::templates::PasswordReset;
use crate::metadata::Metadata;

/// The job kind of these e-mails.
pub const SEND_RESET: &str = "auth.send_reset";

const RESET_MINUTES: i64 = 15;

/// How long a password reset token is valid.
pub(super) const RESET_MS: i64 = RESET_MINUTES * MINUTE_MS;

/// A requested password reset: the payload of the job and of the event.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResetRequest {
    #[serde(rename = "entity_id")]
    pub(super) email: Email,
    pub(super) actor_type: ActorType,
    /// The client's own.
    pub(super) metadata: Value,
}

/// Schedules an e-mail. Further requests for the same address before it is sent have no effect.
pub(super) fn schedule(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
    metadata: &Metadata,
) -> Result<(), database::Error> {
    let key = format!("{} {email}", actor_type.as_str());
    let request = json!({ "entity_id": email, "actor_type": actor_type, "metadata": metadata });
    jobs::schedule(tx, SEND_RESET, &key, tx.now(), &request.to_string())
}

/// Sends an e-mail, if its address has an account and there is a mail server.
///
/// # Errors
/// If the mail server does not accept it; the job is retried with another token.
pub async fn send(
    credentials: Credentials,
    mailer: Option<Mailer>,
    settings: MailSettings,
    job: Job,
) -> Result<(), JobError> {
    let Ok(request) = serde_json::from_str::<ResetRequest>(&job.payload) else {
        tracing::error!("a password reset cannot be read and was dropped");
        return Ok(());
    };
    let Some(mailer) = mailer else { return Ok(()) };
    let base = match request.actor_type {
        ActorType::User => settings.admin_url,
        ActorType::Customer | ActorType::Partner => settings.storefront_url,
    };
    let to = request.email.to_string();
    let Some(secret) = credentials.issue_reset(request, job.attempt_count == 0).await? else {
        return Ok(());
    };
    let token = secret.reveal();
    let link = base.map(|base| format!("{base}/reset-password?token={token}"));
    let mail =
        PasswordReset { shop: mailer.shop(), token, link: link.as_deref(), minutes: RESET_MINUTES };
    let to = (to, EventId::new().to_string());
    job.delivered(mailer.write(&mail, to).await)
}
