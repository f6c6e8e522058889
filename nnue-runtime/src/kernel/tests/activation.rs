//! Activations of accumulators, and the layers that read them.

use nnue_spec::{
    AccumulatorDesc, Activation, BufferDesc, LayerDesc, LayerKind, NetDesc, PerspectiveOrder,
    Segment, Source, StepDesc,
};

use super::{naive_sum, net, random_layer, random_row};
use crate::kernel::{
    AtByte, Average, Maximum, One, Product, Readers, Shr, activate_crelu, activate_halves,
    activate_neighbours, activate_pairwise, activate_quantmoid4, activate_sqr_crelu, affine_sparse,
    row_add, row_bias,
};
use crate::layer::{Layer, RowLayer, value_order};
use crate::memory::{Sparse, Sums};
use crate::simd::{AvailableLevel, Level, dispatch};
use crate::testing::Random;

/// An accumulator in which at least about `percent` percent of the values are zero or negative.
fn random_accumulator<const W: usize>(random: &mut Random, percent: usize) -> Box<[i16; W]> {
    let mut accumulator = Box::new([0; W]);
    for value in &mut *accumulator {
        *value = random.i16();
        if random.below(100) < percent && *value > 0 {
            *value = -*value;
        }
    }
    accumulator
}

fn clamp(value: i16, one: i32) -> i32 {
    i32::from(value).clamp(0, one)
}

fn crelu(a: &[i16], one: i32, _: u32) -> Vec<u8> {
    a.iter().map(|&a| clamp(a, one) as u8).collect()
}

fn sqr_crelu(a: &[i16], one: i32, shift: u32) -> Vec<u8> {
    a.iter()
        .map(|&a| ((clamp(a, one) * clamp(a, one)) >> shift) as u8)
        .collect()
}

fn pairwise(a: &[i16], one: i32, shift: u32) -> Vec<u8> {
    let (first, last) = a.split_at(a.len() / 2);
    first
        .iter()
        .zip(last)
        .map(|(&a, &b)| ((clamp(a, one) * clamp(b, one)) >> shift) as u8)
        .collect()
}

fn avg_halves(a: &[i16], one: i32, _: u32) -> Vec<u8> {
    let (first, last) = a.split_at(a.len() / 2);
    first
        .iter()
        .zip(last)
        .map(|(&a, &b)| ((clamp(a, one) + clamp(b, one) + 1) / 2) as u8)
        .collect()
}

fn max_halves(a: &[i16], one: i32, _: u32) -> Vec<u8> {
    let (first, last) = a.split_at(a.len() / 2);
    first
        .iter()
        .zip(last)
        .map(|(&a, &b)| clamp(a.max(b), one) as u8)
        .collect()
}

fn avg_neighbours(a: &[i16], one: i32, _: u32) -> Vec<u8> {
    a.as_chunks()
        .0
        .iter()
        .map(|&[a, b]| ((clamp(a, one) + clamp(b, one) + 1) / 2) as u8)
        .collect()
}

fn max_neighbours(a: &[i16], one: i32, _: u32) -> Vec<u8> {
    a.as_chunks()
        .0
        .iter()
        .map(|&[a, b]| clamp(a.max(b), one) as u8)
        .collect()
}

fn mul_neighbours(a: &[i16], one: i32, shift: u32) -> Vec<u8> {
    a.as_chunks()
        .0
        .iter()
        .map(|&[a, b]| ((clamp(a, one) * clamp(b, one)) >> shift) as u8)
        .collect()
}

fn quantmoid4(a: &[i16], _: i32, _: u32) -> Vec<u8> {
    let curve = |a: i32| {
        let q = (127 - a.abs().min(127)).pow(2) >> 8;
        if a > 0 { 126 - q } else { q }
    };
    a.iter().map(|&a| curve(a.into()) as u8).collect()
}

/// Compares the bytes, their order, and the list of blocks with the values.
fn check_sparse<const N: usize, const CAP: usize>(
    sparse: &Sparse<N, CAP>,
    order: &[usize],
    values: &[u8],
) {
    let bytes = sparse.bytes().values();
    let mut actual = vec![0; values.len()];
    for (&byte, &value) in bytes.iter().zip(order) {
        actual[value] = byte;
    }
    assert_eq!(actual, values);
    assert!(
        bytes[order.len()..].iter().all(|&x| x == 0),
        "padding is zero"
    );
    if !sparse.is_listed() {
        return;
    }
    let nonzero = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .zip(0..)
        .filter(|(block, _)| **block != [0; 4])
        .map(|(_, i)| i);
    assert!(
        sparse.blocks().iter().copied().eq(nonzero),
        "list of blocks"
    );
}

