"""A shop with a card processor whose server is killed at random instants: stripe_kills.py BINARY FOLDER KILLS

After each kill the server starts again, the shoppers repeat what was not answered, as browsers do, and the books must agree to
the penny: what the processor has charged and given back, the payments, the orders, and the ledger of store credit. The check of the
store then finds each accepted offer as a line of its order.
"""

import atexit
import http.client
import os
import random
import sqlite3
import sys
import threading
import time
import urllib.parse
import uuid

from server import Server
from stripe_shop import (
    STORE, act, admin, begin, card, complete, everything, flow, keep_card, notify, page, payment_of, ready, register,
    stock, store, subscribe,
)

BINARY, FOLDER, KILLS = sys.argv[1], sys.argv[2], int(sys.argv[3])
LOST = (OSError, http.client.HTTPException, AssertionError, ValueError)
seed = int(os.environ.get("SEED", time.time()))
chance = random.Random(seed)
print(f"SEED={seed}")


class Shoppers:
    """Several at once, each until the server is gone."""

    def __init__(self):
        self.orders, self.pending, self.lock = [], [], threading.Lock()
        self.members = [subscribe("4242424242424242") for _ in range(3)]
        self.creditor = register()
        account = {"currency_code": "gbp", "customer_id": self.creditor["id"]}
        account = admin("POST", "/store-credit-accounts", account)["store_credit_account"]["id"]
        admin("POST", f"/store-credit-accounts/{account}/credit", {"amount": 5000})

    def checkout(self, person=None):
        cart = ready(person)
        if person:
            store("POST", f"/carts/{cart}/store-credits", {"amount": 1.23}, person=person)
        begin(cart, {"payment_method": card("4242424242424242")}, person)
        self.attempt(lambda: self.completed(cart, person))

    def completed(self, cart, person):
        answer = complete(cart, person)
        if answer["type"] != "order":
            return None
        self.orders.append(answer["order"])
        return answer["order"]

    def accept(self):
        """Buys, and takes one more piece after the order, charged on the same card."""
        cart = ready()
        keep_card(cart)
        order = self.attempt(lambda: self.completed(cart, None))
        if not order:
            return
        begun = page("init", {"flow_id": flow(), "cart_id": cart, "order_id": order["id"]})
        press = {"session_token": begun["session"]["token"], "button_id": begun["entry_button"]["id"]}
        self.attempt(lambda: page("accept", press))

    def refund(self):
        if not self.orders:
            return
        payment, key = payment_of(chance.choice(self.orders))["id"], str(uuid.uuid4())
        body = {"amount": chance.randint(1, 9) / 100}
        self.attempt(lambda: admin("POST", f"/payments/{payment}/refund", body, key))

    def renew(self, place):
        person, subscription = self.members[place]
        act(person, subscription, "pause", {})
        act(person, subscription, "resume", {"from": "now"})

    def attempt(self, request):
        """Sends a request that is repeated until it is answered."""
        with self.lock:
            self.pending.append(request)
        answer = request()
        with self.lock:
            self.pending.remove(request)
        return answer

    def shop(self, number):
        try:
            while True:
                deed = chance.choice([
                    self.checkout, lambda: self.checkout(self.creditor), self.accept, self.refund,
                    lambda: self.renew(number % 3),
                ])
                deed()
        except LOST:
            pass

    def repeat(self):
        """Repeats what was not answered."""
        for request in self.pending:
            end = time.monotonic() + 60
            while error := self.failure(request):
                assert time.monotonic() < end, error
                time.sleep(0.2)
        self.pending = []

    @staticmethod
    def failure(request):
        """Returns why a request is to be sent again. One whose answer is lost for good has had its effect."""
        try:
            request()
        except LOST as error:
            return None if "took effect, but its response was lost" in str(error) else error or "no answer"


def number(sql):
    store = sqlite3.connect(f"file:{FOLDER}/store.db?mode=ro", uri=True)
    try:
        return store.execute(sql).fetchone()[0]
    finally:
        store.close()


def open_work():
    """Returns what may still move money: claims of carts, charges of subscriptions, reports of the processor, and jobs."""
    return {
        "carts": number("select count(*) from cart_completion where state = 'claimed'"),
        "offers": number("select count(*) from flow_press where state = 'claimed'"),
        "charges": number("select count(*) from subscription_attempt where status = 'pending'"),
        "reports": number("select count(*) from webhook_delivery where status in ('received', 'failed')"),
        "refunds": number("select count(*) from job where kind = 'payments.refund'"),
        "paid carts": number("select count(*) from job where kind = 'checkout.complete_paid'"),
        "returns": number("""select count(*) from job where kind = 'payments.cancel_parked' and key in
            (select id from payment_session where parked_at is not null and status in ('captured', 'authorized'))"""),
    }


def settle():
    end = time.monotonic() + 150
    while any((work := open_work()).values()):
        assert time.monotonic() < end, work
        time.sleep(0.2)


