//! The fields that a request selects.

use std::sync::Arc;

use super::{HttpError, Relation, Shape};

/// Limit: names in one `fields`.
const MAX_NAMES: usize = 200;

/// Limit: depth of nested relations.
const MAX_DEPTH: usize = 3;

/// The selection of a resource's fields. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Selection(pub(super) Arc<Members>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Projection {
    /// The whole value.
    Whole,
    /// These members.
    Members(Members),
}

/// Names with the selection of each, in the order of the shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Members(Vec<(&'static str, Projection)>);

impl Members {
    fn get(&self, name: &str) -> Option<&Projection> {
        self.next(&mut 0, name)
    }

    /// Returns the member with a name, searched from `place` on, which is moved past it: reading members in order
    /// finds each immediately.
    pub(super) fn next(&self, place: &mut usize, name: &str) -> Option<&Projection> {
        let all = || self.0.iter().enumerate();
        let mut around = all().skip(*place).chain(all().take(*place));
        let (index, (_, projection)) = around.find(|(_, (own, _))| *own == name)?;
        *place = index.saturating_add(1);
        Some(projection)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Projection> {
        self.0.iter_mut().find(|(own, _)| *own == name).map(|(_, projection)| projection)
    }

    /// Adds a member if it is missing.
    fn add(&mut self, name: &'static str, projection: impl FnOnce() -> Projection) {
        if self.get(name).is_none() {
            self.0.push((name, projection()));
        }
    }

    fn remove(&mut self, name: &str) {
        self.0.retain(|(own, _)| *own != name);
    }

    fn of_whole(names: impl IntoIterator<Item = &'static str>) -> Self {
        Self(names.into_iter().map(|name| (name, Projection::Whole)).collect())
    }
}

impl Selection {
    /// Returns the default selection.
    pub fn of_defaults(shape: &'static Shape) -> Self {
        Self(Arc::new(defaults(shape, 0)))
    }

    /// Parses `fields`.
    ///
    /// # Errors
    /// 400 for an unknown name, too many names, or relations nested too deep.
    pub fn parse(shape: &'static Shape, text: &str) -> Result<Self, HttpError> {
        let terms: Vec<Term<'_>> = text
            .split(',')
            .filter(|name| !name.trim_matches(BLANKS).is_empty())
            .map(Term::read)
            .collect();
        if terms.len() > MAX_NAMES {
            let message = format!("Invalid request: 'fields' has more than {MAX_NAMES} names");
            return Err(HttpError::invalid_data(message));
        }
        let replaces = terms.iter().any(|term| matches!(term.mark, Mark::Plain));
        let mut members = if replaces { identity(shape) } else { defaults(shape, 0) };
        for term in terms.iter().filter(|term| !matches!(term.mark, Mark::Minus)) {
            add(shape, &mut members, term, &term.path, 0)?;
        }
        for term in terms.iter().filter(|term| matches!(term.mark, Mark::Minus)) {
            remove(shape, &mut members, term, &term.path)?;
        }
        Ok(Self(Arc::new(members)))
    }

    /// Adds a path to the selection, such as `variants.calculated_price`, which the shape must list.
    ///
    /// # Errors
    /// 400 for an unknown name.
    pub fn with(&self, shape: &'static Shape, path: &str) -> Result<Self, HttpError> {
        let mut members = Members::clone(&self.0);
        let term = Term { text: path, mark: Mark::Plus, path: path.split('.').collect() };
        add(shape, &mut members, &term, &term.path, 0)?;
        Ok(Self(Arc::new(members)))
    }

    /// Returns whether `path` is selected, such as `variants` or `variants.prices`.
    pub fn wants(&self, path: &str) -> bool {
        let mut members = &*self.0;
        for name in path.split('.') {
            match members.get(name) {
                Some(Projection::Members(below)) => members = below,
                Some(Projection::Whole) => return true,
                None => return false,
            }
        }
        true
    }
}

/// White space allowed around a name.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// One name of `fields` with its mark.
struct Term<'a> {
    text: &'a str,
    mark: Mark,
    path: Vec<&'a str>,
}

