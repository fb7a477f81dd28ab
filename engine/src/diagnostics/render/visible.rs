//! Untrusted text made safe to display.

/// Replaces one hidden character, so that columns stay the same.
const MARK: char = '\u{fffd}';

/// Replaces each hidden character by a mark; line ends and tabs stay.
pub(super) fn marked(text: &str) -> String {
    text.chars().map(|character| if is_hidden(character) { MARK } else { character }).collect()
}

/// Puts the text on one line and escapes hidden characters: `\u{202e}`.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            out.extend(character.escape_default());
        } else if is_hidden(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// Returns whether a terminal would obey the character or show nothing for it.
fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' | '\r' => false,
        // Soft hyphen, zero-width blanks, and fillers.
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        // Bidirectional controls, and line separators.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
        // Annotations, tags and variants.
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        other => other.is_control(),
    }
}
