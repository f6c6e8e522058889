//! Block-sparse layers: the sums follow the definition, whatever blocks the inputs reach.

use nnue_spec::LayerKind;

use super::dense::{Inputs, with_net};
use super::naive_sum;
use crate::block_sparse::BlockSparseLayer;
use crate::kernel::{AtBlock, Blocks, block_sparse_add, block_sparse_bias};
use crate::memory::Sums;
use crate::simd::{AvailableLevel, Level, dispatch};
use crate::testing::Random;

// The same segments as in the tests of dense layers: 10 + 3 + 18 blocks of inputs.
call!(BlockSparse<'a, const OUT: usize> {
    inputs: &'a Inputs,
    layer: &'a BlockSparseLayer<128, OUT, 2>,
    stack: usize
} -> Sums<OUT>, simd: S => {
    let sums = block_sparse_bias(layer, stack);
    let sums = block_sparse_add(simd, sums, &inputs.x, layer, stack, Blocks::<0, 10>, AtBlock::<0>);
    let sums = block_sparse_add(simd, sums, &inputs.y, layer, stack, Blocks::<0, 3>, AtBlock::<10>);
    block_sparse_add(simd, sums, &inputs.z, layer, stack, Blocks::<1, 18>, AtBlock::<13>)
});

/// Weights of all magnitudes in up to `reached` blocks for each input; most inputs reach exactly
/// `reached`.
fn fill<const OUT: usize>(
    layer: &mut BlockSparseLayer<128, OUT, 2>,
    reached: usize,
    random: &mut Random,
) {
    layer
        .bias
        .flat_mut()
        .iter_mut()
        .for_each(|bias| *bias = random.i32());
    for weight in &mut *layer.weight {
        for input in 0..128 {
            for _ in 0..reached {
                let block = random.below(OUT / 16);
                for row in &mut weight[16 * block..][..16] {
                    row[input] = if random.below(4) == 0 {
                        i8::MIN
                    } else {
                        random.below(256) as u8 as i8
                    };
                }
            }
        }
    }
}

fn check<const OUT: usize>(level: AvailableLevel, reached: usize, random: &mut Random) {
    for max in [127, 255] {
        with_net(max, OUT, LayerKind::BlockSparse { reached }, |net| {
            let mut layer = BlockSparseLayer::zeroed();
            fill::<OUT>(&mut layer, reached, random);
            layer.prepare(net, 0, level.level());
            let inputs = Inputs::random(random, max);
            let values = inputs.values();
            for stack in 0..2 {
                let sums = dispatch(
                    level,
                    BlockSparse {
                        inputs: &inputs,
                        layer: &layer,
                        stack,
                    },
                );
                for (o, weights) in layer.weight[stack].iter().enumerate() {
                    let expected = naive_sum(layer.bias[stack][o], weights, &values);
                    assert_eq!(
                        sums.get(o),
                        expected,
                        "{level} output {o} of {OUT}, {reached} blocks"
                    );
                }
            }
        });
    }
}

#[test]
fn block_sparse_layers_match_naive_sums() {
    for level in Level::available() {
        let mut random = Random(3);
        for _ in 0..8 {
            check::<32>(level, 1, &mut random);
            check::<64>(level, 3, &mut random);
            check::<80>(level, 4, &mut random);
            check::<256>(level, 6, &mut random);
        }
    }
}

/// Without weights, inputs reach no block.
#[test]
fn no_weights_give_the_bias() {
    let mut random = Random(4);
    for level in Level::available() {
        with_net(127, 32, LayerKind::BlockSparse { reached: 1 }, |net| {
            let mut layer = BlockSparseLayer::<128, 32, 2>::zeroed();
            layer
                .bias
                .flat_mut()
                .iter_mut()
                .for_each(|bias| *bias = random.i32());
            layer.prepare(net, 0, level.level());
            let inputs = Inputs::random(&mut random, 127);
            let sums = dispatch(
                level,
                BlockSparse {
                    inputs: &inputs,
                    layer: &layer,
                    stack: 1,
                },
            );
            assert_eq!(sums.0, layer.bias[1]);
        });
    }
}
