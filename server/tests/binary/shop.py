"""A small shop by the API: what it sells, and an order that is paid by a card which is kept."""

import base64

from browser import call


class Shop:
    """A shop on a server; its routes of the storefront and of administrators."""

    def __init__(self, url, publishable, secret, currency="gbp", country="gb"):
        self.url, self.publishable, self.currency, self.country = url, publishable, currency, country
        self.basic = "Basic " + base64.b64encode((secret + ":").encode()).decode()
        self.region = self.channel = self.option = None
        self.variants = []

    def try_admin(self, path, body=None):
        """Calls an admin route; returns the status and the answer."""
        return call("GET" if body is None else "POST", self.url + path, body, {"authorization": self.basic})

    def admin(self, path, body=None):
        """Calls an admin route that must succeed."""
        status, answer = self.try_admin(path, body)
        assert status in (200, 201), (path, status, answer)
        return answer

    def store(self, path, body, headers=None):
        """Calls a route of the store that must succeed."""
        status, answer = call("POST", self.url + "/store" + path, body,
                              {"x-publishable-api-key": self.publishable, **(headers or {})})
        assert status in (200, 201), (path, status, answer)
        return answer

    def furnish(self, titles, amount, postage):
        """Makes a channel, a region, a warehouse, a shipping option, and a product with one variant for each title."""
        self.channel = self.admin("/admin/sales-channels", {"name": "Web shop"})["sales_channel"]["id"]
        for key in self.admin("/admin/api-keys?type=publishable")["api_keys"]:
            self.admin("/admin/api-keys/%s/sales-channels" % key["id"], {"add": [self.channel]})
        self.region = self.admin("/admin/regions", {
            "name": "Home", "currency_code": self.currency, "countries": [self.country],
            "payment_providers": ["pp_sandbox"],
        })["region"]["id"]
        place = self.admin("/admin/stock-locations", {
            "name": "Warehouse", "address": {"address_1": "1 Dock Road", "country_code": self.country},
        })["stock_location"]["id"]
        self.admin("/admin/stock-locations/%s/sales-channels" % place, {"add": [self.channel]})
        self.admin("/admin/stock-locations/%s/fulfillment-providers" % place, {"add": ["manual_manual"]})
        profile = self.admin("/admin/shipping-profiles", {"name": "Default", "type": "default"})["shipping_profile"]["id"]
        sets = self.admin("/admin/stock-locations/%s/fulfillment-sets?fields=*fulfillment_sets" % place,
                          {"name": "Delivery", "type": "shipping"})["stock_location"]["fulfillment_sets"]
        zone = self.admin("/admin/fulfillment-sets/%s/service-zones" % sets[0]["id"], {
            "name": "Everywhere", "geo_zones": [{"type": "country", "country_code": self.country}],
        })["fulfillment_set"]["service_zones"][0]["id"]
        self.option = self.admin("/admin/shipping-options", {
            "name": "Postage", "service_zone_id": zone, "shipping_profile_id": profile, "provider_id": "manual_manual",
            "price_type": "flat", "type": {"label": "Standard", "description": "Three days", "code": "standard"},
            "prices": [{"currency_code": self.currency, "amount": postage}],
        })["shipping_option"]["id"]
        for title, sku in titles:
            product = self.admin("/admin/products", {
                "title": title, "status": "published", "sales_channels": [{"id": self.channel}],
                "options": [{"title": "Kind", "values": ["One"]}],
                "variants": [{"title": "One", "sku": sku, "options": {"Kind": "One"}, "manage_inventory": False,
                              "prices": [{"currency_code": self.currency, "amount": amount}]}],
            })["product"]
            self.variants.append(product["variants"][0]["id"])

    def fill_cart(self, email, name=("Ada", "Shopper"), metadata=None):
        """Makes a cart with the first variant that is ready to be paid for, by a card that is kept; returns its id."""
        made = {"region_id": self.region, "sales_channel_id": self.channel, "email": email}
        if metadata:
            made["metadata"] = metadata
        cart = self.store("/carts", made)["cart"]["id"]
        self.store("/carts/%s/line-items" % cart, {"variant_id": self.variants[0], "quantity": 1})
        address = {"first_name": name[0], "last_name": name[1], "address_1": "1 High Street", "city": "Town",
                   "postal_code": "N1 1AA", "country_code": self.country}
        self.store("/carts/%s" % cart, {"shipping_address": address, "billing_address": address})
        self.store("/carts/%s/shipping-methods" % cart, {"option_id": self.option})
        self.store("/carts/%s/subscription-customer" % cart, {"email": email})
        self.store("/carts/%s/subscription-payment-session" % cart, {
            "provider_id": "pp_sandbox", "setup_future_usage": "on_session", "data": {"payment_method": "pm_card_visa"},
        })
        return cart

    def place_order(self, email="ada@example.com", name=("Ada", "Shopper")):
        """Places an order; returns its cart and its id."""
        cart = self.fill_cart(email, name)
        return cart, self.store("/carts/%s/complete" % cart, {})["order"]["id"]
