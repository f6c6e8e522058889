//! Incremental evaluation equals a fresh one: games, gaps, undone moves, null moves, castling of all kinds.

use nnue::dynamic;
use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, AccumulatorTable, Architecture, Change, Network, Parameters};
use nnue_testkit::games::{position, random_game, vector_games};
use nnue_testkit::random::Random;
use shakmaty::{Chess, Position};

use crate::feature_sets::on_every_feature_set;
use crate::nets::{OwnPairs, Signature, Skip};
use crate::support::{Weights, network, positions};

fn assert_fresh<A: Architecture>(
    network: &Network<A>,
    position: &Chess,
    stack: &mut AccumulatorStack<A>,
) {
    let incremental = network.evaluate(position, stack);
    assert_eq!(
        incremental,
        network.evaluate_fresh(position),
        "{} {position:?}",
        A::SPEC.name
    );
}

fn play<A: Architecture>(position: &mut Chess, m: shakmaty::Move, stack: &mut AccumulatorStack<A>) {
    stack.push(change_of(position, &m));
    position.play_unchecked(m);
}

/// Games from standard and Chess960 starts; every ply, or gaps of several plies; whole lines taken back now and then.
fn games<A: Architecture>(network: &Network<A>) {
    let mut random = Random::new(3);
    let mut stack = AccumulatorStack::new();
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/5RKR w FHbd - 0 1",
    ];
    for start in starts.iter().cycle().take(12) {
        let game = random_game(&mut random, &position(start), 90);
        let gap = 1 + random.below(6);
        let mut line = vec![game.start.clone()];
        stack.reset();
        for &m in &game.moves {
            let mut next = line[line.len() - 1].clone();
            play(&mut next, m, &mut stack);
            line.push(next);
            if random.below(gap) == 0 {
                assert_fresh(network, &line[line.len() - 1], &mut stack);
            }
        }
        while line.len() > 1 {
            line.pop();
            stack.pop();
            if random.below(gap) == 0 {
                assert_fresh(network, &line[line.len() - 1], &mut stack);
            }
        }
    }
}

#[test]
fn games_with_gaps_and_undone_lines() {
    on_every_feature_set!(games);
}

/// All moves of 20 positions, and a reply to each, as in a search; by a stack, and by a table that knows nothing of the moves.
fn trees<A: Architecture>(network: &Network<A>) {
    let mut random = Random::new(9);
    let (mut stack, mut table) = (AccumulatorStack::new(), AccumulatorTable::new());
    // none for sets of the program
    let described = dynamic::Network::from_tensors(&A::SPEC, &network.params().tensors()).ok();
    let mut described =
        described.map(|network| (network, dynamic::Table::new(), dynamic::Stack::new()));
    for root in positions(33).into_iter().take(20) {
        stack.reset();
        for m in root.legal_moves() {
            let mut child = root.clone();
            play(&mut child, m, &mut stack);
            let replies = child.legal_moves();
            if !replies.is_empty() {
                let mut leaf = child.clone();
                play(&mut leaf, replies[random.below(replies.len())], &mut stack);
                assert_fresh(network, &leaf, &mut stack);
                assert_eq!(
                    network.evaluate_at(&leaf, &mut table),
                    network.evaluate_fresh(&leaf),
                    "{} {leaf:?}",
                    A::SPEC.name
                );
                let real = network.evaluate_fresh_real(&leaf);
                assert_eq!(network.evaluate_real(&leaf, &mut stack), real);
                assert_eq!(network.evaluate_fresh(&leaf), real.evaluation);
                if let Some((described, table, root)) = &mut described {
                    root.reset();
                    assert_eq!(described.evaluate_real(&leaf, root), real);
                    assert_eq!(
                        described.evaluate_at(&leaf, table),
                        described.evaluate_fresh(&leaf),
                        "described: {} {leaf:?}",
                        A::SPEC.name
                    );
                }
                stack.pop();
            }
            if random.below(2) == 0 {
                assert_fresh(network, &child, &mut stack);
            }
            stack.pop();
        }
    }
}

#[test]
fn all_moves_of_twenty_positions() {
    on_every_feature_set!(trees);
}

/// All children of 20 positions and of a child of each, at once: where the parent is computed, and where it is not.
fn children<A: Architecture>(network: &Network<A>) {
    let mut random = Random::new(4);
    let mut stack = AccumulatorStack::new();
    for root in positions(33).into_iter().take(20) {
        stack.reset();
        assert_children(network, &root, &mut stack);
        let moves = root.legal_moves();
        if !moves.is_empty() {
            let mut child = root.clone();
            play(&mut child, moves[random.below(moves.len())], &mut stack);
            assert_children(network, &child, &mut stack);
            stack.pop();
        }
    }
}

