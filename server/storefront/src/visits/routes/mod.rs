//! The routes of visits, events and wishes.

mod headers;
mod requests;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use self::requests::{Events, TrackRequest, TrackViewRequest, Tracked, Untaken};
use super::event::{NewEvent, NewVisit, PRODUCT_VIEWED, Reason};
use super::event_keys::EventKey;
use super::queue::Outcome;
use super::records::{EventName, VisitEvent, WishlistItem};
use super::visitor::Visitor;
use crate::auth::Shop;
use crate::catalog::{self, CatalogError};
use crate::clock::Timestamp;
use crate::database::Table as _;
use crate::http::{HttpError, Json, Path, ToSchema};
use crate::ids::ProductId;
use crate::resource::AdminRoutes;
use crate::state::VisitorState;

/// The store and admin routes of visits, events and wishes.
pub fn router() -> OpenApiRouter<VisitorState> {
    let events = AdminRoutes::<VisitEvent, _>::at("/admin/tracking-events", "Admin visitors")
        .list()
        .note("What storefronts report, and the views of products. Without a consent, nothing tells who it was.")
        .router();
    let wishes = AdminRoutes::<WishlistItem, _>::at("/admin/wishlist-items", "Admin visitors")
        .list()
        .note("What visitors wish for, by the events `wishlist_added` and `wishlist_removed`.")
        .router();
    let names = AdminRoutes::<EventName, _>::at("/admin/tracking-event-names", "Admin visitors")
        .list()
        .note("The names that storefronts made up, at most 200.")
        .delete(EventName::remove)
        .note("Its events stay. The name comes again with the next event.")
        .router();
    events
        .merge(names)
        .merge(wishes)
        .routes(routes!(track_product_view))
        .routes(routes!(track_event))
}

/// The view was counted.
#[derive(Debug, Serialize, ToSchema)]
struct ViewTrackedResponse {
    /// Always true.
    success: bool,
}

/// The request is invalid.
#[derive(Debug, Serialize, ToSchema)]
struct TrackViewError {
    error: String,
}

/// The event was accepted.
#[derive(Debug, Serialize, ToSchema)]
struct EventTrackedResponse {
    /// Always true.
    accepted: bool,
    event_id: String,
}

/// The event was rejected.
#[derive(Debug, Serialize, ToSchema)]
struct EventRefusedResponse {
    /// Always false.
    accepted: bool,
    reason: Reason,
}

/// The result of an event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum EventOutcome {
    Taken(EventTrackedResponse),
    Refused(EventRefusedResponse),
}

/// The results of several events.
#[derive(Debug, Serialize, ToSchema)]
struct EventsTrackedResponse {
    /// Whether all were accepted.
    accepted: bool,
    /// One per event, in the order sent.
    events: Vec<EventOutcome>,
}

/// The response to one or several events.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum TrackedResponse {
    One(EventTrackedResponse),
    Many(EventsTrackedResponse),
}

impl From<Result<EventTrackedResponse, Reason>> for EventOutcome {
    fn from(outcome: Result<EventTrackedResponse, Reason>) -> Self {
        match outcome {
            Ok(taken) => Self::Taken(taken),
            Err(reason) => Self::Refused(EventRefusedResponse { accepted: false, reason }),
        }
    }
}

struct Sender {
    shop: Shop,
    visitor: Visitor,
    /// Whether the visit id is invalid.
    has_bad_session: bool,
}

impl Sender {
    fn read(&self, bytes: &[u8], now: Timestamp, needs_consent: bool) -> Result<Tracked, Untaken> {
        let tracked = requests::read(bytes, (&self.shop, &self.visitor), now, needs_consent)?;
        if self.has_bad_session {
            let event_id = Some(tracked.event_id);
            return Err(Untaken { event_id, reason: Reason::InvalidField });
        }
        Ok(tracked)
    }
}

/// Track the view of a product
///
/// Normally called once when a product page opens. Each call is one event `product.viewed` and one row
/// `product_viewed` of the source `events`. The header `x-session-id` names the visit.
#[crate::http::operation(post, path = "/store/products/{id}/track-view", tag = "Store visitors",
    params(("id" = ProductId, Path, description = "The product"),
           ("x-session-id" = Option<String>, Header, description = "The visit: 16 to 64 letters, digits, `_` and `-`")),
    request_body = TrackViewRequest,
    responses((status = 200, description = "Counted", body = ViewTrackedResponse),
              (status = 400, description = "The request is wrong", body = TrackViewError)),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])))]
