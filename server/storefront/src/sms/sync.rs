//! Reports the membership of a number to the provider, immediately or with retries.

use serde_json::{Value, json};

use super::consent::{ConsentStatus, SmsConsent};
use super::error::SmsError;
use super::gateway::SmsGateway;
use super::phone::Phone;
use super::provider::{Membership, ProviderError};
use super::queries;
use crate::auth::SecretDigest;
use crate::database::{Db, Table as _, Tx};
use crate::events;
use crate::ids::SmsConsentId;
use crate::jobs::{self, Job, JobError};

/// The kind of job that reports a consent again; its key is the consent.
pub const SYNC: &str = "sms.sync";

/// The kind of job that reports a number whose owner was erased; its key is the consent.
pub const DETACH: &str = "sms.detach";

/// The pause after a call to which the provider did not respond.
pub(super) const PAUSE_MS: i64 = 30 * 1_000;

/// Reports a consent's state to the provider; a number to be confirmed is sent a code first.
pub(super) async fn advance(
    db: &Db,
    gateway: &SmsGateway,
    id: &SmsConsentId,
) -> Result<Result<(), ProviderError>, SmsError> {
    let sought = id.clone();
    let read = db.read(move |tx| {
        let consent = SmsConsent::require::<SmsError>(tx, &sought)?;
        let is_blocked = queries::is_blocked(tx, consent.phone_digest)?;
        Ok::<_, SmsError>((consent, is_blocked))
    });
    let (consent, is_blocked) = read.await?;
    let is_withdrawn = consent.status == ConsentStatus::Withdrawn;
    if consent.phone.is_erased() || (is_blocked && !is_withdrawn) {
        return Ok(Ok(()));
    }
    let asks = consent.status == ConsentStatus::Pending && gateway.asks_twice;
    let (membership, word) = match consent.status {
        ConsentStatus::Pending if asks => (Membership::Pending, "pending"),
        ConsentStatus::Pending | ConsentStatus::Confirmed => (Membership::Subscribed, "subscribed"),
        ConsentStatus::Withdrawn => (Membership::Withdrawn, "withdrawn"),
        ConsentStatus::Refused => return Ok(Ok(())),
    };
    let result = gateway.set(&format!("{id}-{word}"), &consent.phone, membership).await;
    let result = match result {
        Ok(()) if asks => send_code(db, gateway, &consent).await?,
        result => result,
    };
    let (id, outcome) = (id.clone(), result.clone());
    db.write(move |tx| record(tx, &id, outcome.as_ref())).await?;
    Ok(result)
}

/// Sends the code, of which only the digest is stored. A repetition has the same key, so that the provider sends one message.
async fn send_code(
    db: &Db,
    gateway: &SmsGateway,
    consent: &SmsConsent,
) -> Result<Result<(), ProviderError>, SmsError> {
    let code = gateway.code(&consent.id);
    let (id, digest) = (consent.id.clone(), digest_of(&consent.id, &code));
    db.write(move |tx| {
        let consent = SmsConsent::require::<SmsError>(tx, &id)?;
        let changed = SmsConsent { code_digest: Some(digest), ..consent };
        Ok::<_, SmsError>(changed.update(tx)?)
    })
    .await?;
    let text = format!("Your code to agree to text messages is {code}.");
    Ok(gateway.send(&format!("{}-{code}", consent.id), &consent.phone, &text).await)
}

/// Returns the digest of a code, which differs for every consent.
pub(super) fn digest_of(id: &SmsConsentId, code: &str) -> SecretDigest {
    SecretDigest::of(&format!("{id} {code}"))
}

/// Records the provider's response; without a response, it is called again later.
fn record(
    tx: &Tx<'_>,
    id: &SmsConsentId,
    result: Result<&(), &ProviderError>,
) -> Result<(), SmsError> {
    let mut consent = SmsConsent::require::<SmsError>(tx, id)?;
    match result {
        Ok(()) => {
            consent.synced_at = consent.synced_at.or(Some(tx.now()));
            if consent.status == ConsentStatus::Pending && consent.code_digest.is_none() {
                return confirm(tx, consent);
            }
        }
        Err(ProviderError::Refused(_reason)) if consent.status == ConsentStatus::Pending => {
            consent.status = ConsentStatus::Refused;
        }
        Err(ProviderError::Refused(_) | ProviderError::Silent) => return Ok(()),
    }
    Ok(consent.update(tx)?)
}

pub(super) fn confirm(tx: &Tx<'_>, mut consent: SmsConsent) -> Result<(), SmsError> {
    consent.status = ConsentStatus::Confirmed;
    consent.confirmed_at = Some(tx.now());
    consent.code_digest = None;
    consent.update(tx)?;
    Ok(events::record(tx, "sms.opted_in", &json!({ "id": consent.id }))?)
}

/// Withdraws a consent, and schedules its report to the provider.
pub(super) fn withdraw(tx: &Tx<'_>, id: &SmsConsentId, actor_id: &str) -> Result<(), SmsError> {
    let consent = SmsConsent::require::<SmsError>(tx, id)?;
    if consent.status == ConsentStatus::Withdrawn {
        return Ok(());
    }
    let (withdrawn_at, withdrawn_by) = (Some(tx.now()), Some(actor_id.to_owned()));
    end(tx, SmsConsent { withdrawn_at, withdrawn_by, ..consent })
}

/// Ends a consent that states when and by whom it was withdrawn, and schedules its report to the
/// provider.
pub(super) fn end(tx: &Tx<'_>, mut consent: SmsConsent) -> Result<(), SmsError> {
    consent.status = ConsentStatus::Withdrawn;
    consent.code_digest = None;
    consent.update(tx)?;
    later(tx, &consent.id, 0)?;
    Ok(events::record(tx, "sms.withdrawn", &json!({ "id": consent.id }))?)
}

pub(super) fn later(tx: &Tx<'_>, id: &SmsConsentId, pause_ms: i64) -> Result<(), SmsError> {
    Ok(jobs::schedule(tx, SYNC, id.as_str(), tx.now().plus_ms(pause_ms), "{}")?)
}

/// Reports a consent to the provider again.
///
/// # Errors
/// If it does not respond, so that the job is retried.
pub async fn sync_again(db: Db, gateway: SmsGateway, job: Job) -> Result<(), JobError> {
    let Ok(id) = job.key.parse::<SmsConsentId>() else { return Ok(()) };
    let result = advance(&db, &gateway, &id).await?;
    job.delivered(answered(result))
}

/// Returns whether the provider responded, with whatever result.
pub(super) fn answered(result: Result<(), ProviderError>) -> Result<(), String> {
    result.or_else(|error| match error {
        ProviderError::Silent => Err(error.to_string()),
        ProviderError::Refused(_) => Ok(()),
    })
}

/// Reports to the provider that a number may no longer receive messages, because its owner was erased. Only the job
/// has the number.
///
/// # Errors
/// If it does not respond, so that the job is retried.
pub async fn detach(gateway: SmsGateway, job: Job) -> Result<(), JobError> {
    let payload: Value = serde_json::from_str(&job.payload).unwrap_or_default();
    let phone = payload.get("phone").and_then(Value::as_str);
    let phone = phone.and_then(|text| Phone::read(text, None).ok());
    let (Some(phone), Some(_register)) = (phone, gateway.register()) else { return Ok(()) };
    let key = format!("{}-withdrawn", job.key);
    job.delivered(answered(gateway.set(&key, &phone, Membership::Withdrawn).await))
}
