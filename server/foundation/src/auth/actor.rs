//! Who acts: the kinds of people and programs, and what admins may do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{ApiKeyId, UserId};

/// The kind of actor that a token is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActorType {
    /// An admin.
    User,
    /// Who buys.
    Customer,
    /// Who sends buyers, and reads figures of their own.
    Partner,
}

/// What an admin may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    Admin,
    /// Reads, and works on metrics; writes nothing of the store.
    Analyst,
    /// Reads.
    Viewer,
}

impl Role {
    /// Whether the store's data may be changed.
    pub const fn may_write(self) -> bool {
        match self {
            Self::Admin => true,
            Self::Analyst | Self::Viewer => false,
        }
    }

    /// Whether metrics may be worked on.
    pub const fn may_edit_metrics(self) -> bool {
        match self {
            Self::Admin | Self::Analyst => true,
            Self::Viewer => false,
        }
    }
}

/// Who acts on the admin surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminActor {
    /// A person.
    User(UserId, Role),
    /// A program, by its secret key.
    Key(ApiKeyId),
}

impl AdminActor {
    /// `user_…` or `apk_…`.
    pub fn id(&self) -> &str {
        match self {
            Self::User(id, _) => id.as_str(),
            Self::Key(id) => id.as_str(),
        }
    }

    /// `user` or `api-key`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::User(..) => "user",
            Self::Key(_) => "api-key",
        }
    }

    /// Whether the store's data may be changed.
    pub const fn may_write(&self) -> bool {
        match self {
            Self::User(_, role) => role.may_write(),
            Self::Key(_) => true,
        }
    }

    /// Whether metrics may be worked on.
    pub const fn may_edit_metrics(&self) -> bool {
        match self {
            Self::User(_, role) => role.may_edit_metrics(),
            Self::Key(_) => true,
        }
    }
}

crate::stored_as_word!(ActorType: User = "user", Customer = "customer", Partner = "partner");
crate::stored_as_word!(Role: Admin = "admin", Analyst = "analyst", Viewer = "viewer");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_admins_and_secret_keys_change_the_store() {
        let user = |role| AdminActor::User(UserId::new(), role);

        assert!(user(Role::Admin).may_write() && AdminActor::Key(ApiKeyId::new()).may_write());
        assert!(!user(Role::Analyst).may_write() && !user(Role::Viewer).may_write());
    }
}
