//! A declared network: batches beside fresh evaluations one by one.

use std::hint::black_box;
use std::sync::Arc;

use nnue::Network;
use nnue_backend::nnue::{Board, Nnue};
use nnue_backend::{Backend, Batched, Chess, Wanted};
use nnue_data::Position;

use crate::files::NetworkFile;
use crate::games::{Game, alone, unrelated};
use crate::group::{Aim, Group};

pub(crate) type Sfnnv9 = Arc<Network<nnue::stockfish::Sfnnv9>>;

/// The network that is measured.
pub(crate) fn network() -> Sfnnv9 {
    let file = NetworkFile::of("v9");
    eprintln!("sfnnv9: {}", file.name);
    Arc::new(Network::from_bytes(&file.bytes).expect("the network is right"))
}

/// The backend on one thread.
pub(crate) fn backend(network: &Sfnnv9) -> Arc<dyn Backend<Chess>> {
    Arc::new(Batched::new("nnue", Nnue::new(Arc::clone(network), 1, 400.0)))
}

/// Evaluates all positions, each from nothing.
pub(crate) fn fresh(network: &Sfnnv9, positions: &[Position]) -> Vec<Option<i32>> {
    positions.iter().map(|&position| Some(network.evaluate_fresh(&Board(position)).value)).collect()
}

/// Positions of different games in batches of 256.
pub(crate) fn unrelated_batches(network: &Sfnnv9) -> Group {
    batches(network, "unrelated positions", unrelated(2048).chunks(256).map(<[Position]>::to_vec).collect(), 1.5)
}

/// All children of a position as a batch.
pub(crate) fn children(network: &Sfnnv9) -> Group {
    let of_game = |seed| {
        let game = Game::new(seed, 40);
        let (position, moves) = (game.positions.last().expect("the start"), game.moves.last().expect("its moves"));
        moves.iter().map(|&mv| position.play(mv).expect("a legal move")).collect::<Vec<Position>>()
    };
    let all = (0..60).map(of_game).filter(|children| !children.is_empty()).collect();
    batches(network, "children of a position", all, 3.0)
}

fn batches(network: &Sfnnv9, name: &'static str, batches: Vec<Vec<Position>>, aim: f64) -> Group {
    let backend = backend(network);
    let count: usize = batches.iter().map(Vec::len).sum();
    for positions in &batches {
        let answers = backend.evaluate(&alone(positions), Wanted::VALUE).expect("answers");
        assert!(answers.iter().map(|answer| answer.score).eq(fresh(network, positions)), "{name}");
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
            black_box(backend.evaluate(&alone(positions), Wanted::VALUE).expect("answers"));
        }
        count
    });
    group
}
