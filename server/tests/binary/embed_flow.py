"""A flow after payment that offers a lamp at a fifth less, asks a question, and thanks."""

HTML = "<img src=x onerror='window.pwned=1'>A lamp?"


def make_flow(shop, origins):
    """Publishes a flow whose texts hold HTML; returns it."""
    made = shop.admin("/admin/flows", {
        "name": "Lamps", "kind": "post_purchase", "currency_code": "gbp", "is_public": True, "allowed_origins": origins,
        "draft": {"entry": "lamp", "buttons": {
            "lamp": {"type": "offer", "title": HTML, "body": HTML, "accept_label": "Add it",
                     "offer": {"variant_id": shop.variants[1], "price": {"type": "percent_off", "value": 20}},
                     "accept_next": [{"to": "why"}], "decline_next": [{"to": "thanks"}]},
            "why": {"type": "question", "title": "Why?", "accept_label": "Send", "fields": [
                        {"key": "why", "label": "Why", "type": "text", "required": True}],
                    "accept_next": [{"to": "thanks"}], "decline_next": [{"to": "thanks"}]},
            "thanks": {"type": "end", "title": "Thank you"}}},
    })["flow"]
    return shop.admin("/admin/flows/%s/publish" % made["id"], {})["flow"]
