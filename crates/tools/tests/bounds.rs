//! Bounds: sound against the reference interpreter, tight where they can be, and telling where they must.

#[path = "../../files/tests/common/mod.rs"]
mod common;

use common::{Random, Shape, random_tensors};
use nnue_format::{LoadErrorKind, Tensors};
use nnue_spec::reference::{self, Board, Piece};
use nnue_spec::{BufferDesc, FeatureSetId, NetDesc, TensorMut, TensorRef, TensorRole};
use nnue_tools::bounds::{Bounds, Interval, Proof, layer, prove, prove_tightly};

fn fill(
    net: &NetDesc<'_>,
    tensors: &mut Tensors,
    role: TensorRole,
    value: impl Fn(usize, usize) -> i64,
) {
    let index = net
        .tensors
        .iter()
        .position(|tensor| tensor.role == role)
        .expect("there is such a tensor");
    let cols = net.tensors[index].cols;
    let value = |index: usize| value(index / cols, index % cols);
    match tensors.muts().swap_remove(index) {
        TensorMut::I8(v) => v
            .iter_mut()
            .enumerate()
            .for_each(|(index, x)| *x = value(index) as i8),
        TensorMut::I16(v) => v
            .iter_mut()
            .enumerate()
            .for_each(|(index, x)| *x = value(index) as i16),
        TensorMut::I32(v) => v
            .iter_mut()
            .enumerate()
            .for_each(|(index, x)| *x = value(index) as i32),
        TensorMut::F32(_) => panic!("no network here has floats"),
    }
}

fn small(set: FeatureSetId) -> NetDesc<'static> {
    Shape {
        set,
        width: 64,
        stacks: 8,
        ..Shape::small()
    }
    .sfnn_v5()
}

/// A board with two kings and up to 30 other pieces anywhere.
fn random_board(random: &mut Random) -> Board {
    let mut squares: Vec<usize> = (0..64).collect();
    let mut take =
        |random: &mut Random| squares.swap_remove(random.below(squares.len() as u64) as usize);
    let mut pieces: Vec<Piece> = [false, true]
        .map(|black| Piece {
            black,
            kind: 5,
            square: take(random),
        })
        .into_iter()
        .collect();
    for _ in 0..random.below(31) {
        let (black, kind) = (random.below(2) == 1, random.below(5) as usize);
        pieces.push(Piece {
            black,
            kind,
            square: take(random),
        });
    }
    Board {
        pieces,
        black_to_move: random.below(2) == 1,
    }
}

fn contains(interval: Interval, value: impl Into<i64>) -> bool {
    let value = value.into();
    interval.min <= value && value <= interval.max
}

fn check_board(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], bounds: &Bounds, board: &Board) {
    let trace = reference::evaluate(net, tensors, board);
    for side in 0..2 {
        assert!(
            trace.accumulators[side]
                .iter()
                .all(|&value| contains(bounds.accumulator.range, value))
        );
        let psqt = bounds.psqt.expect("the network has PSQT outputs");
        assert!(
            trace.psqt_accumulators[side]
                .iter()
                .all(|&value| contains(psqt, value))
        );
    }
    for stack in &trace.stacks {
        for (sums, layer) in stack.sums.iter().zip(&bounds.layers) {
            assert!(
                sums.iter()
                    .zip(&layer.outputs)
                    .all(|(&sum, &output)| contains(output, sum))
            );
        }
    }
    assert!(
        trace
            .psqt
            .iter()
            .all(|&psqt| contains(bounds.output.psqt, psqt))
    );
    assert!(
        trace
            .positional
            .iter()
            .all(|&positional| contains(bounds.output.positional, positional))
    );
    assert!(contains(bounds.output.value, trace.value));
}

#[test]
fn nothing_that_the_reference_computes_leaves_the_bounds() {
    let mut random = Random(1);
    for set in FeatureSetId::ALL {
        let net = small(set);
        let mut tensors = random_tensors(&net, 7);
        fill(
            &net,
            &mut tensors,
            TensorRole::TransformerWeight,
            |row, col| ((row * 31 + col * 17) % 401) as i64 - 200,
        );
        fill(
            &net,
            &mut tensors,
            TensorRole::TransformerPsqt,
            |row, col| ((row * 77 + col) % 9001) as i64 * 100,
        );
        fill(&net, &mut tensors, TensorRole::TransformerBias, |_, col| {
            col as i64 - 20
        });
        for layer in 0..net.layers.len() {
            fill(
                &net,
                &mut tensors,
                TensorRole::LayerBias(layer),
                |_, col| 1000 * col as i64 - 3000,
            );
        }
        let (crude, tight) = (
            prove(&net, &tensors.refs()),
            prove_tightly(&net, &tensors.refs()),
        );
        assert!(crude.nothing_wraps() && crude.accumulator.proof == Proof::Crude);
        assert!(
            tight.accumulator.range.is_within(crude.accumulator.range),
            "{} within {}",
            tight.accumulator.range,
            crude.accumulator.range
        );
        for _ in 0..200 {
            let board = random_board(&mut random);
            check_board(&net, &tensors.refs(), &crude, &board);
            check_board(&net, &tensors.refs(), &tight, &board);
        }
    }
}

