//! Helpers shared by the tests of operations and kernels.

pub(crate) mod fused;

use nnue_spec::Activation;

pub(crate) const ACTIVATIONS_OF_FLOATS: [Activation; 10] = [
    Activation::Crelu,
    Activation::Screlu,
    Activation::SqrCrelu,
    Activation::HardSwish,
    Activation::Relu,
    Activation::Relu6,
    Activation::LeakyRelu,
    Activation::Sigmoid,
    Activation::Tanh,
    Activation::Silu,
];

/// Reproducible pseudo-random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// An i16: one in four at an edge of its range or of an activation's.
    pub(crate) fn i16(&mut self) -> i16 {
        const EDGES: [i16; 13] = [
            -32768, -32767, -256, -128, -1, 0, 1, 126, 127, 128, 255, 256, 32767,
        ];
        if self.below(4) == 0 {
            self.of(&EDGES)
        } else {
            self.next() as i16
        }
    }

    /// An i32: half of them at an edge of a range or with few bits.
    pub(crate) fn i32(&mut self) -> i32 {
        const EDGES: [i32; 11] = [
            i32::MIN,
            i32::MIN + 1,
            -65536,
            -32769,
            -32768,
            -1,
            0,
            32767,
            32768,
            65536,
            i32::MAX,
        ];
        match self.below(4) {
            0 => self.of(&EDGES),
            1 => self.next() as i32 >> self.below(32),
            _ => self.next() as i32,
        }
    }
}
