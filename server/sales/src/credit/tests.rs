//! Tests of the ledger.

use super::account::{Account, NewAccount, open};
use super::{CreditError, NewEntry, credit, debit, find};
use crate::clock::{Clock, Timestamp};
use crate::database::{self, Db, Tx, temporary};
use crate::metadata::Metadata;
use crate::money::Currency;

fn database() -> Db {
    Db::open(&temporary::options(&Clock::fixed(Timestamp::from_millis(1_000)))).unwrap()
}

fn gbp() -> Currency {
    Currency::from_code("gbp").unwrap()
}

fn empty_account(tx: &Tx<'_>) -> Result<Account, CreditError> {
    let metadata = Metadata::default();
    open(tx, NewAccount { currency: gbp(), customer_id: None, metadata }, "")
}

fn of(amount_minor: i64) -> NewEntry<'static> {
    NewEntry { amount_minor, reference: "test", reference_id: "test_1", note: None, actor_id: "" }
}

#[tokio::test]
async fn a_balance_is_what_came_in_less_what_went_out() {
    let db = database();
    let balances = db
        .write::<_, CreditError>(|tx| {
            let account = empty_account(tx)?;
            let after_credit = credit(tx, &account.id, of(500))?;
            let after_debit = debit(tx, &account.id, gbp(), of(500))?;
            assert_eq!(find(tx, &account.id)?.balance_minor, after_debit.balance_after_minor);
            assert!(database::audit(tx)?.is_empty());
            Ok((account.code, after_credit.balance_after_minor, after_debit.balance_after_minor))
        })
        .await
        .unwrap();

    assert_eq!((balances.1, balances.2), (500, 0));
    assert_eq!(balances.0.len(), "SC-XXXX-XXXX-XXXX-XXXX".len());
}

#[tokio::test]
async fn every_change_is_audited_and_announced() {
    let db = database();
    db.write::<_, CreditError>(|tx| {
        let account = empty_account(tx)?;
        let by = |amount_minor, actor_id| NewEntry { actor_id, ..of(amount_minor) };
        let credited = credit(tx, &account.id, by(500, "user_1"))?;
        let debited = debit(tx, &account.id, gbp(), by(120, ""))?;
        assert_eq!((credited.actor_id.as_deref(), debited.actor_id), (Some("user_1"), None));

        let audited = tx.sql(
            "select json_array(action, actor_id, before ->> 'balance_minor', after ->> 'balance_minor',
                               after ->> 'credits_minor', after ->> 'debits_minor', after ->> 'currency')
               from audit_entry where entity_id = ?1 order by seq",
        );
        let audited: Vec<String> = audited.all([&account.id], |row| row.get(0))?;
        assert_eq!(
            audited,
            [
                r#"["create","",null,0,0,0,"gbp"]"#,
                r#"["credit","user_1",0,500,500,0,"gbp"]"#,
                r#"["debit","",500,380,500,120,"gbp"]"#,
            ]
        );

        let events = "select name, payload ->> 'id', payload ->> 'amount', payload ->> 'balance'
                        from event order by seq";
        let events: Vec<(String, String, f64, f64)> =
            tx.sql(events).all([], |row| row.try_into())?;
        let event = |name: &str, amount, balance| {
            (name.to_owned(), account.id.to_string(), amount, balance)
        };
        assert_eq!(
            events,
            [event("store_credit.credited", 5.0, 5.0), event("store_credit.debited", 1.2, 3.8),]
        );
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn missing_credit_is_not_spent_and_currencies_do_not_mix() {
    let db = database();
    db.write::<_, CreditError>(|tx| {
        let account = empty_account(tx)?;
        credit(tx, &account.id, of(5))?;
        let usd = Currency::from_code("usd").unwrap();

        let too_much = debit(tx, &account.id, gbp(), of(6));
        assert!(matches!(too_much, Err(CreditError::InsufficientBalance { .. })));
        let other = debit(tx, &account.id, usd, of(1));
        assert!(matches!(other, Err(CreditError::AnotherCurrency { .. })));
        for amount in [0, -1, i64::MIN] {
            assert!(matches!(credit(tx, &account.id, of(amount)), Err(CreditError::NotPositive)));
            assert!(matches!(
                debit(tx, &account.id, gbp(), of(amount)),
                Err(CreditError::NotPositive)
            ));
        }
        let edge = credit(tx, &account.id, of(i64::MAX));
        assert!(matches!(edge, Err(CreditError::OutOfRange)));
        assert!(database::audit(tx)?.is_empty());
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn of_many_who_spend_at_once_as_many_succeed_as_there_is_credit_for() {
    let db = database();
    let account = db
        .write::<_, CreditError>(|tx| {
            let account = empty_account(tx)?;
            credit(tx, &account.id, of(10))?;
            Ok(account)
        })
        .await
        .unwrap();
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let (db, id) = (db.clone(), account.id.clone());
            tokio::spawn(async move {
                db.write::<_, CreditError>(move |tx| debit(tx, &id, gbp(), of(1))).await.is_ok()
            })
        })
        .collect();
    let mut spent = 0;
    for task in tasks {
        spent += u32::from(task.await.unwrap());
    }

    assert_eq!(spent, 10);
}

#[tokio::test]
async fn an_entry_is_never_changed_or_removed() {
    let db = database();
    db.write::<_, CreditError>(|tx| {
        let account = empty_account(tx)?;
        credit(tx, &account.id, of(10))?;
        assert!(tx.execute("delete from credit_entry", []).is_err());
        assert!(tx.execute("update credit_entry set amount_minor = 1", []).is_err());
        Ok(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn any_credits_and_debits_leave_the_balance_of_a_second_count() {
    let steps = quotient_foundation::testing::rounds(300, 100_000);
    for code in ["gbp", "jpy", "kwd"] {
        let currency = Currency::from_code(code).unwrap();
        let db = database();
        let counted = db.write::<_, CreditError>(move |tx| {
            let new = NewAccount { currency, customer_id: None, metadata: Metadata::default() };
            let account = open(tx, new, "")?;
            let (mut seed, mut balance) = (7_u64, 0_i64);
            for _ in 0..steps {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let amount = i64::try_from((seed >> 33) % 1_000).unwrap() + 1;
                let (is_credit, entry) = (seed >> 63 == 1, of(amount));
                let outcome = if is_credit {
                    credit(tx, &account.id, entry)
                } else {
                    debit(tx, &account.id, currency, entry)
                };
                if is_credit || amount <= balance {
                    balance += if is_credit { amount } else { -amount };
                    assert_eq!(outcome?.balance_after_minor, balance);
                } else {
                    assert!(matches!(outcome, Err(CreditError::InsufficientBalance { .. })));
                }
            }
            assert!(database::audit(tx)?.is_empty());
            Ok((find(tx, &account.id)?.balance_minor, balance))
        });
        let (stored, counted) = counted.await.unwrap();
        assert_eq!(stored, counted, "{code}");
    }
}
