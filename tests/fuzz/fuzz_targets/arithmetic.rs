//! Any random network with arithmetic: on every level the described network equals the reference interpreter, and no
//! value leaves the range that was proved.
//!
//! The first eight bytes choose the network, the lowest bit of them whether of floats, the next eight its weights.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nnue::Level;
use nnue::dynamic::{Network, Stack};
use nnue_codegen::described_text;
use nnue_testkit::arithmetic::{floats, integers};
use nnue_testkit::games::position;
use shakmaty::Chess;

const FENS: [&str; 2] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r4rk1/1p3pp1/p1n1b2p/3q4/3P4/2P1PN2/Q4PPP/1R2R1K1 b - - 0 21",
];

fuzz_target!(|bytes: &[u8]| {
    let seed = |bytes: &[u8]| {
        bytes
            .iter()
            .take(8)
            .fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    };
    let (network, weights) = bytes.split_at(bytes.len().min(8));
    let seed_of_network = seed(network);
    let text = match seed_of_network % 2 {
        0 => integers(seed_of_network / 2),
        _ => floats(seed_of_network / 2),
    };
    // The descriptions of a process have a limit.
    let Ok(described) = described_text(&text) else {
        return;
    };
    let network = Network::random(described[0], seed(weights));
    let mut network = network.expect("no code of a program");
    for fen in FENS {
        network = check(network, &position(fen), &text);
    }
});

fn check(mut network: Network, board: &Chess, text: &str) -> Network {
    let net = network.spec();
    let trace = network.intermediate(&network.accumulate(board), 0);
    for (buffer, values) in trace.integers.iter().enumerate() {
        let (least, greatest) = net.range_of(buffer);
        let is_inside = |value: &i32| (least..=greatest).contains(value);
        assert!(values.iter().all(is_inside), "{buffer}: {text}");
    }
    for level in Level::available() {
        network = network.with_level(level);
        let found = network.output(board, &mut Stack::new());
        // The text of a float has all of its bits; NaNs are equal.
        let [found, expected] = [found, trace.output(net)].map(|output| format!("{output:?}"));
        assert_eq!(found, expected, "{level}: {text}");
    }
    network
}
