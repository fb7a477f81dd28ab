//! `/store/payment-methods/:account_holder_id`: the saved payment methods of the logged-in customer.

use axum::extract::State;
use axum::http::StatusCode;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use crate::auth::Shopper;
use crate::clock::Timestamp;
use crate::database::{Missing, Table as _, Tx};
use crate::http::{HttpError, Json, Path, ToSchema, request};
use crate::ids::{AccountHolderId, CustomerId, PaymentMethodId, SubscriptionId};
use crate::payments::methods::{self, PaymentMethod};
use crate::payments::provider::{self, Data, ProviderError};
use crate::payments::{PaymentError, sandbox};
use crate::state::{AppState, PaymentState};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_payment_methods, save_payment_method))
        .routes(routes!(delete_payment_method))
}

/// A saved payment method.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentMethod)]
struct MethodView {
    id: PaymentMethodId,
    #[schema(example = "pp_stripe")]
    provider_id: String,
    /// The provider's id, which subscriptions take as `payment_method_reference`.
    reference: String,
    data: MethodData,
    /// Whether it is charged unless another method is named.
    is_default: bool,
    is_expired: bool,
    /// The ids of the subscriptions that it pays for.
    used_by: Vec<SubscriptionId>,
    created_at: Timestamp,
}

/// The data of a payment method; never a card number.
#[derive(Debug, Serialize, ToSchema)]
struct MethodData {
    #[serde(rename = "type")]
    #[schema(example = "card")]
    kind: &'static str,
    /// Brand, last four digits and expiry date.
    #[schema(value_type = Option<Object>,
        example = json!({ "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034 }))]
    card: Option<Value>,
}

impl MethodView {
    fn new(method: PaymentMethod, used_by: Vec<SubscriptionId>, now: Timestamp) -> Self {
        Self {
            is_expired: method.is_expired(now),
            id: method.id,
            provider_id: method.provider_id,
            reference: method.reference,
            data: MethodData { kind: "card", card: method.card },
            is_default: method.is_default,
            used_by,
            created_at: method.created_at,
        }
    }
}

/// The saved payment methods.
#[derive(Debug, Serialize, ToSchema)]
struct MethodListResponse {
    /// Newest first.
    payment_methods: Vec<MethodView>,
}

/// A payment method to save.
#[request]
#[schema(example = json!({ "data": { "payment_method": "pm_card_visa" } }))]
struct SaveMethodRequest {
    /// What the provider's card form returned as `payment_method`; never card data.
    #[serde(default)]
    #[schema(value_type = Object)]
    data: Data,
}

/// The saved payment method.
#[derive(Debug, Serialize, ToSchema)]
struct MethodResponse {
    payment_method: MethodView,
    /// The provider's id, which subscriptions take as `payment_method_reference`.
    reference: String,
}

/// Confirms that a payment method is removed.
#[derive(Debug, Serialize, ToSchema)]
struct MethodDeletedResponse {
    id: PaymentMethodId,
    /// Always `payment_method`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// That the provider saves no methods.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NotImplementedError)]
struct NotImplementedBody {
    #[serde(rename = "type")]
    #[schema(example = "not_implemented")]
    kind: String,
    message: String,
}

/// Lists the saved payment methods of one of the customer's account holders, newest first.
#[crate::http::operation(get, path = "/store/payment-methods/{account_holder_id}", tag = "Store payments",
    params(("account_holder_id" = AccountHolderId, Path, description = "The customer's account with a provider")),
    responses((status = 200, description = "The methods", body = MethodListResponse)))]
async fn list_payment_methods(
    State(PaymentState { db, .. }): State<PaymentState>,
    shopper: Shopper,
    Path(id): Path<AccountHolderId>,
) -> Result<Json<MethodListResponse>, HttpError> {
    let payment_methods = db
        .read(move |tx| {
            let holder = methods::own_holder(tx, &id, &shopper.customer_id)?;
            let found = methods::of_holder(tx, &holder.id)?;
            let mut used = methods::used_by(tx, &found)?;
            let shown = found.into_iter().map(|method| {
                let used_by = used.take(&method.id);
                MethodView::new(method, used_by, tx.now())
            });
            Ok::<_, PaymentError>(shown.collect())
        })
        .await?;
    Ok(Json(MethodListResponse { payment_methods }))
}

/// Saves a payment method of the customer.
///
/// If the card is already saved, the response is the existing method. A provider that saves no methods answers 501, a
/// refused card 422.
#[crate::http::operation(post, path = "/store/payment-methods/{account_holder_id}", tag = "Store payments",
    params(("account_holder_id" = AccountHolderId, Path, description = "The customer's account with a provider")),
    request_body = SaveMethodRequest,
    responses((status = 201, description = "The method", body = MethodResponse),
              (status = 422, description = "The card is refused", body = crate::http::ErrorBody),
              (status = 501, description = "The provider saves no methods", body = NotImplementedBody)))]
