//! What aggregates give, over rows and over none.

use super::shop::{Shop, TestRequest, check_all};
use crate::calendar::TimeUnit;

pub(super) const FILE: &str = "
store
    currency USD

source customers entity
    key id text
    field country text
    field first_order_at datetime = min(orders.created_at)
    field name text

source orders event
    key id text
    date created_at datetime
    field customer_id text
    field status text in ('pending', 'completed', 'cancelled')
    field total money
    field score number
    field due date
    field is_gift bool
    link customer to customers by customer_id

source items event
    dated by order.created_at
    field order_id text
    field sku text
    field quantity count
    field unit_price money
    link order to orders by order_id

population sales = orders where status != 'cancelled'

dimension country
    customers country
    orders customer.country
    items order.customer.country

metric gmv = sum(orders.total where status != 'cancelled')
metric order_count = count(orders where status != 'cancelled')
metric aov = gmv / order_count
";

pub(super) const CUSTOMERS: &str = "
id, country, name
c1, DE, Ada
c2, DE, Bob
c3, FR,
c4, , Dan
";

pub(super) const ORDERS: &str = "
id, customer_id, created_at, status, total, score, due, is_gift
o1, c1, 2026-01-01 10:00:00, completed, 10.00, 1, 2026-01-05, true
o2, c1, 2026-01-15 10:00:00, completed, 20.50, 2.5, 2026-01-20, false
o3, c2, 2026-01-31 23:59:59, cancelled, 100, , , true
o4, c3, 2026-02-01 00:00:00, pending, 7.255, 4, 2026-02-01,
o5, , 2026-02-10 12:00:00, completed, , -3, 2026-02-11, false
o6, c9, 2026-02-28 12:00:00, , 5, 4, 2026-03-01, false
";

pub(super) const ITEMS: &str = "
order_id, sku, quantity, unit_price
o1, a, 2, 2.50
o1, b, 1, 5
o2, a, 3, 2.50
o3, b, 10, 10
o4, c, 1, 7.255
o6, , 1, 5
o7, a, 100, 1
";

pub(super) fn shop() -> Shop {
    Shop::new(FILE, &[("customers", CUSTOMERS), ("orders", ORDERS), ("items", ITEMS)])
}

#[test]
fn sums_and_counts_over_all_rows() {
    let shop = shop();
    check_all(
        &[
            ("count(orders)", "6"),
            ("count(customers)", "4"),
            ("count(orders.total)", "5"),
            ("sum(orders.total)", "142.755"),
            ("sum(orders.total where status != 'cancelled')", "42.755"),
            ("gmv", "42.755"),
            ("aov", "8.551"),
            ("count(sales)", "5"),
            ("count(sales where total > 7 USD)", "3"),
            ("sum(items.quantity * items.unit_price)", "129.755"),
            ("sum(items.quantity * items.unit_price where order.status = 'completed')", "17.5"),
            ("sum(items.quantity)", "18"),
            ("count_distinct(orders.customer_id)", "4"),
            ("count_distinct(orders.status)", "3"),
            ("count_distinct(upper(orders.status))", "3"),
            ("count_distinct(left(items.sku, 0))", "1"),
            ("count_distinct(orders.total)", "5"),
            ("avg(orders.score)", "1.7"),
            ("median(orders.score)", "2.5"),
            ("percentile(orders.score, 0%)", "-3"),
            ("percentile(orders.score, 90%)", "4"),
            ("percentile(orders.score, 30%)", "1.3"),
            ("min(orders.score)", "-3"),
            ("max(orders.total)", "100"),
            ("min(orders.due)", "2026-01-05"),
            ("max(orders.created_at)", "2026-02-28T12:00:00Z"),
            ("first(orders.status)", "completed"),
            ("last(orders.status)", "completed"),
            ("last(orders.total)", "5"),
            ("share_of(orders where status = 'completed')", "0.5"),
            ("stddev(orders.score)", "2.906888370749726605331925769"),
        ],
        |formula| shop.always(formula),
    );
}

