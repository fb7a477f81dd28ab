//! Actors: the types of users and programs, and the permissions of admins.

use serde::{Deserialize, Serialize};

use crate::database::Word;
use crate::http::ToSchema;
use crate::ids::{ApiKeyId, OauthClientId, UserId};

/// The type of actor that a token is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
pub enum ActorType {
    /// An admin.
    User,
    /// A customer.
    Customer,
    /// A partner, who refers customers and reads statistics about them.
    Partner,
}

/// The permissions of an admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// All permissions.
    Admin,
    /// Reads everything, and edits metrics only.
    Analyst,
    /// Reads everything.
    Viewer,
}

impl Role {
    /// Returns whether the role may change the store's data.
    pub const fn may_write(self) -> bool {
        match self {
            Self::Admin => true,
            Self::Analyst | Self::Viewer => false,
        }
    }

    /// Returns whether the role may edit metrics.
    pub const fn may_edit_metrics(self) -> bool {
        match self {
            Self::Admin | Self::Analyst => true,
            Self::Viewer => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminActor {
    User(UserId, Role),
    /// A program with a secret key.
    Key(ApiKeyId),
    /// A program with a token for reading metrics.
    Client(OauthClientId),
}

impl AdminActor {
    /// Returns the id: `user_…`, `apk_…` or `oac_…`.
    pub fn id(&self) -> &str {
        match self {
            Self::User(id, _) => id.as_str(),
            Self::Key(id) => id.as_str(),
            Self::Client(id) => id.as_str(),
        }
    }

    /// Returns the type: `user`, `api-key` or `oauth-client`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::User(..) => "user",
            Self::Key(_) => "api-key",
            Self::Client(_) => "oauth-client",
        }
    }

    /// Returns whether the actor may change the store's data.
    pub const fn may_write(&self) -> bool {
        match self {
            Self::User(_, role) => role.may_write(),
            Self::Key(_) => true,
            Self::Client(_) => false,
        }
    }

    pub const fn may_edit_metrics(&self) -> bool {
        match self {
            Self::User(_, role) => role.may_edit_metrics(),
            Self::Key(_) => true,
            Self::Client(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_admins_and_secret_keys_change_the_store() {
        let user = |role| AdminActor::User(UserId::new(), role);

        assert!(user(Role::Admin).may_write() && AdminActor::Key(ApiKeyId::new()).may_write());
        assert!(!user(Role::Analyst).may_write() && !user(Role::Viewer).may_write());
    }

    #[test]
    fn the_audit_log_distinguishes_people_keys_and_programs() {
        let user = AdminActor::User(UserId::new(), Role::Viewer);
        let key = AdminActor::Key(ApiKeyId::new());
        let client = AdminActor::Client(OauthClientId::new());
        assert_eq!(
            [user, key, client].map(|actor| actor.kind()),
            ["user", "api-key", "oauth-client"]
        );
    }
}
