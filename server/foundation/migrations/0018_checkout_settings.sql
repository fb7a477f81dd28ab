-- What the storefronts of a sales channel pay with: a provider, and the publishable key of its sandbox.
alter table storefront_setting add column checkout text not null default '{}';
