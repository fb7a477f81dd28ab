"""What a shop with a card processor does, for the journeys: its requests, and those of the processor's own pages."""

import base64
import functools
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

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


def admin(method, path, body=None, key=None):
    headers = {**ADMIN, "Idempotency-Key": key} if key else ADMIN
    status, answer = call(method, f"{STORE}/admin{path}", body, headers)
    assert status < 300, (path, status, answer)
    return answer


def store(method, path, body=None, expect=200, person=None):
    headers = {**SHOP, "Authorization": f"Bearer {person['token']}"} if person else SHOP
    status, answer = call(method, f"{STORE}/store{path}", body, headers)
    assert status == expect, (path, status, answer)
    return answer


def processor(method, path, form=None):
    """Asks the processor, as the card form in a browser or its dashboard would."""
    key = base64.b64encode(f"{os.environ['QUOTIENT_STRIPE_SECRET_KEY']}:".encode()).decode()
    data = urllib.parse.urlencode(form).encode() if form else None
    headers = {"Authorization": f"Basic {key}"}
    request = urllib.request.Request(f"{PROCESSOR}/v1{path}", data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def notify(url, secret):
    """Has the processor report to an address."""
    body = json.dumps({"url": url, "secret": secret}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{PROCESSOR}/_config/webhooks/shop", body, headers, method="POST")
    urllib.request.urlopen(request).close()


def card(number):
    form = {"type": "card", "card[number]": number, "card[exp_month]": 12, "card[exp_year]": 2034, "card[cvc]": 123}
    return processor("POST", "/payment_methods", form)["id"]


@functools.cache
def stock():
    """Returns the region of the shop, which pays by the processor, and a product with its variant."""
    regions = store("GET", "/regions")["regions"]
    region = next(r["id"] for r in regions if any(c["iso_2"] == "gb" for c in r["countries"]))
    admin("POST", f"/regions/{region}", {"payment_providers": ["pp_stripe", "pp_system_default"]})
    path = f"/products?region_id={region}&limit=100&fields=*variants,%2Bvariants.inventory_quantity"
    products = store("GET", path)["products"]
    product, variant = max(
        ((p["id"], v) for p in products for v in p["variants"]),
        key=lambda found: found[1].get("inventory_quantity") or 0,
    )
    return region, product, variant["id"]


@functools.cache
def plan():
    """Returns the id of a monthly plan of the product."""
    new = {"name": "Monthly", "product_ids": [stock()[1]], "interval": "month"}
    return admin("POST", "/subscription-plans", new)["subscription_plan"]["id"]


ADDRESS = {"first_name": "Ada", "last_name": "Shopper", "address_1": "1 High Street", "city": "London",
           "postal_code": "N1 1AA", "country_code": "gb"}


def register():
    """Returns a new customer with a token."""
    login = {"email": f"{uuid.uuid4()}@example.com", "password": "a password of the tests"}
    status, answer = call("POST", f"{STORE}/auth/customer/emailpass/register", login, SHOP)
    assert status == 200, answer
    made = store("POST", "/customers", {"email": login["email"]}, person=answer)["customer"]
    status, answer = call("POST", f"{STORE}/auth/customer/emailpass", login, SHOP)
    assert status == 200, answer
    return {"id": made["id"], "email": login["email"], **answer}


def ready(person=None):
    """Returns the id of a cart that can be paid."""
    new = {"region_id": stock()[0], "email": person["email"] if person else "ada@example.com"}
    cart = store("POST", "/carts", new, person=person)["cart"]["id"]
    store("POST", f"/carts/{cart}/line-items", {"variant_id": stock()[2], "quantity": 2}, person=person)
    store("POST", f"/carts/{cart}", {"shipping_address": ADDRESS, "billing_address": ADDRESS}, person=person)
    option = store("GET", f"/shipping-options?cart_id={cart}", person=person)["shipping_options"][0]["id"]
    store("POST", f"/carts/{cart}/shipping-methods", {"option_id": option}, person=person)
    return cart


def begin(cart, data, person=None):
    """Starts a payment; returns its session."""
    collection = store("POST", "/payment-collections", {"cart_id": cart}, person=person)["payment_collection"]["id"]
    body = {"provider_id": "pp_stripe", "data": data}
    answer = store("POST", f"/payment-collections/{collection}/payment-sessions", body, person=person)
    return answer["payment_collection"]["payment_sessions"][0]


def complete(cart, person=None):
    return store("POST", f"/carts/{cart}/complete", {}, person=person)


def payment_of(order):
    return admin("GET", f"/payments?order_id={order['id']}")["payments"][0]


def subscribe(number, more=None):
    """Subscribes a new customer with a card; returns the person and the subscription."""
    person = register()
    cart = ready(person)
    items = store("GET", f"/carts/{cart}", person=person)["cart"]["items"]
    planned = {"items": [{"item_id": items[0]["id"], "plan_id": plan()}]}
    store("POST", f"/carts/{cart}/sync-subscription-pricing", planned, person=person)
    option = store("GET", f"/shipping-options?cart_id={cart}", person=person)["shipping_options"][0]["id"]
    store("POST", f"/carts/{cart}/shipping-methods", {"option_id": option}, person=person)
    body = {"provider_id": "pp_stripe", "data": {"payment_method": card(number)}, **(more or {})}
    store("POST", f"/carts/{cart}/subscription-payment-session", body, person=person)
    made = store("POST", f"/carts/{cart}/subscribe", more or {}, person=person)
    assert made["type"] == "order", made
    return person, made["subscriptions"][0]["id"]


def keep_card(cart):
    """Starts a payment by a card that is kept for what is offered after the order."""
    store("POST", f"/carts/{cart}/subscription-customer", {"email": "ada@example.com"})
    body = {"provider_id": "pp_stripe", "setup_future_usage": "on_session",
            "data": {"payment_method": card("4242424242424242")}}
    store("POST", f"/carts/{cart}/subscription-payment-session", body)


@functools.cache
def flow():
    """Returns the id of a flow that offers one more piece after an order."""
    offer = {"variant_id": stock()[2], "quantity": 1, "price": {"type": "percent_off", "value": 10}}
    more = {"type": "offer", "title": "One more?", "offer": offer,
            "accept_next": [{"to": "thanks"}], "decline_next": [{"to": "thanks"}]}
    draft = {"entry": "more", "buttons": {"more": more, "thanks": {"type": "end", "title": "Thank you"}}}
    made = {"name": "One more", "kind": "post_purchase", "currency_code": "gbp", "is_public": True, "draft": draft}
    made = admin("POST", "/flows", made)["flow"]["id"]
    return admin("POST", f"/flows/{made}/publish", {})["flow"]["id"]


def page(path, body):
    """Asks what a page with a flow asks."""
    status, answer = call("POST", f"{STORE}/flow-builder/{path}", body)
    assert status == 200, (path, status, answer)
    return answer


def shown(person, subscription):
    path = f"/customers/me/subscriptions/{subscription}?fields=%2Bcycles"
    return store("GET", path, person=person)["subscription"]


def act(person, subscription, action, body):
    return store("POST", f"/customers/me/subscriptions/{subscription}/{action}", body, person=person)


def until(what, condition, seconds=60):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, what
        time.sleep(0.2)
    return value


def everything(path):
    """Returns all objects of the processor under a path."""
    found, last = [], ""
    while True:
        page = processor("GET", f"{path}?limit=100{last}")
        found += page["data"]
        if not page["has_more"]:
            return found
        last = f"&starting_after={found[-1]['id']}"
