//! Header-less networks: every level against the reference, incremental against fresh, and, if their files are available, against the
//! values that the engines print.

use nnue::nnue;
use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Architecture, Level, LoadErrorKind, Network};
use nnue_testkit::board;
use nnue_testkit::bullet::{crc32, network, table};
use nnue_testkit::games::{position, random_game};
use nnue_testkit::random::Random;
use shakmaty::Position;

use crate::bullet_networks::*;
use crate::reference::agrees_with_the_reference;
use crate::support::Seen;

nnue! {
    /// one perspective, a scale whose products with trained weights do not fit in 16 bits
    pub struct OneSided403 = (768 -> 96)x1 @ 403 screlu -> 1: i16 @ 81 { format raw { fc0_bias: i32 } };

    /// buckets that are not mirrored, stacks by a formula
    pub struct Ranks256 = Chess768[buckets: [0 x 16, 1 x 16, 2 x 32]] -> 64x2 @ 256 screlu
        -> 1x8: i16 by min((63 - piece_count) * (32 - piece_count) / 225, 7) { format raw };

    /// both kings in one plane, stacks by a table, all tensors in another order
    pub struct Merged {
        inputs = Chess704[2112, buckets: [0 x 4, 1 x 12, 2 x 16], mirrored];
        acc = accumulate(inputs, 160 @ 255) x 2;
        stacks 3 by [0 x 10, 1 x 10, 2 x 13] { output affine(screlu(acc), 1: i16 @ 64); }
        value output * 300;
        format raw { skip: 3, order: [fc0_bias, ft_bias, fc0_weight, ft_weight], ft_weight: [output][input] }
    }

    /// a chain of 8-bit layers in a raw file, whose rows are not padded
    pub struct Deep = Chess768[mirrored] -> 64x2 @ 255 pairwise -> (16 -> 24 -> 1)x2 {
        format raw { fc0_weight: [input][stack][output], fc1_weight: [input][stack][output] }
    };
}

/// A test per network.
macro_rules! tests {
    ($($test:ident $net:ident,)*) => { $(
        #[test]
        fn $test() {
            agrees_with_the_reference::<$net>();
            games::<$net>();
            files::<$net>();
        }
    )* };
}

tests! {
    akimbo_256 Akimbo256,
    akimbo_512 Akimbo512,
    akimbo_768 Akimbo768,
    calvin_768 Calvin768,
    calvin_64 Calvin64,
    obsidian Obsidian,
    pawnocchio Pawnocchio,
    one_sided_403 OneSided403,
    ranks_256 Ranks256,
    merged Merged,
    deep Deep,
}

/// Random games, evaluated as they go and as they are taken back, on every level.
fn games<A: Architecture>() {
    let mut network = crate::support::network::<A>(6, crate::support::Weights::Tame);
    for level in Level::available() {
        network = network.with_level(level);
        play(&network, 3);
    }
}

fn play<A: Architecture>(network: &Network<A>, games: usize) {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut random = Random::new(8);
    let mut stack = AccumulatorStack::new();
    for _ in 0..games {
        let game = random_game(&mut random, &start, 80);
        let mut line = vec![game.start.clone()];
        stack.reset();
        for &m in &game.moves {
            let mut next = line[line.len() - 1].clone();
            stack.push(change_of(&next, &m));
            next.play_unchecked(m);
            assert_eq!(
                network.evaluate(&next, &mut stack),
                network.evaluate_fresh(&next),
                "{}",
                A::SPEC.name
            );
            line.push(next);
        }
        while let Some(before) = line.pop() {
            if random.below(3) == 0 {
                assert_eq!(
                    network.evaluate(&before, &mut stack),
                    network.evaluate_fresh(&before),
                    "{}",
                    A::SPEC.name
                );
            }
            if !line.is_empty() {
                stack.pop();
            }
        }
    }
}

/// A file is loaded as it was written; a random network with a golden value is refused.
fn files<A: Architecture>() {
    let network = crate::support::network::<A>(6, crate::support::Weights::Tame);
    let mut file = Vec::new();
    network.write(&mut file).expect("a vector takes everything");
    if !A::SPEC.goldens.is_empty() {
        let error = Network::<A>::from_bytes(&file).expect_err("random weights have other values");
        assert_eq!(error.kind(), LoadErrorKind::Golden, "{error}");
        return;
    }
    let loaded =
        Network::<A>::from_bytes(&file).unwrap_or_else(|error| panic!("{}: {error}", A::SPEC.name));
    let mut again = Vec::new();
    loaded.write(&mut again).expect("a vector takes everything");
    assert!(file == again, "{}", A::SPEC.name);
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(
        loaded.evaluate_fresh(&start),
        network.evaluate_fresh(&start),
        "{}",
        A::SPEC.name
    );
}

/// The network of an engine, on every level: accumulators, values, and games.
fn engine<A: Architecture>(name: &str) {
    let Some(bytes) = network(&format!("{name}.bin")) else {
        return;
    };
    let mut network =
        Network::<A>::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (rows, accumulators) = (table(name), table("accumulators"));
    for level in Level::available() {
        network = network.with_level(level);
        for row in &rows {
            let value = network
                .evaluate_fresh(&Seen(board::Board::from_fen(row.text("fen"))))
                .value;
            assert_eq!(
                Some(i64::from(value)),
                row.number("eval"),
                "{name}, {level}: {}",
                row.text("fen")
            );
        }
        for row in accumulators.iter().filter(|row| row.text("net") == name) {
            let accumulators = network.accumulate(&Seen(board::Board::from_fen(row.text("fen"))));
            for (side, values) in ["stm", "ntm"].into_iter().zip(accumulators.values()) {
                let crc = crc32(values.iter().flat_map(|value| value.to_le_bytes()));
                assert_eq!(
                    format!("{crc:08x}"),
                    row.text(&format!("{side}_crc32_le_i16")),
                    "{name}, {level}"
                );
            }
        }
        play(&network, 2);
    }
}

#[test]
fn networks_of_engines_say_what_the_engines_say() {
    engine::<Akimbo256>("akimbo-256x2-crelu");
    engine::<Akimbo512>("akimbo-512x2-crelu-ob8");
    engine::<Akimbo768>("akimbo-768x2-screlu181-ob8");
    engine::<Calvin768>("calvin-768hm-768x2-screlu");
    engine::<Calvin64>("calvin-64x2-screlu");
    engine::<Obsidian>("obsidian-4kbhm-512x2-screlu-ob8");
    engine::<Pawnocchio>("pawnocchio-768hm-1024x2-screlu-ob8");
}
