//! Returned items of an order: what the customer is asked to send back, and what has arrived.

use askama::Template;
use serde::Deserialize;
use serde_json::{Value, json};

use super::read;
use crate::REFUSED;
use crate::client::{Failure, segment};
use crate::form::Form;
use crate::http::Path;
use crate::page::{Frame, PageError, PageResult, Section, go, respond, show};
use crate::parameters::Parameters;
use crate::range::Choice;
use crate::visit::Visit;

#[derive(Debug, Template)]
#[template(path = "orders/return.html")]
struct ReturnPage {
    frame: Frame,
    /// What will happen.
    lead: &'static str,
    button: &'static str,
    lines: Vec<LineView>,
    reasons: Vec<Choice>,
    note: String,
    asks_reason: bool,
    refusal: Option<String>,
    address: String,
    back: (String, String),
}

/// A line of the order, and how many of its items can be returned.
#[derive(Debug)]
struct LineView {
    id: String,
    title: String,
    most: u64,
    typed: String,
}

#[derive(Debug, Deserialize)]
struct Reason {
    id: String,
    label: String,
}

#[derive(Debug, Deserialize)]
struct Return {
    id: String,
    order_id: String,
    display_id: u64,
    #[serde(default)]
    items: Vec<ReturnItem>,
}

#[derive(Debug, Deserialize)]
struct ReturnItem {
    item_id: String,
    quantity: u64,
    received_quantity: u64,
    damaged_quantity: u64,
}

/// Shows what can be returned from an order.
pub(crate) async fn show_return(visit: Visit, Path(id): Path<String>) -> PageResult {
    show(&asking(&visit, &id, &Parameters::default()).await?)
}

async fn asking(visit: &Visit, id: &str, typed: &Parameters) -> Result<ReturnPage, PageError> {
    PageError::unless(visit.runs_store())?;
    let order = read(visit, id).await?;
    let path = "/admin/return-reasons?limit=100";
    let reasons = visit.api.get_at::<Vec<Reason>>(path, "/return_reasons").await?;
    let choice = |reason: &Reason| Choice::of((&reason.id, &reason.label), typed.text("reason"));
    let lines = order.items.iter().filter(|item| item.returnable() > 0);
    let line = |item: &super::order::Item| LineView {
        title: item.title.clone(),
        most: item.returnable(),
        typed: typed.text(&item.id).to_owned(),
        id: item.id.clone(),
    };
    let page = format!("/app/orders/{}", segment(&order.id));
    Ok(ReturnPage {
        frame: visit.frame(Section::Orders, "Return items"),
        lead: "The items are awaited from now on. Nothing is paid back before they arrive.",
        button: "Request return",
        lines: lines.map(line).collect(),
        reasons: reasons.iter().map(choice).collect(),
        note: typed.text("note").to_owned(),
        asks_reason: true,
        refusal: None,
        address: format!("{page}/return"),
        back: (page, format!("Order {}", order.display_id)),
    })
}

/// Opens a return of the selected items, and requests it.
pub(crate) async fn add_return(
    visit: Visit,
    Path(id): Path<String>,
    Form(typed): Form,
) -> PageResult {
    let page = asking(&visit, &id, &typed).await?;
    let made = match quantities(&page.lines, &typed) {
        Ok(mut items) => {
            for item in items.iter_mut().filter_map(Value::as_object_mut) {
                for (name, field) in [("reason_id", "reason"), ("note", "note")] {
                    if typed.has(field) {
                        item.insert(name.to_owned(), typed.text(field).into());
                    }
                }
            }
            request(&visit, &id, &items).await
        }
        Err(refusal) => Err(refusal),
    };
    match made {
        Ok(own) => go(&format!("/app/returns/{}?done=saved", segment(&own))),
        Err(refusal) => respond(REFUSED, &ReturnPage { refusal: Some(refusal), ..page }),
    }
}

