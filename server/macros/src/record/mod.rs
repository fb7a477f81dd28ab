//! `#[derive(Record)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Expr, Ident, LitStr, Result, Type};

use crate::attributes::{self, Written, array, each, expression, text, word};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let columns = attributes::fields(input)?.iter().map(Column::read);
    let mut columns = columns.collect::<Result<Vec<_>>>()?;
    let table = Table::read(input)?;
    if table.list.as_ref().is_some_and(|list| list.is_usual) {
        for column in
            columns.iter_mut().filter(|column| USUAL.iter().any(|name| column.ident == *name))
        {
            column.flags.extend([Flag::Filter, Flag::Order]);
        }
    }
    let record = record(input, &table, &columns)?;
    let Some(key) = columns.iter().find(|column| column.is_key()) else {
        if let Some(list) = &table.list {
            return Err(Error::new(list.plural.span(), "a list is of records with an `id`"));
        }
        return Ok(record);
    };
    let stored = stored(input, &table, &columns, key);
    let list = table.list.as_ref().map(|list| listable(input, &table, &columns, list, key));
    Ok(quote! { #record #stored #list })
}

/// `#[record(…)]`.
struct Table {
    /// The table with its alias.
    from: LitStr,
    title: Option<LitStr>,
    is_soft: bool,
    list: Option<List>,
}

/// The columns that `usual` lists are filtered and ordered by.
const USUAL: [&str; 3] = ["id", "created_at", "updated_at"];

/// `#[record(list(…))]`.
struct List {
    plural: LitStr,
    is_usual: bool,
    search: Vec<Expr>,
    order: Option<LitStr>,
    limit: Option<Expr>,
    columns: Vec<Expr>,
    extra: Vec<Expr>,
}

impl Table {
    fn read(input: &DeriveInput) -> Result<Self> {
        let (mut from, mut title, mut is_soft, mut list) = (None, None, false, None);
        each(&input.attrs, "record", |meta| {
            match word(&meta).as_str() {
                "table" => from = Some(text(&meta)?),
                "title" => title = Some(text(&meta)?),
                "soft_delete" => is_soft = true,
                "list" => list = Some(List::read(&meta)?),
                _ => return Err(meta.error("expected `table`, `title`, `soft_delete` or `list`")),
            }
            Ok(())
        })?;
        let from = from.ok_or_else(|| {
            Error::new(input.ident.span(), "`#[record(table = \"product_tag g\")]` is missing")
        })?;
        Ok(Self { from, title, is_soft, list })
    }

    fn name(&self) -> String {
        self.from.value().split_whitespace().next().unwrap_or_default().to_owned()
    }

    fn alias(&self) -> String {
        let from = self.from.value();
        let mut words = from.split_whitespace();
        let table = words.next().unwrap_or_default();
        words.next().unwrap_or(table).to_owned()
    }

    /// Returns the name in error messages: `Product tag` for `product_tag`.
    fn title(&self) -> String {
        if let Some(title) = &self.title {
            return title.value();
        }
        let words = self.name().replace('_', " ");
        let mut letters = words.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    }
}

impl List {
    fn read(meta: &syn::meta::ParseNestedMeta<'_>) -> Result<Self> {
        let (mut plural, mut is_usual, mut order, mut limit) = (None, false, None, None);
        let (mut search, mut columns, mut extra) = (Vec::new(), Vec::new(), Vec::new());
        meta.parse_nested_meta(|meta| {
            match word(&meta).as_str() {
                "plural" => plural = Some(text(&meta)?),
                "usual" => is_usual = true,
                "search" => search = array(&meta)?,
                "order" => order = Some(text(&meta)?),
                "limit" => limit = Some(expression(&meta)?),
                "columns" => columns = array(&meta)?,
                "extra" => extra = array(&meta)?,
                _ => {
                    return Err(meta.error(
                        "expected `plural`, `usual`, `search`, `order`, `limit`, `columns` or `extra`",
                    ));
                }
            }
            Ok(())
        })?;
        let plural = plural.ok_or_else(|| meta.error("`plural` is missing"))?;
        Ok(Self { plural, is_usual, search, order, limit, columns, extra })
    }
}

/// A field with `#[column(…)]`.
struct Column<'a> {
    ident: &'a Ident,
    ty: &'a Type,
    /// The name in JSON and in lists.
    outside: String,
    /// The column.
    name: String,
    sql: Option<LitStr>,
    kind: Option<Expr>,
    flags: Vec<Flag>,
}

/// An option of a column without a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    Skip,
    Json,
    Key,
    Once,
    Filter,
    Order,
}

