//! Assigns products to categories, collections and tags, by the words of their titles and their prices.

/// A category or collection, and the words that assign products to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CategoryRule {
    pub name: &'static str,
    pub description: &'static str,
    /// A product with one of these words, which have blanks between them, belongs to it.
    words: &'static str,
}

/// The categories. A product belongs to every category whose words it has, or else to the last one.
pub(crate) const CATEGORIES: &[CategoryRule] = &[
    CategoryRule {
        name: "Bags & Purses",
        description: "Shoppers, lunch bags, purses and totes.",
        words: "bag bags purse shopper tote handbag wallet satchel backpack",
    },
    CategoryRule {
        name: "Lighting & Candles",
        description: "Lights, lanterns, candles and what holds them.",
        words: "light lights lantern lamp candle candles t-light candlestick chandelier incense",
    },
    CategoryRule {
        name: "Kitchen & Dining",
        description: "For cooking, baking and the table.",
        words: "mug mugs cup cups tea teapot coffee plate plates bowl cutlery kitchen cake cakestand \
                baking jar pantry tray bottle jug glass spoon apron lunch",
    },
    CategoryRule {
        name: "Christmas",
        description: "For the tree, the table and the stocking.",
        words: "christmas xmas advent santa reindeer snowflake snowman bauble noel nativity",
    },
    CategoryRule {
        name: "Home Decoration",
        description: "For walls, shelves and windows.",
        words: "frame mirror clock decoration wall art sign cushion hook doormat vase ornament \
                hanging garland picture drawer cabinet rug wicker",
    },
    CategoryRule {
        name: "Garden & Outdoor",
        description: "For gardens, picnics and the beach.",
        words: "garden plant pot watering bird birdhouse picnic parasol umbrella planter seeds \
                gardeners deckchair windmill",
    },
    CategoryRule {
        name: "Jewellery & Accessories",
        description: "Necklaces, earrings, rings and hair clips.",
        words: "necklace bracelet earrings ring brooch charm diamante hair hairclip bangle pendant \
                scarf keyring key",
    },
    CategoryRule {
        name: "Cards, Paper & Wrap",
        description: "Cards, notebooks, wrapping paper and stickers.",
        words: "card cards wrap paper notebook ribbon ribbons sticker stickers stationery tissue \
                envelope pencil pencils pen album journal",
    },
    CategoryRule {
        name: "Party",
        description: "Bunting, balloons and paper plates.",
        words: "party bunting balloon balloons birthday cone confetti streamers",
    },
    CategoryRule {
        name: "Toys & Children",
        description: "Toys, games and things for children's rooms.",
        words: "children childrens children's toy doll dolly game jigsaw puzzle spaceboy skipping \
                kids baby soldier playhouse building piggy",
    },
    CategoryRule {
        name: "Storage & Tins",
        description: "Boxes, tins, baskets and hangers.",
        words: "box boxes tin tins storage basket hanger chest organiser rack holder",
    },
    CategoryRule {
        name: "Bath & Comfort",
        description: "Hot water bottles, soap and slippers.",
        words: "bath bathroom soap towel hot warmer slippers hand cosmetic toilet",
    },
    CategoryRule {
        name: "Gifts & Curiosities",
        description: "Everything else that somebody will like.",
        words: "",
    },
];

/// The collections. A product belongs to the first one whose words or prices match.
pub(crate) const COLLECTIONS: &[CategoryRule] = &[
    CategoryRule {
        name: "Christmas Shop",
        description: "",
        words: "christmas xmas advent santa reindeer noel",
    },
    CategoryRule {
        name: "Easter & Spring",
        description: "",
        words: "easter egg eggs chick bunny rabbit spring",
    },
    CategoryRule {
        name: "Summer Outdoors",
        description: "",
        words: "garden picnic parasol beach summer bunting",
    },
    CategoryRule {
        name: "Vintage & Retro",
        description: "",
        words: "vintage retro regency antique retrospot victorian",
    },
    CategoryRule { name: "Little Gifts", description: "", words: "" },
    CategoryRule { name: "Special Pieces", description: "", words: "" },
];

/// The highest price, in pence, of a little gift.
const LITTLE_MINOR: i64 = 125;
/// The lowest price, in pence, of a special piece.
const SPECIAL_MINOR: i64 = 795;

/// The tags, in a fixed order.
pub(crate) const TAGS: [&str; 3] = ["bestseller", "new", "set"];

/// Returns the indexes of a product's categories in [`CATEGORIES`], at most two.
pub(super) fn categories(title: &str) -> Vec<usize> {
    let words = words(title);
    let found = CATEGORIES.iter().enumerate().filter(|(_, rule)| has_any(rule, &words));
    let found: Vec<usize> = found.map(|(place, _)| place).take(2).collect();
    if found.is_empty() { vec![CATEGORIES.len().saturating_sub(1)] } else { found }
}

/// Returns the index of a product's collection in [`COLLECTIONS`].
pub(super) fn collection(title: &str, price_minor: i64) -> Option<usize> {
    let words = words(title);
    COLLECTIONS.iter().position(|rule| match rule.name {
        "Little Gifts" => price_minor <= LITTLE_MINOR,
        "Special Pieces" => price_minor >= SPECIAL_MINOR,
        _ => has_any(rule, &words),
    })
}

/// Returns whether the product is a set.
pub(super) fn is_set(title: &str) -> bool {
    words(title).first().is_some_and(|first| first == "set" || first == "pack")
}

fn words(title: &str) -> Vec<String> {
    title.split([' ', ',', '/', '(', ')']).map(str::to_lowercase).collect()
}

fn has_any(rule: &CategoryRule, words: &[String]) -> bool {
    rule.words.split_whitespace().any(|own| words.iter().any(|word| word == own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(title: &str) -> Vec<&'static str> {
        categories(title).into_iter().map(|place| CATEGORIES[place].name).collect()
    }

    #[test]
    fn words_of_the_title_say_where_a_product_belongs() {
        assert_eq!(names("Jumbo Bag Red Retrospot"), ["Bags & Purses"]);
        assert_eq!(
            names("White Hanging Heart T-Light Holder"),
            ["Lighting & Candles", "Home Decoration"]
        );
        assert_eq!(names("Assorted Colour Dinosaur"), ["Gifts & Curiosities"]);
    }

    #[test]
    fn a_collection_goes_by_season_first_and_then_by_price() {
        let name = |title, price| collection(title, price).map(|place| COLLECTIONS[place].name);
        assert_eq!(name("Vintage Christmas Bauble", 65), Some("Christmas Shop"));
        assert_eq!(name("Glass Dish", 65), Some("Little Gifts"));
        assert_eq!(name("Glass Dish", 1_295), Some("Special Pieces"));
        assert_eq!(name("Glass Dish", 395), None);
        assert!(is_set("Set of 3 Cake Tins"));
    }
}