def let_processor_finish():
    """Waits until the processor has done what the dead server asked. It ignores idempotency keys, so a charge that it makes
    after the server has asked again would be a second one."""
    before = None
    while (intents := len(everything("/payment_intents"))) != before:
        before = intents
        time.sleep(0.5)


def books():
    intents = everything("/payment_intents")
    charged = sum(int(intent["amount"]) for intent in intents if intent["status"] == "succeeded")
    refunded = sum(int(refund["amount"]) for refund in everything("/refunds"))
    of_orders = "from orders where id in (select order_id from payment where provider_id = 'pp_stripe')"
    of_payments = "join payment p on p.id = x.payment_id where p.provider_id = 'pp_stripe'"
    return {
        "processor": (charged, refunded),
        "payments": (number(f"select sum(x.amount_minor) from capture x {of_payments}"),
                     number(f"select coalesce(sum(x.amount_minor), 0) from refund x {of_payments}")),
        "orders": (number(f"select sum(paid_minor) {of_orders}"), number(f"select sum(refunded_minor) {of_orders}")),
    }


def unbooked():
    """Returns the payments of the processor that no payment here is for, with what is known of them here."""
    store = sqlite3.connect(f"file:{FOLDER}/store.db?mode=ro", uri=True)
    rows = store.execute("select id, status, parked_at, data from payment_session").fetchall()
    booked = {row[0] for row in store.execute("select payment_session_id from payment")}
    attempts = store.execute("""select a.id, a.status, a.reason, a.payment_session_id, s.data from subscription_attempt a
        left join payment_session s on s.id = a.payment_session_id""").fetchall()
    store.close()
    charged = [intent for intent in everything("/payment_intents") if intent["status"] == "succeeded"]
    return [(intent["id"], intent["amount"], intent["created"], intent["metadata"],
             [row[:3] for row in rows if intent["id"] in row[3]],
             [row for row in attempts if row[0] in str(intent["metadata"])],
             [other["id"] for other in charged if other["metadata"] == intent["metadata"]])
            for intent in charged if not any(intent["id"] in row[3] and row[0] in booked for row in rows)]


def credit():
    """Returns the sums of store credit, and how many accounts and carts are not as their entries and orders say."""
    net = "sum(case kind when 'DEBIT' then amount_minor else -amount_minor end)"
    return {
        "spent": number(f"select coalesce({net}, 0) from credit_entry where reference = 'cart'"),
        "orders": number("select coalesce(sum(credit_line_minor), 0) from orders where status not in ('draft', 'canceled')"),
        "balances": number("select sum(balance_minor) from credit_account"),
        "ledger": -number(f"select {net} from credit_entry"),
        "wrong accounts": number(f"""select count(*) from credit_account a
            where balance_minor <> (select coalesce(-{net}, 0) from credit_entry where account_id = a.id)"""),
        "wrong carts": number(f"""select count(*) from (select reference_id, {net} as spent from credit_entry
                where reference = 'cart' group by reference_id) c
            left join orders o on o.cart_id = c.reference_id and o.status not in ('draft', 'canceled')
            where c.spent <> coalesce(o.credit_line_minor, 0)"""),
    }


LIMITS = ["--login-per-minute=1000000", "--flow-begins-per-minute=1000000", "--flow-presses-per-minute=1000000",
          "--max-open-flow-sessions=1000000"]
server = Server(BINARY, FOLDER, *LIMITS, port=urllib.parse.urlsplit(STORE).port)
atexit.register(lambda: server.process.kill())
notify(f"{STORE}/webhooks/card-processor-tolerant", os.environ["QUOTIENT_CARD_PROCESSOR_WEBHOOK_SECRETS"])
_, product, variant = stock()
admin("POST", f"/products/{product}/variants/{variant}", {"manage_inventory": False})
shoppers = Shoppers()
for count in range(1, KILLS + 1):
    threads = [threading.Thread(target=shoppers.shop, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    time.sleep(chance.uniform(0.05, 1.5))
    server.kill()
    for thread in threads:
        thread.join()
    let_processor_finish()
    server.start()
    shoppers.repeat()
    settle()
    found, ledger = books(), credit()
    assert len(set(found.values())) == 1, (count, found, unbooked())
    assert ledger["spent"] == ledger["orders"] and ledger["balances"] == ledger["ledger"], (count, ledger)
    assert ledger["wrong accounts"] == ledger["wrong carts"] == 0, (count, ledger)
orders, renewals, offers = (number(f"select count(*) from {table}") for table in (
    "payment where provider_id = 'pp_stripe'", "subscription_cycle where status = 'paid' and number > 1",
    "flow_press where action = 'accepted' and state = 'settled'"))
server.stop()
print(f"{KILLS} kills; {orders} payments with {renewals} renewals and {offers} offers; pence charged and refunded, credit: {found}, {ledger}")
