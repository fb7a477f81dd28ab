//! The routes of subscriptions: `/store/customers/me/subscriptions` and `/admin/subscriptions`.

/// Defines the routes of actions for a caller, which differ in their paths and requests.
macro_rules! actions {
    ($tag:tt, $caller:ident; $($(#[$($doc:tt)+])+ $name:ident: $path:tt, $request:ident;)+) => {$(
        $(#[$($doc)+])+
        #[crate::http::operation(post, path = $path, tag = $tag,
            params(("id" = SubscriptionId, Path, description = "The subscription"),
                   ("if-match" = Option<String>, Header,
                    description = "The `ETag` that the subscription must still have")),
            request_body = $request,
            responses((status = 200, description = "The subscription", body = SubscriptionActionResponse),
                      (status = 409, description = "It is being billed, or was changed",
                       body = crate::http::ErrorBody)))]
        async fn $name(
            caller: $caller,
            State(state): State<PaymentState>,
            Path(id): Path<SubscriptionId>,
            versions: IfMatch,
            Json(request): Json<$request>,
        ) -> Result<Tagged, HttpError> {
            act(state, call(&caller, id, versions), request.into()).await
        }
    )+};
}

mod admin;
mod calendar;
mod requests;
mod store;

use axum::http::{HeaderName, HeaderValue};
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use self::requests::{Action, RetryPaymentRequest};
use super::actions::{Call, Performed, perform, retry};
use super::view::SubscriptionView;
use crate::clock::Timestamp;
use crate::http::{Answer, HttpError, One, Page, ToSchema, etag};
use crate::money::Amount;
use crate::state::{AppState, PaymentState};

pub fn router() -> OpenApiRouter<AppState> {
    store::router().merge(admin::router())
}

type SubscriptionResponse = One<SubscriptionView>;
type SubscriptionListResponse = Page<SubscriptionView>;

/// A response with the subscription's `ETag`.
type Tagged = ([(HeaderName, HeaderValue); 1], Answer);

/// The cost of a change within a paid period.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubscriptionProration)]
struct ProrationView {
    at: Timestamp,
    /// The unused part of the old price, with tax.
    credit: Amount,
    /// The part of the new price for the rest of the period, with tax.
    charge: Amount,
    /// The charge less the credit.
    net: Amount,
    currency_code: crate::money::Currency,
}

/// A subscription after an action.
#[derive(Debug, Serialize, ToSchema)]
struct SubscriptionActionResponse {
    subscription: SubscriptionView,
    /// Whether nothing was written.
    preview: bool,
    /// Only for a swap of access that is paid for.
    proration: Option<ProrationView>,
}

/// The result of an attempt to pay.
#[derive(Debug, Serialize, ToSchema)]
struct RetryPaymentResponse {
    /// `paid`, `processing` if the provider has not answered, `nothing_due`, or `requires_action`.
    #[serde(rename = "type")]
    #[schema(example = "paid")]
    kind: &'static str,
    message: &'static str,
}

impl From<retry::Retried> for RetryPaymentResponse {
    fn from(retried: retry::Retried) -> Self {
        let (kind, message) = match retried {
            retry::Retried::Paid => ("paid", "The payment succeeded"),
            retry::Retried::Charged => ("paid", "The payment method would be charged"),
            retry::Retried::Processing => {
                ("processing", "The payment provider has not answered yet")
            }
            retry::Retried::NothingDue => ("nothing_due", "Nothing is due"),
            retry::Retried::RequiresAction => {
                ("requires_action", "The card has to be authenticated by its holder")
            }
        };
        Self { kind, message }
    }
}

/// Performs an action, or previews it.
async fn act(
    PaymentState { db, gateway, .. }: PaymentState,
    call: Call,
    Action { is_preview, apply }: Action,
) -> Result<Tagged, HttpError> {
    let performed = perform(&db, &gateway, Call { is_preview, ..call }, apply).await?;
    answer(performed, is_preview)
}

fn answer(performed: Performed, is_preview: bool) -> Result<Tagged, HttpError> {
    let Performed { view, proration, at } = performed;
    let currency = view.currency_code;
    let tag = etag(&view.version.to_string());
    let proration = match proration {
        Some(proration) => Some(ProrationView {
            at,
            credit: currency.amount(proration.credited_minor()?),
            charge: currency.amount(proration.charge_minor),
            net: currency.amount(proration.net_minor),
            currency_code: currency,
        }),
        None => None,
    };
    let body = SubscriptionActionResponse { subscription: view, preview: is_preview, proration };
    Ok((tag, Answer::of(&body)?))
}

/// Pays what is due.
async fn retry_payment(
    PaymentState { db, gateway, .. }: PaymentState,
    call: Call,
    request: RetryPaymentRequest,
) -> Result<Answer, HttpError> {
    let call = Call { is_preview: request.preview, ..call };
    let reference = request.payment_method_reference.map(String::from);
    let retried = retry::pay(&db, &gateway, call, reference).await?;
    Answer::of(&RetryPaymentResponse::from(retried))
}
