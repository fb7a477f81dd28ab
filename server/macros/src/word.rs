//! `#[derive(Word)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Ident, LitStr, Result};

use crate::attributes::each;

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "an enum is expected"));
    };
    let name = &input.ident;
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let words: Vec<LitStr> = variants.iter().map(|variant| in_snake_case(variant)).collect();
    let mut is_inherent = false;
    each(&input.attrs, "word", |meta| {
        is_inherent |= meta.path.is_ident("inherent");
        if is_inherent { Ok(()) } else { Err(meta.error("expected `inherent`")) }
    })?;
    let inherent = is_inherent.then(|| {
        quote! {
            impl #name {
                pub const ALL: &'static [Self] = &[#(Self::#variants),*];

                pub const fn as_str(self) -> &'static str {
                    match self { #(Self::#variants => #words),* }
                }

                pub fn parse(word: &str) -> Option<Self> {
                    <Self as crate::database::Word>::from_word(word)
                }
            }
        }
    });
    Ok(quote! {
        #inherent
        crate::stored_as_word!(#name: #(#variants = #words),*);
    })
}

fn in_snake_case(variant: &Ident) -> LitStr {
    let mut word = String::new();
    for letter in variant.to_string().chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(letter.to_ascii_lowercase());
    }
    LitStr::new(&word, variant.span())
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn the_words_are_the_variants_in_snake_case() {
        let input: DeriveInput = parse_quote! { enum Tea { Black, EarlGrey } };

        let tokens = expand(&input).map(|tokens| tokens.to_string()).unwrap();

        assert_eq!(
            tokens,
            "crate :: stored_as_word ! (Tea : Black = \"black\" , EarlGrey = \"earl_grey\") ;"
        );
    }

    #[test]
    fn an_enum_can_have_the_functions_itself() {
        let input: DeriveInput = parse_quote! { #[word(inherent)] enum Tea { EarlGrey } };

        let tokens = expand(&input).map(|tokens| tokens.to_string()).unwrap();

        assert!(tokens.contains("match self { Self :: EarlGrey => \"earl_grey\" }"), "{tokens}");
        let unknown: DeriveInput = parse_quote! { #[word(outer)] enum Tea { Black } };
        assert_eq!(expand(&unknown).unwrap_err().to_string(), "expected `inherent`");
    }
}
