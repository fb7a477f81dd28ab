//! Responses in the two naming styles of the API: `data_type` for the registry, `dataType` for the catalog.

/// Declares a struct with `snake_case` names in JSON, and a copy with `camelCase` names.
macro_rules! in_both_spellings {
    (
        $(#[$meta:meta])* $snake:ident, $(#[$camel_meta:meta])* $camel:ident {
            $($(#[$field_meta:meta])* $field:ident: $ty:ty,)*
        }
    ) => {
        #[derive(Debug, Clone, Serialize, ToSchema)]
        $(#[$meta])*
        pub(crate) struct $snake {
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        #[derive(Debug, Clone, Serialize, ToSchema)]
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

pub(crate) use in_both_spellings;
