//! The overview: pinned figures, sales over time, best products, orders to be shipped, and firing alerts.

mod board;
mod parts;
mod tiles;

use askama::Template;

use board::Board;
pub(super) use board::change_board;
use parts::{Firing, TopProducts, Unsent};
use tiles::Tile;

use super::figures::Chart;
use super::page::{Frame, PageResult, Part, Section, show};
use super::range::Range;
use super::store::Store;
use super::visit::Visit;

#[derive(Debug, Template)]
#[template(path = "overview/overview.html")]
struct Overview {
    frame: Frame,
    range: Range,
    /// Whether the tiles have buttons for moving and removing them.
    is_editing: bool,
    board: Board,
    /// The keys and names of the figures that are not on the board.
    addable: Vec<(String, String)>,
    can_share: bool,
    tiles: Part<Vec<Tile>>,
    sales: Part<Chart>,
    /// The URL of the best products. They are loaded after the page, because they take longer than everything
    /// else.
    best_products: String,
    unsent: Part<Unsent>,
    firing: Part<Firing>,
    store: Store,
}

pub(super) async fn show_overview(visit: Visit) -> PageResult {
    let range = Range::of(&visit);
    let board = board::shown(&visit, visit.parameters.text("board")).await;
    let is_editing = visit.parameters.has("edit");
    let (figures, unsent, firing, addable) = tokio::join!(
        tiles::read(&visit, &range, &board),
        parts::unsent(&visit),
        parts::firing(&visit),
        tiles::addable(&visit, &board, is_editing),
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
        store: visit.store,
    })
}

/// The best products, a part of the overview.
#[derive(Debug, Template)]
#[template(path = "overview/products.html")]
struct BestProducts {
    range: Range,
    products: Part<TopProducts>,
    address: String,
    store: Store,
}

pub(super) async fn show_best_products(visit: Visit) -> PageResult {
    let range = Range::of(&visit);
    let products = parts::products(&visit, &range).await;
    show(&BestProducts {
        address: range.on("/app/best-products"),
        range,
        products,
        store: visit.store,
    })
}
