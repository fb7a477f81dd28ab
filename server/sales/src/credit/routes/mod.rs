//! The routes of store credit: `/admin/store-credit-accounts` and `/store/store-credit-accounts`.

mod admin;
mod store;

use utoipa_axum::router::OpenApiRouter;

use super::view::AccountView;
use crate::http::{One, Page};
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    admin::router().merge(store::router())
}

type AccountResponse = One<AccountView>;
type AccountListResponse = Page<AccountView>;
