//! Games of the tree search of the example over backends, against the alpha-beta search of the examples, which counts pieces: every move is legal, games
//! end, and they end as they have to with so many nodes. All numbers are the same on every processor, and so are the games.

use std::sync::Arc;

use nnue_backend::{Backend, Chess};
use nnue_data::{Move, Position};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, EnPassantMode, Position as _};

use crate::{alpha_beta, puct};

/// White's points: 1, a half or 0. The tree search has the pieces of one colour.
fn play(
    backend: &Arc<dyn Backend<Chess>>,
    playouts: usize,
    nodes: u64,
    tree_is_white: bool,
) -> f64 {
    let material = alpha_beta::material();
    let mut board = shakmaty::Chess::default();
    let mut game: Vec<Position> = vec![
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            .parse()
            .expect("the start"),
    ];
    let mut played: Vec<Zobrist64> = Vec::new();
    while game.len() < 200 {
        played.push(board.zobrist_hash(EnPassantMode::Legal));
        let position = game[game.len() - 1];
        let moves = position.legal_moves().expect("a position of a game");
        assert_eq!(moves.len(), board.legal_moves().len());
        let white = board.turn() == shakmaty::Color::White;
        if moves.is_empty() {
            let mated = if white { 0.0 } else { 1.0 };
            return if board.is_check() { mated } else { 0.5 };
        }
        if played
            .iter()
            .filter(|&before| before == &played[played.len() - 1])
            .count()
            == 3
            || board.halfmoves() >= 100
        {
            return 0.5;
        }
        let mv = if white == tree_is_white {
            let best = puct::Search::new(Arc::clone(backend), game.clone())
                .best(playouts)
                .expect("answers");
            best.expect("there are moves").0
        } else {
            let (best, ..) = alpha_beta::Search::new(&material, nodes, &played)
                .best_within_limit(&board)
                .expect("there are moves");
            Move::from_uci(&best.to_uci(CastlingMode::Standard).to_string(), &position)
                .expect("a move")
        };
        let text = mv.to_uci(&position);
        let uci: shakmaty::uci::UciMove = text.parse().expect("a move");
        board = board
            .clone()
            .play(uci.to_move(&board).expect("a legal move"))
            .expect("a legal move");
        game.push(position.play(mv).expect("a legal move"));
    }
    0.5
}

/// Points of the tree search in two games.
fn points(backend: &Arc<dyn Backend<Chess>>, playouts: usize, nodes: u64) -> f64 {
    play(backend, playouts, nodes, true) + 1.0 - play(backend, playouts, nodes, false)
}

#[test]
fn a_trained_network_plays() {
    let backend = puct::backends()
        .create("nnue(threads=1)")
        .expect("a network");
    let points = [30, 300].map(|nodes| points(&backend, 400, nodes));
    println!("{points:?} of 2");
    assert!(points[0] >= 1.0 && points[0] >= points[1]);
}

/// The real network of lc0, if it is there: see `tests/lc0`.
#[test]
fn a_network_of_lc0_plays() {
    let Some(path) = nnue_testkit::lc0_network() else {
        return;
    };
    let text = format!("cached(lc0(weights='{}'), history=1)", path.display());
    let backend = puct::backends().create(&text).expect("a network");
    let points = points(&backend, 64, 300);
    println!("{points} of 2");
    assert!(points >= 1.0);
}