/// Calls `f` with a network whose single layer reads the accumulators' buffer.
fn with_net(
    width: usize,
    perspectives: usize,
    (len, max): (usize, i32),
    (outputs, kind): (usize, LayerKind),
    steps: &[StepDesc],
    f: impl FnOnce(&NetDesc),
) {
    let accumulator = AccumulatorDesc {
        width,
        perspectives,
        psqt: 0,
        psqt_floats: 0,
        one: max,
        order: PerspectiveOrder::SideToMove,
        separate: false,
        nonzero: 16,
    };
    let buffers = [BufferDesc {
        name: "x",
        len,
        max,
        source: Source::Accumulator,
    }];
    let segments = [Segment {
        buffer: 0,
        start: 0,
        len,
    }];
    let file_inputs = len.next_multiple_of(32);
    let layer = LayerDesc {
        name: "fc0",
        segments: &segments,
        inputs: len,
        file_inputs,
        outputs,
        kind,
        scale: 64,
        shards: None,
    };
    f(&NetDesc {
        steps,
        ..net(accumulator, &buffers, &[layer])
    });
}

call!(Layered<'a, const N: usize, const CAP: usize, const FILE_IN: usize, const OUT: usize, const BLOCKS: usize, const OUTP: usize> {
    sparse: &'a Sparse<N, CAP>,
    layer: &'a Layer<FILE_IN, OUT, 2, BLOCKS, OUTP>,
    stack: usize
} -> Sums<OUTP>, simd: S => affine_sparse(simd, sparse, layer, stack));

call!(InARow<'a, const N: usize, const CAP: usize, const FILE_IN: usize> {
    sparse: &'a Sparse<N, CAP>,
    layer: &'a RowLayer<FILE_IN, 1, N>
} -> i32, simd: S => row_add(simd, row_bias(layer, 0), sparse.bytes(), layer, 0, AtByte::<0>));

/// The inputs of the tests of one shape.
struct Case<'a, const N: usize, const CAP: usize> {
    level: AvailableLevel,
    random: &'a mut Random,
    sparse: &'a Sparse<N, CAP>,
    values: &'a [u8],
    /// the network without layers
    net: NetDesc<'a>,
}

impl<const N: usize, const CAP: usize> Case<'_, N, CAP> {
    /// Tests a sparse layer of `OUT` outputs.
    fn layer<const FILE_IN: usize, const BLOCKS: usize, const OUT: usize, const OUTP: usize>(
        &mut self,
    ) {
        let AccumulatorDesc {
            width,
            perspectives,
            ..
        } = self.net.accumulator;
        let buffer = &self.net.buffers[0];
        with_net(
            width,
            perspectives,
            (buffer.len, buffer.max),
            (OUT, LayerKind::Sparse),
            self.net.steps,
            |net| {
                let layer =
                    random_layer::<FILE_IN, OUT, 2, BLOCKS, OUTP>(net, self.level, self.random);
                for stack in 0..2 {
                    let sums = dispatch(
                        self.level,
                        Layered {
                            sparse: self.sparse,
                            layer: &layer,
                            stack,
                        },
                    );
                    for (o, weights) in layer.weight[stack].iter().enumerate() {
                        let expected = naive_sum(layer.bias[stack][o], weights, self.values);
                        assert_eq!(
                            sums.get(o),
                            expected,
                            "{} output {o} of {OUT}, {:?}",
                            self.level,
                            layer.dot(stack)
                        );
                    }
                }
            },
        );
    }

    /// Tests a layer of one output.
    fn row<const FILE_IN: usize>(&mut self) {
        let AccumulatorDesc {
            width,
            perspectives,
            ..
        } = self.net.accumulator;
        let buffer = &self.net.buffers[0];
        with_net(
            width,
            perspectives,
            (buffer.len, buffer.max),
            (1, LayerKind::Row),
            self.net.steps,
            |net| {
                let layer = random_row::<FILE_IN, 1, N>(net, self.level, self.random);
                let sum = dispatch(
                    self.level,
                    InARow {
                        sparse: self.sparse,
                        layer: &layer,
                    },
                );
                assert_eq!(
                    sum,
                    naive_sum(layer.bias[0][0], &layer.weight[0][0], self.values),
                    "{}",
                    self.level
                );
            },
        );
    }
}

fn is_product(name: &str) -> bool {
    ["sqr_crelu", "pairwise", "mul_neighbours"].contains(&name)
}

/// The steps that make the buffer, if its order depends on them.
fn steps_of(name: &str) -> Vec<StepDesc> {
    let activation = Activation::ALL
        .into_iter()
        .find(|known| known.operation().is_some_and(|known| known.name == name));
    activation
        .map(|activation| StepDesc::ActivateAccumulator {
            activation,
            shift: 0,
            buffer: 0,
        })
        .into_iter()
        .collect()
}