#[test]
fn over_no_rows_sums_are_zero_and_means_are_missing() {
    let shop = shop();
    check_all(
        &[
            ("sum(orders.total)", "0"),
            ("count(orders)", "0"),
            ("count_distinct(orders.status)", "0"),
            ("avg(orders.total)", "null(no_rows)"),
            ("min(orders.total)", "null(no_rows)"),
            ("max(orders.due)", "null(no_rows)"),
            ("median(orders.total)", "null(no_rows)"),
            ("stddev(orders.total)", "null(no_rows)"),
            ("first(orders.status)", "null(no_rows)"),
            ("last(orders.status)", "null(no_rows)"),
            ("share_of(orders where is_gift)", "null(no_rows)"),
            ("aov", "null(division_by_zero)"),
            ("aov default 0 USD", "0"),
            ("count(customers)", "4"),
            ("avg(gmv per day)", "0"),
        ],
        |formula| shop.over(formula, "2025-01-01", "2025-01-31"),
    );
}

#[test]
fn conditions_have_two_values_so_parts_add_up() {
    let shop = shop();
    for condition in [
        "total > 7 USD",
        "status = 'completed'",
        "status in ('completed', 'pending')",
        "is_gift",
        "customer.country = 'DE'",
        "score between 1 and 3",
        "status like 'c%'",
        "due < @2026-02-01",
        "lower(status) = 'completed'",
        "if(is_gift, total > 50 USD, score > 0)",
        "total / score > 2 USD",
    ] {
        let yes = shop.always(&format!("count(orders where {condition})"));
        let no = shop.always(&format!("count(orders where not ({condition}))"));
        let sum: u32 = [yes, no].iter().map(|count| count.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 6, "{condition}");
    }
    check_all(
        &[
            ("count(orders where total > 7 USD)", "4"),
            ("count(orders where total != 5 USD)", "5"),
            ("count(orders where not (total > 7 USD))", "2"),
            ("count(orders where total is null)", "1"),
            ("count(orders where is_gift)", "2"),
            ("count(orders where not is_gift)", "4"),
            ("count(orders where is_gift is null)", "1"),
            ("count(orders where customer.country = 'DE')", "3"),
            ("count(orders where customer.country != 'DE')", "3"),
            ("count(orders where customer.country is null)", "2"),
            ("count(orders where status like 'c%ed')", "4"),
            ("count(orders where due < @2026-02-01)", "2"),
            ("count(orders where created_at = @2026-01-31)", "1"),
            ("count(orders where created_at <= @2026-01-31)", "3"),
            ("count(orders where created_at > @2026-01-31)", "3"),
            ("count(orders where created_at in @2026-02)", "3"),
            ("count(orders where created_at + 5 days < due)", "0"),
            ("count(orders where due - created_at > 4 days)", "1"),
            ("count(orders where (total default 0 USD) = 0 USD)", "1"),
        ],
        |formula| shop.always(formula),
    );
}

#[test]
fn rows_fall_into_the_bucket_of_their_date() {
    let shop = shop();
    let months = TestRequest {
        days: Some(("2026-01-01", "2026-03-31")),
        by: Some(TimeUnit::Month),
        ..TestRequest::default()
    };
    check_all(
        &[
            ("count(orders)", "3 3 0"),
            ("sum(orders.total)", "130.5 12.255 0"),
            ("sum(items.quantity)", "16 2 0"),
            ("avg(orders.score)", "1.75 1.666666666666666666666666667 null(no_rows)"),
            ("count(customers)", "4 4 4"),
            ("count(customers where first_order_at in period)", "2 1 0"),
            ("count(orders dated by due)", "2 2 1"),
            ("count_distinct(orders.customer_id)", "2 2 0"),
            ("period_start", "2026-01-01T00:00:00Z 2026-02-01T00:00:00Z 2026-03-01T00:00:00Z"),
        ],
        |formula| shop.ask(formula, &months).text(),
    );
}
