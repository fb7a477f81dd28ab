"""What the generator cannot know of a store: one check instead of a built-in one, and one header."""

import uuid

import schemathesis

ABOUT_THE_SHAPE = ("Invalid request:", "Malformed JSON")


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key belongs to one request. With the same one for all, most would be answered by 409 and test nothing."""
    headers = case.headers or {}
    if 0 < len(headers.get("Idempotency-Key") or "") < 256:
        headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.check
def shape_acceptance(ctx, response, case):
    """What the document allows is not refused for its shape.

    The built-in check `positive_data_acceptance` takes every 400 and 422 for a refusal of the shape. Here they are
    also the answers to what no schema can say: an id that must exist, a name that is taken, a state that refuses, an
    end before its beginning. The server words both kinds apart.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code == 400 and response.json()["message"].startswith(ABOUT_THE_SHAPE):
        raise AssertionError(f"The document allows what is refused: {response.json()['message']}")
