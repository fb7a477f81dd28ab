//! The folder of the backups made on demand.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tokio::task::spawn_blocking;

use crate::clock::Timestamp;
use crate::config::DatabaseSettings;
use crate::database::Db;
use crate::http::{HttpError, ToSchema};

/// Limit: backups in the folder. Nothing is deleted automatically: somebody has to move them away.
const MAX_BACKUPS: usize = 20;

/// The name of a backup: its instant, so that names sort by age.
const NAME: &str = "quotient-%Y%m%dT%H%M%S.%3fZ.db";

/// A backup in the folder.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct BackupView {
    /// The name of the file.
    #[schema(example = "quotient-20261121T100000.000Z.db")]
    file: String,
    /// When it was begun.
    at: Timestamp,
    /// Its length in bytes.
    bytes: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Returns the folder of the settings; by default `backups` beside the database.
    pub(super) fn of(settings: &DatabaseSettings, db: &Db) -> Self {
        Self(settings.backups.clone().unwrap_or_else(|| db.path().with_file_name("backups")))
    }

    /// Returns the newest backup; none if there is none, or the folder cannot be read.
    pub(super) async fn newest(&self) -> Option<BackupView> {
        let own = self.clone();
        let newest = move || {
            let (file, at) = own.all().into_iter().max()?;
            let bytes = fs::metadata(own.0.join(&file)).ok()?.len();
            Some(BackupView { file, at, bytes })
        };
        spawn_blocking(newest).await.ok()?
    }

    /// Copies the database into a new file.
    pub(super) async fn add(&self, db: &Db, now: Timestamp) -> Result<BackupView, HttpError> {
        let file = now.to_jiff().strftime(NAME).to_string();
        let target = self.0.join(&file);
        let (own, same) = (self.clone(), target.clone());
        spawn_blocking(move || own.prepare(&same)).await.map_err(HttpError::unexpected)??;
        db.backup(target.clone()).await?;
        let length = move || Ok::<_, std::io::Error>(fs::metadata(&target)?.len());
        let bytes = spawn_blocking(length).await.map_err(HttpError::unexpected)?;
        Ok(BackupView { file, at: now, bytes: bytes.map_err(HttpError::unexpected)? })
    }

    /// Creates the folder, and makes room for a copy in it: a copy of the same instant is replaced, and leftovers of
    /// interrupted copies are deleted.
    fn prepare(&self, target: &Path) -> Result<(), HttpError> {
        if self.all().len() >= MAX_BACKUPS {
            let sentence = format!("The folder has {MAX_BACKUPS} backups; move some of them away");
            return Err(HttpError::conflict(sentence));
        }
        fs::create_dir_all(&self.0).map_err(HttpError::unexpected)?;
        let names = self.names().into_iter();
        let parts = names.filter(|name| name.strip_suffix(".part").and_then(instant).is_some());
        let same = target.exists().then(|| target.to_path_buf());
        for file in parts.map(|name| self.0.join(name)).chain(same) {
            fs::remove_file(file).map_err(HttpError::unexpected)?;
        }
        Ok(())
    }

    /// Returns the backups with their instants.
    fn all(&self) -> Vec<(String, Timestamp)> {
        let names = self.names().into_iter();
        names.filter_map(|name| Some((name.clone(), instant(&name)?))).collect()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

/// Returns the instant in the name of a backup.
fn instant(name: &str) -> Option<Timestamp> {
    let at = jiff::civil::DateTime::strptime(NAME, name).ok()?;
    let at = at.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(at.timestamp().into())
}
