//! Rendered findings, and rendering of any input.

use insta::assert_snapshot;

use super::*;
use crate::diagnostics::Code;
use crate::source::Span;

fn plain(text: &str, diagnostic: Diagnostic) -> String {
    render("formula", text, &[diagnostic], Style::Plain)
}

#[test]
fn an_error_shows_its_place_its_help_and_the_mended_text() {
    let place = Span::new(4, 15);
    let diagnostic = Diagnostic::new(Code::E201, place, "`orders.totl` is not known")
        .label(Span::new(22, 27), "this one is")
        .help("did you mean `orders.total`?")
        .suggest(Suggestion::replace(place, "orders.total"));

    assert_snapshot!(plain("sum(orders.totl) / count(orders)", diagnostic), @r#"
    error[E201]: `orders.totl` is not known
     --> formula:1:5
      |
    1 | sum(orders.totl) / count(orders)
      |     ^^^^^^^^^^^       ----- this one is
      |
      = help: did you mean `orders.total`?
      = try: sum(orders.total) / count(orders)
    "#);
}

#[test]
fn a_warning_in_a_file_shows_its_line() {
    let text = "// Sales.\nmetric a = 1\n\nmetric b = a and c\n    or d\nmetric e = 2\n";
    let start = text.find("a and c").unwrap();
    let span = Span::new(start, text.find("metric e").unwrap() - 1);
    let diagnostic = Diagnostic::new(Code::W201, span, "`and` mixed with `or`")
        .suggest(Suggestion::replace(span, "(a and c)\n    or d"));

    assert_snapshot!(plain(text, diagnostic), @r#"
    warning[W201]: `and` mixed with `or`
     --> formula:4:12
      |
    4 |   metric b = a and c
      |  ____________^
    5 | |     or d
      | |________^
      |
      = try: metric b = (a and c)
                 or d
    "#);
}

#[test]
fn several_findings_are_parted_by_a_blank_line() {
    let diagnostics = [
        Diagnostic::new(Code::E102, Span::new(2, 3), "a value is missing"),
        Diagnostic::new(Code::E101, Span::new(0, 1), "`(` is never closed"),
    ];

    assert_snapshot!(render("a", "(1+", &diagnostics, Style::Plain), @r#"
    error[E102]: a value is missing
     --> a:1:3
      |
    1 | (1+
      |   ^

    error[E101]: `(` is never closed
     --> a:1:1
      |
    1 | (1+
      | ^
    "#);
    assert_eq!(render("a", "(1+", &[], Style::Plain), "");
}

#[test]
fn the_end_of_the_text_can_be_pointed_at() {
    let missing = |at| Diagnostic::new(Code::E102, Span::new(at, at), "a value is missing");

    assert_snapshot!(plain("1 +", missing(3)), @r#"
    error[E102]: a value is missing
     --> formula:1:4
      |
    1 | 1 +
      |    ^
    "#);
    assert_snapshot!(plain("", missing(0)), @r#"
    error[E102]: a value is missing
     --> formula:1:1
      |
    1 |
      | ^
    "#);
    assert_snapshot!(plain("1 +\n", missing(4)), @r#"
    error[E102]: a value is missing
     --> formula:2:1
      |
    2 |
      | ^
    "#);
}

#[test]
fn lines_that_end_as_on_windows_are_shown_without_the_mark_of_their_end() {
    let missing = Diagnostic::new(Code::E102, Span::new(13, 14), "a value is missing");

    let drawn = plain("a = 1\r\nb = a +\r\nc = 2\r\n", missing);

    let lines: Vec<_> = drawn.lines().map(str::trim_end).collect();
    assert!(lines.contains(&"2 | b = a +"), "{drawn:?}");
    assert!(lines.contains(&"  |       ^"), "{drawn:?}");
}

#[test]
fn carets_align_under_wide_characters_and_tabs() {
    let text = "\t'売上' + é";
    let place = Span::new(text.find('+').unwrap(), text.find('+').unwrap() + 1);

    assert_snapshot!(plain(text, Diagnostic::new(Code::E301, place, "no")), @r#"
    error[E301]: no
     --> formula:1:7
      |
    1 |     '売上' + é
      |            ^
    "#);
}

#[test]
fn nothing_hidden_reaches_the_terminal() {
    let text = "a = '\u{202e}x\u{200b}\u{1b}[31m\u{9b}1m'\u{7}";
    let diagnostic = Diagnostic::new(Code::E108, Span::new(5, 8), "`\u{202e}` \u{1b}[31m unknown")
        .label(Span::new(9, 12), "\u{feff}here")
        .help("leave `\u{200f}` out\nof it")
        .suggest(Suggestion::replace(Span::new(5, 8), "\u{2066}\u{1b}"));
    let drawn = render("\u{1b}name\n", text, &[diagnostic], Style::Plain);

    assert_snapshot!(drawn, @r#"
    error[E108]: `\u{202e}` \u{1b}[31m unknown
     --> \u{1b}name\n:1:6
      |
    1 | a = '�x��[31m�1m'�
      |      ^ - \u{feff}here
      |
      = help: leave `\u{200f}` out\nof it
      = try: a = '��x��[31m�1m'�
    "#);
    let hidden = |character: char| character.is_control() && character != '\n';
    assert!(!drawn.contains(hidden), "{drawn:?}");
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let text = format!("{} + oops + {}", "a + ".repeat(2_000), "b + ".repeat(2_000));
    let start = text.find("oops").unwrap();
    let diagnostic = Diagnostic::new(Code::E201, Span::new(start, start + 4), "not known")
        .suggest(Suggestion::replace(Span::new(start, start + 4), "mended"));

    let drawn = plain(&text, diagnostic);

    assert!(drawn.contains("oops") && drawn.contains("+ mended +"), "{drawn}");
    assert!(drawn.lines().all(|line| line.chars().count() < 200), "{drawn}");
}

#[test]
fn spans_that_do_not_fit_are_moved_into_the_text() {
    let text = "é + 売\r\nx\n";
    for start in 0..20 {
        for end in 0..20 {
            let span = Span { start, end };
            let diagnostic = Diagnostic::new(Code::E301, span, "m")
                .label(Span { start: end, end: u32::MAX }, "l")
                .suggest(Suggestion::replace(span, "ü"));
            assert!(plain(text, diagnostic.clone()).contains("error[E301]"), "{start}..{end}");
            assert!(plain("", diagnostic).contains("error[E301]"), "{start}..{end}");
        }
    }
}

#[test]
fn colours_are_an_option() {
    let diagnostic = [Diagnostic::new(Code::E201, Span::new(0, 1), "not known")];

    assert!(render("f", "x", &diagnostic, Style::Coloured).contains("\u{1b}["));
    assert!(!render("f", "x", &diagnostic, Style::Plain).contains("\u{1b}["));
}
