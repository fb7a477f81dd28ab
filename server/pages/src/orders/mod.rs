//! An order: what was bought, what has happened, and the available steps.

mod order;
mod returns;
mod steps;

use askama::Template;
use serde_json::{Number, Value, json};

use super::client::{Failure, segment};
use super::form::Form;
use super::page::{Frame, PageError, PageResult, Section, go, respond, show};
use super::parameters::Parameters;
use super::visit::Visit;
use crate::http::Path;
use order::Order;
pub(super) use returns::{add_return, receive_return, show_receipt, show_return};
use steps::{Event, Step};

#[derive(Debug, Template)]
#[template(path = "orders/order.html")]
struct OrderPage {
    frame: Frame,
    order: Order,
    store: super::store::Store,
    events: Vec<Event>,
    /// The available steps, for users who run the store.
    steps: Vec<Step>,
    /// Whether items can be returned, for users who run the store.
    can_return: bool,
    refusal: Option<Refusal>,
    address: String,
}

/// Why a step was rejected, with its input.
#[derive(Debug)]
struct Refusal {
    message: String,
    sent: Parameters,
}

impl OrderPage {
    fn of(visit: &Visit, order: Order, refusal: Option<Refusal>) -> Self {
        let steps = if visit.runs_store() { steps::possible(visit, &order) } else { Vec::new() };
        Self {
            frame: visit.frame(Section::Orders, format!("Order {}", order.display_id)),
            events: steps::events(visit, &order),
            steps,
            can_return: visit.runs_store() && order.items.iter().any(|item| item.returnable() > 0),
            refusal,
            store: visit.store.clone(),
            address: format!("/app/orders/{}", segment(&order.id)),
            order,
        }
    }

    /// Returns why this step was rejected, if it was.
    fn refused(&self, step: &Step) -> Option<&Refusal> {
        let is_own =
            |own: &&Refusal| own.sent.text("step") == step.word && own.sent.text("of") == step.of;
        self.refusal.as_ref().filter(is_own)
    }

    /// Returns the input of a field in a rejected step.
    fn typed(&self, step: &Step, field: &str) -> Option<&str> {
        self.refused(step).map(|own| own.sent.text(field))
    }

    /// Returns an amount in the order's currency.
    fn money(&self, amount: &Value) -> String {
        self.store.money(&self.order.currency_code, amount)
    }
}

pub(super) async fn show_order(visit: Visit, Path(id): Path<String>) -> PageResult {
    let order = read(&visit, &id).await?;
    show(&OrderPage::of(&visit, order, None))
}

async fn read(visit: &Visit, id: &str) -> Result<Order, Failure> {
    let path = format!("/admin/orders/{}", segment(id));
    visit.api.get_at(&path, "/order").await
}

fn amount(visit: &Visit, typed: &str) -> Result<Number, Failure> {
    let locale = visit.store.locale;
    let message = || format!("The amount must be a number, such as {}.", locale.example());
    locale.typed(typed).ok_or_else(|| Failure::refused(message()))
}

/// Takes a step with an order.
pub(super) async fn change_order(
    visit: Visit,
    Path(id): Path<String>,
    Form(fields): Form,
) -> PageResult {
    let order = read(&visit, &id).await?;
    let mut possible = steps::possible(&visit, &order).into_iter();
    let page = format!("/app/orders/{}", segment(&order.id));
    let step =
        possible.find(|step| step.word == fields.text("step") && step.of == fields.text("of"));
    let Some(step) = step else {
        return Err(PageError::outdated("The order has changed meanwhile.", &page));
    };
    match take(&visit, step, &fields).await {
        Ok(()) => go(&format!("{page}?done=done")),
        Err(failure) => {
            let failure = failure.permitted()?;
            let refusal = Refusal { message: failure.message, sent: fields };
            respond(failure.status, &OrderPage::of(&visit, order, Some(refusal)))
        }
    }
}

/// Sends a step with its input.
async fn take(visit: &Visit, step: Step, fields: &Parameters) -> Result<(), Failure> {
    let mut body = step.body;
    if let Some(members) = body.as_object_mut() {
        if step.asks_amount.is_some() {
            // Without an amount, the API would refund everything.
            members.insert("amount".to_owned(), amount(visit, fields.text("amount"))?.into());
        }
        if step.asks_note && fields.has("note") {
            members.insert("note".to_owned(), fields.text("note").into());
        }
        if step.asks_tracking && fields.has("tracking") {
            let label = json!({ "tracking_number": fields.text("tracking"), "tracking_url": "#", "label_url": "#" });
            members.insert("labels".to_owned(), vec![label].into());
        }
    }
    visit.api.post::<Value>(&step.api, &body).await.map(|_| ())
}
