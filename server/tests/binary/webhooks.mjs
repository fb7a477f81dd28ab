// Verifies a delivery and signs others with the libraries of Standard Webhooks and Stripe for Node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import Stripe from "stripe";
import { Webhook } from "standardwebhooks";

const { store, secrets, sender, headers, body } = JSON.parse(readFileSync(0, "utf8"));
const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

for (const secret of secrets) {
  assert.equal(new Webhook(secret).verify(body, lower).type, "order.placed");
}

async function deliver(receiver, headers, payload) {
  const request = { method: "POST", body: payload, headers: { "content-type": "application/json", ...headers } };
  const answer = await fetch(`${store}/webhooks/${receiver}`, request);
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

const id = "evt_of_node";
const payload = JSON.stringify({ id, type: "nothing.known", data: { object: {} } });
const now = new Date();
const signature = new Webhook(sender).sign(id, now, payload);
const signed = { "webhook-id": id, "webhook-timestamp": String(Math.floor(now / 1000)), "webhook-signature": signature };
assert.equal((await deliver("fulfillment-partner", signed, payload)).signature_valid, true);

const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: sender });
const answer = await deliver("card-processor-tolerant", { "stripe-signature": header }, payload);
assert.deepEqual(answer, {
  received: true, skipped: true, reason: "unhandled_type", eventId: id, action: "not_supported", sessionId: null,
});
