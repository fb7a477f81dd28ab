//! `#[derive(Resource)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{DeriveInput, Error, Field, Ident, LitStr, Path, Result, Type};

use crate::attributes::{self, Written, each, text, type_argument, word};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let resource = Description::read(input)?;
    let is_camel_case = attributes::is_camel_case(input)?;
    let fields = attributes::fields(input)?.iter();
    let fields = fields.map(|field| ApiField::read(field, is_camel_case));
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let own = shape(&resource, &input.ident, fields.iter().map(|field| (field, &field.admin)));
    let own_id = fields.iter().find(|field| field.name == "id").map(|field| field.ty);
    let id = resource.id.as_ref().or(own_id);
    let keyed = id.map(|id| keyed(&resource, &input.ident, id));
    let listed = resource.listed(&input.ident);
    let view = resource.view(&input.ident)?;
    let store = resource.store.as_ref().map(|marker| {
        let store =
            fields.iter().map(|field| (field, field.store.as_ref().unwrap_or(&field.admin)));
        let shape = shape(&resource, marker, store);
        let keyed = id.map(|id| self::keyed(&resource, marker, id));
        let listed = resource.listed(marker);
        let (vis, doc) = (&input.vis, format!("A {} in the store API.", resource.name.value()));
        quote! {
            #[doc = #doc]
            #[derive(Debug, Clone, Copy)]
            #vis struct #marker;
            #shape
            #keyed
            #listed
        }
    });
    Ok(quote! { #own #keyed #listed #view #store })
}

/// `#[resource(…)]`.
struct Description {
    name: LitStr,
    key: Option<LitStr>,
    object: Option<LitStr>,
    store: Option<Ident>,
    /// The record of its lists.
    rows: Option<Path>,
    /// The definition of its lists, if they are not of a record.
    list: Option<Path>,
    /// The type of the id, if it is in a flattened field.
    id: Option<Type>,
    /// The error of reading and writing it, if it is a view without relations to load.
    error: Option<Path>,
}

impl Description {
    fn read(input: &DeriveInput) -> Result<Self> {
        let (mut name, mut key, mut object) = (None, None, None);
        let (mut store, mut rows, mut list, mut id, mut error) = (None, None, None, None, None);
        each(&input.attrs, "resource", |meta| {
            match word(&meta).as_str() {
                "name" => name = Some(text(&meta)?),
                "key" => key = Some(text(&meta)?),
                "object" => object = Some(text(&meta)?),
                "store" => store = Some(meta.value()?.parse()?),
                "rows" => rows = Some(meta.value()?.parse()?),
                "list" => list = Some(meta.value()?.parse()?),
                "id" => id = Some(meta.value()?.parse()?),
                "error" => error = Some(meta.value()?.parse()?),
                _ => {
                    return Err(meta.error(
                        "expected `name`, `key`, `object`, `store`, `rows`, `list`, `id` or `error`",
                    ));
                }
            }
            Ok(())
        })?;
        let name = name.ok_or_else(|| {
            Error::new(input.ident.span(), "`#[resource(name = \"tag\")]` is missing")
        })?;
        if rows.is_none() && is_list(input) {
            rows = Some(input.ident.clone().into());
        }
        Ok(Self { name, key, object, store, rows, list, id, error })
    }

    /// Returns the key in responses: `api_key` for `API key`.
    fn key(&self) -> String {
        match &self.key {
            Some(key) => key.value(),
            None => self.name.value().replace([' ', '-'], "_").to_lowercase(),
        }
    }

    fn view(&self, resource: &Ident) -> Result<Option<TokenStream>> {
        let Some(error) = &self.error else { return Ok(None) };
        let rows = self.rows.as_ref();
        let rows = rows.ok_or_else(|| Error::new(resource.span(), "a view is of listed rows"))?;
        Ok(Some(quote! {
            impl crate::resource::View for #resource {
                type Row = #rows;
                type Error = #error;
            }
        }))
    }

    fn listed(&self, marker: &Ident) -> Option<TokenStream> {
        let listing = match (&self.rows, &self.list) {
            (Some(rows), _) => quote! { <#rows as crate::database::Listable>::LISTING },
            (None, Some(list)) => quote! { &#list },
            (None, None) => return None,
        };
        Some(quote! {
            impl crate::http::Listed for #marker {
                const LISTING: &'static crate::database::listing::Listing = #listing;
            }
        })
    }
}

fn is_list(input: &DeriveInput) -> bool {
    input.attrs.iter().filter(|attribute| attribute.path().is_ident("record")).any(|attribute| {
        let list = attribute.meta.require_list();
        list.is_ok_and(|list| {
            list.tokens.clone().into_iter().any(|token| token.to_string() == "list")
        })
    })
}

/// A field with `#[field(…)]`.
struct ApiField<'a> {
    name: String,
    ty: &'a Type,
    admin: Visibility,
    store: Option<Visibility>,
}

/// When a field is returned.
enum Visibility {
    Default,
    Extra,
    Computed,
    Hidden,
    /// Flattened into its parent.
    Flattened,
    /// Flattened into its parent, on request.
    FlattenedExtra,
    Relation {
        shape: Option<Box<Type>>,
        is_default: bool,
    },
}