/// Weights that count pieces: each adds `weight` to neuron 3.
fn counting(net: &NetDesc<'_>, weight: i64) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    fill(
        net,
        &mut tensors,
        TensorRole::TransformerWeight,
        |_, col| if col == 3 { weight } else { 0 },
    );
    tensors
}

#[test]
fn tight_bounds_count_pieces_and_kings_exactly() {
    for set in FeatureSetId::ALL {
        let net = small(set);
        let features = set.max_active() as i64;
        for weight in [100, -100] {
            let bounds = prove_tightly(&net, &counting(&net, weight).refs());
            // both kings are always there, all other pieces may be
            let (least, most) = if features == 32 {
                (2 * weight, 32 * weight)
            } else {
                (0, 30 * weight)
            };
            let zero_neurons = 0;
            let want = Interval {
                min: most.min(least).min(zero_neurons),
                max: most.max(least).max(zero_neurons),
            };
            assert_eq!(bounds.accumulator.range, want, "{}", set.name());
        }
    }
}

#[test]
fn what_a_full_board_would_overflow_is_proved_with_thirty_two_pieces() {
    for set in FeatureSetId::ALL {
        let net = small(set);
        let tensors = counting(&net, 1000);
        let bounds = prove(&net, &tensors.refs());
        assert_eq!(
            (
                bounds.accumulator.proof,
                bounds.accumulator.range.fits_i16()
            ),
            (Proof::Refined, true)
        );
        assert!(bounds.accumulator.unproven.is_empty() && bounds.require_no_wrapping().is_ok());
        assert!(
            bounds
                .to_string()
                .contains("fits in i16 with at most 32 pieces"),
            "{bounds}"
        );
    }
}

#[test]
fn an_accumulator_that_can_overflow_is_found_and_named() {
    for weight in [1100, -1100] {
        let net = small(FeatureSetId::HalfKp);
        let bounds = prove(&net, &counting(&net, weight).refs());
        assert_eq!(bounds.accumulator.unproven, [3]);
        let error = bounds
            .require_no_wrapping()
            .expect_err("30 times 1100 is more than 32767");
        assert_eq!(
            (error.kind(), error.tensor()),
            (LoadErrorKind::ValueRange, Some("ft_weight"))
        );
        assert!(error.to_string().contains("neuron 3 can reach"), "{error}");
    }
}

#[test]
fn the_bias_counts() {
    let net = small(FeatureSetId::Chess768);
    let mut tensors = counting(&net, 1000);
    fill(&net, &mut tensors, TensorRole::TransformerBias, |_, col| {
        if col == 3 { 767 } else { 0 }
    });
    assert!(
        prove(&net, &tensors.refs()).nothing_wraps(),
        "32 * 1000 + 767 is the greatest i16"
    );
    fill(&net, &mut tensors, TensorRole::TransformerBias, |_, col| {
        if col == 3 { 768 } else { 0 }
    });
    assert!(!prove(&net, &tensors.refs()).nothing_wraps());
}

#[test]
fn sums_beyond_i32_are_found() {
    let net = small(FeatureSetId::Chess768);
    let mut tensors = Tensors::zeroed(&net);
    fill(&net, &mut tensors, TensorRole::LayerBias(1), |row, col| {
        if (row, col) == (5, 2) {
            i32::MAX.into()
        } else {
            0
        }
    });
    assert!(prove(&net, &tensors.refs()).nothing_wraps());
    fill(
        &net,
        &mut tensors,
        TensorRole::LayerWeight(1),
        |row, col| i64::from((row, col) == (5 * 32 + 2, 7)),
    );
    let bounds = prove(&net, &tensors.refs());
    assert_eq!(
        bounds.layers[1].sums,
        Interval {
            min: 0,
            max: i64::from(i32::MAX) + 127
        }
    );
    let error = bounds.require_no_wrapping().expect_err("the sum can wrap");
    assert!(
        error
            .to_string()
            .contains("`fc1_weight`: a sum of fc1 can reach 0..=2147483774"),
        "{error}"
    );
    fill(&net, &mut tensors, TensorRole::TransformerPsqt, |_, _| {
        100_000_000
    });
    assert!(
        !prove(&net, &tensors.refs())
            .psqt
            .expect("there are PSQT outputs")
            .fits_i32()
    );
}

