//! The overview: pinned figures, sales over time, best products, orders to be shipped, and firing alerts.

mod board;
mod parts;
mod tiles;

use askama::Template;
use axum::extract::State;

use board::Board;
pub(super) use board::change_board;
use parts::{Firing, Products, Unsent};
use tiles::{Addable, Tiles};

use super::Pages;
use super::figures::Chart;
use super::page::{Frame, PageResult, Part, Section, show};
use super::range::Range;
use super::visit::Visit;

#[derive(Debug, Template)]
#[template(path = "overview/overview.html")]
struct Overview {
    frame: Frame,
    range: Range,
    /// Whether the tiles have buttons for moving and removing them.
    is_editing: bool,
    board: Board,
    addable: Vec<Addable>,
    can_share: bool,
    tiles: Part<Tiles>,
    sales: Part<Chart>,
    /// The URL of the best products. They are loaded after the page, because they take longer than everything
    /// else.
    best_products: String,
    unsent: Part<Unsent>,
    firing: Part<Firing>,
}

/// Shows the overview.
pub(super) async fn show_overview(visit: Visit, State(pages): State<Pages>) -> PageResult {
    let range = Range::of(&visit);
    let board = board::read(&pages, &visit).await;
    let is_editing = visit.parameters.has("edit");
    let (figures, unsent, firing, addable) = tokio::join!(
        tiles::read(&pages, &visit, &range, &board),
        parts::unsent(&pages, &visit),
        parts::firing(&pages, &visit),
        tiles::addable(&pages, &visit, &board, is_editing),
    );
    let (tiles, sales) = figures;
    show(&Overview {
        frame: visit.frame(Section::Overview, "Overview"),
        is_editing,
        can_share: visit.edits_metrics(),
        best_products: range.on("/app/best-products"),
        range,
        board,
        addable,
        tiles,
        sales,
        unsent,
        firing,
    })
}

/// The best products, a part of the overview.
#[derive(Debug, Template)]
#[template(path = "overview/products.html")]
struct BestProducts {
    range: Range,
    products: Part<Products>,
    address: String,
}

/// Shows the best products.
pub(super) async fn show_best_products(visit: Visit, State(pages): State<Pages>) -> PageResult {
    let range = Range::of(&visit);
    let products = parts::products(&pages, &visit, &range).await;
    show(&BestProducts { address: range.on("/app/best-products"), range, products })
}
