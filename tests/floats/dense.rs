//! Networks over a dense input, as the macro declares them: every level against the reference interpreter, a chain against its graph, files.

use nnue::dense::{Architecture, Network};
use nnue::{Level, nnue};
use nnue_testkit::random::Random;

nnue! {
    /// The network of the text on XNOR networks, in floats.
    pub struct Picture = input[1, 28, 28] -> conv2d(16, kernel 5) relu -> max_pool2d(kernel 2) batch_norm
        -> conv2d(32, kernel 5) relu -> max_pool2d(kernel 2) batch_norm -> flatten -> 10;

    /// The same as a graph.
    pub struct PictureGraph {
        x = input[1, 28, 28];
        let a = batch_norm(max_pool2d(relu(conv2d(x, 16, kernel 5)), kernel 2));
        let b = batch_norm(max_pool2d(relu(conv2d(a, 32, kernel 5)), kernel 2));
        output affine(flatten(b), 10);
        format raw
    }

    /// Odd sizes, strides and padding, two values joined, planes of 81 squares.
    pub struct Shogi {
        x = planes[5, 9, 9];
        let a = silu(conv2d(x, 7, kernel 4, stride 2, padding 2));
        let b = add(a, batch_norm(a, eps 1e-3), a);
        let c = concat(b, avg_pool2d(a, kernel 1), a);
        output tanh(affine(flatten(avg_pool2d(c, kernel 3, stride 1)), 19));
        floats fused;
    }

    /// The network of the text on XNOR networks.
    pub struct Xnor = input[1, 28, 28] -> conv2d(16 binary, kernel 5, input_scale) relu -> max_pool2d(kernel 2) batch_norm
        -> conv2d(32 binary, kernel 5, input_scale) relu -> max_pool2d(kernel 2) batch_norm -> flatten -> 10 binary;

    /// Signs of bits, one scale, padding, floats between.
    pub struct Signs {
        x = planes[5, 9, 9];
        let a = batch_norm(conv2d(x, 40 binary, kernel 3, stride 2, padding 2, one_scale));
        let b = concat(conv2d(a, 33, kernel 2), conv2d(a, 3 binary, kernel 2));
        let c = affine(flatten(b), 50 binary, input_scale, one_scale);
        output affine(tanh(c), 7 binary);
        floats fused;
    }

    /// A list.
    pub struct List = < input[37] -> 70 leaky_relu -> 3 sigmoid >;
}

/// Every level gives the reference interpreter's bits for `input`, whose numbers are `numbers`.
fn compare<A: Architecture>(seed: u64, input: &A::Input, numbers: &[f32]) {
    let file = Network::<A>::random(seed).to_bytes();
    let mut network = Network::<A>::from_bytes(&file).expect("it was written so");
    assert_eq!(network.to_bytes(), file);
    let values = nnue_spec::dense::reference::evaluate(&A::SPEC, network.tensors(), numbers);
    let bits = |values: &[f32]| {
        values
            .iter()
            .map(|value| value.to_bits())
            .collect::<Vec<_>>()
    };
    let expected = bits(values.last().expect("an output"));
    for level in Level::available() {
        network = network.with_level(level);
        assert_eq!(bits(network.evaluate(input).as_mut()), expected, "{level}");
    }
}

#[test]
fn networks_equal_the_reference_on_every_level() {
    let mut random = Random::new(1);
    let mut share = || random.below(2001) as f32 / 1000.0 - 1.0;
    for seed in 0..3 {
        let picture: [f32; 784] = std::array::from_fn(|_| share());
        compare::<Picture>(seed, &picture, &picture);
        compare::<Xnor>(seed, &picture, &picture);
        let list: [f32; 37] = std::array::from_fn(|_| share());
        compare::<List>(seed, &list, &list);
        let board: [f32; 405] = std::array::from_fn(|_| f32::from(share() > 0.5));
        let plane = |at: usize| {
            board[81 * at..][..81]
                .iter()
                .rev()
                .fold(0, |bits, &bit| bits << 1 | bit as u128)
        };
        compare::<Shogi>(seed, &[0, 1, 2, 3, 4].map(plane), &board);
        compare::<Signs>(seed, &[0, 1, 2, 3, 4].map(plane), &board);
    }
}

#[test]
fn a_chain_is_the_graph_that_it_abbreviates() {
    assert_eq!(Picture::SPEC.nodes, PictureGraph::SPEC.nodes);
    let names: Vec<String> = Shogi::SPEC
        .tensors()
        .into_iter()
        .map(|tensor| tensor.name)
        .collect();
    let norm = ["bn0_weight", "bn0_bias", "bn0_mean", "bn0_variance"];
    assert_eq!(
        names,
        [
            &["conv0_weight", "conv0_bias"][..],
            &norm,
            &["fc0_weight", "fc0_bias"]
        ]
        .concat()
    );
}

#[test]
fn a_file_is_read_from_disk() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("dense_list.bin");
    let file = Network::<List>::random(5).to_bytes();
    std::fs::write(&path, &file).expect("a small file");
    assert_eq!(
        ListNetwork::open(&path).expect("it is right").to_bytes(),
        file
    );
    std::fs::write(&path, [file, vec![0; 1000]].concat()).expect("a small file");
    let error = ListNetwork::open(&path)
        .expect_err("it is longer")
        .to_string();
    assert_eq!(
        error,
        "trailing bytes: the file goes on after the last tensor, `List` has 11492 bytes: 4 for each float, without a header"
    );
}
