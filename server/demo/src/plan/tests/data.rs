//! Tests of the plan with the first thousands of real invoices.

use super::*;
use crate::source::read;

fn real() -> (Source, Goods, Plan) {
    let source = read(Some(3_000)).unwrap();
    let goods = Goods::read(&source, usize::MAX).unwrap();
    let plan = plan(&source, &goods, &calendar(true)).unwrap();
    (source, goods, plan)
}

#[test]
fn every_line_is_in_one_account_and_the_accounts_add_up_to_the_data() {
    let (source, _, plan) = real();
    let lines: Vec<&SourceLine> =
        source.invoices.iter().flat_map(|invoice| &invoice.lines).collect();
    let mills: i64 = lines.iter().map(|line| line.quantity * line.price_mills).sum();

    assert_eq!(plan.accounts.line_count(), u64::try_from(lines.len()).unwrap());
    let accounts: i64 = plan.accounts.all().iter().map(|(_, account)| account.mills).sum();
    assert_eq!(accounts, mills);
}

#[test]
fn no_more_comes_back_than_was_sold_nor_more_money_than_was_paid_nor_before() {
    let (_, _, plan) = real();
    let mut reversals = 0;
    for order in &plan.orders {
        let refunded: i64 = order.reversals.iter().map(|reversal| reversal.refund_minor).sum();
        assert!(refunded <= order.total().unwrap(), "{}", order.number);
        let mut left: Vec<i64> = order.lines.iter().map(|line| line.quantity).collect();
        for reversal in &order.reversals {
            reversals += 1;
            assert!(reversal.at >= order.at, "{}", reversal.number);
            for (line, pieces) in &reversal.returned {
                left[*line] -= pieces;
            }
        }
        assert!(left.iter().all(|pieces| *pieces >= 0), "{}", order.number);
    }
    assert!(reversals > 100, "{reversals}");
}

#[test]
fn stock_never_falls_below_zero_and_ends_at_what_every_product_says() {
    let (_, goods, plan) = real();
    let calendar = calendar(true);
    let deliveries = deliveries(&plan, &goods, &calendar).unwrap();
    let parcels: Vec<Parcel> =
        plan.orders.iter().map(|order| parcel(order, calendar.ends())).collect();
    let mut stock = vec![0_i64; goods.all.len()];
    let mut move_goods = |lines: &[PlannedLine], sign: i64| {
        for line in lines {
            let Some(good) = line.good else { continue };
            stock[good] += sign * line.quantity;
            assert!(stock[good] >= 0, "{}", goods.all[good].sku);
        }
    };
    for (_, what) in moves(&plan, &deliveries, &parcels, calendar.ends()) {
        match what {
            Move::Arrive(place) => {
                let arriving = deliveries[place].pieces.iter();
                let lines: Vec<PlannedLine> = arriving
                    .map(|(good, quantity)| PlannedLine {
                        good: Some(*good),
                        product: 0,
                        quantity: *quantity,
                        unit_minor: 0,
                    })
                    .collect();
                move_goods(&lines, 1);
            }
            Move::Promise(_) => {}
            Move::Pack(place) => move_goods(&plan.orders[place].lines, -1),
            Move::TakeBack(place, index) => {
                let order = &plan.orders[place];
                let back = order.reversals[index].returned.iter();
                let lines: Vec<PlannedLine> = back
                    .map(|(line, quantity)| PlannedLine {
                        quantity: *quantity,
                        ..order.lines[*line]
                    })
                    .collect();
                move_goods(&lines, 1);
            }
        }
    }
    assert!(goods.all.iter().zip(&stock).all(|(good, stock)| *stock >= good.stocked));
}
