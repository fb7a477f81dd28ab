//! Commands on the pages of `fixtures` give the output shown below them: those of the manual, and the examples of
//! other metrics layers, whose answers were computed without the engine.
//!
//! `INSTA_UPDATE=always` rewrites the answers on pages of the manual; read the difference before keeping it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a page that cannot be read fails the test"
)]

use std::path::Path;

use crate::commands::{evaluate_in, fixtures, words};

/// The content of the first block of a kind.
fn block<'p>(section: &'p str, kind: &str) -> Option<&'p str> {
    let (_, rest) = section.split_once(&format!("```{kind}\n"))?;
    rest.split_once("```\n").map(|(body, _)| body)
}

/// Runs a command of a page; returns its output.
fn answer(folder: &Path, command: &str) -> String {
    let words = words(command);
    let (program, arguments) = words.split_first().expect(command);
    assert_eq!(program, "evaluate");
    let outcome = evaluate_in(folder, arguments);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{command}");
    outcome.stdout
}

/// The commands of a page with their answers: `$ evaluate …` and the lines below it.
fn commands(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("```console\n").skip(1);
    let shown = blocks.filter_map(|rest| rest.split_once("```\n").map(|(body, _)| body));
    shown.filter_map(|body| body.strip_prefix("$ ")?.split_once('\n')).collect()
}

/// Runs the page of a peer; its metrics are in the formula file beside it.
fn compare(peer: &str, file: &str) {
    let folder = fixtures().join("peers").join(peer);
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let declared = std::fs::read_to_string(folder.join(file)).unwrap();
    let mut wrong = Vec::new();
    let sections: Vec<&str> = page.split("\n### ").skip(1).collect();
    for section in &sections {
        let heading = section.lines().next().unwrap_or_default();
        let metrics = block(section, "metrics").unwrap_or_default();
        for line in metrics.lines().filter(|line| !declared.lines().any(|own| own == *line)) {
            wrong.push(format!("{heading}: {file} does not say `{line}`"));
        }
        let commands = commands(section);
        let [(command, counted)] = commands.as_slice() else {
            wrong.push(format!("{heading}: {} commands", commands.len()));
            continue;
        };
        let given = answer(&folder, command);
        if given != *counted {
            wrong.push(format!("{heading}\n{given}counted:\n{counted}"));
        }
    }
    assert!(sections.len() >= 30, "only {} examples", sections.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn questions_of_metricflow_have_the_answers_of_their_recount() {
    compare("metricflow", "bakery.metrics");
}

#[test]
fn questions_of_cube_have_the_answers_of_their_recount() {
    compare("cube", "shop.metrics");
}

#[test]
fn questions_of_malloy_have_the_answers_of_their_recount() {
    compare("malloy", "flights.metrics");
}

#[expect(clippy::disallowed_methods, reason = "the switch that snapshot tests share")]
fn is_updating() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always")
}

#[test]
fn commands_of_the_manual_print_the_output_shown() {
    let folder = fixtures().join("manual");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap().flatten() {
        let page = std::fs::read_to_string(entry.path()).unwrap();
        let mut rewritten = page.clone();
        for (command, shown) in commands(&page) {
            let [was, is] = [shown, &answer(&folder, command)]
                .map(|answer| format!("$ {command}\n{answer}```\n"));
            rewritten = rewritten.replace(&was, &is);
            count += 1;
        }
        if is_updating() && rewritten != page {
            std::fs::write(entry.path(), rewritten).unwrap();
        } else {
            assert_eq!(page, rewritten, "{}", entry.path().display());
        }
    }
    assert!(count >= 4, "only {count} commands");
}
