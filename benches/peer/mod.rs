//! Published crates beside this project: the same network, the same operations, the same values.

mod noru;
mod shape;
mod stockfish;

use std::rc::Rc;

use nnue::stockfish::{Sfnnv5, Sfnnv9, Sfnnv10};
use nnue::{Architecture, AvailableLevel, Network};

use crate::support::{Forward, NetworkFile, Play, Plies, Record, Refresh, Workload, best_and_avx2};
use shape::{Comparable, Tensors};

/// One workload, done by this project on several levels and by a peer.
pub(crate) struct Duel {
    /// `sfnnv5`, `sfnnv9`, `sfnnv10`, `768`
    pub(crate) network: &'static str,
    /// the network's weights: a file, `synthetic`
    pub(crate) weights: String,
    /// `nk`, `refresh`, `forward`, `ply`
    pub(crate) operation: &'static str,
    /// this project, best level first, then the peer
    pub(crate) sides: Vec<Side>,
}

/// One side of a comparison.
pub(crate) struct Side {
    /// `nnue avx2`, `noru 2.2.1`
    pub(crate) name: String,
    /// what it does
    pub(crate) workload: Box<dyn Workload>,
}

/// The comparisons with one peer on one network. They are made when they are needed, because their networks take much memory.
pub(crate) type Group = fn(&Play) -> Vec<Duel>;

/// All comparisons, group by group.
pub(crate) const GROUPS: [Group; 4] = [
    |play| against_nnue_rs::<Sfnnv5>("sfnnv5", "v5", play),
    |play| against_nnue_rs::<Sfnnv9>("sfnnv9", "v9", play),
    |play| against_nnue_rs::<Sfnnv10>("sfnnv10", "v10i8", play),
    against_noru,
];

fn against_nnue_rs<A: Architecture>(
    network: &'static str,
    generation: &str,
    play: &Play,
) -> Vec<Duel> {
    let NetworkFile { name, bytes } = NetworkFile::of(generation);
    let ours =
        on_levels(|| Network::<A>::from_bytes(&bytes).expect("a network of this generation"));
    let host = Host {
        network,
        weights: name,
        ours,
        peer: "nnue-rs 0.4.2",
    };
    let peer = Rc::new(stockfish::load::<A>(&bytes));
    vec![
        host.duel(
            "nk",
            |net| Plies::new(net, &play.normal),
            stockfish::Plies::new(&peer, &play.normal),
        ),
        host.duel(
            "refresh",
            |net| Refresh::new(net, &play.suite),
            stockfish::Refresh::new(&peer, &play.suite),
        ),
        host.duel(
            "forward",
            |net| Forward::new(net, &play.any),
            stockfish::Forward::new(&peer, &play.any),
        ),
    ]
}

/// noru's features do not depend on kings, so every ply is incremental.
fn against_noru(play: &Play) -> Vec<Duel> {
    let tensors = Tensors::random();
    let ours = on_levels(|| Network::<Comparable>::from_params(tensors.parameters()));
    let host = Host {
        network: "768",
        weights: "random".to_owned(),
        ours,
        peer: "noru 2.2.1",
    };
    let peer = Rc::new(noru::weights(&tensors));
    vec![
        host.duel(
            "ply",
            |net| Plies::new(net, &play.any),
            noru::Plies::new(&peer, &play.any),
        ),
        host.duel(
            "refresh",
            |net| Refresh::new(net, &play.suite),
            noru::Refresh::new(&peer, &play.suite),
        ),
        host.duel(
            "forward",
            |net| Forward::new(net, &play.any),
            noru::Forward::new(&peer, &play.any),
        ),
    ]
}

/// A network on some levels.
type Levels<A> = Vec<(AvailableLevel, Rc<Network<A>>)>;

/// The network on the best level and on AVX2, which is what the peers use.
fn on_levels<A: Architecture>(read: impl Fn() -> Network<A>) -> Levels<A> {
    best_and_avx2()
        .into_iter()
        .map(|level| (level, Rc::new(read().with_level(level))))
        .collect()
}

/// This project's side of all duels about one network.
struct Host<A: Architecture> {
    network: &'static str,
    weights: String,
    ours: Levels<A>,
    peer: &'static str,
}

impl<A: Architecture> Host<A> {
    /// A duel in which all sides give the same value for every position.
    ///
    /// # Panics
    ///
    /// If they give different values.
    fn duel<W: Workload + 'static>(
        &self,
        operation: &'static str,
        ours: impl Fn(&Rc<Network<A>>) -> W,
        mut peer: impl Workload + 'static,
    ) -> Duel {
        let [mut expected, mut found] = [Record::default(), Record::default()];
        peer.pass(&mut expected);
        let mut sides = Vec::new();
        for (level, network) in &self.ours {
            let mut workload = ours(network);
            workload.pass(&mut found);
            let (expected, found) = (&expected.values, &found.values);
            let same = expected
                .iter()
                .zip(found)
                .take_while(|(expected, found)| expected == found)
                .count();
            assert!(
                same == expected.len() && same == found.len(),
                "{} {operation}: nnue at {level} and {} differ at operation {same}",
                self.network,
                self.peer
            );
            sides.push(Side {
                name: format!("nnue {level}"),
                workload: Box::new(workload),
            });
        }
        sides.push(Side {
            name: self.peer.to_owned(),
            workload: Box::new(peer),
        });
        Duel {
            network: self.network,
            weights: self.weights.clone(),
            operation,
            sides,
        }
    }
}
