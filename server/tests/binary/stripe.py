"""A shop whose cards are charged by a processor: shops with each kind of card and compares the books at the end."""

import base64
import json
import os
import urllib.error
import urllib.parse
import urllib.request

STORE = os.environ["QUOTIENT_URL"]
PROCESSOR = os.environ["QUOTIENT_STRIPE_API"].rstrip("/")
ADMIN = {"Authorization": f"Bearer {os.environ['SECRET']}"}
SHOP = {"x-publishable-api-key": os.environ["PUBLISHABLE"]}


def call(method, url, body=None, headers=None):
    """Returns the status and the JSON of an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def admin(method, path, body=None):
    status, answer = call(method, f"{STORE}/admin{path}", body, ADMIN)
    assert status < 300, (path, status, answer)
    return answer


def store(method, path, body=None, expect=200):
    status, answer = call(method, f"{STORE}/store{path}", body, SHOP)
    assert status == expect, (path, status, answer)
    return answer


def processor(method, path, form=None):
    """Asks the processor, as the card form in a browser or its dashboard would."""
    key = base64.b64encode(f"{os.environ['QUOTIENT_STRIPE_SECRET_KEY']}:".encode()).decode()
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(f"{PROCESSOR}/v1{path}", data, {"Authorization": f"Basic {key}"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def card(number):
    form = {"type": "card", "card[number]": number, "card[exp_month]": 12, "card[exp_year]": 2034, "card[cvc]": 123}
    return processor("POST", "/payment_methods", form)["id"]


region = next(r for r in store("GET", "/regions")["regions"] if any(c["iso_2"] == "gb" for c in r["countries"]))
admin("POST", f"/regions/{region['id']}", {"payment_providers": ["pp_stripe", "pp_system_default"]})
products = store("GET", f"/products?region_id={region['id']}&limit=100&fields=*variants,%2Bvariants.inventory_quantity")
variant = max(
    (v for p in products["products"] for v in p["variants"]), key=lambda v: v.get("inventory_quantity") or 0
)["id"]
address = {"first_name": "Ada", "last_name": "Shopper", "address_1": "1 High Street", "city": "London",
           "postal_code": "N1 1AA", "country_code": "gb"}


def ready():
    """Returns the id of a cart that can be paid."""
    cart = store("POST", "/carts", {"region_id": region["id"], "email": "ada@example.com"})["cart"]["id"]
    store("POST", f"/carts/{cart}/line-items", {"variant_id": variant, "quantity": 2})
    store("POST", f"/carts/{cart}", {"shipping_address": address, "billing_address": address})
    option = store("GET", f"/shipping-options?cart_id={cart}")["shipping_options"][0]["id"]
    store("POST", f"/carts/{cart}/shipping-methods", {"option_id": option})
    return cart


def begin(cart, data):
    """Starts a payment; returns its session."""
    collection = store("POST", "/payment-collections", {"cart_id": cart})["payment_collection"]["id"]
    body = {"provider_id": "pp_stripe", "data": data}
    answer = store("POST", f"/payment-collections/{collection}/payment-sessions", body)
    return answer["payment_collection"]["payment_sessions"][0]


def complete(cart):
    return store("POST", f"/carts/{cart}/complete", {})


def payment_of(order):
    return admin("GET", f"/payments?order_id={order['id']}")["payments"][0]


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
store("POST", f"/carts/{cart}/line-items", {"variant_id": variant, "quantity": 1})
updated = store("POST", "/payment-intent/update-amount", {"cart_id": cart})
assert updated["updated"] and updated["clientSecret"] == session["data"]["client_secret"], updated
order = complete(cart)["order"]
assert order["total"] == updated["newAmount"], (order["total"], updated)
admin("POST", f"/orders/{order['id']}/cancel")

# The books: what was charged and given back there is what is written here, to the penny.
intents = processor("GET", "/payment_intents?limit=100")["data"]
charged = sum(int(i["amount"]) for i in intents if i["status"] == "succeeded")
refunded = sum(int(r["amount"]) for r in processor("GET", "/refunds?limit=100")["data"])
payments = [p for p in admin("GET", "/payments?provider_id=pp_stripe&limit=100")["payments"]]
pence = lambda amount: round(amount * 100)
here = (sum(pence(c["amount"]) for p in payments for c in p["captures"]),
        sum(pence(r["amount"]) for p in payments for r in p["refunds"]))
assert here == (charged, refunded), (here, charged, refunded)
print(f"{len(payments)} payments; charged {charged} and refunded {refunded} pence, there as here")