/// Opens a return and requests it; a return that cannot be requested is canceled again.
async fn request(visit: &Visit, order: &str, items: &[Value]) -> Result<String, String> {
    let said = |failure: Failure| failure.message;
    let body = json!({ "order_id": order });
    let opening = visit.api.post_at("/admin/returns", &body, "/return/id");
    let id: String = opening.await.map_err(said)?;
    let base = format!("/admin/returns/{}", segment(&id));
    for (step, body) in [("request-items", json!({ "items": items })), ("request", json!({}))] {
        let path = format!("{base}/{step}");
        let done: Result<Value, Failure> = visit.api.post(&path, &body).await;
        if let Err(failure) = done {
            let cancel = format!("{base}/cancel");
            let canceled = visit.api.post::<Value>(&cancel, &json!({})).await;
            if let Err(failure) = canceled {
                tracing::warn!(message = failure.message, "a return stays open");
            }
            return Err(said(failure));
        }
    }
    Ok(id)
}

/// Shows the expected items of a return.
pub(crate) async fn show_receipt(visit: Visit, Path(id): Path<String>) -> PageResult {
    show(&awaiting(&visit, &id, None).await?)
}

async fn awaiting(
    visit: &Visit,
    id: &str,
    typed: Option<&Parameters>,
) -> Result<ReturnPage, PageError> {
    PageError::unless(visit.runs_store())?;
    let path = format!("/admin/returns/{}", segment(id));
    let own = visit.api.get_at::<Return>(&path, "/return").await?;
    let order = read(visit, &own.order_id).await?;
    let title = |line: &str| {
        let found = order.items.iter().find(|item| item.id == line);
        found.map_or_else(|| line.to_owned(), |item| item.title.clone())
    };
    let line = |item: &ReturnItem| {
        let arrived = item.received_quantity.saturating_add(item.damaged_quantity);
        let most = item.quantity.saturating_sub(arrived);
        LineView {
            id: item.item_id.clone(),
            title: title(&item.item_id),
            most,
            // Everything has arrived, unless somebody says otherwise.
            typed: typed.map_or(most.to_string(), |typed| typed.text(&item.item_id).to_owned()),
        }
    };
    let page = format!("/app/returns/{}", segment(&own.id));
    Ok(ReturnPage {
        frame: visit.frame(Section::Orders, "Receive"),
        lead: "What has arrived undamaged goes back into stock, and the customer is owed what was paid for it. The refund itself is a step of the order.",
        button: "Receive them",
        lines: own.items.iter().map(line).filter(|line| line.most > 0).collect(),
        reasons: Vec::new(),
        note: String::new(),
        asks_reason: false,
        refusal: None,
        address: format!("{page}/receive"),
        back: (page, format!("Return {}", own.display_id)),
    })
}

pub(crate) async fn receive_return(
    visit: Visit,
    Path(id): Path<String>,
    Form(typed): Form,
) -> PageResult {
    let page = awaiting(&visit, &id, Some(&typed)).await?;
    let refusal = match quantities(&page.lines, &typed) {
        Ok(items) => receive(&visit, &id, &items).await.err(),
        Err(refusal) => Some(refusal),
    };
    match refusal {
        None => go(&format!("{}?done=saved", page.back.0)),
        refusal => respond(REFUSED, &ReturnPage { refusal, ..page }),
    }
}

/// Starts receiving a return, enters its items and confirms them; unconfirmed items are discarded by
/// the next attempt.
async fn receive(visit: &Visit, id: &str, items: &[Value]) -> Result<(), String> {
    let base = format!("/admin/returns/{}", segment(id));
    for (step, body) in [
        ("receive", json!({})),
        ("receive-items", json!({ "items": items })),
        ("receive/confirm", json!({})),
    ] {
        let path = format!("{base}/{step}");
        let done = visit.api.post::<Value>(&path, &body).await;
        done.map_err(|failure| failure.message)?;
    }
    Ok(())
}

/// Returns the lines with their quantities, or what is wrong with the input.
fn quantities(lines: &[LineView], typed: &Parameters) -> Result<Vec<Value>, String> {
    let mut items = Vec::new();
    for line in lines {
        let text = typed.text(&line.id);
        if text.is_empty() || text == "0" {
            continue;
        }
        let quantity = text.parse::<u64>().ok().filter(|quantity| *quantity <= line.most);
        let quantity = quantity
            .ok_or_else(|| format!("{}: it must be from 0 to {}.", line.title, line.most))?;
        items.push(json!({ "id": line.id, "quantity": quantity }));
    }
    if items.is_empty() {
        return Err("Say how many of which item.".to_owned());
    }
    Ok(items)
}
