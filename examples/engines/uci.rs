//! The commands of UCI that concern the network: an option that names its file, and a bench.

use std::io::BufRead;

use nnue::prelude::*;

use crate::make_unmake::Engine;
use crate::network::Evaluator;
use crate::rules::{A1, Board, Move};
use crate::{START, bench};

/// The file that the option `EvalFile` names; the embedded network stays if there is a fault in it.
fn eval_file(path: &str, network: &mut Network<Evaluator>) {
    match Network::open(path) {
        Ok(read) => *network = read,
        Err(error) => println!("info string {path}: {error}"),
    }
}

/// `startpos` or `fen ..`, and the moves that follow.
fn position(words: &[&str]) -> Option<Board<A1>> {
    let moves = words.iter().position(|word| *word == "moves");
    let (start, moves) = words.split_at(moves.unwrap_or(words.len()));
    let mut board = match start {
        ["startpos"] => Board::of_fen(START)?,
        ["fen", fen @ ..] => Board::of_fen(&fen.join(" "))?,
        _ => return None,
    };
    for text in moves.iter().skip(1) {
        let is_it = |mv: &Move| Board::<A1>::uci(*mv) == *text;
        let mv = board.legal_moves().into_iter().find(is_it)?;
        board.make(mv);
    }
    Some(board)
}

/// Speaks UCI until `quit`.
pub(crate) fn uci() {
    let mut network = Network::<Evaluator>::embedded();
    let mut board = Board::of_fen(START);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => {
                println!("id name make/unmake example of nnue");
                println!("option name EvalFile type string default <embedded>");
                println!("uciok");
            }
            ["isready"] => println!("readyok"),
            ["setoption", "name", "EvalFile", "value", path @ ..] => {
                eval_file(&path.join(" "), &mut network);
            }
            ["position", rest @ ..] => match position(rest) {
                Some(there) => board = Some(there),
                None => println!("info string this is no position: {line}"),
            },
            ["go", "depth", depth] => {
                if let (Some(board), Ok(depth)) = (board, depth.parse()) {
                    let (best, value) = Engine::new(&network, board).best(depth);
                    let best = best.map_or("0000".into(), Board::<A1>::uci);
                    println!("info depth {depth} score cp {value}\nbestmove {best}");
                }
            }
            ["bench"] => bench(&network),
            ["quit"] => return,
            _ => {}
        }
    }
}
