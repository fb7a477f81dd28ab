//! Reports the products that customers look at to the provider, if they agreed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::gateway::SmsGateway;
use super::queries;
use crate::database::{Db, Error, Tx};
use crate::events::{Event, Subscriber};
use crate::ids::{CustomerId, ProductId};
use crate::jobs::{self, Job, JobError};

/// The subscriber to views; without a customer who agreed, nothing is forwarded.
pub const VIEWS: Subscriber =
    Subscriber { name: "sms.views", events: &["product.viewed"], handle: schedule };

/// The kind of job that reports a view; its key is the customer and the product.
pub const TELL: &str = "sms.tell_view";

#[derive(Debug, Clone, Serialize, Deserialize)]
struct View {
    customer_id: Option<CustomerId>,
    product_id: ProductId,
}

fn schedule(tx: &Tx<'_>, event: &Event) -> Result<(), Error> {
    let Ok(View { customer_id: Some(customer_id), product_id }) =
        serde_json::from_str::<View>(&event.payload)
    else {
        return Ok(());
    };
    if queries::confirmed_of(tx, &customer_id)?.is_none() {
        return Ok(());
    }
    let key = format!("{customer_id} {product_id}");
    jobs::schedule(tx, TELL, &key, tx.now(), &event.payload)
}

/// Reports a view, unless the same one was reported in the last five minutes.
///
/// # Errors
/// If the provider does not respond, so that the job is retried.
pub async fn tell(db: Db, gateway: SmsGateway, job: Job) -> Result<(), JobError> {
    let (Ok(view), Ok(payload)) =
        (serde_json::from_str::<View>(&job.payload), serde_json::from_str::<Value>(&job.payload))
    else {
        return Ok(());
    };
    let Some(customer_id) = view.customer_id else { return Ok(()) };
    let owner = customer_id.clone();
    let consent = db.read(move |tx| queries::confirmed_of(tx, &owner)).await?;
    let Some(consent) = consent else { return Ok(()) };
    let result =
        gateway.tell_view((&customer_id, &view.product_id), &consent.phone, &payload).await;
    job.delivered(result.map_err(|error| error.to_string()))
}
