//! `#[derive(HttpError)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Error, Expr, Ident, LitStr, Path, Result, Token, Variant, parenthesized,
    token,
};

use crate::attributes::{each, text};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "an enum is expected"));
    };
    let name = &input.ident;
    let arms = data.variants.iter().map(arm).collect::<Result<Vec<_>>>()?;
    Ok(quote! {
        #[automatically_derived]
        impl From<#name> for crate::http::HttpError {
            fn from(error: #name) -> Self {
                type Variant = #name;
                match error { #(#arms),* }
            }
        }
    })
}

/// `#[http(…)]`.
#[derive(Default)]
struct Answer {
    /// The constructor, such as `not_found`.
    constructor: Option<Ident>,
    /// The arguments of the call in place of the message, if any.
    arguments: Option<Punctuated<Expr, Token![,]>>,
    code: Option<LitStr>,
    /// The function that responds instead.
    with: Option<Path>,
}

impl Answer {
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("code") {
            self.code = Some(text(meta)?);
        } else if meta.path.is_ident("with") {
            self.with = Some(meta.value()?.parse()?);
        } else {
            self.constructor = Some(meta.path.require_ident()?.clone());
            if meta.input.peek(token::Paren) {
                let content;
                parenthesized!(content in meta.input);
                self.arguments = Some(Punctuated::parse_terminated(&content)?);
            }
        }
        Ok(())
    }
}

/// Returns the arm of the match for a variant.
fn arm(variant: &Variant) -> Result<TokenStream> {
    let name = &variant.ident;
    let mut is_transparent = false;
    for attribute in variant.attrs.iter().filter(|attribute| attribute.path().is_ident("error")) {
        let word = attribute.parse_args::<Ident>();
        is_transparent |= word.is_ok_and(|word| word == "transparent");
    }
    let mut answer = Answer::default();
    each(&variant.attrs, "http", |meta| answer.read(&meta))?;
    let Answer { constructor, arguments, code, with } = answer;
    if let Some(with) = with {
        return Ok(quote! { error @ Variant::#name { .. } => #with(&error) });
    }
    let Some(constructor) = constructor else {
        return if is_transparent {
            Ok(quote! { Variant::#name(cause) => cause.into() })
        } else {
            Err(Error::new(
                name.span(),
                "`#[http(…)]` with a constructor of `HttpError` is expected",
            ))
        };
    };
    let code = code.map(|code| quote! { .with_code(#code) });
    Ok(match arguments {
        Some(own) => quote! { Variant::#name { .. } => Self::#constructor(#own)#code },
        // The log has its causes too.
        None if constructor == "unexpected" => {
            quote! { error @ Variant::#name { .. } => Self::unexpected(error)#code }
        }
        None => {
            quote! { error @ Variant::#name { .. } => Self::#constructor(error.to_string())#code }
        }
    })
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn variants_have_the_answer_of_their_attribute_or_of_their_cause() {
        let input: DeriveInput = parse_quote! {
            enum TeaError {
                #[error(transparent)]
                Db(#[from] database::Error),
                #[error("no tea")]
                #[http(not_found)]
                None,
                #[error("{0} is empty")]
                #[http(conflict, code = "empty")]
                Empty(PotId),
                #[error("wait")]
                #[http(unavailable(1))]
                Brewing,
                #[error("not for you")]
                #[http(forbidden())]
                Forbidden,
                #[error(transparent)]
                #[http(unexpected)]
                Leaked(#[from] Leak),
                #[error(transparent)]
                #[http(with = in_cups)]
                Spilled(#[from] Spilled),
            }
        };

        let tokens = expand(&input).map(|tokens| tokens.to_string()).unwrap();

        for arm in [
            "Variant :: Db (cause) => cause . into ()",
            "error @ Variant :: None { .. } => Self :: not_found (error . to_string ())",
            "error @ Variant :: Empty { .. } => Self :: conflict (error . to_string ()) . with_code (\"empty\")",
            "Variant :: Brewing { .. } => Self :: unavailable (1)",
            "Variant :: Forbidden { .. } => Self :: forbidden ()",
            "error @ Variant :: Leaked { .. } => Self :: unexpected (error)",
            "error @ Variant :: Spilled { .. } => in_cups (& error)",
        ] {
            assert!(tokens.contains(arm), "{arm}: {tokens}");
        }
    }

    #[test]
    fn a_variant_without_an_answer_is_an_error() {
        let input: DeriveInput = parse_quote! { enum TeaError { #[error("no tea")] None } };

        let error = expand(&input).unwrap_err().to_string();

        assert_eq!(error, "`#[http(…)]` with a constructor of `HttpError` is expected");
    }
}
