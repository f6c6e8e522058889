//! Imported graphs, compiled: what `nnue import` declared, as the macro compiles it, with the file of `--quantize`. The kernels of every level have the
//! accumulators, the sums of every layer and the values of the reference interpreter. Networks over a dense input have those of the recorded rows, too.

use cozy_chess::Board as Position;
use nnue::spec::reference::{self, Board};
use nnue::{Architecture, Level, Network, Parameters, dense, nnue};
use nnue_spec::Fen;
use nnue_spec::dense::reference as dense_reference;

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
        let h1 = affine(concat(max_halves(crelu(acc)), avg_halves(crelu(acc))), 16: f32);
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
    pub struct Buckets {
        acc = accumulate(768, 32 @ 255) x 2;
        stacks 8 by material_count {
            output affine(screlu(acc), 1: f32);
        }
        format raw
    }
    pub struct Bags {
        acc = accumulate(768, 32 @ 255) x 2;
        stacks 4 {
            let h1 = affine(crelu(acc), 16: f32);
            output affine(concat(sqr_crelu(h1)[0..15], crelu(h1)[0..15]), 1: f32) + h1[15];
        }
        format raw
    }
    pub struct Chances {
        acc = accumulate(768, 32 @ 255) x 2;
        let h1 = affine(pairwise(acc), 16: f32);
        output affine(screlu(h1), 3: f32);
        value wdl * 1000;
        format raw
    }
    pub struct Separate {
        acc = accumulate(768, 32 @ 255) x 2, separate;
        output affine(crelu(acc), 1: f32);
        format raw
    }
    pub struct Deeper {
        acc = accumulate(768, 32) x 2;
        let h1 = affine(acc, 16 binary);
        let h2 = affine(h1[0..12], 8 binary);
        let h3 = affine(concat(crelu(h1), crelu(h2)), 8);
        output affine(crelu(h3), 1);
        format raw
    }
    pub struct Pooled {
        acc = accumulate(768, 32) x 2;
        let h1 = affine(concat(avg_halves(crelu(acc)), max_neighbours(crelu(acc))), 16);
        let a1 = max(crelu(h1)[0..8], crelu(h1)[8..16]);
        let a2 = add(crelu(h1)[0..8], crelu(h1)[8..16]);
        let a3 = avg(crelu(h1)[0..8], crelu(h1)[8..16]);
        let a4 = mean(crelu(h1));
        let a5 = max_neighbours(crelu(h1), 4);
        output affine(concat(a1, a2, a3, a4, a5), 1);
        format raw
    }
    pub struct Digits = input[1, 18, 18] -> conv2d(4, kernel 3) relu -> max_pool2d(kernel 2) batch_norm
        -> conv2d(6, kernel 3, stride 2, padding 1) batch_norm(eps 0.001) relu -> avg_pool2d(kernel 2) -> flatten
        -> 10;
    pub struct Tower {
        x = input[5, 8, 8];
        let a1 = relu(batch_norm(conv2d(x, 8, kernel 3, padding 1)));
        let a2 = relu(batch_norm(conv2d(a1, 8, kernel 3, padding 1)));
        let a3 = batch_norm(conv2d(a2, 8, kernel 3, padding 1));
        let a4 = relu(add(a1, a3));
        let a5 = silu(affine(concat(flatten(avg_pool2d(a1, kernel 8)), flatten(avg_pool2d(a4, kernel 8))), 12));
        output affine(a5, 3);
    }
    pub struct Activations = input[12] -> 12 silu -> 12 hard_swish -> 12 tanh -> 12 sigmoid -> 12 leaky_relu
        -> 12 relu6 -> 12 crelu -> 12 screlu -> 12 sqr_crelu -> 12 hard_swish -> 2;
    pub struct Convolutions = input[2, 9, 9] -> conv2d(6 binary, kernel 3, input_scale) relu batch_norm
        -> conv2d(8 binary, kernel 3, stride 2, one_scale) -> flatten -> 4 binary;
}

