//! `#[derive(FromRow)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Field, Result};

use crate::attributes::{self, each, text, word};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let fields = attributes::fields(input)?.iter().map(read);
    let (values, columns): (Vec<_>, Vec<_>) =
        fields.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    Ok(quote! {
        impl crate::database::FromRow for #name {
            fn from_named(row: &crate::database::Named<'_, '_>) -> ::rusqlite::Result<Self> {
                Ok(Self { #(#values),* })
            }

            fn columns() -> Vec<&'static str> {
                let columns: Vec<Vec<&'static str>> = vec![#(#columns),*];
                columns.concat()
            }
        }
    })
}

/// Returns the member of the struct expression that reads a field, and the list of its columns.
fn read(field: &Field) -> Result<(TokenStream, TokenStream)> {
    let ident = attributes::ident(field)?;
    let mut name = ident.to_string();
    let (mut is_json, mut is_skipped, mut is_flat) = (false, false, false);
    each(&field.attrs, "column", |meta| {
        match word(&meta).as_str() {
            "name" => name = text(&meta)?.value(),
            "json" => is_json = true,
            "skip" => is_skipped = true,
            "flatten" => is_flat = true,
            _ => return Err(meta.error("expected `name`, `json`, `skip` or `flatten`")),
        }
        Ok(())
    })?;
    let ty = &field.ty;
    let value = match (is_skipped, is_flat, is_json) {
        (true, ..) => quote! { ::core::default::Default::default() },
        (_, true, _) => quote! { crate::database::FromRow::from_named(row)? },
        (.., true) => quote! { row.get::<crate::database::Stored<_>>(#name)?.0 },
        (false, false, false) => quote! { row.get(#name)? },
    };
    let columns = match (is_skipped, is_flat) {
        (true, _) => quote! { Vec::new() },
        (_, true) => quote! { <#ty as crate::database::FromRow>::columns() },
        (false, false) => quote! { vec![#name] },
    };
    Ok((quote! { #ident: #value }, columns))
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn fields_are_read_from_the_columns_of_their_names() {
        let input: DeriveInput = parse_quote! {
            struct Line {
                id: LineId,
                #[column(name = "amount_minor")]
                amount: i64,
                #[column(json)]
                metadata: Option<Metadata>,
                #[column(flatten)]
                item: Item,
                #[column(skip)]
                taxes: Vec<Tax>,
            }
        };

        let tokens = expand(&input).map(|tokens| tokens.to_string()).unwrap();

        for read in [
            "id : row . get (\"id\") ?",
            "amount : row . get (\"amount_minor\") ?",
            "metadata : row . get :: < crate :: database :: Stored < _ >> (\"metadata\") ? . 0",
            "item : crate :: database :: FromRow :: from_named (row) ?",
            "taxes : :: core :: default :: Default :: default ()",
            "[vec ! [\"id\"] , vec ! [\"amount_minor\"] , vec ! [\"metadata\"] , \
             < Item as crate :: database :: FromRow > :: columns () , Vec :: new ()]",
        ] {
            assert!(tokens.contains(read), "{read}: {tokens}");
        }
    }

    #[test]
    fn another_option_is_an_error_that_names_the_known_ones() {
        let input: DeriveInput = parse_quote! { struct Line { #[column(filter)] id: LineId } };

        let error = expand(&input).unwrap_err().to_string();

        assert_eq!(error, "expected `name`, `json`, `skip` or `flatten`");
    }
}
