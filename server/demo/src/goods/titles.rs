//! Titles of products: converts the data's upper case to title case.

/// Words that stay in lower case inside a title.
const SMALL: &[&str] =
    &["a", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"];

/// Words that stay in upper case.
const CAPITALS: &[&str] =
    &["BBQ", "CD", "DVD", "DIY", "II", "III", "LED", "MDF", "TV", "UK", "USA", "XL"];

/// Converts a description to a title: single blanks, and capitalized words.
pub(super) fn title(description: &str) -> String {
    let words = description.split_whitespace().enumerate();
    let words: Vec<String> = words.map(|(place, text)| word(text, place == 0)).collect();
    words
        .join(" ")
        .trim_matches(|c: char| matches!(c, '.' | ',' | '"'))
        .replace('"', "")
        .trim()
        .to_owned()
}

fn word(text: &str, is_first: bool) -> String {
    let lower = text.to_lowercase();
    if CAPITALS.contains(&text) {
        return text.to_owned();
    }
    if !is_first && SMALL.contains(&lower.as_str()) {
        return lower;
    }
    let mut word = String::with_capacity(lower.len());
    let mut starts = true;
    for letter in lower.chars() {
        if starts && letter.is_alphabetic() {
            word.extend(letter.to_uppercase());
        } else {
            word.push(letter);
        }
        starts = matches!(letter, '-' | '/' | '(' | '+' | '&' | '.' | ',' | '"');
    }
    word
}

/// Derives the name in URLs from a title.
pub(super) fn handle(title: &str) -> String {
    let mut handle = String::with_capacity(title.len());
    for letter in title.chars() {
        match letter {
            '\'' | '.' => {}
            letter if letter.is_ascii_alphanumeric() => handle.push(letter.to_ascii_lowercase()),
            _ if handle.ends_with('-') || handle.is_empty() => {}
            _ => handle.push('-'),
        }
    }
    handle.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_become_a_title() {
        for (description, expected) in [
            ("WHITE HANGING HEART T-LIGHT HOLDER", "White Hanging Heart T-Light Holder"),
            ("SET OF 3  CAKE TINS PANTRY DESIGN ", "Set of 3 Cake Tins Pantry Design"),
            ("PACK OF 72 RETROSPOT CAKE CASES", "Pack of 72 Retrospot Cake Cases"),
            ("DOORMAT \"NEW ENGLAND\"", "Doormat New England"),
            ("CHILDREN'S APRON DOLLY GIRL.", "Children's Apron Dolly Girl"),
            ("THE BLUE/WHITE BOX", "The Blue/White Box"),
        ] {
            assert_eq!(title(description), expected);
        }
    }

    #[test]
    fn a_handle_has_letters_digits_and_single_hyphens() {
        for (title, expected) in [
            ("White Hanging Heart T-Light Holder", "white-hanging-heart-t-light-holder"),
            ("Children's Apron & Hat", "childrens-apron-hat"),
            ("£5 Mug!", "5-mug"),
        ] {
            assert_eq!(handle(title), expected);
        }
    }
}
