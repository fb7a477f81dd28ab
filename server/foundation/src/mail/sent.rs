//! Sent e-mails, and what the provider reports about them: the furthest state, whatever the order of reports.

use super::queries;
pub use super::queries::note;
use crate::database::{Error, Tx, Word};

/// The state of an e-mail, in ascending order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
pub enum MailState {
    Sent,
    Delivered,
    Opened,
    Clicked,
    Failed,
    Bounced,
    Complained,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// The id in its `Message-ID`.
    pub id: String,
    pub order_id: Option<String>,
}

/// Records what the provider reports about an e-mail; returns it, if this store sent it.
pub fn report(tx: &Tx<'_>, message_id: &str, state: MailState) -> Result<Option<SentMail>, Error> {
    // As in the header: `<id@domain>`.
    let id = message_id.trim_start_matches('<').split('@').next().unwrap_or_default();
    let Some((mail, earlier)) = queries::find(tx, id)? else { return Ok(None) };
    if state > earlier {
        queries::set_state(tx, id, state)?;
    }
    Ok(Some(mail))
}
