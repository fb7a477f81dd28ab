//! A provider in this process: it sends nothing, and appends what it would send to a file.
//!
//! Two kinds of numbers are special: those ending in `0002` are rejected, and those ending in `0009` get no
//! response.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::Value;

use super::phone::Phone;
use super::provider::{Answer, Membership, Provider, ProviderError};

const REFUSED: &str = "0002";

/// The ending of numbers without a response.
const SILENT: &str = "0009";

#[derive(Debug)]
pub(super) struct Sandbox {
    outbox: Option<PathBuf>,
}

impl Sandbox {
    pub(super) fn new(outbox: Option<PathBuf>) -> Self {
        Self { outbox }
    }

    /// Appends the kind, the key, the number and the text, separated by tabs.
    fn note(&self, kind: &str, key: &str, phone: &Phone, text: &str) -> Result<(), ProviderError> {
        if phone.as_str().ends_with(REFUSED) {
            return Err(ProviderError::Refused(
                "The provider does not take this number".to_owned(),
            ));
        }
        if phone.as_str().ends_with(SILENT) {
            return Err(ProviderError::Silent);
        }
        let line = format!("{kind}\t{key}\t{}\t{text}\n", phone.as_str());
        self.append(&line).map_err(|error| {
            tracing::error!(%error, "the sandbox cannot write its outbox");
            ProviderError::Silent
        })
    }

    fn append(&self, line: &str) -> io::Result<()> {
        match &self.outbox {
            Some(path) => {
                OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
            }
            None => Ok(()),
        }
    }
}

impl Provider for Sandbox {
    fn id(&self) -> &'static str {
        "sms_sandbox"
    }

    fn set<'a>(&'a self, key: &'a str, phone: &'a Phone, membership: Membership) -> Answer<'a> {
        let word = match membership {
            Membership::Pending => "pending",
            Membership::Subscribed => "subscribed",
            Membership::Withdrawn => "withdrawn",
        };
        Box::pin(async move { self.note("set", key, phone, word) })
    }

    fn send<'a>(&'a self, key: &'a str, phone: &'a Phone, text: &'a str) -> Answer<'a> {
        Box::pin(async move { self.note("send", key, phone, text) })
    }

    fn tell_view<'a>(&'a self, key: &'a str, phone: &'a Phone, view: &'a Value) -> Answer<'a> {
        Box::pin(async move { self.note("view", key, phone, &view.to_string()) })
    }
}
