//! Request bodies about customers.

use serde::Deserialize;

use crate::auth::Email;
use crate::customers::CustomerChange;
use crate::http::{OptionalText, Patch, ToSchema};
use crate::metadata::MetadataPatch;

/// Returns the e-mail address of a request type that may lack the field.
macro_rules! email_of {
    ($request:ident) => {
        None
    };
    ($request:ident $email:ty) => {
        <$email as Into<Option<Email>>>::into($request.email)
    };
}

/// Defines the requests that set a customer's fields, which differ only in the e-mail address.
macro_rules! customer_requests {
    ($($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* email: $email:ty)? })*) => {$(
        #[derive(Debug, Deserialize, ToSchema)]
        $(#[$attribute])*
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $($(#[$doc])* pub(crate) email: $email,)?
            /// The company that the customer buys for.
            #[serde(default)]
            company_name: Patch<OptionalText>,
            #[serde(default)]
            first_name: Patch<OptionalText>,
            #[serde(default)]
            last_name: Patch<OptionalText>,
            #[serde(default)]
            phone: Patch<OptionalText<64>>,
            /// Keys to merge; null removes all.
            #[serde(default)]
            #[schema(value_type = Option<MetadataPatch>)]
            metadata: Patch<MetadataPatch>,
        }

        impl From<$name> for CustomerChange {
            fn from(request: $name) -> Self {
                Self {
                    email: email_of!(request $($email)?),
                    company_name: request.company_name,
                    first_name: request.first_name,
                    last_name: request.last_name,
                    phone: request.phone,
                    metadata: request.metadata,
                }
            }
        }
    )*};
}

customer_requests! {
    /// The fields that customers can change themselves.
    #[schema(example = json!({ "first_name": "Ada", "last_name": "Lovelace" }))]
    UpdateMeRequest {}

    /// A customer who registers.
    #[schema(example = json!({ "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace" }))]
    CreateAccountRequest {
        /// The registered e-mail address, repeated.
        email: Option<Email>
    }

    /// A customer without an account.
    #[schema(example = json!({ "email": "ada@example.com", "company_name": "Analytical Engines" }))]
    CreateCustomerRequest { email: Email }

    /// The fields of a customer that admins can change.
    #[schema(example = json!({ "phone": "+44 20 7946 0000" }))]
    UpdateCustomerRequest {
        /// Cannot be changed if the customer has an account.
        email: Option<Email>
    }
}
