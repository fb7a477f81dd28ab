//! `ToSchema`, `IntoParams` and `#[operation]` for builds that do not describe their operations.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{DeriveInput, Error, ItemFn, LitStr, Result};

/// Implements `ToSchema` without a schema.
pub(crate) fn schema(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        impl #generics ::utoipa::PartialSchema for #name #arguments #bounds {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
                Default::default()
            }
        }
        impl #generics ::utoipa::ToSchema for #name #arguments #bounds {}
    }
}

/// Implements `IntoParams` without parameters.
pub(crate) fn parameters(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        impl #generics ::utoipa::IntoParams for #name #arguments #bounds {
            fn into_params(
                _place: impl Fn() -> Option<::utoipa::openapi::path::ParameterIn>,
            ) -> Vec<::utoipa::openapi::path::Parameter> {
                Vec::new()
            }
        }
    }
}

/// Does what `utoipa::path` does for a handler, with only the method and the path.
pub(crate) fn operation(options: TokenStream, handler: &TokenStream) -> Result<TokenStream> {
    let (method, path) = route(options)?;
    let ItemFn { vis, sig, .. } = syn::parse2(handler.clone())?;
    let name = format_ident!("__path_{}", sig.ident);
    Ok(quote! {
        #handler

        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #name;

        impl ::utoipa::Path for #name {
            fn methods() -> Vec<::utoipa::openapi::path::HttpMethod> {
                vec![::utoipa::openapi::path::HttpMethod::#method]
            }

            fn path() -> String {
                #path.into()
            }

            fn operation() -> ::utoipa::openapi::path::Operation {
                Default::default()
            }
        }

        impl<'t> ::utoipa::__dev::Tags<'t> for #name {
            fn tags() -> Vec<&'t str> {
                Vec::new()
            }
        }

        impl ::utoipa::__dev::SchemaReferences for #name {
            fn schemas(_: &mut Vec<(String, ::utoipa::openapi::RefOr<::utoipa::openapi::Schema>)>) {}
        }
    })
}

/// Returns the variant of `HttpMethod` and the path of `get, path = "/store/regions", …`.
fn route(options: TokenStream) -> Result<(Ident, LitStr)> {
    let missing = Error::new(Span::call_site(), "a method and a path are expected");
    let mut tokens = options.into_iter();
    let Some(TokenTree::Ident(method)) = tokens.next() else { return Err(missing) };
    let mut method = method.to_string();
    if let Some(initial) = method.get_mut(..1) {
        initial.make_ascii_uppercase();
    }
    let is_path = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if name == "path");
    let path = tokens.skip_while(|token| !is_path(token)).nth(2).ok_or(missing)?;
    Ok((format_ident!("{method}"), syn::parse2(path.into())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_the_method_and_the_path_of_a_description() {
        let described = quote! { patch, path = "/store/regions/{id}", tag = "Store regions" };

        let (method, path) = route(described).unwrap();

        assert_eq!(
            (method.to_string(), path.value()),
            ("Patch".into(), "/store/regions/{id}".into())
        );
        assert!(route(quote! { get, tag = "Store regions" }).is_err());
    }
}
