use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::descriptor::*;
use crate::plan::Plan;
use crate::testing::*;

/// Owned parameters of a plan, initially zero.
enum Owned {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
}

struct Weights(Vec<Owned>);

impl Weights {
    fn zeroed(plan: &Plan) -> Self {
        let make = |tensor: &crate::graph::Tensor| {
            let len = tensor.rows * tensor.cols * tensor.copies;
            match tensor.element {
                ElementType::I8 => Owned::I8(vec![0; len]),
                ElementType::I16 => Owned::I16(vec![0; len]),
                ElementType::I32 => Owned::I32(vec![0; len]),
                ElementType::F32 => panic!("no network here has floats"),
            }
        };
        Self(plan.tensors.iter().map(make).collect())
    }

    /// Sets the elements `at` of tensor `tensor`.
    fn set(&mut self, tensor: usize, at: impl IntoIterator<Item = usize>, value: i32) {
        for index in at {
            match &mut self.0[tensor] {
                Owned::I8(values) => values[index] = value as i8,
                Owned::I16(values) => values[index] = value as i16,
                Owned::I32(values) => values[index] = value,
            }
        }
    }

    fn evaluate(&self, plan: &Plan, board: &Board) -> Trace {
        let tensors = self.0.iter().map(|owned| match owned {
            Owned::I8(values) => TensorRef::I8(values),
            Owned::I16(values) => TensorRef::I16(values),
            Owned::I32(values) => TensorRef::I32(values),
        });
        let (tensors, tables) = (tensors.collect::<Vec<_>>(), plan.tables());
        let net = tables.descriptor();
        let trace = evaluate(&net, &tensors, board);
        let Parts { psqt, output } = evaluate_parts(&net, &tensors, board);
        let parts = (trace.used_psqt(), trace.used_positional());
        assert_eq!(
            (psqt, output.positional(net.value)),
            parts,
            "the stack of the position alone"
        );
        trace
    }
}

/// `8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w`, the example of `docs/feature-sets.md`.
fn worked() -> Board {
    let white =
        [(5, 32), (0, 33), (3, 25), (0, 12), (0, 14)].map(|(kind, square)| (false, kind, square));
    let black =
        [(0, 50), (0, 43), (3, 39), (0, 29), (5, 31)].map(|(kind, square)| (true, kind, square));
    Board::new(white.into_iter().chain(black), false)
}

fn kings(white: usize, black: usize, black_to_move: bool) -> Board {
    Board::new([(false, 5, white), (true, 5, black)], black_to_move)
}

fn rows(set: FeatureSetId, black: bool) -> Vec<usize> {
    let plan = planned(&chain(set, 32));
    active_features(&plan.tables().descriptor(), &worked(), black)
}

#[test]
fn rows_of_the_worked_example_are_the_published_ones() {
    use FeatureSetId::{HalfKaV2, HalfKaV2Hm, HalfKp};
    assert_eq!(
        rows(HalfKp, false),
        [20525, 20527, 20546, 20606, 20620, 20627, 20922, 21000]
    );
    assert_eq!(
        rows(HalfKp, true),
        [20526, 20533, 20547, 20607, 20626, 20628, 20921, 20999]
    );
    assert_eq!(
        rows(HalfKaV2, false),
        [
            22540, 22542, 22561, 22621, 22635, 22642, 22937, 23015, 23199, 23200
        ]
    );
    assert_eq!(
        rows(HalfKaV2, true),
        [
            27466, 27475, 27493, 27545, 27572, 27574, 27871, 27937, 28120, 28135
        ]
    );
    assert_eq!(
        rows(HalfKaV2Hm, false),
        [8457, 8459, 8486, 8538, 8556, 8565, 8862, 8928, 9112, 9127]
    );
    assert_eq!(
        rows(HalfKaV2Hm, true),
        [8458, 8467, 8485, 8537, 8564, 8566, 8863, 8929, 9112, 9127]
    );
    let attacks = FeatureSetId::King(KingBuckets::new([0; 64], false, false).with_attacks());
    assert_eq!(
        rows(attacks, false),
        [12, 14, 352, 434, 1181, 1753, 1963, 2151, 2271, 2337]
    );
    assert_eq!(
        rows(attacks, true),
        [10, 436, 438, 728, 805, 1555, 1759, 1895, 2145, 2713]
    );
}

