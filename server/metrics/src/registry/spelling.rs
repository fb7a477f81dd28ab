//! Responses and requests in the two naming styles of the API: `data_type` for the registry, `dataType` for the catalog.

/// Declares a struct with `snake_case` names in JSON, and a copy with `camelCase` names.
macro_rules! in_both_spellings {
    (
        $(#[$meta:meta])* $snake:ident, $(#[$camel_meta:meta])* $camel:ident {
            $($(#[$field_meta:meta])* $field:ident: $ty:ty,)*
        }
    ) => {
        #[derive(Debug, Clone, Serialize, crate::http::ToSchema)]
        $(#[$meta])*
        pub(crate) struct $snake {
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        #[derive(Debug, Clone, Serialize, crate::http::ToSchema)]
        $(#[$camel_meta])*
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $camel {
            $($(#[$field_meta])* $field: $ty,)*
        }

        impl From<$snake> for $camel {
            fn from(own: $snake) -> Self {
                let $snake { $($field),* } = own;
                Self { $($field),* }
            }
        }
    };
}

/// Declares a request with `snake_case` names in JSON, and one with `camelCase` names that is converted to it. Only the
/// former has the optional fields after `and`.
macro_rules! requests_in_both_spellings {
    (
        $(#[$meta:meta])* $snake:ident, $(#[$camel_meta:meta])* $camel:ident {
            $($(#[$field_meta:meta])* $field:ident: $ty:ty,)*
        }
        $(and { $($(#[$own_meta:meta])* $own:ident: $own_ty:ty,)* })?
    ) => {
        #[crate::http::request]
        $(#[$meta])*
        pub(crate) struct $snake {
            $($(#[$field_meta])* pub(crate) $field: $ty,)*
            $($($(#[$own_meta])* pub(crate) $own: $own_ty,)*)?
        }

        #[crate::http::request]
        $(#[$camel_meta])*
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $camel {
            $($(#[$field_meta])* $field: $ty,)*
        }

        impl From<$camel> for $snake {
            fn from(request: $camel) -> Self {
                let $camel { $($field),* } = request;
                Self { $($field,)* $($($own: None,)*)? }
            }
        }
    };
}

pub(crate) use {in_both_spellings, requests_in_both_spellings};
