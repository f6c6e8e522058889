//! Batches: their rows compared with the reference, their order, their ends.

mod features;
mod order;
mod real;

use nnue_codegen::plan_text;
use nnue_spec::Fen;
use nnue_spec::plan::Plan;
use nnue_spec::reference::Board;

fn declared(text: &str) -> Vec<Plan> {
    plan_text(text).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn board(fen: &str) -> Board {
    let fen = Fen::parse(fen).unwrap();
    Board::new(fen.pieces, fen.black_to_move)
}
