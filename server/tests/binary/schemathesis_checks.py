"""Facts of a store that the generator lacks: an additional check, a header, and the resources not to delete."""

import gc
import os
import uuid

import schemathesis

# Hypothesis makes many small objects that live on; collecting them often takes a tenth of the time.
gc.set_threshold(200_000, 50, 1000)

ABOUT_THE_SHAPE = ("Invalid request:", "Malformed JSON")

# Rules that the document says in words: URLs and domains, which a browser's parser reads; currencies as keys; which countries there
# are; what a bundle must name; days that are over; and the numbers of a flow's draft, which is checked as a whole.
IN_WORDS = (
    "must be a path such as",
    "is no currency of ISO 4217",
    "Field 'country_code': country `",
    "Field 'bundle_id' is required",
    "Field 'item_id' is required",
    "Field 'variant_id' is required",
    "must be a domain such as",
    "must be a day that is over",
    "Expected type: 'integer' for field 'draft.",
)

# The ids of this run's keys and customer: without them, every later response would be 401 and test nothing.
OWN = os.environ.get("SCHEMA_OWN", "").split()
NOBODY = "01JD2Q8Z5M6T3W9XKCV4B7N0RE"


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key belongs to one request. With the same one for all, most would be answered by 409 and test nothing.

    No request is about a key or the customer of this run. Events of visitors are new ones.
    """
    # Looking for proxies and passwords in the environment before each request takes a twentieth of the time.
    if session := kwargs.get("session"):
        session.trust_env = False
    if case.path_parameters and case.path_parameters.get("id") in OWN:
        kind = case.path_parameters["id"].split("_")[0]
        case.path_parameters["id"] = f"{kind}_{NOBODY}"
    # An event that is known has its first answer, whatever the body.
    if case.operation.path == "/store/tracking/events" and isinstance(case.body, dict):
        event = case.body.get("event_id")
        if isinstance(event, str) and 0 < len(event) <= 64:
            case.body["event_id"] = str(uuid.uuid4())
    headers = case.headers or {}
    # A case whose headers change is judged anew, and one that leaves out another header would become a whole one.
    leaves_out = "missing" in str(getattr(case.meta and case.meta.phase.data, "scenario", "")).lower()
    if 0 < len(headers.get("Idempotency-Key") or "") < 256 and not leaves_out:
        headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.check
def shape_acceptance(ctx, response, case):
    """What the document allows is not refused for its shape.

    The built-in check `positive_data_acceptance` knows statuses only, and 400 and 422 are also the answers to what no
    schema can say: an id that must exist, a name that is taken, a state that refuses, an end before its beginning. The
    server words both kinds apart.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code not in (400, 422):
        return
    message = response.json().get("message", "")
    if message.startswith(ABOUT_THE_SHAPE) and not any(rule in message for rule in IN_WORDS):
        raise AssertionError(f"The document allows what is refused: {message}")
