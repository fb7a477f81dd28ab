//! Categories: a tree that groups products.
//!
//! Invariants: no category is its own descendant; the children of a parent have the ranks 0, 1, 2… without gaps.

use super::create::References;
use super::queries::CATEGORIES;
use super::queries::categories as queries;
use super::view::Category;
use super::{CatalogError, handle};
use crate::database::{Table, Tx};
use crate::http::{Patch, Text, request};
use crate::ids::{self, ById, CategoryId};
use crate::metadata::MetadataPatch;

/// Limit: levels of the category tree.
pub(crate) const MAX_DEPTH: usize = 20;

#[derive(Debug, Clone, Default)]
pub struct NewCategory {
    pub name: String,
    /// The handle, which must be unique; none to derive one from the name.
    pub handle: Option<String>,
    pub description: String,
    pub is_active: bool,
    pub is_internal: bool,
    /// The position among the children of the same parent; the later ones move.
    pub rank: Option<i64>,
    /// The parent category; none for the top level.
    pub parent_category_id: Option<CategoryId>,
    pub external_id: Option<String>,
    pub metadata: MetadataPatch,
}

/// The fields of a category to change.
#[request]
#[schema(example = json!({ "is_active": true, "rank": 0 }))]
pub(super) struct UpdateCategoryRequest {
    name: Option<Text>,
    /// The unique name in URLs.
    handle: Option<Text<200>>,
    description: Patch<Text<5000>>,
    /// Whether shoppers see it.
    is_active: Option<bool>,
    /// Whether it is for internal use.
    is_internal: Option<bool>,
    /// The position among the children of the same parent; the others shift.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    rank: Option<u32>,
    /// The parent category; null for the top level.
    parent_category_id: Patch<CategoryId>,
    /// The identifier in an external system.
    external_id: Patch<Text>,
    /// Keys to merge; null removes a key.
    metadata: Patch<MetadataPatch>,
}

/// Creates a category, the last of its parent unless a rank is given.
///
/// # Errors
/// A handle that is taken, a parent that does not exist, or a tree that becomes too deep.
pub fn create_category(tx: &Tx<'_>, new: NewCategory) -> Result<CategoryId, CatalogError> {
    let parent = new.parent_category_id;
    let handle = handle::choose(tx, &handle::CATEGORY, new.handle.as_deref(), &new.name, None)?;
    if let Some(parent) = &parent {
        check_parent(tx, parent, None)?;
    }
    let id = CategoryId::new();
    let last = queries::sibling_count(tx, parent.as_ref())?;
    let rank = new.rank.unwrap_or(last).clamp(0, last);
    if rank < last {
        queries::shift_ranks(tx, parent.as_ref(), rank, 1)?;
    }
    let row = Category {
        id: id.clone(),
        name: new.name,
        handle,
        description: new.description,
        is_active: new.is_active,
        is_internal: new.is_internal,
        rank,
        parent_category_id: parent,
        external_id: new.external_id,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
        metadata: new.metadata.create()?,
        parent_category: None,
        category_children: Vec::new(),
        products: None,
    };
    row.insert(tx)?;
    Ok(id)
}

impl UpdateCategoryRequest {
    /// Updates a category; a new parent or rank moves its siblings.
    pub(super) fn update(self, tx: &Tx<'_>, id: &CategoryId) -> Result<(), CatalogError> {
        let mut category = Category::require::<CatalogError>(tx, id)?;
        let parent = self.parent_category_id.apply(category.parent_category_id.clone());
        if let Some(sent) = &self.handle {
            let own = Some(category.handle.as_str());
            category.handle =
                handle::choose(tx, &handle::CATEGORY, Some(sent.as_str()), &category.name, own)?;
        }
        let has_moved = parent != category.parent_category_id;
        if let Some(parent) = parent.as_ref().filter(|_| has_moved) {
            check_parent(tx, parent, Some(id))?;
        }
        let rank = self.rank.map(i64::from);
        if has_moved || rank.is_some_and(|rank| rank != category.rank) {
            let others = queries::sibling_count(tx, parent.as_ref())?;
            let last = if has_moved { others } else { others.saturating_sub(1) };
            let after = category.rank.saturating_add(1);
            queries::shift_ranks(tx, category.parent_category_id.as_ref(), after, -1)?;
            category.rank = rank.unwrap_or(last).clamp(0, last);
            queries::shift_ranks(tx, parent.as_ref(), category.rank, 1)?;
        }
        category.parent_category_id = parent;
        if let Some(description) = self.description.sent() {
            category.description = description.map(String::from).unwrap_or_default();
        }
        crate::assign!(self => category: name, is_active, is_internal, external_id);
        category.metadata.merge(self.metadata.apply(None))?;
        Ok(category.update(tx)?)
    }
}

