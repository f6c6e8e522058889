//! Mates are found, values equal those of a search without pruning, and results are deterministic.

use super::*;

fn material(board: &Board) -> i32 {
    let of = |color| {
        let pieces = [100, 310, 330, 500, 900].into_iter().zip(Piece::ALL);
        pieces
            .map(|(worth, piece)| worth * board.colored_pieces(color, piece).len() as i32)
            .sum::<i32>()
    };
    of(board.side_to_move()) - of(!board.side_to_move())
}

fn search(fen: &str, depth: u32) -> Option<Found> {
    let limits = Limits {
        depth,
        soft_nodes: 1 << 20,
        hard_nodes: 1 << 22,
    };
    Search::new(material, 14).best(&fen.parse().unwrap(), &[], limits)
}

#[test]
fn mates_are_found() {
    for (fen, best, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        (
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "h5f7",
            1,
        ),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 3),
        ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "c6c7", 3),
        ("8/8/8/8/8/1k6/r7/1K6 b - - 0 1", "", 3),
    ] {
        let found = search(fen, 7).unwrap();
        assert_eq!(found.value, MATE - plies, "{fen}: {found:?}");
        assert!(
            best.is_empty() || found.best.to_string() == best,
            "{fen}: {found:?}"
        );
    }
    let lost = search("k7/8/1K6/8/8/8/8/7R b - - 0 1", 4).unwrap();
    assert_eq!(
        (lost.best.to_string().as_str(), lost.value),
        ("a8b8", -(MATE - 2))
    );
}

#[test]
fn without_a_legal_move_there_is_no_best() {
    assert_eq!(search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3), None);
    assert_eq!(search("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3), None);
    // Promotion to a queen is worth nothing if it leaves a stalemate.
    let saved = search("7k/8/6KP/8/8/8/8/8 b - - 0 1", 3).unwrap();
    assert_eq!(saved.best.to_string(), "h8g8");
}

#[test]
fn draws_are_worth_nothing() {
    assert_eq!(
        search("4k3/8/8/8/8/8/8/Q3K3 w - - 99 80", 3).unwrap().value,
        0
    );
    assert_eq!(
        search("4k3/8/8/8/8/8/8/N3K3 w - - 0 80", 3).unwrap().value,
        0
    );
    let board: Board = "8/8/8/8/8/k7/7r/K7 w - - 8 10".parse().unwrap();
    let mut child = board.clone();
    child.play("a1b1".parse().unwrap());
    let limits = Limits {
        depth: 1,
        soft_nodes: 100,
        hard_nodes: 1000,
    };
    let value = |before: &[u64]| {
        Search::new(material, 10)
            .best(&board, before, limits)
            .unwrap()
            .value
    };
    assert_eq!(
        [value(&[child.hash_without_ep(), 1, 2]), value(&[1, 2])],
        [0, -500]
    );
}

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2r3k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

/// The value by plain negamax, without windows, table and move ordering.
fn plain(board: &Board, depth: i32, ply: usize) -> i32 {
    let moves = legal_moves(board);
    let is_check = !board.checkers().is_empty();
    let depth = depth + i32::from(is_check);
    if moves.is_empty() && (is_check || depth > 0) {
        return if is_check { ply as i32 - MATE } else { 0 };
    }
    let (mut greatest, moves) = match depth {
        1.. => (-INFINITE, moves),
        _ if is_check => (-INFINITE, moves),
        _ => (material(board), captures(board)),
    };
    for mv in moves {
        let mut child = board.clone();
        child.play_unchecked(mv);
        greatest = greatest.max(-plain(&child, (depth - 1).max(0), ply + 1));
    }
    greatest
}

#[test]
fn windows_table_and_order_change_no_value() {
    for fen in [POSITIONS[0], POSITIONS[2], POSITIONS[3]] {
        for depth in 1..=2 {
            let expected = plain(&fen.parse().unwrap(), depth, 0);
            assert_eq!(
                search(fen, depth as u32).unwrap().value,
                expected,
                "{fen} {depth}"
            );
        }
    }
}

#[test]
fn the_same_search_finds_the_same() {
    let limits = Limits {
        depth: 20,
        soft_nodes: 3000,
        hard_nodes: 9000,
    };
    let mut used = Search::new(material, 12);
    for fen in POSITIONS {
        let board: Board = fen.parse().unwrap();
        let fresh = Search::new(material, 12).best(&board, &[], limits);
        used.clear();
        assert_eq!(used.best(&board, &[], limits), fresh, "{fen}");
        let found = fresh.unwrap();
        assert!(
            found.nodes <= limits.hard_nodes + 1 && found.depth >= 2 && board.is_legal(found.best),
            "{found:?}"
        );
    }
}

/// Even a search that is interrupted in its first depth returns a legal move.
#[test]
fn few_nodes_are_enough_for_a_move() {
    for fen in POSITIONS {
        let limits = Limits {
            depth: 5,
            soft_nodes: 1,
            hard_nodes: 1,
        };
        let board: Board = fen.parse().unwrap();
        let found = Search::new(material, 4).best(&board, &[], limits).unwrap();
        assert!(board.is_legal(found.best) && found.depth == 0, "{fen}");
    }
}
