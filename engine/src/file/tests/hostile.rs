//! Hostile input: any text is read without a panic, in time linear in its length.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::SHOP;
use crate::file::layout::{Layout, Line, layout};
use crate::file::{format, load};

/// Enough to tell quadratic from linear time in a build with checks.
const LENGTH_BYTES: usize = 1 << 15;

/// Returns all tokens of a text, item by item and line by line, with blanks normalized.
///
/// A metric's formula may be on its header's line or below it, so the two count as one.
fn tokens(text: &str) -> Vec<String> {
    let (Layout { blocks, tail }, _) = layout(text);
    let even = |span: crate::source::Span| {
        span.slice(text).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut out = Vec::new();
    let line = |out: &mut Vec<String>, line: &Line, mark: &str| {
        out.extend(line.above.iter().map(|aside| even(aside.span)));
        let formula = line.tokens.first().is_some_and(|token| even(token.span) == "=");
        if !formula {
            out.push(mark.to_owned());
        }
        out.extend(line.tokens.iter().map(|token| even(token.span)));
    };
    for block in &blocks {
        line(&mut out, &block.header, "ITEM");
        for property in &block.properties {
            line(&mut out, property, "PROPERTY");
        }
        out.extend(block.tail.iter().map(|aside| even(aside.span)));
    }
    out.extend(tail.iter().map(|aside| even(aside.span)));
    out
}

fn check(text: &str) {
    let once = format(text, &|_| None);
    let twice = format(&once, &|_| None);
    assert!(twice == once, "printing twice differs from printing once:\n{once}\n---\n{twice}");
    let (before, after) = (tokens(text), tokens(&once));
    let kept = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    assert_eq!(after.get(kept), before.get(kept), "a token is lost or moved in\n{once}");
    load("x", &mut |_| Ok(text.to_owned()));
}

/// Text that the format gives a meaning, and near misses.
const PIECES: &str = "metric|source|field|a|b.c|money|(|)|[Net Sales]|[|]|=|,|'text'|\"t\"|'|\"|{|}|\
    // note|/* c */|/*|*/|/// doc|in|population|where|example|{\"a\": \"\\\"\"}|\n|\n    |\n        |\
    \n\n|\n\t| |\r\n|é|\u{a0}|4-5-4|dimension|store|dated by|/* x\n y */|/* x\ny */|placeholder|type|\
    +|.|input|use|\n  ";

/// Generates lines of such pieces in any order.
fn file() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.split('|').collect::<Vec<_>>());
    prop::collection::vec((piece, prop::sample::select(vec!["", " ", "  "])), 0..40)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, blank)| [piece, blank]).collect())
}

proptest! {
    #[test]
    fn printing_loses_nothing_and_is_stable(text in file()) {
        check(&text);
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn a_damaged_file_is_read(at in 0..SHOP.len(), length in 0_usize..60, piece in file()) {
        let before: String = SHOP.chars().take(at).collect();
        let after: String = SHOP.chars().skip(at).skip(length).collect();
        check(&format!("{before}{piece}{after}"));
    }
}

#[test]
fn a_large_file_takes_time_that_grows_with_its_length() {
    let shapes = [
        "metric a = 1\n",
        "metric",
        "/*\n",
        " /*\n",
        " a /*\n",
        "'",
        "\"",
        "{",
        "(",
        "\n",
        "=",
        " x\n",
        "metric a\n  = (\n   /* '\n",
        "/// d\n",
        "store\n currency",
        "source s event\n",
        "source orders event\n key a text\n",
        "{\"\\",
        "[",
        "a.",
        "input x money\n",
        ",",
        "source a event\n field b text in ('a', 'b')\n",
    ];
    for shape in shapes {
        let text: String = shape.repeat(LENGTH_BYTES / shape.len());
        for lead in
            ["", "metric m\n  = ", "source s event\n  field f text in (", "metric m\n example "]
        {
            let text = format!("{lead}{text}");
            let started = Instant::now();

            load("x", &mut |_| Ok(text.clone()));
            format(&text, &|_| None);

            let took = started.elapsed();
            assert!(took < Duration::from_secs(2), "{lead}{shape:?}: {took:?}");
        }
    }
}

#[test]
fn an_items_own_line_is_not_broken_where_the_rest_would_be_a_property() {
    let words = ["\"net_sales\" : 100,"; 6].join(" ");
    check(&format!("dimension country {{ {words} \"order_count\" : 4 }}\n"));
    check(&format!("input status text in ('a', {})\n", ["'a long value'"; 10].join(", ")));
}

#[test]
fn many_bracketed_names_on_one_line_take_linear_time() {
    let text = "[a]".repeat((1 << 20) / 3);
    let started = Instant::now();

    layout(&text);

    let took = started.elapsed();
    assert!(took < Duration::from_secs(4), "{took:?}");
}
