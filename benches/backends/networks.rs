//! A declared network: batches beside fresh evaluations one by one.

use std::hint::black_box;
use std::sync::Arc;

use nnue::{AccumulatorStack, Change, Network, Piece, Placed, Position as _, Square};
use nnue_backend::nnue::{Board, Nnue};
use nnue_backend::{Backend, Batched, Chess, Wanted};
use nnue_data::Position;

use crate::files::NetworkFile;
use crate::games::{Game, alone, unrelated};
use crate::group::{Aim, Group};

pub(crate) type Sfnnv9 = Arc<Network<nnue::stockfish::Sfnnv9>>;

type Stack = AccumulatorStack<nnue::stockfish::Sfnnv9>;

/// The network that is measured.
pub(crate) fn network() -> Sfnnv9 {
    let file = NetworkFile::of("v9");
    eprintln!("sfnnv9: {}", file.name);
    Arc::new(Network::from_bytes(&file.bytes).expect("the network is right"))
}

/// The backend on one thread.
pub(crate) fn backend(network: &Sfnnv9) -> Arc<dyn Backend<Chess>> {
    Arc::new(Batched::new(
        "nnue",
        Nnue::new(Arc::clone(network), 1, 400.0),
    ))
}

/// Evaluates all positions, each from nothing.
pub(crate) fn fresh(network: &Sfnnv9, positions: &[Position]) -> Vec<Option<i32>> {
    positions
        .iter()
        .map(|&position| Some(network.evaluate_fresh(&Board(position)).value))
        .collect()
}

/// Positions of different games in batches of 256.
pub(crate) fn unrelated_batches(network: &Sfnnv9) -> Group {
    batches(
        network,
        "unrelated positions",
        unrelated(2048)
            .chunks(256)
            .map(<[Position]>::to_vec)
            .collect(),
        1.5,
    )
}

/// All children of a position as a batch, and by a stack, which evaluates the position first and then follows each move.
pub(crate) fn children(network: &Sfnnv9) -> Group {
    let families: Vec<Family> = (0..60)
        .map(Family::of_game)
        .filter(|family| !family.children.is_empty())
        .collect();
    let batches_of = families
        .iter()
        .map(|family| family.children.clone())
        .collect();
    let mut group = batches(network, "children of a position", batches_of, 3.0);
    let (own, mut stack) = (Arc::clone(network), AccumulatorStack::new());
    for family in &families {
        let expected = fresh(&own, &family.children);
        let mut said = expected.iter();
        family.by_stack(&own, &mut stack, |value| {
            assert_eq!(said.next(), Some(&Some(value)), "by a stack")
        });
    }
    group.add(
        "the position and its children by a stack",
        Aim::None,
        move || {
            families.iter().for_each(|family| {
                family.by_stack(&own, &mut stack, |value| {
                    black_box(value);
                })
            });
            families.iter().map(|family| family.children.len()).sum()
        },
    );
    group
}

/// A position, and what becomes of it by each of its moves.
struct Family {
    parent: Position,
    children: Vec<Position>,
    changes: Vec<Change>,
}

impl Family {
    /// The last position of a random game.
    fn of_game(seed: u64) -> Self {
        let game = Game::new(seed, 40);
        let (parent, moves) = (
            *game.positions.last().expect("the start"),
            game.moves.last().expect("its moves"),
        );
        let children: Vec<Position> = moves
            .iter()
            .map(|&mv| parent.play(mv).expect("a legal move"))
            .collect();
        let changes = children
            .iter()
            .map(|child| change(&parent, child))
            .collect();
        Self {
            parent,
            children,
            changes,
        }
    }

    fn by_stack(&self, network: &Sfnnv9, stack: &mut Stack, mut say: impl FnMut(i32)) {
        stack.reset();
        black_box(network.evaluate(&Board(self.parent), stack));
        for (child, &change) in self.children.iter().zip(&self.changes) {
            stack.push(change);
            say(network.evaluate(&Board(*child), stack).value);
            stack.pop();
        }
    }
}

/// The pieces by which two positions differ, which a move took away and put down.
fn change(before: &Position, after: &Position) -> Change {
    let pieces = |here: &Position, there: &Position| -> Vec<Placed> {
        let only_here = Piece::ALL.map(|piece| {
            let squares =
                |position: &Position| Board(*position).pieces(piece.color(), piece.kind());
            (piece, squares(here) & !squares(there))
        });
        let placed = |square: u8| {
            only_here
                .into_iter()
                .filter(move |(_, squares)| squares >> square & 1 == 1)
                .map(move |(piece, _)| Placed::new(piece, Square::new(square)))
        };
        (0..64).flat_map(placed).collect()
    };
    Change::new(&pieces(before, after), &pieces(after, before))
        .expect("a move changes at most four pieces")
}

fn batches(network: &Sfnnv9, name: &'static str, batches: Vec<Vec<Position>>, aim: f64) -> Group {
    let backend = backend(network);
    let count: usize = batches.iter().map(Vec::len).sum();
    for positions in &batches {
        let answers = backend
            .evaluate(&alone(positions), Wanted::VALUE)
            .expect("answers");
        assert!(
            answers
                .iter()
                .map(|answer| answer.score)
                .eq(fresh(network, positions)),
            "{name}"
        );
    }
    let (batches, mut group) = (Arc::new(batches), Group::new(name));
    let (own, all) = (Arc::clone(network), Arc::clone(&batches));
    group.add("fresh, one by one", Aim::None, move || {
        all.iter().flatten().for_each(|&position| {
            black_box(own.evaluate_fresh(&Board(position)));
        });
        count
    });
    group.add("`nnue`, a batch each", Aim::TimesFirst(aim), move || {
        for positions in batches.iter() {
            black_box(
                backend
                    .evaluate(&alone(positions), Wanted::VALUE)
                    .expect("answers"),
            );
        }
        count
    });
    group
}
