//! Extractors: a handler with one of these as an argument runs only for authorized callers.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::actor::{ActorType, AdminActor};
use super::authenticate::{
    Holder, admin, customer_id, find_holder, identity_id, key_actor, logs_in, publishable_key,
    token,
};
use super::credentials::TokenKind;
use super::request_credential::{self, RequestCredential};
use crate::http::HttpError;
use crate::ids::{ApiKeyId, CustomerId, IdentityId, PartnerId, SalesChannelId};
use crate::state::Shared;

/// Defines an extractor of admins whom `$is_admitted` lets pass.
macro_rules! admin_extractor {
    ($(#[$doc:meta])* $name:ident, $is_admitted:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name(AdminActor);

        impl $name {
            /// Returns the actor's id: `user_…`, `apk_…` or `oac_…`.
            pub fn actor_id(&self) -> &str {
                self.0.id()
            }

            pub fn may_edit_metrics(&self) -> bool {
                self.0.may_edit_metrics()
            }

            /// Returns the actor's type: `user`, `api-key` or `oauth-client`.
            pub fn actor_type(&self) -> &'static str {
                self.0.kind()
            }

            pub fn actor(&self) -> &AdminActor {
                &self.0
            }
        }

        impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for $name {
            type Rejection = HttpError;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
                let is_admitted: fn(&AdminActor) -> bool = $is_admitted;
                let actor = admin(parts, state.as_ref()).await?;
                if is_admitted(&actor) { Ok(Self(actor)) } else { Err(HttpError::forbidden()) }
            }
        }
    };
}

admin_extractor!(
    /// Any admin, a program with a secret key, or, under `/admin/metrics`, an OAuth client with `metrics:read`.
    AdminReader,
    |_admin| true
);
admin_extractor!(
    /// An admin with the role `admin`, or a program with a secret key.
    AdminWriter,
    AdminActor::may_write
);
admin_extractor!(
    /// An admin with the role `admin` or `analyst`, or a program with a secret key; may edit metrics.
    AdminAnalyst,
    AdminActor::may_edit_metrics
);

/// A storefront, identified by its publishable key, and its customer, if logged in.
#[derive(Debug, Clone)]
pub struct Shop {
    pub key_id: ApiKeyId,
    /// The enabled sales channels of the key, sorted by id; may be empty.
    pub sales_channel_ids: Vec<SalesChannelId>,
    /// The logged-in customer. An invalid token counts as none.
    pub customer_id: Option<CustomerId>,
}

impl Shop {
    /// Refuses a storefront that sells nothing, because its key has no sales channel that is enabled, with 400.
    pub fn check_channel(&self) -> Result<(), HttpError> {
        if self.sales_channel_ids.is_empty() {
            let sentence = "Publishable key needs to have a sales channel configured";
            return Err(HttpError::invalid_data(sentence));
        }
        Ok(())
    }

    /// Returns whether a cart or an order of this sales channel belongs to the storefront.
    pub fn sells_in(&self, channel: Option<&SalesChannelId>) -> bool {
        channel.is_none_or(|channel| self.sales_channel_ids.contains(channel))
    }
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Shop {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let secret = request_credential::publishable_key(&parts.headers).ok_or_else(|| {
            HttpError::unauthorized_because(
                "Publishable API key required in the request header: x-publishable-api-key",
            )
        })?;
        let key = publishable_key(secret, state.as_ref()).await?.ok_or_else(|| {
            HttpError::unauthorized_because("A valid publishable API key is required")
        })?;
        let customer_id = token(parts, state.as_ref()).await?.and_then(|token| customer_id(&token));
        let sales_channel_ids = key.sales_channel_ids.clone();
        Ok(Self { key_id: key.id.clone(), sales_channel_ids, customer_id })
    }
}

/// A logged-in customer in a storefront.
#[derive(Debug, Clone)]
pub struct Shopper {
    pub customer_id: CustomerId,
    pub shop: Shop,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Shopper {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let shop = Shop::from_request_parts(parts, state).await?;
        let customer_id = shop.customer_id.clone().ok_or_else(HttpError::unauthorized)?;
        Ok(Self { customer_id, shop })
    }
}

/// A partner, who reads their own statement and nothing else.
#[derive(Debug, Clone)]
pub struct PartnerReader {
    pub partner_id: PartnerId,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for PartnerReader {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let state = state.as_ref();
        if let RequestCredential::Key(secret) = RequestCredential::of(&parts.headers) {
            let actor = key_actor(&state.credentials, &secret).await?;
            return Err(actor.map_or_else(HttpError::unauthorized, |_key| HttpError::forbidden()));
        }
        let token = token(parts, state).await?.ok_or_else(HttpError::unauthorized)?;
        if token.actor_type != ActorType::Partner {
            let is_caller = logs_in(token.kind);
            return Err(if is_caller { HttpError::forbidden() } else { HttpError::unauthorized() });
        }
        let id = token.actor_id.as_deref().and_then(|id| id.parse().ok());
        id.map(|partner_id| Self { partner_id }).ok_or_else(HttpError::unauthorized)
    }
}

/// A registered identity in a storefront, whether or not it is a customer yet.
#[derive(Debug, Clone)]
pub struct Registered {
    pub identity_id: IdentityId,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Registered {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let Shop { .. } = Shop::from_request_parts(parts, state).await?;
        let identity_id = identity_id(parts, state.as_ref(), ActorType::Customer).await?;
        Ok(Self { identity_id })
    }
}

/// An identity that was registered in order to accept an admin invitation.
#[derive(Debug, Clone)]
pub struct RegisteredUser {
    pub identity_id: IdentityId,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for RegisteredUser {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let identity_id = identity_id(parts, state.as_ref(), ActorType::User).await?;
        Ok(Self { identity_id })
    }
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Holder {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        find_holder(parts, state.as_ref(), logs_in).await?.ok_or_else(HttpError::unauthorized)
    }
}

/// Like [`Holder`], but optional.
#[derive(Debug, Clone)]
pub(super) struct MaybeHolder(pub(super) Option<Holder>);

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for MaybeHolder {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        find_holder(parts, state.as_ref(), logs_in).await.map(Self)
    }
}

/// A caller with a password reset token.
#[derive(Debug, Clone)]
pub(super) struct ResetHolder(pub(super) Holder);

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for ResetHolder {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let holder = find_holder(parts, state.as_ref(), |kind| kind == TokenKind::Reset).await?;
        holder.map(Self).ok_or_else(HttpError::unauthorized)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storefront_sells_in_its_channels_and_in_none() {
        let (own, other) = (SalesChannelId::new(), SalesChannelId::new());
        let shop = Shop {
            key_id: ApiKeyId::new(),
            sales_channel_ids: vec![own.clone()],
            customer_id: None,
        };
        assert!(shop.sells_in(None) && shop.sells_in(Some(&own)) && !shop.sells_in(Some(&other)));
    }
}
