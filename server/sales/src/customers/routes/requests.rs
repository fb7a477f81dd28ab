//! What is sent about customers and their addresses.

use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::auth::Email;
use crate::customers::{AddressChange, CustomerChange};
use crate::http::{OptionalText, Patch};
use crate::metadata::MetadataPatch;

/// What a customer says of themselves.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "first_name": "Ada", "last_name": "Lovelace" }))]
pub(in crate::customers) struct UpdateMeRequest {
    /// The company they buy for.
    #[serde(default)]
    company_name: Patch<OptionalText>,
    /// The first name.
    #[serde(default)]
    first_name: Patch<OptionalText>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<OptionalText>,
    /// The telephone number.
    #[serde(default)]
    phone: Patch<OptionalText<64>>,
    /// Keys to merge.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// A customer who registers: the address is the registered one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace" }))]
pub(in crate::customers) struct CreateAccountRequest {
    /// The registered address, once more.
    email: Option<Email>,
    /// The company they buy for.
    #[serde(default)]
    company_name: Patch<OptionalText>,
    /// The first name.
    #[serde(default)]
    first_name: Patch<OptionalText>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<OptionalText>,
    /// The telephone number.
    #[serde(default)]
    phone: Patch<OptionalText<64>>,
    /// The store's own.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// A customer without an account, as admins write them down.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "ada@example.com", "company_name": "Analytical Engines" }))]
pub(in crate::customers) struct CreateCustomerRequest {
    /// The address.
    pub(in crate::customers) email: Email,
    /// The company they buy for.
    #[serde(default)]
    company_name: Patch<OptionalText>,
    /// The first name.
    #[serde(default)]
    first_name: Patch<OptionalText>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<OptionalText>,
    /// The telephone number.
    #[serde(default)]
    phone: Patch<OptionalText<64>>,
    /// The store's own.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// What admins change of a customer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "phone": "+44 20 7946 0000" }))]
pub(in crate::customers) struct UpdateCustomerRequest {
    /// The address; that of a customer with an account cannot be changed.
    email: Option<Email>,
    /// The company they buy for.
    #[serde(default)]
    company_name: Patch<OptionalText>,
    /// The first name.
    #[serde(default)]
    first_name: Patch<OptionalText>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<OptionalText>,
    /// The telephone number.
    #[serde(default)]
    phone: Patch<OptionalText<64>>,
    /// Keys to merge.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// Turns a request into the change it asks for; `$email` is what it says of the address.
macro_rules! customer_change {
    ($request:ident, $email:expr) => {
        CustomerChange {
            email: $email,
            company_name: optional($request.company_name),
            first_name: optional($request.first_name),
            last_name: optional($request.last_name),
            phone: optional($request.phone),
            metadata: $request.metadata,
        }
    };
}

impl From<UpdateMeRequest> for CustomerChange {
    fn from(request: UpdateMeRequest) -> Self {
        customer_change!(request, None)
    }
}

impl From<CreateAccountRequest> for CustomerChange {
    fn from(request: CreateAccountRequest) -> Self {
        customer_change!(request, request.email)
    }
}

impl From<CreateCustomerRequest> for CustomerChange {
    fn from(request: CreateCustomerRequest) -> Self {
        customer_change!(request, None)
    }
}

impl From<UpdateCustomerRequest> for CustomerChange {
    fn from(request: UpdateCustomerRequest) -> Self {
        customer_change!(request, request.email)
    }
}

fn optional<const MAX: usize>(sent: Patch<OptionalText<MAX>>) -> Patch<Option<String>> {
    match sent {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(text) => Patch::Value(text.into_option()),
    }
}

/// An address, or what is to be changed of one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "first_name": "Ada", "last_name": "Lovelace", "address_1": "12 St James's Square",
                           "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" }))]
#[schema(as = CustomerAddressRequest)]
pub(in crate::customers) struct AddressRequest {
    /// What the customer calls it.
    #[serde(default)]
    address_name: Patch<OptionalText>,
    /// Whether goods go there; the default before loses its mark.
    is_default_shipping: Option<bool>,
    /// Whether bills go there; the default before loses its mark.
    is_default_billing: Option<bool>,
    /// The company.
    #[serde(default)]
    company: Patch<OptionalText>,
    /// The first name.
    #[serde(default)]
    first_name: Patch<OptionalText>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<OptionalText>,
    /// Street and number.
    #[serde(default)]
    address_1: Patch<OptionalText>,
    /// Floor, flat and the like.
    #[serde(default)]
    address_2: Patch<OptionalText>,
    /// The city.
    #[serde(default)]
    city: Patch<OptionalText>,
    /// The country: two letters.
    #[serde(default)]
    #[schema(value_type = Option<CountryCode>)]
    country_code: Patch<CountryCode>,
    /// The state, province or region.
    #[serde(default)]
    province: Patch<OptionalText>,
    /// The postal code.
    #[serde(default)]
    postal_code: Patch<OptionalText<32>>,
    /// The telephone number.
    #[serde(default)]
    phone: Patch<OptionalText<64>>,
    /// Keys to merge.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

impl From<AddressRequest> for AddressChange {
    fn from(request: AddressRequest) -> Self {
        let country_code = match request.country_code {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            Patch::Value(CountryCode(code)) => Patch::Value(code),
        };
        Self {
            address_name: optional(request.address_name),
            is_default_shipping: request.is_default_shipping,
            is_default_billing: request.is_default_billing,
            company: optional(request.company),
            first_name: optional(request.first_name),
            last_name: optional(request.last_name),
            address_1: optional(request.address_1),
            address_2: optional(request.address_2),
            city: optional(request.city),
            country_code,
            province: optional(request.province),
            postal_code: optional(request.postal_code),
            phone: optional(request.phone),
            metadata: request.metadata,
        }
    }
}

/// Two letters, in lower case; a blank is none.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, example = "gb", pattern = "^([A-Za-z]{2})?$")]
pub(in crate::customers) struct CountryCode(Option<String>);

impl<'de> Deserialize<'de> for CountryCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = OptionalText::<2>::deserialize(deserializer)?.into_option();
        let code = code.map(|code| code.to_ascii_lowercase());
        let is_code =
            |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_lowercase());
        if code.as_ref().is_none_or(is_code) {
            Ok(Self(code))
        } else {
            Err(serde::de::Error::custom("must be the two letters of a country"))
        }
    }
}