/// The effect of a name on the default.
enum Mark {
    /// Replaces the default.
    Plain,
    /// Adds to the default.
    Plus,
    /// Removes from the default.
    Minus,
}

impl<'a> Term<'a> {
    fn read(raw: &'a str) -> Self {
        let text = raw.trim_matches(BLANKS);
        let (mark, name) = match text.split_at_checked(1) {
            Some(("+" | "*", name)) => (Mark::Plus, name),
            Some(("-", name)) => (Mark::Minus, name),
            // An unencoded plus arrives as a space.
            _ if raw.starts_with(' ') || text.ends_with(".*") => (Mark::Plus, text),
            _ => (Mark::Plain, text),
        };
        let name =
            if text.starts_with('+') { name.strip_prefix('*').unwrap_or(name) } else { name };
        let is_whole = text.ends_with('*') && name.is_empty();
        let path = if is_whole { Vec::new() } else { name.split('.').collect() };
        Self { text, mark, path }
    }

    fn unknown(&self) -> HttpError {
        let Self { text, .. } = self;
        let name = text.trim_start_matches(['+', '-', '*']);
        HttpError::invalid_data(format!("Invalid request: Unknown field '{name}' in 'fields'"))
            .with_details("fields", format!("Unknown field '{name}'"))
    }

    fn too_deep(&self) -> HttpError {
        let Self { text, .. } = self;
        HttpError::invalid_data(format!(
            "Invalid request: '{text}' in 'fields' is deeper than {MAX_DEPTH} relations"
        ))
    }
}

fn add(
    shape: &'static Shape,
    members: &mut Members,
    term: &Term<'_>,
    path: &[&str],
    depth: usize,
) -> Result<(), HttpError> {
    let (first, rest) = match path {
        [] | ["*"] => {
            for name in [shape.defaults, shape.extras].into_iter().flatten() {
                members.add(name, || Projection::Whole);
            }
            return Ok(());
        }
        [first, rest @ ..] => (first, rest),
    };
    if let Some(name) = shape.scalar(first) {
        if !rest.is_empty() {
            return Err(term.unknown());
        }
        members.add(name, || Projection::Whole);
        return Ok(());
    }
    let relation = shape.relation(first).ok_or_else(|| term.unknown())?;
    let depth = depth.saturating_add(1);
    if depth > MAX_DEPTH {
        return Err(term.too_deep());
    }
    members.add(relation.name, || Projection::Members(identity(relation.shape)));
    match members.get_mut(relation.name) {
        Some(Projection::Members(below)) => add(relation.shape, below, term, rest, depth),
        Some(Projection::Whole) | None => Ok(()),
    }
}

fn remove(
    shape: &'static Shape,
    members: &mut Members,
    term: &Term<'_>,
    path: &[&str],
) -> Result<(), HttpError> {
    let Some((first, rest)) = path.split_first() else {
        return Err(term.unknown());
    };
    match (shape.relation(first), rest) {
        (None, [_, ..]) => Err(term.unknown()),
        (None, []) if shape.scalar(first).is_none() => Err(term.unknown()),
        (Some(_), [] | ["*"]) | (None, []) => {
            // Invariant: a resource with an id is never returned without it.
            if *first != "id" {
                members.remove(first);
            }
            Ok(())
        }
        (Some(relation), rest) => match members.get_mut(first) {
            Some(Projection::Members(below)) => remove(relation.shape, below, term, rest),
            Some(Projection::Whole) | None => Ok(()),
        },
    }
}

impl Shape {
    fn scalar(&self, name: &str) -> Option<&'static str> {
        [self.defaults, self.extras, self.computed]
            .into_iter()
            .flatten()
            .find(|field| **field == name)
            .copied()
    }

    fn relation(&self, name: &str) -> Option<&'static Relation> {
        self.relations.iter().find(|relation| relation.name == name)
    }
}

fn identity(shape: &'static Shape) -> Members {
    Members::of_whole(shape.scalar("id"))
}

