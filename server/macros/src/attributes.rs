//! The attributes that both derives parse.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Expr, ExprArray, Field, Fields, Ident, LitStr};
use syn::{Result, Token, Type, parenthesized, token};

pub(crate) fn fields(input: &DeriveInput) -> Result<&Punctuated<Field, Token![,]>> {
    if let Data::Struct(data) = &input.data
        && let Fields::Named(fields) = &data.fields
    {
        return Ok(&fields.named);
    }
    Err(Error::new(input.ident.span(), "a struct with named fields is expected"))
}

pub(crate) fn ident(field: &Field) -> Result<&Ident> {
    field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "a named field is expected"))
}

/// How serde serializes a field.
pub(crate) struct Written {
    /// The name in JSON.
    pub(crate) name: String,
    pub(crate) is_skipped: bool,
    pub(crate) is_flattened: bool,
}

impl Written {
    /// Renames the field as `#[serde(rename_all = "camelCase")]` of its struct does.
    pub(crate) fn in_camel_case(&mut self) {
        let mut words = self.name.split('_');
        let mut name = words.next().unwrap_or_default().to_owned();
        for word in words {
            let mut letters = word.chars();
            name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            name.push_str(letters.as_str());
        }
        self.name = name;
    }

    /// Parses `#[serde(rename = "…")]`, `#[serde(skip)]` and `#[serde(flatten)]`.
    pub(crate) fn of(field: &Field) -> Result<Self> {
        let name = ident(field)?.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let mut written = Self { name, is_skipped: false, is_flattened: false };
        each(&field.attrs, "serde", |meta| {
            match word(&meta).as_str() {
                "rename" if meta.input.peek(Token![=]) => {
                    written.name = text(&meta)?.value();
                    return Ok(());
                }
                "skip" | "skip_serializing" => written.is_skipped = true,
                "flatten" => written.is_flattened = true,
                _ => {}
            }
            ignore(&meta)
        })?;
        Ok(written)
    }
}

/// Returns whether a struct has `#[serde(rename_all = "camelCase")]`.
pub(crate) fn is_camel_case(input: &DeriveInput) -> Result<bool> {
    let mut is_camel_case = false;
    each(&input.attrs, "serde", |meta| {
        if meta.path.is_ident("rename_all") {
            is_camel_case = text(&meta)?.value() == "camelCase";
            return Ok(());
        }
        ignore(&meta)
    })?;
    Ok(is_camel_case)
}

/// Returns whether a field is a relation: a resource of its own, from another table.
pub(crate) fn is_related(field: &Field) -> Result<bool> {
    let mut is_related = false;
    each(&field.attrs, "field", |meta| {
        is_related |= meta.path.is_ident("relation") || meta.path.is_ident("on_request");
        ignore(&meta)
    })?;
    Ok(is_related)
}

/// Parses each member of the attributes with a name.
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

/// Returns the name of a member; empty if it is not one word.
pub(crate) fn word(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}

/// Parses the text after `name =`.
pub(crate) fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}

/// Parses the expression after `name =`.
pub(crate) fn expression(meta: &ParseNestedMeta<'_>) -> Result<Expr> {
    meta.value()?.parse()
}

/// Parses the elements of the array after `name =`.
pub(crate) fn array(meta: &ParseNestedMeta<'_>) -> Result<Vec<Expr>> {
    let array: ExprArray = meta.value()?.parse()?;
    Ok(array.elems.into_iter().collect())
}

/// Parses the type in parentheses, if there are any.
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
