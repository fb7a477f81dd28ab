//! `/admin/sms-consents`.

use utoipa_axum::router::OpenApiRouter;

use crate::http::request;
use crate::resource::AdminRoutes;
use crate::sms::consent::SmsConsent;
use crate::sms::sync;
use crate::state::VisitorState;

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    AdminRoutes::<SmsConsent, _>::at("/admin/sms-consents", "Admin text messages")
        .list()
        .show()
        .update_part_by(
            "/withdraw",
            "withdraw_sms_consent",
            "Withdraw a consent to text messages",
            |WithdrawConsentRequest {}, tx, id, by| sync::withdraw(tx, id, by),
        )
        .note(
            "The provider is told, and the number gets no more messages. A later consent is another one.",
        )
        .router()
}

/// Nothing.
#[request]
struct WithdrawConsentRequest {}
