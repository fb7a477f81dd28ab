//! `/admin/sms-consents`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::AdminWriter;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, One, Path, request};
use crate::ids::SmsConsentId;
use crate::resource::{AdminRoutes, View as _};
use crate::sms::consent::SmsConsent;
use crate::sms::sync;
use crate::state::VisitorState;

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    AdminRoutes::<SmsConsent, _>::at("/admin/sms-consents", "Admin text messages")
        .list()
        .show()
        .router()
        .routes(routes!(withdraw_sms_consent))
}

type SmsConsentResponse = One<SmsConsent>;

/// Nothing.
#[request]
struct WithdrawConsentRequest {}

/// Withdraw a consent to text messages
///
/// The provider is told, and the number gets no more messages. A later consent is another one.
#[utoipa::path(post, path = "/admin/sms-consents/{id}/withdraw", tag = "Admin text messages",
    params(("id" = SmsConsentId, Path, description = "The consent"), Fields<SmsConsent>),
    request_body = WithdrawConsentRequest,
    responses((status = 200, description = "The consent", body = SmsConsentResponse)))]
async fn withdraw_sms_consent(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<SmsConsentId>,
    fields: Fields<SmsConsent>,
    Json(WithdrawConsentRequest {}): Json<WithdrawConsentRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            sync::withdraw(tx, &id, admin.actor_id())?;
            SmsConsent::show(tx, &id, selection)
        })
        .await
}
