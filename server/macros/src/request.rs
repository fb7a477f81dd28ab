//! `#[request]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, ItemStruct, Type, parse_quote};

pub(crate) fn expand(mut item: ItemStruct) -> TokenStream {
    if let Fields::Named(fields) = &mut item.fields {
        for field in &mut fields.named {
            if is_patch(&field.ty) {
                field.attrs.push(parse_quote! { #[serde(default)] });
            }
        }
    }
    quote! {
        #[derive(Debug, ::serde::Deserialize, crate::http::ToSchema)]
        #[serde(deny_unknown_fields)]
        #item
    }
}

fn is_patch(ty: &Type) -> bool {
    // Around a type that a declarative macro passes on.
    if let Type::Group(group) = ty {
        return is_patch(&group.elem);
    }
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "Patch")
}

#[cfg(test)]
mod tests {
    use syn::{TypeGroup, token};

    use super::*;

    #[test]
    fn patches_may_be_absent_and_unknown_fields_are_refused() {
        let tokens = expand(parse_quote! {
            /// A change of a tag.
            struct UpdateTagRequest {
                value: Text,
                note: Patch<Text<200>>,
            }
        });

        assert_eq!(
            tokens.to_string(),
            "# [derive (Debug , :: serde :: Deserialize , crate :: http :: ToSchema)] # [serde (deny_unknown_fields)] \
             # [doc = r\" A change of a tag.\"] struct UpdateTagRequest { value : Text , # [serde (default)] \
             note : Patch < Text < 200 > > , }"
        );
    }

    #[test]
    fn a_patch_that_a_declarative_macro_passes_on_is_one_too() {
        let elem = Box::new(parse_quote! { Patch<Text> });
        let group = TypeGroup { attrs: Vec::new(), group_token: token::Group::default(), elem };

        assert!(is_patch(&Type::Group(group)));
    }
}
