"""A shop whose cards are charged by a processor: shops with each kind of card and compares the books at the end."""

import os
from datetime import datetime, timedelta, timezone

from stripe_shop import (
    ADMIN, STORE, act, admin, begin, call, card, complete, everything, notify, payment_of, processor, ready,
    shown, stock, store, subscribe, until,
)

stock()
config = store("GET", "/checkout-config")
assert config == {"payment_provider_id": "pp_stripe", "card_processor_publishable_key": None, "sandbox": False}, config

# A card that pays, and refunds in parts.
cart = ready()
session = begin(cart, {"payment_method": card("4242424242424242")})
assert session["data"]["client_secret"].startswith(session["data"]["id"]), session
order = complete(cart)["order"]
again = complete(cart)["order"]
assert order["id"] == again["id"]
payment = payment_of(order)
assert payment["captured_at"], payment
admin("POST", f"/payments/{payment['id']}/refund", {"amount": 1.23})
admin("POST", f"/payments/{payment['id']}/refund", {"amount": 2.34})
status, refused = call("POST", f"{STORE}/admin/payments/{payment['id']}/refund", {"amount": 100000}, ADMIN)
assert status == 400, refused

# A card that asks for 3-D Secure: first the shopper has to act.
cart = ready()
session = begin(cart, {"payment_method": card("4000002500003155")})
answer = complete(cart)
assert answer["error"]["type"] == "payment_requires_more_error", answer
session = answer["cart"]["payment_collection"]["payment_sessions"][0]
assert session["status"] == "requires_more" and session["data"]["next_action"], session
intent = session["data"]["id"]
processor("POST", f"/payment_intents/{intent}/_authenticate",
          {"client_secret": session["data"]["client_secret"], "success": "true"})
assert complete(cart)["type"] == "order"

# A card that is declined; then another one.
cart = ready()
begin(cart, {"payment_method": card("4000000000000341")})
answer = complete(cart)
assert answer["error"]["type"] == "payment_authorization_error", answer
begin(cart, {"payment_method": card("4242424242424242")})
assert complete(cart)["type"] == "order"

# A total that changes after the payment began: the same intent, with the new amount.
cart = ready()
session = begin(cart, {"payment_method": card("4242424242424242")})
store("POST", f"/carts/{cart}/line-items", {"variant_id": stock()[2], "quantity": 1})
updated = store("POST", "/payment-intent/update-amount", {"cart_id": cart})
assert updated["updated"] and updated["clientSecret"] == session["data"]["client_secret"], updated
order = complete(cart)["order"]
assert order["total"] == updated["newAmount"], (order["total"], updated)
admin("POST", f"/orders/{order['id']}/cancel")

# A subscription: a card is kept with the first order and charged for the renewal.
notify(f"{STORE}/webhooks/card-processor-tolerant", os.environ["QUOTIENT_CARD_PROCESSOR_WEBHOOK_SECRETS"])

person, subscription = subscribe("4242424242424242")
act(person, subscription, "pause", {})
act(person, subscription, "resume", {"from": "now"})
renewed = until("a renewal", lambda: (s := shown(person, subscription))["cycle"] == 2 and s)
assert renewed["status"] == "active" and renewed["cycles"][0]["status"] == "paid", renewed

# A renewal that is refused. Its customer saves another card, which the dunning charges by itself.
soon = lambda: (datetime.now(timezone.utc) + timedelta(seconds=5)).isoformat()


def save(person, number):
    """Saves another card of a customer; returns its reference."""
    path = f"/customers/{person['id']}?fields=*account_holders"
    holder = admin("GET", path)["customer"]["account_holders"][0]["id"]
    body = {"data": {"payment_method": card(number)}}
    return store("POST", f"/payment-methods/{holder}", body, expect=201, person=person)["reference"]


def refusal(person, subscription):
    """Waits for the refusal of the first renewal."""
    return until("a refusal", lambda: (s := shown(person, subscription))["status"] == "past_due" and s)


person, subscription = subscribe("4000000000000341", {"start_at": soon()})
assert shown(person, subscription)["status"] == "trial"
refused = refusal(person, subscription)
assert refused["dunning"]["attempt"] == 1 and refused["dunning"]["action"] is None, refused
reference = save(person, "4242424242424242")
recovered = until("a recovery", lambda: (s := shown(person, subscription))["status"] == "active" and s)
assert recovered["dunning"] is None and recovered["cycles"][0]["attempts"] == 2, recovered
assert recovered["cycles"][0]["status"] == "paid" and recovered["payment_method"]["reference"] == reference, recovered

# Another, whose customer has a second card already and asks for it to be charged.
person, subscription = subscribe("4000000000000341", {"start_at": soon()})
reference = save(person, "4242424242424242")
refusal(person, subscription)
retried = act(person, subscription, "retry-payment", {"payment_method_reference": reference})
assert retried["type"] == "paid", retried
assert shown(person, subscription)["status"] == "active"

# A renewal whose card asks for its holder, who authenticates it; the processor tells by a webhook that it is paid.
person, subscription = subscribe("4000002500003155", {"start_at": soon()})
refused = refusal(person, subscription)
action = refused["dunning"]["action"]
assert action["type"] == "authenticate" and action["provider_id"] == "pp_stripe", refused
intent = action["client_secret"].split("_secret_")[0]
processor("POST", f"/payment_intents/{intent}/_authenticate",
          {"client_secret": action["client_secret"], "success": "true"})
paid = until("a payment", lambda: (s := shown(person, subscription))["status"] == "active" and s)
assert paid["dunning"] is None and paid["cycles"][0]["order_id"], paid

# The books: what was charged and given back there is what is written here, to the penny.
intents = everything("/payment_intents")
charged = sum(int(i["amount"]) for i in intents if i["status"] == "succeeded")
refunded = sum(int(r["amount"]) for r in everything("/refunds"))
payments = [p for p in admin("GET", "/payments?provider_id=pp_stripe&limit=100")["payments"]]
pence = lambda amount: round(amount * 100)
here = (sum(pence(c["amount"]) for p in payments for c in p["captures"]),
        sum(pence(r["amount"]) for p in payments for r in p["refunds"]))
assert here == (charged, refunded), (here, charged, refunded)
print(f"{len(payments)} payments; charged {charged} and refunded {refunded} pence, there as here")