impl Flag {
    const WORDS: [(&'static str, Self); 6] = [
        ("skip", Self::Skip),
        ("json", Self::Json),
        ("key", Self::Key),
        ("once", Self::Once),
        ("filter", Self::Filter),
        ("order", Self::Order),
    ];
}

impl<'a> Column<'a> {
    fn read(field: &'a syn::Field) -> Result<Self> {
        let outside = Written::of(field)?.name;
        let (mut name, mut sql, mut kind, mut flags) = (None, None, None, Vec::new());
        each(&field.attrs, "column", |meta| {
            if let Some((_, flag)) = Flag::WORDS.iter().find(|(word, _)| meta.path.is_ident(word)) {
                flags.push(*flag);
            } else if meta.path.is_ident("name") {
                name = Some(text(&meta)?.value());
            } else if meta.path.is_ident("sql") {
                sql = Some(text(&meta)?);
            } else if meta.path.is_ident("kind") {
                kind = Some(expression(&meta)?);
            } else {
                let words = Flag::WORDS.map(|(word, _)| format!("`{word}`")).join(", ");
                return Err(meta.error(format!("expected {words}, `name`, `sql` or `kind`")));
            }
            Ok(())
        })?;
        let is_plain = !field.attrs.iter().any(|attribute| attribute.path().is_ident("column"));
        if is_plain && attributes::is_related(field)? {
            flags.push(Flag::Skip);
        }
        let name = name.unwrap_or_else(|| outside.clone());
        let ident = attributes::ident(field)?;
        Ok(Self { ident, ty: &field.ty, outside, name, sql, kind, flags })
    }