/// `test: kernel::<W, PERSPECTIVES, N, CAP, ONE [, SHIFT]>, naive(ONE, SHIFT), FILE_IN, BLOCKS, OUT, OUTP;`
macro_rules! shapes {
    ($($test:ident: $kernel:ident $(of $pool:ident)?::<$w:literal, $perspectives:literal, $n:literal, $cap:literal, $integer:literal $(, $shr:literal)?>,
       $naive:ident($one:literal, $shift:literal), $file_in:literal, $blocks:literal, $out:literal, $outp:literal;)*) => { $(
        #[test]
        fn $test() {
            call!(Activate<'a> { halves: [&'a [i16; $w]; $perspectives] } -> Sparse<$n, $cap>, simd: S => {
                let mut sparse = Sparse::new();
                $kernel(simd, $($pool,)? halves, &mut sparse, One::<$integer>, $(Shr::<$shr>,)? Readers::<$outp>);
                sparse
            });

            for level in Level::available() {
                let mut random = Random($w + $one);
                for percent in [0, 30, 60, 90, 99, 100] {
                    let halves: [_; $perspectives] =
                        core::array::from_fn(|_| Aligned(*random_accumulator::<$w>(&mut random, percent)));
                    let halves = halves.each_ref().map(|half| &half.0);
                    let sparse = dispatch(level, Activate { halves });
                    let values: Vec<u8> = halves.iter().flat_map(|half| $naive(&half[..], $one, $shift)).collect();
                    let max = if is_product(stringify!($naive)) { ($one * $one) >> $shift } else { $one };
                    let steps = steps_of(stringify!($naive));
                    with_net($w, $perspectives, (values.len(), max), (1, LayerKind::Row), &steps, |net| {
                        check_sparse(&sparse, &value_order(net, 0, level.level()), &values);
                        let mut case =
                            Case { level, random: &mut random, sparse: &sparse, values: &values, net: *net };
                        case.layer::<$file_in, $blocks, $out, $outp>();
                        case.row::<$file_in>();
                    });
                }
            }
        }
    )* };
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned<const W: usize>([i16; W]);

shapes! {
    crelu_32: activate_crelu::<32, 2, 64, 32, 127>, crelu(127, 0), 64, 16, 8, 16;
    crelu_96_at_255: activate_crelu::<96, 1, 128, 48, 255>, crelu(255, 0), 96, 32, 16, 16;
    crelu_1056_at_200: activate_crelu::<1056, 2, 2112, 544, 200>, crelu(200, 0), 2112, 528, 40, 48;
    sqr_crelu_64: activate_sqr_crelu::<64, 2, 128, 48, 127, 7>, sqr_crelu(127, 7), 128, 32, 24, 32;
    sqr_crelu_160_at_255: activate_sqr_crelu::<160, 2, 320, 96, 255, 9>, sqr_crelu(255, 9), 320, 80, 16, 16;
    sqr_crelu_32_at_181: activate_sqr_crelu::<32, 1, 64, 32, 181, 8>, sqr_crelu(181, 8), 32, 16, 130, 144;
    quantmoid4_64: activate_quantmoid4::<64, 2, 128, 48, 127>, quantmoid4(127, 0), 128, 32, 16, 16;
    quantmoid4_96: activate_quantmoid4::<96, 1, 128, 48, 127>, quantmoid4(127, 0), 96, 32, 8, 16;
    pairwise_32: activate_pairwise::<32, 2, 64, 32, 127, 7>, pairwise(127, 7), 32, 16, 16, 16;
    pairwise_96: activate_pairwise::<96, 1, 64, 32, 127, 7>, pairwise(127, 7), 64, 16, 8, 16;
    pairwise_384_at_255: activate_pairwise::<384, 2, 384, 112, 255, 9>, pairwise(255, 9), 384, 96, 24, 32;
    pairwise_1024: activate_pairwise::<1024, 2, 1024, 272, 127, 7>, pairwise(127, 7), 1024, 256, 16, 16;
    pairwise_1056_at_255: activate_pairwise::<1056, 2, 1088, 288, 255, 9>, pairwise(255, 9), 1056, 272, 32, 32;
    pairwise_64_at_361: activate_pairwise::<64, 2, 64, 32, 361, 9>, pairwise(361, 9), 64, 16, 40, 48;
    pairwise_192_at_1000: activate_pairwise::<192, 2, 192, 64, 1000, 13>, pairwise(1000, 13), 192, 48, 16, 16;
    avg_halves_96: activate_halves of Average::<96, 1, 64, 32, 127>, avg_halves(127, 0), 64, 16, 8, 16;
    max_halves_384: activate_halves of Maximum::<384, 2, 384, 112, 100>, max_halves(100, 0), 384, 96, 24, 32;
    avg_neighbours_32: activate_neighbours of Average::<32, 2, 64, 32, 127, 0>, avg_neighbours(127, 0), 32, 16, 16, 16;
    max_neighbours_1056: activate_neighbours of Maximum::<1056, 2, 1088, 288, 127, 0>, max_neighbours(127, 0), 1056, 272, 32, 32;
    mul_neighbours_96_at_255: activate_neighbours of Product::<96, 2, 128, 48, 255, 9>, mul_neighbours(255, 9), 96, 32, 8, 16;
    mul_neighbours_256_at_2895: activate_neighbours of Product::<256, 1, 128, 48, 2895, 16>, mul_neighbours(2895, 16), 128, 32, 16, 16;
    pairwise_64_at_15: activate_pairwise::<64, 2, 64, 32, 15, 0>, pairwise(15, 0), 64, 16, 64, 64;
}