/// Soft-deletes a category. Its products stay.
pub(crate) fn delete_category(tx: &Tx<'_>, id: &CategoryId) -> Result<(), CatalogError> {
    let before = Category::require::<CatalogError>(tx, id)?;
    if queries::sibling_count(tx, Some(id))? > 0 {
        let sentence =
            format!("Deleting ProductCategory ({id}) with category children is not allowed");
        return Err(CatalogError::NotAllowed(sentence));
    }
    CATEGORIES.reversed().clear(tx, id)?;
    Category::remove::<CatalogError>(tx, id)?;
    let (parent, after) = (before.parent_category_id.as_ref(), before.rank.saturating_add(1));
    Ok(queries::shift_ranks(tx, parent, after, -1)?)
}

/// Checks that a parent exists, is not a descendant of the category, and leaves room for the category's descendants.
fn check_parent(
    tx: &Tx<'_>,
    parent: &CategoryId,
    moved: Option<&CategoryId>,
) -> Result<(), CatalogError> {
    References::require(tx, "category", [parent])?;
    let above = queries::ancestors(tx, &ids::list([&parent]), MAX_DEPTH)?;
    if above.iter().any(|category| Some(&category.id) == moved) {
        return Err(CatalogError::Invalid("a category cannot be below itself".to_owned()));
    }
    let below = match moved {
        Some(id) => depth_below(id, &queries::descendants(tx, &ids::list([&id]), MAX_DEPTH)?),
        None => 0,
    };
    if above.len().saturating_add(below).saturating_add(1) > MAX_DEPTH {
        return Err(CatalogError::Invalid(format!("categories are at most {MAX_DEPTH} deep")));
    }
    Ok(())
}

fn depth_below(id: &CategoryId, below: &[Category]) -> usize {
    let mut level = vec![id];
    let mut depth = 0_usize;
    while depth <= MAX_DEPTH {
        level = below
            .iter()
            .filter(|category| {
                category.parent_category_id.as_ref().is_some_and(|parent| level.contains(&parent))
            })
            .map(|category| &category.id)
            .collect();
        if level.is_empty() {
            break;
        }
        depth = depth.saturating_add(1);
    }
    depth
}

/// The parts of the tree around a category to load.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TreeScope {
    /// The number of levels above it.
    pub above: usize,
    /// The number of levels below it.
    pub below: usize,
    /// Only categories visible to shoppers.
    pub for_shoppers: bool,
}

/// Loads the selected parts of the tree around categories, by at most two statements.
pub(crate) fn attach_tree(
    tx: &Tx<'_>,
    categories: &mut [Category],
    scope: TreeScope,
) -> Result<(), CatalogError> {
    if categories.is_empty() {
        return Ok(());
    }
    let ids = ids::list(categories.iter().map(|category| category.id.as_str()));
    let is_shown =
        |category: &Category| !scope.for_shoppers || (category.is_active && !category.is_internal);
    if scope.above > 0 {
        let mut above = ById::default();
        for category in queries::ancestors(tx, &ids, scope.above)?.into_iter().filter(is_shown) {
            above.insert(category.id.clone(), category);
        }
        for category in &mut *categories {
            category.parent_category = parent_of(category, &above, scope.above);
        }
    }
    if scope.below > 0 {
        let descendants = queries::descendants(tx, &ids, scope.below)?.into_iter();
        let below = ById::grouped(
            descendants
                .filter(is_shown)
                .filter_map(|category| Some((category.parent_category_id.clone()?, category))),
        );
        for category in categories {
            category.category_children = children_of(category, &below, scope.below);
        }
    }
    Ok(())
}

fn parent_of(category: &Category, above: &ById<Category>, depth: usize) -> Option<Box<Category>> {
    let left = depth.checked_sub(1)?;
    let mut parent = above.get(category.parent_category_id.as_ref()?)?.clone();
    parent.parent_category = parent_of(&parent, above, left);
    Some(Box::new(parent))
}

fn children_of(category: &Category, below: &ById<Vec<Category>>, depth: usize) -> Vec<Category> {
    let Some(left) = depth.checked_sub(1) else { return Vec::new() };
    let mut children = below.group(&category.id).to_vec();
    for child in &mut children {
        child.category_children = children_of(child, below, left);
    }
    children
}