impl<'a> ApiField<'a> {
    fn read(field: &'a Field, is_camel_case: bool) -> Result<Self> {
        let mut written = Written::of(field)?;
        if is_camel_case {
            written.in_camel_case();
        }
        let (mut admin, mut store) = (Visibility::Default, None);
        each(&field.attrs, "field", |meta| {
            if meta.path.is_ident("store") {
                return meta.parse_nested_meta(|meta| {
                    store = Some(Visibility::read(&meta)?);
                    Ok(())
                });
            }
            admin = Visibility::read(&meta)?;
            Ok(())
        })?;
        if written.is_skipped {
            (admin, store) = (Visibility::Hidden, None);
        } else if written.is_flattened {
            let is_extra = matches!(admin, Visibility::Extra);
            admin = if is_extra { Visibility::FlattenedExtra } else { Visibility::Flattened };
            store = None;
        }
        Ok(Self { name: written.name, ty: &field.ty, admin, store })
    }
}

impl Visibility {
    fn read(meta: &ParseNestedMeta<'_>) -> Result<Self> {
        match word(meta).as_str() {
            "relation" => Ok(Self::Relation { shape: type_argument(meta)?, is_default: true }),
            "on_request" => Ok(Self::Relation { shape: type_argument(meta)?, is_default: false }),
            "default" => Ok(Self::Default),
            "extra" => Ok(Self::Extra),
            "computed" => Ok(Self::Computed),
            "hidden" => Ok(Self::Hidden),
            _ => Err(meta.error(
                "expected `default`, `extra`, `computed`, `hidden`, `relation`, `on_request` or `store(…)`",
            )),
        }
    }
}

fn shape<'f>(
    resource: &Description,
    marker: &Ident,
    fields: impl Iterator<Item = (&'f ApiField<'f>, &'f Visibility)>,
) -> TokenStream {
    let name = &resource.name;
    let (mut defaults, mut extras, mut computed) =
        (Names::default(), Names::default(), Names::default());
    let mut relations = Vec::new();
    let mut flattened = Vec::new();
    for (ApiField { name, ty, .. }, visibility) in fields {
        match visibility {
            Visibility::Default => defaults.add(name),
            Visibility::Extra => extras.add(name),
            Visibility::Computed => computed.add(name),
            Visibility::Hidden => {}
            Visibility::Flattened => {
                let shape = quote! { <#ty as crate::http::Resource>::SHAPE };
                defaults.flatten(quote! { #shape.defaults });
                extras.flatten(quote! { #shape.extras });
                computed.flatten(quote! { #shape.computed });
                flattened.push(shape);
            }
            Visibility::FlattenedExtra => {
                let shape = quote! { <#ty as crate::http::Resource>::SHAPE };
                extras.flatten(quote! { #shape.defaults });
                extras.flatten(quote! { #shape.extras });
                computed.flatten(quote! { #shape.computed });
                flattened.push(shape);
            }
            Visibility::Relation { shape, is_default } => {
                let shape = shape.as_deref().unwrap_or(ty);
                relations.push(quote! {
                    crate::http::Relation {
                        name: #name,
                        shape: <#shape as crate::http::Resource>::SHAPE,
                        is_default: #is_default,
                    }
                });
            }
        }
    }
    let [defaults, extras, computed] = [defaults, extras, computed].map(Names::expand);
    quote! {
        impl crate::http::Resource for #marker {
            const SHAPE: &'static crate::http::Shape = {
                #(const _: () = assert!(
                    #flattened.relations.is_empty(),
                    "what is flattened has no relations of its own",
                );)*
                static SHAPE: crate::http::Shape = crate::http::Shape {
                    name: #name,
                    defaults: #defaults,
                    extras: #extras,
                    computed: #computed,
                    relations: &[#(#relations),*],
                };
                &SHAPE
            };
        }
    }
}

/// Names of fields, and lists of the names of flattened fields.
#[derive(Default)]
struct Names {
    /// The complete lists.
    lists: Vec<TokenStream>,
    last: Vec<String>,
    is_joined: bool,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.last.push(name.to_owned());
    }

    fn flatten(&mut self, list: TokenStream) {
        self.finish_last();
        self.lists.push(list);
        self.is_joined = true;
    }

    fn finish_last(&mut self) {
        let names = std::mem::take(&mut self.last);
        if !names.is_empty() {
            self.lists.push(quote! { &[#(#names),*] });
        }
    }

    fn expand(mut self) -> TokenStream {
        if !self.is_joined {
            let names = self.last;
            return quote! { &[#(#names),*] };
        }
        self.finish_last();
        let lists = self.lists;
        quote! {{
            const LISTS: &[&[&str]] = &[#(#lists),*];
            &crate::http::join_names::<{ crate::http::count_names(LISTS) }>(LISTS)
        }}
    }
}

fn keyed(resource: &Description, marker: &Ident, id: &Type) -> TokenStream {
    let key = resource.key();
    let object = resource.object.as_ref().map_or_else(|| key.clone(), LitStr::value);
    let store = resource.store.as_ref().unwrap_or(marker);
    quote! {
        impl crate::http::Keyed for #marker {
            const KEY: &'static str = #key;
            const OBJECT: &'static str = #object;
            type Id = #id;
            type Store = #store;
        }
    }
}

#[cfg(test)]
mod tests;