/// Compares all children at once, in any order, with each after the other.
fn assert_children<A: Architecture>(
    network: &Network<A>,
    position: &Chess,
    stack: &mut AccumulatorStack<A>,
) {
    let mut moves = position.legal_moves();
    moves.sort_by_key(|m| (m.to() as usize * 5) % 64);
    let changes: Vec<Change> = moves
        .iter()
        .map(|m| change_of(position, m))
        .chain([Change::null()])
        .collect();
    let mut evaluations = Vec::new();
    network.evaluate_children(position, &changes, stack, &mut evaluations);
    assert_eq!(evaluations.len(), changes.len());
    for (m, evaluation) in moves.iter().zip(&evaluations) {
        let mut child = position.clone();
        play(&mut child, *m, stack);
        assert_eq!(
            *evaluation,
            network.evaluate(&child, stack),
            "{} {position:?} {m:?}",
            A::SPEC.name
        );
        stack.pop();
    }
    if let Ok(passed) = position.clone().swap_turn() {
        assert_eq!(
            evaluations.last(),
            Some(&network.evaluate_fresh(&passed)),
            "{} {position:?}",
            A::SPEC.name
        );
    }
}

#[test]
fn all_children_at_once() {
    on_every_feature_set!(children);
}

/// The side to move passes in the middle of a line.
fn null_moves<A: Architecture>(network: &Network<A>) {
    let mut stack = AccumulatorStack::new();
    for game in vector_games().into_iter().take(4) {
        let mut now = game.start.clone();
        stack.reset();
        for &m in &game.moves {
            play(&mut now, m, &mut stack);
            let Ok(passed) = now.clone().swap_turn() else {
                continue;
            };
            stack.push_null();
            assert_fresh(network, &passed, &mut stack);
            let reply = passed.legal_moves();
            if let Some(&m) = reply.first() {
                let mut next = passed.clone();
                play(&mut next, m, &mut stack);
                assert_fresh(network, &next, &mut stack);
                stack.pop();
            }
            stack.pop();
        }
        assert_fresh(network, &now, &mut stack);
    }
}

#[test]
fn null_moves_change_only_the_side() {
    on_every_feature_set!(null_moves);
}

/// Every castling of every Chess960 start position, with the other pieces of the first rank removed, if the king may castle at once.
#[test]
fn chess960_castling() {
    castlings(&network::<Signature>(5, Weights::Wild));
    castlings(&network::<OwnPairs>(5, Weights::Wild));
}

fn castlings<A: Architecture>(network: &Network<A>) {
    let mut stack = AccumulatorStack::new();
    let mut castlings = 0;
    for (queen_rook, king, king_rook) in
        (0..8).flat_map(|q| (q + 1..7).flat_map(move |k| (k + 1..8).map(move |r| (q, k, r))))
    {
        let mut rank = ['1'; 8];
        (rank[queen_rook], rank[king], rank[king_rook]) = ('R', 'K', 'R');
        let file = |index: usize| (b'A' + index as u8) as char;
        let rank: String = rank.iter().collect();
        let fen = format!(
            "7k/6pp/8/8/8/8/8/{rank} w {}{} - 0 1",
            file(king_rook),
            file(queen_rook)
        );
        let start = position(&fen);
        stack.reset();
        assert_fresh(network, &start, &mut stack);
        assert_children(network, &start, &mut stack);
        for m in start.legal_moves().into_iter().filter(|m| m.is_castle()) {
            let mut after = start.clone();
            play(&mut after, m, &mut stack);
            assert_eq!(stack.verify(network, &after), Ok(()), "{fen} {m:?}");
            assert_fresh(network, &after, &mut stack);
            stack.pop();
            castlings += 1;
        }
    }
    assert!(castlings > 60, "{castlings}");
}

/// A stack that is used with another network gives that network's numbers.
#[test]
fn a_stack_may_change_its_network() {
    let [first, second] = [1, 2].map(|seed| network::<Signature>(seed, Weights::Tame));
    let game = &vector_games()[0];
    let mut stack = AccumulatorStack::new();
    let mut now = game.start.clone();
    for (ply, &m) in game.moves.iter().enumerate() {
        play(&mut now, m, &mut stack);
        assert_fresh(
            if ply % 3 == 2 { &second } else { &first },
            &now,
            &mut stack,
        );
    }
}

/// Threads share a network. WebAssembly has none.
#[cfg(not(target_family = "wasm"))]
#[test]
fn threads_share_a_network() {
    let network = network::<Skip>(1, Weights::Tame);
    let games = vector_games();
    std::thread::scope(|scope| {
        for game in games.iter().take(4) {
            let network = &network;
            scope.spawn(move || {
                let mut stack = AccumulatorStack::new();
                let mut now = game.start.clone();
                for &m in &game.moves {
                    play(&mut now, m, &mut stack);
                    assert_fresh(network, &now, &mut stack);
                }
            });
        }
    });
}