/// Imports a graph as a network of this declaration, and compares its kernels with the reference interpreter.
fn compare<A: Architecture>(graph: &str, features: &str) {
    let format = if graph.ends_with("pt2") {
        "torch"
    } else {
        "onnx"
    };
    let (graph, net) = (
        format!("{}/../../tests/import/{graph}", env!("CARGO_MANIFEST_DIR")),
        file(A::SPEC.name, b""),
    );
    let arguments = [
        "import",
        format,
        &graph,
        "--name",
        A::SPEC.name,
        "--features",
        features,
        "--check",
    ];
    let printed = nnue(&[&arguments[..], &["--quantize", text(&net)]].concat()).succeeds();
    let (_, declared) = printed
        .split_once("nnue::nnue! {")
        .expect("it declares a network");
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
            assert_eq!(
                network.evaluate_fresh(position).value,
                expected.value,
                "{level}: {position:?}"
            );
            let layers = network.intermediate(&network.accumulate(position), &[]);
            assert_eq!(
                layers, expected.stacks[expected.bucket],
                "{level}: {position:?}"
            );
        }
    }
    assert!(
        seen.iter()
            .any(|(_, trace)| trace.stacks != seen[0].1.stacks),
        "{graph}: all sums are the same"
    );
}

/// The same of a network over a dense input, in its recorded rows.
fn compare_dense<A, const INPUTS: usize, const OUTPUTS: usize>(name: &str)
where
    A: dense::Architecture<Input = [f32; INPUTS], Output = [f32; OUTPUTS]>,
{
    let made = |end: &str| {
        format!(
            "{}/../../tests/import/{name}.{end}",
            env!("CARGO_MANIFEST_DIR")
        )
    };
    let (net, check) = (
        file(&format!("compiled-{name}.bin"), b""),
        format!("--check={}", made("npz")),
    );
    let arguments = [
        "import",
        "torch",
        &made("pt2"),
        "--name",
        A::SPEC.name,
        &check,
        "--output",
        text(&net),
    ];
    let printed = nnue(&arguments).succeeds();
    assert!(
        printed.contains("output, graph and recorded: differs by "),
        "{printed}"
    );
    let (_, declared) = printed
        .split_once("nnue::nnue! {")
        .expect("it declares a network");
    let (declared, _) = declared.rsplit_once('}').expect("a brace closes");
    let networks = nnue_codegen::dense_text(declared)
        .unwrap_or_else(|errors| panic!("{declared}: {errors:?}"));
    assert_eq!(networks[0].desc(), A::SPEC, "{printed}");
    let mut network = dense::Network::<A>::open(&net).expect("it is the network's file");
    let inputs: [[f32; INPUTS]; 3] = std::array::from_fn(|row| {
        std::array::from_fn(|at| ((at * 7 + row) % 11) as f32 / 8.0 - 0.5)
    });
    for level in Level::available() {
        network = network.with_level(level);
        for input in &inputs {
            let expected = dense_reference::evaluate(&A::SPEC, network.tensors(), input);
            assert_eq!(
                network.evaluate(input).as_slice(),
                expected[expected.len() - 1],
                "{level}"
            );
        }
    }
}

#[test]
fn kernels_of_imported_networks_over_numbers_say_what_the_reference_says() {
    compare_dense::<Digits, 324, 10>("digits");
    compare_dense::<Tower, 320, 3>("tower");
    compare_dense::<Activations, 12, 2>("activations");
    compare_dense::<Convolutions, 162, 4>("binary");
}

#[test]
fn kernels_of_imported_networks_say_what_the_reference_says() {
    compare::<Perspective>("perspective.pt2", "768");
    compare::<Quantised>("quantised.onnx", "768");
    compare::<Psqt>("psqt.pt2", "768");
    compare::<Gates>("gates.onnx", "768");
    compare::<Kings>("kings.onnx", "Chess768[buckets: [0 x 32, 1 x 32]]");
    compare::<Buckets>("buckets.onnx", "768");
    compare::<Bags>("bags.pt2", "768");
    compare::<Chances>("wdl.pt2", "768");
    compare::<Separate>("separate.onnx", "768");
    compare::<Deeper>("deeper.onnx", "768");
    compare::<Pooled>("pooled.onnx", "768");
}
