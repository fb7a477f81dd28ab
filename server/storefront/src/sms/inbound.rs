//! Messages from numbers: STOP ends every consent of a number and blocks it, START gives a new one and lifts the
//! block, HELP is answered.
//!
//! The number itself is the proof: the message and the delivery that brought it are stored with the consent, like the
//! text of an opt-in. Deliveries may arrive in any order, because a message takes effect at the time at which it was
//! sent.

use serde_json::{Map, json};

use super::consent::{ConsentStatus, SmsConsent};
use super::error::SmsError;
use super::gateway::{Register, SmsGateway};
use super::keyword::Keyword;
use super::phone::{Number, Phone};
use super::{queries, sync};
use crate::clock::Timestamp;
use crate::database::{Db, Error, Table as _, Tx};
use crate::events::{Event, Subscriber};
use crate::ids::WebhookDeliveryId;
use crate::jobs::{self, Job, JobError};
use quotient_sales::webhooks;

/// The subscriber to incoming messages.
pub const MESSAGES: Subscriber =
    Subscriber { name: "sms.messages", events: &[webhooks::RECEIVED], handle: schedule };

/// The kind of job that processes and answers a message; its key is the delivery.
pub const HEAR: &str = "sms.hear";

fn schedule(tx: &Tx<'_>, event: &Event) -> Result<(), Error> {
    match webhooks::delivery_of(&event.payload) {
        Some(id) => jobs::schedule(tx, HEAR, id.as_str(), tx.now(), "{}"),
        None => Ok(()),
    }
}

/// A message with a keyword.
struct Heard<'a> {
    number: Number,
    text: String,
    at: Timestamp,
    webhook_id: &'a WebhookDeliveryId,
}

/// Processes a message, once, and answers it.
///
/// # Errors
/// If the provider does not accept the answer, so that the job is retried.
pub async fn hear(db: Db, gateway: SmsGateway, job: Job) -> Result<(), JobError> {
    let Ok(id) = job.key.parse::<WebhookDeliveryId>() else { return Ok(()) };
    let Some(register) = gateway.register() else {
        return Ok(db.write(move |tx| webhooks::took_effect(tx, &id, Err("no_provider"))).await?);
    };
    let heard = db.write(move |tx| act(tx, &register, &id)).await?;
    let Some((phone, answer)) = heard else { return Ok(()) };
    let sent = gateway.send(&format!("{}-answer", job.key), &phone, &answer).await;
    job.delivered(sync::answered(sent))
}

/// Processes a message unless this has been done; returns the answer and its recipient.
fn act(
    tx: &Tx<'_>,
    register: &Register,
    webhook_id: &WebhookDeliveryId,
) -> Result<Option<(Phone, String)>, SmsError> {
    let Some(message) = webhooks::message(tx, webhook_id)? else { return Ok(None) };
    let phone = Phone::read(&message.from, None).ok();
    let (Some(phone), Some(keyword)) = (phone, Keyword::of(&message.text)) else {
        webhooks::took_effect(tx, webhook_id, Err("no_keyword"))?;
        return Ok(None);
    };
    let number = register.number(phone.clone());
    if message.is_new {
        let (number, text) = (number.clone(), message.text);
        let heard = Heard { number, text, at: message.sent_at, webhook_id };
        match keyword {
            Keyword::Stop => stop(tx, register, &heard)?,
            Keyword::Start => start(tx, register, heard)?,
            Keyword::Help => {}
        }
        let effect = Map::from_iter([("keyword".to_owned(), json!(keyword))]);
        webhooks::took_effect(tx, webhook_id, Ok(effect))?;
    }
    let store = queries::store_name(tx)?;
    let is_blocked = queries::is_blocked(tx, number.digest)?;
    Ok(answer(keyword, &store, is_blocked).map(|text| (phone, text)))
}

/// Returns the answer to a keyword; none if a later message supersedes it.
fn answer(keyword: Keyword, store: &str, is_blocked: bool) -> Option<String> {
    let text = match (keyword, is_blocked) {
        (Keyword::Stop, true) => "You get no more text messages. Send START to get them again.",
        (Keyword::Start, false) => "You get text messages from us. Send STOP to end them.",
        (Keyword::Help, true) => "You get no text messages. Send START to get them.",
        (Keyword::Help, false) => "We write to those who agreed to it. Send STOP to end it.",
        (Keyword::Stop, false) | (Keyword::Start, true) => return None,
    };
    Some(if store.is_empty() { text.to_owned() } else { format!("{store}: {text}") })
}

/// Ends every consent of a number, and blocks it. A number without a consent is blocked too.
fn stop(tx: &Tx<'_>, register: &Register, heard: &Heard<'_>) -> Result<(), SmsError> {
    let Heard { number, text, at, webhook_id } = heard;
    let all = queries::of_number(tx, &number.phone)?;
    let has_begun_again =
        all.iter().any(|consent| consent.consent_webhook_id.is_some() && consent.created_at > *at);
    let is_meant = |consent: &SmsConsent| {
        let counts = matches!(consent.status, ConsentStatus::Pending | ConsentStatus::Confirmed);
        counts && consent.created_at <= *at
    };
    let mut ended: Vec<SmsConsent> = all.into_iter().filter(is_meant).collect();
    let is_known = has_begun_again || queries::is_blocked(tx, number.digest)?;
    if ended.is_empty() && !is_known {
        let consent = SmsConsent::new(number.clone(), register.provider_id, *at);
        consent.insert(tx)?;
        ended.push(consent);
    }
    for consent in ended {
        let withdrawn = SmsConsent {
            is_blocking: !has_begun_again,
            withdrawn_at: Some(*at),
            withdrawn_by: Some("message".to_owned()),
            withdrawn_text: Some(text.clone()),
            withdrawn_webhook_id: Some((*webhook_id).clone()),
            ..consent
        };
        sync::end(tx, withdrawn)?;
    }
    Ok(())
}

/// Lifts the block of a number and creates a consent, which a STOP sent earlier does not end. A STOP sent later still
/// applies.
fn start(tx: &Tx<'_>, register: &Register, heard: Heard<'_>) -> Result<(), SmsError> {
    let Heard { number, text, at, webhook_id } = heard;
    if queries::blocked_at(tx, number.digest)?.is_some_and(|blocked_at| blocked_at > at) {
        return Ok(());
    }
    queries::unblock(tx, number.digest)?;
    let all = queries::of_number(tx, &number.phone)?;
    let last = all.into_iter().find(|consent| consent.customer_id.is_some());
    let consent = SmsConsent {
        customer_id: last.as_ref().and_then(|last| last.customer_id.clone()),
        email: last.as_ref().and_then(|last| last.email.clone()),
        locale: last.and_then(|last| last.locale),
        consent_text: Some(text),
        consent_webhook_id: Some(webhook_id.clone()),
        ..SmsConsent::new(number, register.provider_id, at)
    };
    consent.insert(tx)?;
    sync::later(tx, &consent.id, 0)?;
    sync::confirm(tx, consent)
}
