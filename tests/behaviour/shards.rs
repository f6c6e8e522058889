//! Layers in shards: of accumulators, of sums, of floats; weights that no output uses, in files with and without a header.

use nnue::{LoadErrorKind, Model, Network, Parameters, nnue};

use crate::files::{bytes, round_trip};
use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network, positions};

nnue! {
    /// of accumulators, with common inputs, and of sums, without, in stacks
    pub struct ShardChain = (Chess768[mirrored] -> 64)x2 @ 255 pairwise -> (16 shards 4 of 12 -> 12 shards 2 of 8 -> 1)x2;

    /// before floats, whose inputs are shards too, in a file without a header
    pub struct ShardHead {
        acc = accumulate(Chess768[..], 32) x 2;
        let h1 = affine(crelu(acc), 16, shards 2 of 24);
        output affine(screlu(affine(screlu(h1), 6: f32, shards 3 of 5)), 1: f32);
        format raw
    }
}

#[test]
fn shards_follow_each_other() {
    agrees_with_the_reference::<ShardChain>();
}

#[test]
fn shards_are_read_by_floats() {
    agrees_with_the_reference::<ShardHead>();
}

#[test]
fn files_of_shards_round_trip() {
    round_trip::<ShardChain>(nnue::Encoding::Leb128);
}

/// The place of the first weight of a tensor in a file without a header.
fn place<A: Model>(name: &str) -> usize {
    let tensors = A::SPEC.tensors.iter();
    let before = tensors.take_while(|tensor| tensor.name != name);
    before
        .map(|tensor| tensor.len() * tensor.element.bytes())
        .sum()
}

/// Whether output `output` of `fc0` of [`ShardHead`] uses input `input`: the first 16, and 24 of the others.
fn uses(output: usize, input: usize) -> bool {
    input < 16 || (input < 40) == (output < 8)
}

#[test]
fn weights_that_no_output_uses_are_kept_and_change_no_value() {
    let network = network::<ShardHead>(31, Weights::Tame);
    let (file, start) = (bytes(&network), place::<ShardHead>("fc0_weight"));
    let mut other = file.clone();
    let unused = (0..16 * 64).filter(|at| !uses(at / 64, at % 64));
    let mut changed = 0;
    for at in unused {
        assert_eq!(file[start + at], 0, "weight {at}");
        other[start + at] = (at % 251) as u8 ^ 3;
        changed += 1;
    }
    assert_eq!(changed, 16 * 24);
    let read = Network::<ShardHead>::from_bytes(&other).expect("other weights are valid");
    assert_eq!(read.params().tensors(), network.params().tensors());
    assert_eq!(bytes(&read), other);
    for position in positions(8) {
        assert_eq!(read.trace(&position), network.trace(&position));
    }
}

#[test]
fn weights_that_outputs_use_change_values() {
    let params = network::<ShardHead>(31, Weights::Tame).params().clone();
    for (output, input) in [(0, 0), (15, 15), (0, 16), (7, 39), (8, 40), (15, 63)] {
        let mut changed = params.clone();
        changed.fc0.weight[0][output][input] ^= 1;
        assert_ne!(
            Network::<ShardHead>::from_params(changed)
                .params()
                .tensors(),
            params.tensors()
        );
    }
    for (output, input) in [(0, 40), (7, 63), (8, 16), (15, 39)] {
        let mut changed = params.clone();
        changed.fc0.weight[0][output][input] = 1;
        assert_eq!(
            Network::<ShardHead>::from_params(changed)
                .params()
                .tensors(),
            params.tensors()
        );
    }
}

#[test]
fn the_container_keeps_no_weights_that_no_output_uses() {
    let mut params = <ShardChain as Model>::Params::zeroed();
    params.fc1.weight[1][5][11] = 7; // of the first six outputs, which read inputs 0 to 7
    let clean = Network::<ShardChain>::from_params(params.clone());
    let mut file = bytes(&clean);
    let read = Network::<ShardChain>::from_bytes(&file).expect("zeros");
    assert_eq!(read.params().tensors(), clean.params().tensors());

    // The last stack ends with the weights of `fc1`, of 12 rows with 32 columns, and with `fc2`: a bias and 32 weights.
    let place = file.len() - (4 + 32) - 12 * 32 + 5 * 32 + 11;
    file[place] = 7;
    let error = Network::<ShardChain>::from_bytes(&file).expect_err("a weight that is not used");
    assert_eq!(
        (error.kind(), error.tensor(), error.offset()),
        (LoadErrorKind::ValueRange, Some("fc1_weight"), place as u64)
    );
    assert_eq!((error.expected(), error.found()), (Some(0), Some(7)));
    let text = "`fc1_weight` has a weight of input 11 for output 5, which does not use it, as `shards` says";
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn random_networks_have_no_weights_that_no_output_uses() {
    let random = Network::<ShardHead>::random(5);
    for (output, row) in random.params().fc0.weight[0].iter().enumerate() {
        for (input, &weight) in row.iter().enumerate() {
            assert!(uses(output, input) || weight == 0, "{output}, {input}");
        }
    }
}
