//! `/admin/partners`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::partner::{self, CreatePartnerRequest, Partner, UpdatePartnerRequest};
use crate::auth::{AdminWriter, Credentials, partners as tokens};
use crate::database::{Db, Tx};
use crate::error::PartnerError;
use crate::http::{Answer, Fields, HttpError, Json, One, Path};
use crate::ids::PartnerId;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Partner, _>::at("/admin/partners", "Admin partners")
        .list()
        .show()
        .update_by(UpdatePartnerRequest::update)
        .change_credentials()
        .delete_by(partner::delete)
        .note(
            "The links and the token stop working immediately. Conversions, entries and payouts stay.",
        )
        .router()
        .routes(routes!(create_partner))
        .routes(routes!(replace_partner_token))
}

type PartnerResponse = One<Partner>;

/// Create a partner
///
/// The token is returned only in this response. It gives access to the partner's own statement and
/// nothing else.
#[crate::http::operation(post, path = "/admin/partners", tag = "Admin partners", params(Fields<Partner>),
    request_body = CreatePartnerRequest,
    responses((status = 200, description = "The partner", body = PartnerResponse)))]
async fn create_partner(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<Partner>,
    Json(request): Json<CreatePartnerRequest>,
) -> Result<Answer, HttpError> {
    let token = tokens::generate().map_err(PartnerError::from)?;
    let created = db.write(move |tx| request.create(tx, admin.actor_id(), &token)).await?;
    once(&fields, created)
}

/// Returns a partner with the token, which is left out if the request is repeated.
fn once(fields: &Fields<Partner>, partner: Partner) -> Result<Answer, HttpError> {
    let response = fields.answer(&partner)?;
    let redacted = Partner { token: None, ..partner };
    Ok(response.once(fields.answer(&redacted)?))
}

/// Replace the token of a partner
///
/// The old token is rejected from then on. The new one is returned only in this response.
#[crate::http::operation(post, path = "/admin/partners/{id}/token", tag = "Admin partners",
    params(("id" = PartnerId, Path, description = "The partner"), Fields<Partner>),
    responses((status = 200, description = "The partner", body = PartnerResponse)))]
async fn replace_partner_token(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<PartnerId>,
    fields: Fields<Partner>,
) -> Result<Answer, HttpError> {
    let token = tokens::generate().map_err(PartnerError::from)?;
    let change = move |tx: &Tx<'_>| partner::replace_token(tx, &id, &token, admin.actor_id());
    once(&fields, credentials.change(change).await?)
}
