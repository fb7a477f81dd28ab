//! Notes on customers: `/admin/customer-notes`.

use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::clock::Timestamp;
use crate::customers::{Customer, CustomerError};
use crate::database::listing::Kind;
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, Text, ToSchema, request};
use crate::ids::{CustomerId, CustomerNoteId};
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<CustomerNote, _>::at("/admin/customer-notes", "Admin customer notes")
        .list()
        .create(CreateNoteRequest::create)
        .show()
        .update(UpdateNoteRequest::update)
        .delete(CustomerNote::remove)
        .router()
}

/// A note of the store's staff about a customer; shoppers never see it.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "customer_note n")]
#[record(list(plural = "customer_notes", usual, search = ["n.note"], order = "-created_at"))]
#[resource(name = "customer note", error = CustomerError)]
struct CustomerNote {
    id: CustomerNoteId,
    #[column(once, filter)]
    customer_id: CustomerId,
    #[schema(example = "Prefers parcels on Saturdays.")]
    note: String,
    /// The admin or API key that wrote it.
    #[column(once, filter, kind = Kind::Id)]
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// A new note.
#[request]
struct CreateNoteRequest {
    customer_id: CustomerId,
    #[schema(example = "Prefers parcels on Saturdays.")]
    note: Text<2000>,
}

impl CreateNoteRequest {
    fn create(self, tx: &Tx<'_>, by: &str) -> Result<CustomerNoteId, CustomerError> {
        Customer::require::<CustomerError>(tx, &self.customer_id)?;
        let note = CustomerNote {
            id: CustomerNoteId::new(),
            customer_id: self.customer_id,
            note: self.note.into(),
            created_by: by.to_owned(),
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        note.insert(tx)?;
        Ok(note.id)
    }
}

/// The new text of a note.
#[request]
struct UpdateNoteRequest {
    #[schema(example = "Prefers parcels on Sundays.")]
    note: Text<2000>,
}

impl UpdateNoteRequest {
    fn update(self, tx: &Tx<'_>, id: &CustomerNoteId) -> Result<(), CustomerError> {
        let mut note = CustomerNote::require::<CustomerError>(tx, id)?;
        note.note = self.note.into();
        Ok(note.update(tx)?)
    }
}