#[test]
fn threats_of_the_worked_example_are_the_published_ones() {
    let both =
        |pairs| [false, true].map(|black| sorted(threat::active_threats(pairs, &worked(), black)));
    let [white, black] = both(ThreatPairs::SFNN_V10);
    assert_eq!(
        white,
        [10496, 14973, 36780, 38039, 40254, 50615, 58677, 79645]
    );
    assert_eq!(black, [9, 14066, 14960, 38038, 50602, 55079, 78383, 79644]);
    let [white, black] = both(ThreatPairs::SFNN_V11);
    assert_eq!(white, [8704, 12285, 30284, 31543, 33758, 42327, 66653]);
    assert_eq!(black, [9, 12272, 31542, 42314, 45895, 65391, 66652]);
}

#[test]
fn pawns_ahead_and_pawn_pairs_are_the_published_ones() {
    let kings = [(false, 5, 4), (true, 5, 60)];
    let pawns = [
        (true, 0, 50),
        (false, 0, 42),
        (false, 0, 34),
        (true, 0, 36),
        (false, 0, 28),
    ];
    let board = Board::new(kings.into_iter().chain(pawns), false);
    let threats = |black| sorted(threat::active_threats(ThreatPairs::SFNN_V14, &board, black));
    assert_eq!(
        (threats(false), threats(true)),
        (vec![81, 30435, 30485], vec![30397, 30435, 30815])
    );
    let pairs = |black| sorted(pawn_pair::active_pawn_pairs(&board, black));
    assert_eq!(
        (pairs(false), pairs(true)),
        (vec![695, 2794, 4307, 4315], vec![1835, 2351, 2407, 2794])
    );
}

fn sorted(mut rows: Vec<usize>) -> Vec<usize> {
    rows.sort_unstable();
    rows
}

#[test]
fn plain_planes_put_own_pieces_first() {
    // white: own pawns e2 g2 b5, own rook b4, own king a5, then the enemy's
    assert_eq!(
        rows(FeatureSetId::Chess768, false),
        [
            12,
            14,
            33,
            192 + 25,
            320 + 32,
            384 + 29,
            384 + 43,
            384 + 50,
            576 + 39,
            704 + 31
        ]
    );
    assert_eq!(rows(FeatureSetId::Chess768, true)[0], 10); // c7 from black's side is c2
}

#[test]
fn accumulators_wrap_modulo_65536_and_psqt_modulo_2_to_the_32() {
    let plan = planned(&bucketed(chain(FeatureSetId::Chess768, 32)));
    let mut weights = Weights::zeroed(&plan);
    weights.set(0, [0], 32767);
    weights.set(1, [(320 + 4) * 32], 2); // own king e1, neuron 0
    weights.set(2, [(320 + 4) * 8, (704 + 60) * 8], i32::MAX); // own king e1 and enemy king e8, bucket 0
    weights.set(2, [(320 + 4) * 8 + 1], 7);
    let trace = weights.evaluate(&plan, &kings(4, 60, false));
    assert_eq!(trace.accumulators[0][..2], [-32767, 0]);
    assert_eq!(trace.psqt_accumulators[0][0], -2);
    assert_eq!((trace.psqt_diff[1], trace.bucket), (0, 0));
    let trace = weights.evaluate(&plan, &kings(4, 59, true));
    assert_eq!((trace.psqt_diff[1], trace.psqt[1]), (-7, -3));
}