async fn save_payment_method(
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    shopper: Shopper,
    Path(id): Path<AccountHolderId>,
    Json(SaveMethodRequest { data }): Json<SaveMethodRequest>,
) -> Result<(StatusCode, Json<MethodResponse>), HttpError> {
    provider::check_data(&data).map_err(PaymentError::from)?;
    sandbox::refuse_cards(&data).map_err(PaymentError::from)?;
    let customer = shopper.customer_id.clone();
    let holder = db
        .read(move |tx| {
            let holder = methods::own_holder(tx, &id, &customer)?;
            methods::check_room(tx, &holder.id)?;
            Ok::<_, PaymentError>(holder)
        })
        .await?;
    let saved = match gateway.save_method(&holder.provider_id, &holder.external_id, &data).await {
        Ok(saved) => saved,
        Err(PaymentError::Provider(ProviderError::Unsupported)) => return Err(not_implemented()),
        Err(PaymentError::Provider(ProviderError::Invalid { reason })) => {
            return Err(HttpError::payment_refused(reason));
        }
        Err(error) => return Err(error.into()),
    };
    let method = db
        .write(move |tx| {
            let method = methods::store(tx, &holder, saved)?;
            let mut used = methods::used_by(tx, std::slice::from_ref(&method))?;
            let used_by = used.take(&method.id);
            Ok::<_, PaymentError>(MethodView::new(method, used_by, tx.now()))
        })
        .await?;
    let reference = method.reference.clone();
    Ok((StatusCode::CREATED, Json(MethodResponse { payment_method: method, reference })))
}

/// Removes a saved payment method of the customer.
///
/// It is no longer listed or charged, even if the provider cannot remove it on its side. A method that pays for a
/// running subscription cannot be removed.
#[crate::http::operation(delete, path = "/store/payment-methods/{account_holder_id}/{method_id}", tag = "Store payments",
    params(("account_holder_id" = AccountHolderId, Path, description = "The customer's account with a provider"),
           ("method_id" = PaymentMethodId, Path, description = "The method")),
    responses((status = 200, description = "Removed", body = MethodDeletedResponse)))]
async fn delete_payment_method(
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    shopper: Shopper,
    Path((holder_id, id)): Path<(AccountHolderId, PaymentMethodId)>,
) -> Result<Json<MethodDeletedResponse>, HttpError> {
    let (customer, method_id) = (shopper.customer_id.clone(), id.clone());
    let find = move |tx: &Tx<'_>| {
        let method = own(tx, &holder_id, &method_id, &customer)?;
        methods::check_unused(tx, &method)?;
        Ok::<_, PaymentError>(method)
    };
    let method = db.read(find).await?;
    gateway.delete_method(&method.provider_id, &method.reference).await?;
    db.write(move |tx| methods::detach(tx, &method)).await?;
    Ok(Json(MethodDeletedResponse { id, object: "payment_method", deleted: true }))
}

/// Returns a method of one of the customer's holders.
fn own(
    tx: &Tx<'_>,
    holder: &AccountHolderId,
    id: &PaymentMethodId,
    customer: &CustomerId,
) -> Result<PaymentMethod, PaymentError> {
    methods::own_holder(tx, holder, customer)?;
    let method = PaymentMethod::find(tx, id)?;
    let method = method.filter(|method| method.account_holder_id == *holder);
    Ok(method.ok_or_else(|| Missing::new(PaymentMethod::TITLE, id))?)
}

fn not_implemented() -> HttpError {
    let message = "The payment provider saves no payment methods";
    let body = json!({ "type": "not_implemented", "message": message });
    HttpError::shaped(StatusCode::NOT_IMPLEMENTED, body)
}