fn defaults(shape: &'static Shape, depth: usize) -> Members {
    let mut members = Members::of_whole(shape.defaults.iter().copied());
    if depth < MAX_DEPTH {
        for relation in shape.relations.iter().filter(|relation| relation.is_default) {
            let below = defaults(relation.shape, depth.saturating_add(1));
            members.add(relation.name, || Projection::Members(below));
        }
    }
    members
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) static PRODUCT: Shape = Shape {
        name: "product",
        defaults: &["id", "title", "description"],
        extras: &["metadata"],
        computed: &[],
        relations: &[
            Relation::default("variants", &VARIANT),
            Relation::on_request("collection", &COLLECTION),
        ],
    };
    static VARIANT: Shape = Shape {
        name: "variant",
        defaults: &["id", "sku"],
        extras: &["barcode"],
        computed: &["calculated_price"],
        relations: &[
            Relation::default("options", &OPTION),
            Relation::on_request("product", &PRODUCT),
        ],
    };
    static OPTION: Shape =
        Shape { name: "option", defaults: &["value"], extras: &[], computed: &[], relations: &[] };
    static COLLECTION: Shape =
        Shape { name: "collection", defaults: &["id"], extras: &[], computed: &[], relations: &[] };

    /// Returns the selected paths, separated by spaces.
    fn selected(text: &str) -> String {
        fn walk(members: &Members, prefix: &str, paths: &mut Vec<String>) {
            for (name, projection) in &members.0 {
                match projection {
                    Projection::Whole => paths.push(format!("{prefix}{name}")),
                    Projection::Members(below) => walk(below, &format!("{prefix}{name}."), paths),
                }
            }
        }
        match Selection::parse(&PRODUCT, text) {
            Ok(selection) => {
                let mut paths = Vec::new();
                walk(&selection.0, "", &mut paths);
                paths.sort();
                paths.join(" ")
            }
            Err(error) => error.message().to_owned(),
        }
    }

    #[test]
    fn names_replace_add_and_remove() {
        let variants = "variants.id variants.options.value variants.sku";
        for (text, expected) in [
            ("", format!("description id title {variants}")),
            ("title", "id title".to_owned()),
            ("title,+metadata", "id metadata title".to_owned()),
            ("+metadata", format!("description id metadata title {variants}")),
            (" metadata", format!("description id metadata title {variants}")),
            ("-description,-variants", "id title".to_owned()),
            ("-id,-variants.options", "description id title variants.id variants.sku".to_owned()),
            ("id,*variants", "id variants.barcode variants.id variants.sku".to_owned()),
            ("id,variants.*", "id variants.barcode variants.id variants.sku".to_owned()),
            ("id, variants.sku ,\n-title", "id variants.id variants.sku".to_owned()),
            ("-variants.*,-title", "description id".to_owned()),
            ("*,-description", format!("id metadata title {variants}")),
            ("id,variants", "id variants.barcode variants.id variants.sku".to_owned()),
            ("variants.sku", "id variants.id variants.sku".to_owned()),
            (
                "id,*variants.calculated_price",
                "id variants.calculated_price variants.id".to_owned(),
            ),
            ("id,+collection.id", "collection.id id".to_owned()),
        ] {
            assert_eq!(selected(text), expected, "{text}");
        }
    }

    #[test]
    fn only_listed_items_can_be_named() {
        for (text, expected) in [
            ("password_hash", "Invalid request: Unknown field 'password_hash' in 'fields'"),
            ("+password_hash", "Invalid request: Unknown field 'password_hash' in 'fields'"),
            ("-foo", "Invalid request: Unknown field 'foo' in 'fields'"),
            ("*metadata.secret", "Invalid request: Unknown field 'metadata.secret' in 'fields'"),
            ("variants.foo", "Invalid request: Unknown field 'variants.foo' in 'fields'"),
            (
                "variants.product.variants.product.id",
                "Invalid request: 'variants.product.variants.product.id' in 'fields' is deeper than 3 relations",
            ),
        ] {
            assert_eq!(selected(text), expected, "{text}");
        }
    }

    #[test]
    fn a_loader_can_ask_which_fields_are_selected() {
        let selection = Selection::parse(&PRODUCT, "title,variants.options").unwrap();

        for (path, expected) in [
            ("title", true),
            ("variants", true),
            ("variants.options", true),
            ("variants.sku", false),
            ("collection", false),
        ] {
            assert_eq!(selection.wants(path), expected, "{path}");
        }
    }
}