#[test]
fn the_forward_neuron_wraps_in_32_bits_and_does_not_in_64() {
    let mut spec = sfnn_v5(128);
    let narrow = planned(&spec);
    spec.output.terms[1]
        .ratio
        .as_mut()
        .expect("v5 scales it")
        .wide = true;
    let wide = planned(&spec);
    let mut weights = Weights::zeroed(&narrow);
    weights.set(3, [15], 223_697); // the first value whose product with 9600 leaves i32
    let board = kings(4, 60, false);
    let wrapped = 223_697_i32.wrapping_mul(9600) / 8128;
    assert!(wrapped < 0);
    assert_eq!(weights.evaluate(&narrow, &board).positional[0], wrapped);
    assert_eq!(
        weights.evaluate(&wide, &board).positional[0],
        (223_697_i64 * 9600 / 8128) as i32
    );
}

#[test]
fn squared_activations_take_negative_sums_and_a_64_bit_product() {
    let plan = planned(&sfnn_v5(128));
    let mut weights = Weights::zeroed(&plan);
    for (neuron, bias) in [-64_000, 2_000, -1, i32::MIN, 8_127]
        .into_iter()
        .enumerate()
    {
        weights.set(3, [neuron], bias);
    }
    let trace = weights.evaluate(&plan, &kings(4, 60, false));
    assert_eq!(
        trace.stacks[0].sums[0][..5],
        [-64_000, 2_000, -1, i32::MIN, 8_127]
    );
    assert_eq!(trace.stacks[0].buffers[1][..5], [127, 7, 0, 127, 125]);
    assert_eq!(trace.stacks[0].buffers[2][..5], [0, 31, 0, 0, 126]);
    assert!(
        trace.stacks[1].buffers[1].iter().all(|value| *value == 0),
        "other stacks have other biases"
    );
}

#[test]
fn the_side_to_move_comes_first_and_halves_are_multiplied() {
    let plan = planned(&sfnn_v5(128));
    let mut weights = Weights::zeroed(&plan);
    let own_king_on_e1 = 64 * 10 + 4 + 704 * 31;
    weights.set(1, [own_king_on_e1 * 128 + 3], 200); // clips at 127
    weights.set(1, [own_king_on_e1 * 128 + 64 + 3], 64);
    let trace = weights.evaluate(&plan, &kings(4, 56, false));
    assert_eq!(
        (
            trace.stacks[0].buffers[0][3],
            trace.stacks[0].buffers[0][64 + 3]
        ),
        (63, 0)
    );
    let trace = weights.evaluate(&plan, &kings(4, 56, true));
    assert_eq!(
        (
            trace.stacks[0].buffers[0][3],
            trace.stacks[0].buffers[0][64 + 3]
        ),
        (0, 63)
    );
}

#[test]
fn padding_columns_of_weights_are_ignored() {
    let plan = planned(&sfnn_v5(128));
    let mut weights = Weights::zeroed(&plan);
    weights.set(3, 0..16, 8_127);
    weights.set(
        6,
        (0..32).flat_map(|row| [row * 32 + 30, row * 32 + 31]),
        127,
    );
    weights.set(6, [14], 1); // neuron 0 reads the fifteenth squared value
    let trace = weights.evaluate(&plan, &kings(4, 60, false));
    assert_eq!(trace.stacks[0].sums[1][..2], [125, 0]);
}

#[test]
#[should_panic(expected = "black does not have exactly one king")]
fn sets_that_need_kings_say_so() {
    let plan = planned(&chain(FeatureSetId::HalfKp, 32));
    active_features(
        &plan.tables().descriptor(),
        &Board::new([(false, 0, 8)], false),
        true,
    );
}

#[test]
#[should_panic(expected = "tensor `fc0_weight`")]
fn tensors_of_another_network_are_refused() {
    let plan = planned(&chain(FeatureSetId::Chess768, 32));
    let mut weights = Weights::zeroed(&plan);
    weights.0[3] = Owned::I8(vec![0; 3]);
    weights.evaluate(&plan, &kings(4, 60, false));
}