async fn track_product_view(
    shop: Shop,
    (visitor, headers): (Visitor, HeaderMap),
    State(VisitorState { shared, visits, .. }): State<VisitorState>,
    Path(id): Path<ProductId>,
    request: Result<Json<TrackViewRequest>, HttpError>,
) -> Result<Json<ViewTrackedResponse>, HttpError> {
    let Json(request) = request.map_err(in_own_shape)?;
    if headers::has_bad_session(&headers) {
        return Err(wrong_view("The header x-session-id is not the id of a visit"));
    }
    let (product_id, variant_id) = (id.clone(), request.variant_id.clone());
    let channels = shop.sales_channel_ids.clone();
    let has_variant = shared.db.read(move |tx| {
        catalog::require_visible(tx, &product_id, &channels)?;
        let of_product = variant_id.map(|id| catalog::has_variant(tx, &product_id, &id));
        Ok::<_, CatalogError>(of_product.transpose()?.unwrap_or(true))
    });
    if !has_variant.await? {
        return Err(wrong_view("The variant is not one of the product"));
    }
    let event = NewEvent {
        name: PRODUCT_VIEWED.to_owned(),
        sales_channel_id: requests::channel(&shop),
        product_id: Some(id.to_string()),
        variant_id: request.variant_id.map(|id| id.to_string()),
        at: shared.clock.now().as_millis(),
        silent_in: shop.sales_channel_ids.clone(),
        ..NewEvent::default()
    };
    let consents = !visitor.opts_out && !shared.settings.visitors.tracking_consent_required;
    let event = if consents {
        event.of(&visitor, shop.customer_id, NewVisit::default())
    } else {
        event.of_nobody()
    };
    if !visitor.is_crawler {
        visits.push(event).await?;
    }
    Ok(Json(ViewTrackedResponse { success: true }))
}

/// Track events
///
/// The body is one event or several. Each of several is processed as if it had been sent alone, and the results are in
/// the same order, with 202 even if all were rejected. The response is sent after the events are written, together with
/// others. An event whose `event_id` occurred in the last seven days gets the first response again and is not counted
/// again. Without consent, or with `Sec-GPC: 1`, it is counted without visit, customer and properties; an event that says
/// nothing about consent has none where the server or a sales channel of the key requires one. Known crawlers get the
/// same response and are not counted. If too many events are queued, further ones get the same response and are not
/// counted, so that a page never fails because of statistics. The header `x-session-id` names the visit.
#[crate::http::operation(post, path = "/store/tracking/events", tag = "Store visitors",
    params(("x-session-id" = Option<String>, Header, description = "The visit: 16 to 64 letters, digits, `_` and `-`")),
    request_body = TrackRequest,
    responses((status = 202, description = "Taken", body = TrackedResponse),
              (status = 400, description = "Not taken", body = EventRefusedResponse)),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])))]
async fn track_event(
    shop: Shop,
    (visitor, headers): (Visitor, HeaderMap),
    State(state): State<VisitorState>,
    bytes: Bytes,
) -> Result<(StatusCode, Json<TrackedResponse>), HttpError> {
    let sender = Sender { shop, visitor, has_bad_session: headers::has_bad_session(&headers) };
    let response = match Events::of(&bytes).map_err(refused)? {
        Events::One(event) => {
            let outcome = take(&state, &sender, &[event]).await?.pop();
            let outcome = outcome.unwrap_or(Err(Reason::InvalidJson));
            TrackedResponse::One(outcome.map_err(refused)?)
        }
        Events::Many(events) => {
            let events: Vec<_> = events.iter().map(|event| event.get().as_bytes()).collect();
            let outcomes = take(&state, &sender, &events).await?;
            let accepted = outcomes.iter().all(Result::is_ok);
            let events = outcomes.into_iter().map(EventOutcome::from).collect();
            TrackedResponse::Many(EventsTrackedResponse { accepted, events })
        }
    };
    Ok((StatusCode::ACCEPTED, Json(response)))
}

/// Processes events; returns for each what was accepted, or why it was rejected.
async fn take(
    VisitorState { shared, visits, .. }: &VisitorState,
    sender: &Sender,
    events: &[&[u8]],
) -> Result<Vec<Result<EventTrackedResponse, Reason>>, HttpError> {
    let needs_consent = shared.settings.visitors.tracking_consent_required;
    let now = shared.clock.now();
    let (mut read, mut new) = (Vec::with_capacity(events.len()), Vec::new());
    for bytes in events {
        read.push(sender.read(bytes, now, needs_consent).map(|Tracked { event_id, event }| {
            new.extend((!sender.visitor.is_crawler).then_some(event));
            event_id
        }));
    }
    let doubtful = read.iter().filter_map(|event| event.as_ref().err()?.event_id.as_deref());
    let doubtful: Vec<EventKey> = doubtful.map(EventKey::of).collect();
    let counted = visits.counted_keys(doubtful).await?;
    let mut written = visits.push_all(new).await?.into_iter();
    let answer = |event| match event {
        Ok(event_id) => match written.next() {
            Some(Outcome::Refused(reason)) => Err(reason),
            Some(Outcome::Written | Outcome::Dropped) | None => Ok(taken(event_id)),
        },
        Err(Untaken { event_id: Some(event_id), .. })
            if counted.contains(&EventKey::of(&event_id)) =>
        {
            Ok(taken(event_id))
        }
        Err(Untaken { reason, .. }) => Err(reason),
    };
    Ok(read.into_iter().map(answer).collect())
}

fn taken(event_id: String) -> EventTrackedResponse {
    EventTrackedResponse { accepted: true, event_id }
}

fn refused(reason: Reason) -> HttpError {
    HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "accepted": false, "reason": reason }))
}

fn wrong_view(error: &str) -> HttpError {
    HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "error": error }))
}

/// Converts a 400 to the body of the route.
fn in_own_shape(error: HttpError) -> HttpError {
    error.with_error_body(&[StatusCode::BAD_REQUEST])
}
