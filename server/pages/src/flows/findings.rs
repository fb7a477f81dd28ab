//! What is wrong with a draft, by step and line.

use serde::Deserialize;
use serde_json::Value;

/// An example draft to start with.
pub(super) const EXAMPLE: &str = r#"{
  "entry": "hello",
  "buttons": {
    "hello": {
      "type": "notice",
      "title": "Thank you for your order",
      "accept_next": [{ "to": "end" }]
    },
    "end": {
      "type": "end",
      "title": "See you soon"
    }
  }
}"#;

#[derive(Debug, Deserialize)]
pub(super) struct Finding {
    /// The key of the step; none for the draft as a whole.
    button: Option<String>,
    path: String,
    message: String,
}

/// A finding with its place.
#[derive(Debug)]
pub(super) struct LocatedFinding {
    pub(super) step: Option<String>,
    /// The place within the step.
    pub(super) part: String,
    /// The line of the step in the text, counted from one.
    pub(super) line: Option<usize>,
    pub(super) message: String,
}

/// A step of a draft in one line.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) key: String,
    pub(super) kind: String,
    pub(super) title: String,
    /// The steps that it leads to.
    pub(super) next: String,
    pub(super) line: Option<usize>,
    /// The number of its findings.
    pub(super) findings: usize,
}

impl Finding {
    /// Locates the finding in the text of the draft.
    pub(super) fn located(self, text: &str) -> LocatedFinding {
        let line = self.button.as_deref().and_then(|key| line_of(text, key));
        let before = self.button.as_deref().map(|key| format!("buttons.{key}."));
        let part = before.and_then(|before| self.path.strip_prefix(&before).map(str::to_owned));
        let message = self.message.replace('`', "");
        LocatedFinding { step: self.button, part: part.unwrap_or(self.path), line, message }
    }
}

/// Returns the line on which a member with this key and an object as value begins.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let name = Value::from(key).to_string();
    let begins = |line: &str| {
        let rest = line.split_once(&name).map(|(_, rest)| rest.trim_start());
        rest.and_then(|rest| rest.strip_prefix(':')).is_some_and(|rest| {
            let rest = rest.trim_start();
            rest.is_empty() || rest.starts_with('{')
        })
    };
    Some(text.lines().position(begins)?.saturating_add(1))
}

/// Returns the steps of a text that can be parsed.
pub(super) fn steps(text: &str, errors: &[LocatedFinding]) -> Vec<Step> {
    let draft: Value = serde_json::from_str(text).unwrap_or_default();
    let buttons = draft.get("buttons").and_then(Value::as_object);
    let step = |(key, button): (&String, &Value)| {
        let word =
            |name: &str| button.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let ways = ["accept_next", "decline_next"].into_iter();
        let ways = ways.filter_map(|name| button.get(name)?.as_array()).flatten();
        let mut next: Vec<&str> = ways.filter_map(|way| way.get("to")?.as_str()).collect();
        next.dedup();
        Step {
            kind: word("type"),
            title: word("title"),
            next: next.join(", "),
            line: line_of(text, key),
            findings: errors.iter().filter(|own| own.step.as_ref() == Some(key)).count(),
            key: key.clone(),
        }
    };
    buttons.into_iter().flatten().map(step).collect()
}

/// Returns why a text is not valid JSON, for people.
pub(super) fn misread(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let cause = text.split(" at line ").next().unwrap_or_default();
    format!("Line {line}, letter {column}: this is no JSON ({cause}).")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_placed_at_the_line_of_its_step() {
        let finding = |button: Option<&str>, path: &str| Finding {
            button: button.map(str::to_owned),
            path: path.to_owned(),
            message: "there is no button `x`".to_owned(),
        };
        let found = finding(Some("end"), "buttons.end.accept_next[0].to").located(EXAMPLE);
        // The key also occurs where another step leads to it.
        assert_eq!((found.line, &*found.part), (Some(9), "accept_next[0].to"));
        assert_eq!(found.message, "there is no button x");
        let whole = finding(None, "entry").located(EXAMPLE);
        assert_eq!((whole.line, &*whole.part), (None, "entry"));
        assert_eq!(line_of("{\"buttons\":{\"a\" : {}}}", "a"), Some(1));
    }

    #[test]
    fn the_steps_of_a_text_say_where_they_lead() {
        let steps = steps(EXAMPLE, &[]);
        let shown: Vec<(&str, &str, &str)> =
            steps.iter().map(|own| (&*own.key, &*own.kind, &*own.next)).collect();
        assert!(shown.contains(&("hello", "notice", "end")), "{shown:?}");
        assert!(super::steps("{ no JSON", &[]).is_empty());
    }

    #[test]
    fn invalid_json_is_reported_with_its_place() {
        let error = serde_json::from_str::<Value>("{\n  \"a\": }").expect_err("no JSON");
        assert_eq!(misread(&error), "Line 2, letter 8: this is no JSON (expected value).");
    }
}
