//! The canonical form.

use super::SHOP;
use crate::file::format;

fn plain(text: &str) -> String {
    format(text, &|_| None)
}

#[test]
fn a_canonical_file_stays_as_it_is() {
    assert_eq!(plain(SHOP), SHOP);
}

#[test]
fn a_crumpled_file_is_smoothed() {
    let text = "\
// head

/// About a.
metric  a   \"A\"=b/c   // why
   type   currency


   // note
   example {\"b\":1,
       \"c\":2}   =   null ( division_by_zero )
source   orders  event
  key id text
  // id
  field   amount  money ( EUR )of goods ,tax
  field status text in('a' , // first
      'b')
  field big bool=amount
     > 1
  // last
placeholder p=orders . amount   sum
placeholder q = orders.id

input z money
metric b
     = x
       + 1

// end
";
    insta::assert_snapshot!(plain(text));
}

#[test]
fn a_formula_moves_to_the_header_where_it_fits_and_below_where_it_does_not() {
    let long = "x + ".repeat(30);
    let text =
        format!("metric a\n    = 1\n        + 2\nmetric b = {long}1\nmetric c // why\n    = 1\n");

    let one_line = |formula: &str| Some(formula.split_whitespace().collect::<Vec<_>>().join(" "));

    assert_eq!(
        format(&text, &one_line),
        format!("metric a = 1 + 2\n\nmetric b\n    = {long}1\n\nmetric c // why\n    = 1\n")
    );
}

#[test]
fn a_printed_formula_that_loses_a_comment_is_passed_over() {
    let text = "metric a = x /* why */ + 1 // end\n";

    assert_eq!(format(text, &|_| Some("x + 1".to_owned())), text);
    let kept = format(text, &|_| Some("x  /* why */ +  1".to_owned()));
    assert_eq!(kept, "metric a = x  /* why */ +  1 // end\n");
}

#[test]
fn a_mark_of_byte_order_is_taken_away_behind_blanks_too() {
    for text in ["\u{feff}metric  a=1", " \n \u{feff}metric a = 1", "\u{feff} \u{feff}metric a = 1"]
    {
        assert_eq!(plain(text), "metric a = 1\n", "{text:?}");
    }
}

#[test]
fn a_text_without_an_end_is_left_alone() {
    let text = "metric a  =  'x\n  type   number\n";

    assert_eq!(plain(text), text);
}
