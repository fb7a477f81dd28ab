-- Shoppers filter products by the categories that they see, so the cached totals of products depend on these columns.
create trigger catalog_category_shown after update of is_active, is_internal, deleted_at on product_category
begin update catalog_version set version = version + 1; end;
