//! Imported graphs, compiled: what `nnue import` declared, as the macro compiles it, with the file of `--quantize`. The kernels of every level have the
//! accumulators, the sums of every layer and the values of the reference interpreter.

use cozy_chess::Board as Position;
use nnue::spec::reference::{self, Board};
use nnue::{Architecture, Level, Network, Parameters, nnue};
use nnue_spec::Fen;

use crate::declared::{MIDDLE, START, plan};
use crate::{file, nnue, text};

nnue! {
    pub struct Perspective {
        acc = accumulate(768, 32 @ 255) x 2;
        let h1 = affine(screlu(acc), 8: f32);
        output affine(crelu(h1), 1: f32);
        format raw
    }
    pub struct Quantised {
        acc = accumulate(768, 32) x 2;
        let h1 = affine(crelu(acc), 8);
        output affine(crelu(h1), 1);
        format raw
    }
    pub struct Psqt {
        acc = accumulate(768, 32) x 2, psqt 4;
        stacks 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1)[0..15], crelu(h1)[0..15]), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
    }
    pub struct Gates {
        acc = accumulate(768, 32 @ 255) x 2;
        let h1 = affine(concat(max_halves(acc), avg_halves(acc)), 16: f32);
        let a1 = glu(h1);
        let h2 = affine(a1, 8: f32);
        let a2 = add(a1, crelu(h2));
        let a3 = mean(a2);
        let a4 = max(a2, tanh(h2));
        let a5 = mul(crelu(h2)[0..4], a1[2..6]);
        output affine(concat(a2, a3, a4, a5), 1: f32);
        format raw
    }
    pub struct Kings {
        acc = accumulate(Chess768[buckets: [0 x 32, 1 x 32]], 32 @ 255) x 2;
        output affine(crelu(acc), 1: f32);
        format raw
    }
}

/// Imports a graph as a network of this declaration, and compares its kernels with the reference interpreter.
fn compare<A: Architecture>(graph: &str, features: &str) {
    let format = if graph.ends_with("pt2") { "torch" } else { "onnx" };
    let (graph, net) = (format!("{}/../tests/import/{graph}", env!("CARGO_MANIFEST_DIR")), file(A::SPEC.name, b""));
    let arguments = ["import", format, &graph, "--name", A::SPEC.name, "--features", features, "--check"];
    let printed = nnue(&[&arguments[..], &["--quantize", text(&net)]].concat()).succeeds();
    let (_, declared) = printed.split_once("nnue::nnue! {").expect("it declares a network");
    let (declared, _) = declared.rsplit_once('}').expect("a brace closes");
    assert_eq!(plan(declared).tables().descriptor(), A::SPEC);
    let mut network = Network::<A>::open(&net).expect("it is the network's file");
    let tensors = network.params().tensors();
    let fens = [
        START,
        MIDDLE,
        "r1bqk2r/pp2bppp/2n2n2/3p4/3P4/2N1BN2/PP3PPP/R2QKB1R b KQkq - 1 9",
        "8/5k2/8/3P4/3r4/8/4K3/8 b - - 0 1",
    ];
    let seen = fens.map(|fen| {
        let position: Position = fen.parse().expect("it is legal");
        let fen = Fen::parse(fen).expect("a FEN");
        let board = Board::new(fen.pieces, fen.black_to_move);
        (position, reference::evaluate(&A::SPEC, &tensors, &board))
    });
    for level in Level::available() {
        network = network.with_level(level);
        for (position, expected) in &seen {
            assert_eq!(network.evaluate_fresh(position).value, expected.value, "{level}: {position:?}");
            let layers = network.intermediate(&network.accumulate(position), &[]);
            assert_eq!(layers, expected.stacks[expected.bucket], "{level}: {position:?}");
        }
    }
    assert!(seen.iter().any(|(_, trace)| trace.value != seen[0].1.value), "all values are the same");
}

#[test]
fn kernels_of_imported_networks_say_what_the_reference_says() {
    compare::<Perspective>("perspective.pt2", "768");
    compare::<Quantised>("quantised.onnx", "768");
    compare::<Psqt>("psqt.pt2", "768");
    compare::<Gates>("gates.onnx", "768");
    compare::<Kings>("kings.onnx", "Chess768[buckets: [0 x 32, 1 x 32]]");
}
