//! The attributes that both derives read.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Expr, ExprArray, Field, Fields, Ident, LitStr};
use syn::{Result, Token, Type, parenthesized, token};

/// The named fields of a struct.
pub(crate) fn fields(input: &DeriveInput) -> Result<&Punctuated<Field, Token![,]>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(&fields.named),
            Fields::Unnamed(_) | Fields::Unit => {
                Err(Error::new(input.ident.span(), "a struct with named fields is expected"))
            }
        },
        Data::Enum(_) | Data::Union(_) => {
            Err(Error::new(input.ident.span(), "a struct with named fields is expected"))
        }
    }
}

/// The name of a field, which has one.
pub(crate) fn ident(field: &Field) -> Result<&Ident> {
    field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "a named field is expected"))
}

/// How serde writes a field.
pub(crate) struct Written {
    /// Its name in JSON.
    pub(crate) name: String,
    /// Whether it is left out.
    pub(crate) is_skipped: bool,
    /// Whether its members stand in its place.
    pub(crate) is_flattened: bool,
}

impl Written {
    /// Reads `#[serde(rename = "…")]`, `#[serde(skip)]` and `#[serde(flatten)]`.
    pub(crate) fn of(field: &Field) -> Result<Self> {
        let name = ident(field)?.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let mut written = Self { name, is_skipped: false, is_flattened: false };
        each(&field.attrs, "serde", |meta| {
            if meta.path.is_ident("rename") && meta.input.peek(Token![=]) {
                written.name = text(&meta)?.value();
                return Ok(());
            }
            written.is_skipped |=
                meta.path.is_ident("skip") || meta.path.is_ident("skip_serializing");
            written.is_flattened |= meta.path.is_ident("flatten");
            ignore(&meta)
        })?;
        Ok(written)
    }
}

/// Reads each member of the attributes of a name.
pub(crate) fn each(
    attributes: &[Attribute],
    name: &str,
    mut read: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        attribute.parse_nested_meta(&mut read)?;
    }
    Ok(())
}

/// The text behind `name =`.
pub(crate) fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}

/// The expression behind `name =`.
pub(crate) fn expression(meta: &ParseNestedMeta<'_>) -> Result<Expr> {
    meta.value()?.parse()
}

/// The members of the array behind `name =`.
pub(crate) fn array(meta: &ParseNestedMeta<'_>) -> Result<Vec<Expr>> {
    let array: ExprArray = meta.value()?.parse()?;
    Ok(array.elems.into_iter().collect())
}

/// The type between parentheses, if there are any.
pub(crate) fn type_argument(meta: &ParseNestedMeta<'_>) -> Result<Option<Box<Type>>> {
    if !meta.input.peek(token::Paren) {
        return Ok(None);
    }
    let content;
    parenthesized!(content in meta.input);
    Ok(Some(Box::new(content.parse()?)))
}

fn ignore(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(Token![=]) {
        expression(meta)?;
    } else if meta.input.peek(token::Paren) {
        let content;
        parenthesized!(content in meta.input);
        content.parse::<TokenStream>()?;
    }
    Ok(())
}
