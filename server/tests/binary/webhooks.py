"""Webhooks, signed and verified by the libraries of Standard Webhooks and Stripe."""

import datetime
import http.server
import json
import os
import random
import subprocess
import threading
import time
import urllib.error
import urllib.request

import standardwebhooks
import stripe

STORE = os.environ["QUOTIENT_URL"]
OLD, NEW = os.environ["OLD_SECRET"], os.environ["NEW_SECRET"]
ADMIN = {"Authorization": f"Bearer {os.environ['SECRET']}"}
SHOP = {"x-publishable-api-key": os.environ["PUBLISHABLE"]}
PARTNER, EMAIL, PROCESSOR = "fulfillment-partner", "email-provider", "card-processor-tolerant"
dice = random.Random(7)


def call(method, url, body=None, headers=None):
    """Returns the status and the JSON of an answer."""
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
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


def store(method, path, body=None):
    status, answer = call(method, f"{STORE}/store{path}", body, SHOP)
    assert status == 200, (path, status, answer)
    return answer


times = []


def deliver(receiver, headers, body):
    began = time.perf_counter()
    answer = call("POST", f"{STORE}/webhooks/{receiver}", body, headers)
    times.append(time.perf_counter() - began)
    return answer


def standard(secret, name, body, age=0):
    """Signs as the library of Standard Webhooks does."""
    at = datetime.datetime.fromtimestamp(int(time.time()) - age, datetime.timezone.utc)
    signature = standardwebhooks.Webhook(secret).sign(name, at, body.decode())
    return {"webhook-id": name, "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}


def processor(secret, body, age=0):
    """Signs as the library of Stripe does."""
    at = int(time.time()) - age
    signature = stripe.WebhookSignature._compute_signature(f"{at}.{body.decode()}", secret)
    header = f"t={at},v1={signature}"
    if abs(age) < 300:
        assert stripe.WebhookSignature.verify_header(body.decode(), header, secret, 300)
    return {"Stripe-Signature": header}


def buy():
    """Returns an order of one article."""
    region = next(r for r in store("GET", "/regions")["regions"] if any(c["iso_2"] == "gb" for c in r["countries"]))
    fields = f"region_id={region['id']}&limit=100&fields=*variants,%2Bvariants.inventory_quantity"
    variants = (v for p in store("GET", f"/products?{fields}")["products"] for v in p["variants"])
    variant = max(variants, key=lambda v: v.get("inventory_quantity") or 0)["id"]
    address = {"first_name": "Ada", "last_name": "Shopper", "address_1": "1 High Street", "city": "London",
               "postal_code": "N1 1AA", "country_code": "gb"}
    cart = store("POST", "/carts", {"region_id": region["id"], "email": "ada@example.com"})["cart"]["id"]
    store("POST", f"/carts/{cart}/line-items", {"variant_id": variant, "quantity": 1})
    store("POST", f"/carts/{cart}", {"shipping_address": address, "billing_address": address})
    option = store("GET", f"/shipping-options?cart_id={cart}")["shipping_options"][0]["id"]
    store("POST", f"/carts/{cart}/shipping-methods", {"option_id": option})
    collection = store("POST", "/payment-collections", {"cart_id": cart})["payment_collection"]["id"]
    sessions = f"/payment-collections/{collection}/payment-sessions"
    store("POST", sessions, {"provider_id": "pp_system_default"})
    return store("POST", f"/carts/{cart}/complete", {})["order"]


def until(fact, what):
    """Waits for a fact, for at most half a minute."""
    for _ in range(300):
        if found := fact():
            return found
        time.sleep(0.1)
    raise AssertionError(what)


def mutated(body):
    place, bit = dice.randrange(len(body)), dice.randrange(8)
    return body[:place] + bytes([body[place] ^ 1 << bit]) + body[place + 1:]


class Receiver(http.server.BaseHTTPRequestHandler):
    """Refuses the first delivery and takes all others."""

    seen = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append((dict(self.headers), body))
        self.send_response(503 if len(self.seen) == 1 else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


# What comes in: each scheme, at each edge of its tolerance, by either secret, and changed by a bit.
order = buy()
parcel = {"type": "shipment.shipped", "data": {"order_id": order["id"], "carrier": "Post", "tracking_number": "TRK-1"}}
body = json.dumps(parcel).encode()
count = 0
for receiver, sign, tolerance, refused in [
    (PARTNER, standard, 300, 401), (EMAIL, standard, 300, 401), (PROCESSOR, None, 600, 400),
]:
    for number, (secret, age) in enumerate([(NEW, 0), (OLD, 0), (NEW, tolerance - 2), (OLD, 2 - tolerance),
                                            (NEW, tolerance + 3), (NEW, -tolerance - 3)]):
        name = f"evt_{receiver}_{number}"
        sent = json.dumps({"id": name, "type": "nothing.known", "data": {"object": {}}}).encode()
        headers = sign(secret, name, sent, age) if sign else processor(secret, sent, age)
        status, answer = deliver(receiver, headers, sent)
        expected = 200 if abs(age) <= tolerance else refused
        assert status == expected, (receiver, age, status, answer)
        count += 1
    for number in range(300):
        name = f"evt_{receiver}_bit_{number}"
        headers = sign(NEW, name, body) if sign else processor(NEW, body)
        status, answer = deliver(receiver, headers, mutated(body))
        assert status == refused, (receiver, status, answer)
        count += 1

for secret, name in [(NEW, "msg_1"), (NEW, "msg_1"), (OLD, "msg_2")]:
    status, answer = deliver(PARTNER, standard(secret, name, body), body)
    assert status == 200, (status, answer)
path = f"/orders/{order['id']}?fields=*fulfillments,*fulfillments.labels"
until(lambda: admin("GET", path)["order"]["fulfillments"], "the parcel makes a fulfillment")
[fulfillment] = admin("GET", path)["order"]["fulfillments"]
assert fulfillment["shipped_at"] and fulfillment["labels"][0]["tracking_number"] == "TRK-1", fulfillment

# What goes out: refused once, taken at the second attempt; then both secrets sign.
listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=listener.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{listener.server_port}/hook"
endpoint = admin("POST", "/webhook-endpoints", {"url": url, "events": ["order.placed"]})["webhook_endpoint"]
first = endpoint["secret"]
assert admin("GET", f"/webhook-endpoints/{endpoint['id']}")["webhook_endpoint"]["secret"] is None
order = buy()
until(lambda: len(Receiver.seen) == 2, "the second attempt")
second = admin("POST", f"/webhook-endpoints/{endpoint['id']}/rotate-secret", {})["webhook_endpoint"]["secret"]
buy()
until(lambda: len(Receiver.seen) == 3, "the delivery after the rotation")
names = [{key.lower(): value for key, value in headers.items()}["webhook-id"] for headers, _ in Receiver.seen]
assert names[0] == names[1] != names[2], names
for (headers, body), secrets in zip(Receiver.seen, [[first], [first], [first, second]]):
    for secret in secrets:
        event = standardwebhooks.Webhook(secret).verify(body, headers)
        assert event["type"] == "order.placed", event
assert json.loads(Receiver.seen[0][1])["data"]["id"] == order["id"]
deliveries = lambda: admin("GET", "/webhook-deliveries?direction=outbound&status=handled")["deliveries"]
until(lambda: [d["attempt_count"] for d in deliveries()] == [1, 2], "both deliveries are handled")

# The same libraries for Node.
if program := os.environ.get("WEBHOOKS_NODE"):
    headers, body = Receiver.seen[2]
    told = {"store": STORE, "secrets": [first, second], "sender": NEW, "headers": headers, "body": body.decode()}
    subprocess.run(["node", program], input=json.dumps(told), text=True, check=True)

print(f"{count} signed deliveries came in, {len(Receiver.seen)} went out; each was judged as the libraries do")
times.sort()
median, late = times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000
print(f"an answer took {median:.1f} ms, and {late:.1f} ms at the 99th percentile")