#[test]
fn pairs_of_products_are_bounded_by_their_place_in_the_blocks() {
    let net = small(FeatureSetId::Chess768);
    // columns 0..16 of fc1 are the squared activations of one buffer, 15 values of it; 15..30 are the clipped ones
    let pairs = |places: &[(usize, i64)]| {
        let mut tensors = Tensors::zeroed(&net);
        fill(
            &net,
            &mut tensors,
            TensorRole::LayerWeight(1),
            |row, col| {
                let place = places.iter().find(|place| row == 9 && place.0 == col);
                place.map_or(0, |place| place.1)
            },
        );
        let refs = tensors.refs();
        let at = |role| {
            refs[net
                .tensors
                .iter()
                .position(|tensor| tensor.role == role)
                .expect("a tensor")]
        };
        let bounds = layer(
            &net,
            1,
            at(TensorRole::LayerBias(1)),
            at(TensorRole::LayerWeight(1)),
        );
        (bounds.pair, bounds.two_pairs)
    };
    let interval = |min: i64, max: i64| Interval {
        min: 127 * min,
        max: 127 * max,
    };
    assert_eq!(
        pairs(&[(0, 100), (1, 27)]),
        (interval(0, 127), interval(0, 127))
    );
    assert_eq!(
        pairs(&[(0, 100), (2, 27)]),
        (interval(0, 100), interval(0, 100)),
        "other half of the block"
    );
    assert_eq!(
        pairs(&[(0, 100), (4, 27)]),
        (interval(0, 100), interval(0, 127)),
        "same half of the next block"
    );
    assert_eq!(
        pairs(&[(0, 100), (5, -27)]),
        (interval(-27, 100), interval(-27, 100))
    );
    assert_eq!(
        pairs(&[(14, 50), (15, 60)]),
        (interval(0, 60), interval(0, 60)),
        "the second buffer starts a block"
    );
    assert_eq!(
        pairs(&[(15, 60), (19, 60), (23, 61)]),
        (interval(0, 61), interval(0, 121))
    );
    assert_eq!(
        pairs(&[(30, 100), (31, 100)]),
        (interval(0, 0), interval(0, 0)),
        "padding is not read"
    );
}

#[test]
fn saturation_is_told_for_inputs_up_to_255() {
    let net = small(FeatureSetId::Chess768);
    let buffers: Vec<BufferDesc<'_>> = net
        .buffers
        .iter()
        .map(|&buffer| BufferDesc { max: 255, ..buffer })
        .collect();
    let wide = NetDesc {
        buffers: &buffers,
        ..net
    };
    for (weight, net, pair, two) in [
        (65, &net, false, false), // pairwise products are at most 126
        (66, &net, false, true),
        (127, &net, false, true),
        (64, &wide, false, true),
        (65, &wide, true, true),
    ] {
        let mut tensors = Tensors::zeroed(net);
        fill(net, &mut tensors, TensorRole::LayerWeight(0), |_, _| weight);
        let bounds = prove(net, &tensors.refs());
        let layer = &bounds.layers[0];
        assert_eq!(
            (layer.pair_saturates(), layer.two_pairs_saturate()),
            (pair, two),
            "{weight}: {:?}",
            layer.pair
        );
    }
}

#[test]
fn a_forward_neuron_that_can_wrap_is_told() {
    let net = small(FeatureSetId::Chess768);
    let with_bias = |bias: i64| {
        let mut tensors = Tensors::zeroed(&net);
        fill(&net, &mut tensors, TensorRole::LayerBias(0), |_, col| {
            if col == 15 { bias } else { 0 }
        });
        prove(&net, &tensors.refs())
    };
    let calm = with_bias(223_696);
    assert!(!calm.output.terms[1].wraps);
    assert_eq!(
        calm.output.terms[1].range,
        Interval {
            min: 264_207,
            max: 264_207
        }
    );
    let wild = with_bias(223_697);
    assert!(
        wild.output.terms[1].wraps && wild.nothing_wraps(),
        "the declaration says that this product wraps"
    );
    assert_eq!(wild.output.terms[1].text, "fc0[15] * 9600 / 8128");
    assert!(
        wild.to_string().contains("its 32-bit product can wrap"),
        "{wild}"
    );
}
