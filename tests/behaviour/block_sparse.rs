//! Block-sparse layers: of accumulators, of sums, of parts of several; before layers of bytes, of signs and of floats; files.

use nnue::spec::TensorMut;
use nnue::{LoadErrorKind, Network, Parameters, nnue};

use crate::files::{bytes, round_trip};
use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network};

nnue! {
    /// of accumulators and of sums, in stacks
    pub struct BlockChain =
        (Chess768[mirrored] -> 96)x2 @ 255 pairwise -> (128 blocks 3 of 16 -> 48 @ 32 blocks 1 of 16 sqr_crelu -> 1)x2;

    /// parts, several buffers, neurons that go to the output, a layer that reads the same accumulators
    pub struct BlockParts {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 80, blocks 4 of 16);
        let h2 = affine(concat(crelu(h1)[3..41], crelu(acc), sqr_crelu(h1)[2..7]), 32, blocks 1 of 16);
        let h3 = affine(concat(crelu(acc), crelu(h2)), 24);
        output affine(concat(crelu(h2), crelu(h3)), 1) + h1[79] + h2[0] + affine(h1, 1 binary);
    }

    /// before floats, in a file without a header
    pub struct BlockHead = Chess768[..] -> 64x2 -> 64 blocks 2 of 16 screlu -> 1: f32 { format raw };
}

#[test]
fn block_sparse_layers_follow_each_other() {
    agrees_with_the_reference::<BlockChain>();
}

#[test]
fn block_sparse_layers_read_parts_of_anything() {
    agrees_with_the_reference::<BlockParts>();
}

#[test]
fn block_sparse_layers_come_before_floats() {
    agrees_with_the_reference::<BlockHead>();
}

#[test]
fn files_of_block_sparse_layers_round_trip() {
    round_trip::<BlockChain>(nnue::Encoding::Leb128);
    let written = network::<BlockHead>(31, Weights::Tame);
    let read = Network::<BlockHead>::from_bytes(&bytes(&written)).expect("the writer's own file");
    assert_eq!(bytes(&read), bytes(&written));
}

#[test]
fn random_networks_reach_as_many_blocks_as_declared() {
    let random = Network::<BlockParts>::random(5);
    Network::<BlockParts>::from_bytes(&bytes(&random)).expect("no input reaches more");
    let weights = &random.params().fc0.weight[0];
    for input in 0..128 {
        let reached = weights
            .chunks(16)
            .filter(|rows| rows.iter().any(|row| row[input] != 0))
            .count();
        assert_eq!(reached, 4, "input {input}");
    }
}

/// Sets weights of input 5, in all blocks, for the copy that stands last.
fn too_many<A: nnue::Architecture<Params: Clone>>(
    tensor: usize,
    columns: usize,
) -> nnue::LoadError {
    let mut params = network::<A>(1, Weights::Tame).params().clone();
    let TensorMut::I8(weights) = params.tensors_mut().swap_remove(tensor) else {
        panic!("weights of 8 bits")
    };
    let last =
        weights.len() / A::SPEC.tensors[tensor].copies * (A::SPEC.tensors[tensor].copies - 1);
    weights[last..]
        .chunks_mut(columns)
        .for_each(|row| row[5] = 1);
    Network::<A>::from_bytes(&bytes(&Network::<A>::from_params(params)))
        .expect_err("too many blocks")
}

#[test]
fn inputs_that_reach_more_blocks_are_refused() {
    let weight = |desc: &nnue::spec::NetDesc<'_>| {
        desc.tensors
            .iter()
            .position(|t| t.name == "fc0_weight")
            .expect("declared")
    };
    let error = too_many::<BlockChain>(weight(&<BlockChain as nnue::Model>::SPEC), 96);
    assert_eq!(
        (
            error.kind(),
            error.tensor(),
            (error.expected(), error.found())
        ),
        (
            LoadErrorKind::ValueRange,
            Some("fc0_weight"),
            (Some(3), Some(8))
        )
    );
    let text = "input 5 of `fc0_weight` of stack 1 has weights in 8 blocks of 16 outputs, `blocks 3 of 16` allows 3";
    assert!(error.to_string().contains(text), "{error}");
    let desc = <BlockHead as nnue::Model>::SPEC;
    let error = too_many::<BlockHead>(weight(&desc), 128);
    assert_eq!(
        (error.tensor(), (error.expected(), error.found())),
        (Some("fc0_weight"), (Some(2), Some(4)))
    );
    let before: usize = desc
        .tensors
        .iter()
        .take_while(|t| t.name != "fc0_weight")
        .map(|t| t.len() * t.element.bytes())
        .sum();
    let element = error.element().expect("a weight");
    assert_eq!(
        (error.offset(), element % 128),
        (before as u64 + element, 5)
    );
}