    fn is(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    fn is_key(&self) -> bool {
        self.is(Flag::Key) || (self.ident == "id" && !self.is(Flag::Skip))
    }

    fn expression(&self, alias: &str) -> String {
        self.sql.as_ref().map_or_else(|| format!("{alias}.{}", self.name), LitStr::value)
    }

    fn is_read(&self) -> bool {
        !self.is(Flag::Skip)
    }

    fn is_written(&self) -> bool {
        self.is_read() && self.sql.is_none() && self.name != "deleted_at"
    }

    /// Returns whether a put keeps the inserted value.
    fn is_fixed(&self) -> bool {
        self.is_key() || self.is(Flag::Once) || self.name == "created_at"
    }

    fn read_value(&self) -> TokenStream {
        let ident = self.ident;
        if self.is(Flag::Skip) {
            quote! { #ident: ::core::default::Default::default() }
        } else if self.is(Flag::Json) {
            quote! { #ident: cells.take::<crate::database::Stored<_>>()?.0 }
        } else {
            quote! { #ident: cells.take()? }
        }
    }

    fn bound_value(&self) -> TokenStream {
        let ident = self.ident;
        if matches!(self.name.as_str(), "created_at" | "updated_at") {
            quote! { &now }
        } else if self.is(Flag::Json) {
            quote! { &crate::database::Stored(&self.#ident) }
        } else {
            quote! { &self.#ident }
        }
    }
}

fn record(input: &DeriveInput, table: &Table, columns: &[Column<'_>]) -> Result<TokenStream> {
    let (name, from, alias) = (&input.ident, &table.from, table.alias());
    let select: Vec<String> = columns
        .iter()
        .filter(|column| column.is_read())
        .map(|column| column.expression(&alias))
        .collect();
    if select.is_empty() {
        return Err(Error::new(name.span(), "a record has a column"));
    }
    let select = select.join(", ");
    let values = columns.iter().map(Column::read_value);
    Ok(quote! {
        impl crate::database::Record for #name {
            const FROM: &'static str = #from;
            const COLUMNS: &'static str = #select;

            fn read_cells(
                cells: &mut crate::database::Cells<'_, '_>,
            ) -> ::rusqlite::Result<Self> {
                Ok(Self { #(#values),* })
            }
        }
    })
}

fn stored(
    input: &DeriveInput,
    table: &Table,
    columns: &[Column<'_>],
    key: &Column<'_>,
) -> TokenStream {
    let (name, title, alias) = (&input.ident, table.title(), table.alias());
    let (id, id_type) = (key.ident, key.ty);
    let is_soft = table.is_soft
        || columns.iter().any(|column| column.name == "deleted_at" && column.is_read());
    let exists = if is_soft { format!("{alias}.deleted_at is null") } else { "true".to_owned() };
    let key_sql = key.expression(&alias);
    let Statements { insert, put, update, delete } =
        Statements::new(&table.name(), columns, key, is_soft);
    let values = in_order(columns).map(Column::bound_value);
    quote! {
        impl crate::database::Table for #name {
            type Id = #id_type;

            const TITLE: &'static str = #title;
            const KEY: &'static str = #key_sql;
            const EXISTS: &'static str = #exists;
            const INSERT: &'static str = #insert;
            const PUT: &'static str = #put;
            const UPDATE: &'static str = #update;
            const DELETE: &'static str = #delete;

            fn key(&self) -> &Self::Id {
                &self.#id
            }

            fn bind<R>(
                &self,
                now: crate::clock::Timestamp,
                run: impl FnOnce(&[&dyn ::rusqlite::ToSql]) -> R,
            ) -> R {
                let _ = now;
                run(&[#(#values),*])
            }
        }
    }
}

/// Returns the written columns: fixed ones first, so that the last one is in every statement.
fn in_order<'c, 'a>(columns: &'c [Column<'a>]) -> impl Iterator<Item = &'c Column<'a>> {
    let written = || columns.iter().filter(|column| column.is_written());
    written()
        .filter(|column| column.is_fixed())
        .chain(written().filter(|column| !column.is_fixed()))
}

struct Statements {
    insert: String,
    put: String,
    update: String,
    delete: String,
}

impl Statements {
    fn new(table: &str, columns: &[Column<'_>], key: &Column<'_>, is_soft: bool) -> Self {
        let key = &key.name;
        let numbered: Vec<(usize, &Column<'_>)> = (1..).zip(in_order(columns)).collect();
        let names: Vec<&str> = numbered.iter().map(|(_, column)| column.name.as_str()).collect();
        let places: Vec<String> = numbered.iter().map(|(place, _)| format!("?{place}")).collect();
        let insert =
            format!("insert into {table} ({}) values ({})", names.join(", "), places.join(", "));
        let changed = || numbered.iter().filter(|(_, column)| !column.is_fixed());
        let excluded: Vec<String> =
            changed().map(|(_, Column { name, .. })| format!("{name} = excluded.{name}")).collect();
        let change = if excluded.is_empty() {
            "nothing".to_owned()
        } else {
            format!("update set {}", excluded.join(", "))
        };
        let put = format!("{insert} on conflict ({key}) do {change}");
        let set: Vec<String> =
            changed().map(|(place, Column { name, .. })| format!("{name} = ?{place}")).collect();
        let key_column = numbered.iter().find(|(_, column)| column.is_key());
        let key_place = key_column.map_or(1, |(place, _)| *place);
        let update = format!("update {table} set {} where {key} = ?{key_place}", set.join(", "));
        let keeps_time = numbered.iter().any(|(_, column)| column.name == "updated_at");
        let delete = match (is_soft, keeps_time) {
            (false, _) => format!("delete from {table} where {key} = :id"),
            (true, false) => format!(
                "update {table} set deleted_at = :now where {key} = :id and deleted_at is null"
            ),
            (true, true) => format!(
                "update {table} set deleted_at = :now, updated_at = :now where {key} = :id and deleted_at is null"
            ),
        };
        Self { insert, put, update, delete }
    }
}

fn listable(
    input: &DeriveInput,
    table: &Table,
    columns: &[Column<'_>],
    list: &List,
    key: &Column<'_>,
) -> TokenStream {
    let (name, from, alias) = (&input.ident, &table.from, table.alias());
    let List { plural, search, order, limit, columns: further, extra, .. } = list;
    let id = key.expression(&alias);
    let own = columns.iter().filter(|column| column.is(Flag::Filter) || column.is(Flag::Order));
    let own = own.map(|column| {
        let (outside, sql, ty) = (&column.outside, column.expression(&alias), column.ty);
        let (filters, orders) = (column.is(Flag::Filter), column.is(Flag::Order));
        let kind = column.kind.as_ref().map_or_else(
            || quote! { <#ty as crate::database::Filtered>::KIND },
            |kind| quote! { #kind },
        );
        quote! {
            crate::database::listing::Column {
                name: #outside, sql: #sql, kind: #kind, orders: #orders, filters: #filters,
            }
        }
    });
    let order = order.as_ref().map_or_else(|| key.outside.clone(), LitStr::value);
    let limit = limit.as_ref().map_or_else(|| quote! { 20 }, |limit| quote! { #limit });
    quote! {
        impl crate::database::Listable for #name {
            const LISTING: &'static crate::database::listing::Listing = {
                static LISTING: crate::database::listing::Listing =
                    crate::database::listing::Listing {
                        plural: #plural,
                        table: #from,
                        tie_breaker: #id,
                        columns: &[#(#own,)* #(#further),*],
                        search: &[#(#search),*],
                        default_limit: #limit,
                        default_order: #order,
                        extra: &[#(#extra),*],
                    };
                &LISTING
            };
        }
    }
}

#[cfg(test)]
mod tests;
