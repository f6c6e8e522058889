//! Eight convolutions of 64 channels of 8x8, 3x3, padding 1, one after the other, of floats and of signs: `conv2d`, `conv2d_fused`,
//! `conv2d_binary`.
//!
//! They are networks, and the time is that of an evaluation: the planes of the program are put in order once before the eight and
//! once after them. Between them are batch norms, which take next to no time.

use criterion::Criterion;
use nnue::AvailableLevel;
use nnue::dense::{Architecture, Network};
use nnue::nnue;

use super::{Case, Random, measure};

nnue! {
    /// Floats.
    pub struct Floats = input[64, 8, 8]
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm;

    /// Floats, products and additions rounded together.
    pub struct Fused = input[64, 8, 8]
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm
        -> conv2d(64, kernel 3, padding 1) batch_norm conv2d(64, kernel 3, padding 1) batch_norm { floats fused; }

    /// Signs.
    pub struct Binary = input[64, 8, 8]
        -> conv2d(64 binary, kernel 3, padding 1) batch_norm conv2d(64 binary, kernel 3, padding 1) batch_norm
        -> conv2d(64 binary, kernel 3, padding 1) batch_norm conv2d(64 binary, kernel 3, padding 1) batch_norm
        -> conv2d(64 binary, kernel 3, padding 1) batch_norm conv2d(64 binary, kernel 3, padding 1) batch_norm
        -> conv2d(64 binary, kernel 3, padding 1) batch_norm conv2d(64 binary, kernel 3, padding 1) batch_norm { floats fused; }
}

const VALUES: usize = 64 * 8 * 8;

struct Planes<A: Architecture> {
    network: Network<A>,
    input: Box<[f32; VALUES]>,
    output: Box<[f32; VALUES]>,
}

impl<A: Architecture<Input = [f32; VALUES], Output = [f32; VALUES]>> Planes<A> {
    fn new(level: AvailableLevel) -> Self {
        let mut random = Random(5);
        let input = Box::new(core::array::from_fn(|_| {
            random.around_zero(1000) as f32 / 1000.0
        }));
        Self {
            network: Network::random(1).with_level(level),
            input,
            output: Box::new([0.0; VALUES]),
        }
    }
}

impl<A: Architecture<Input = [f32; VALUES], Output = [f32; VALUES]>> Case for Planes<A> {
    fn run(&mut self) {
        *self.output = self.network.evaluate(&self.input);
    }

    fn result(&self) -> Vec<i32> {
        self.output
            .iter()
            .map(|value| value.to_bits().cast_signed())
            .collect()
    }
}

/// All three, so that one run compares them.
pub(super) fn measure_all(criterion: &mut Criterion) {
    measure(criterion, "conv2d", "64x8x8", Planes::<Floats>::new);
    measure(criterion, "conv2d_fused", "64x8x8", Planes::<Fused>::new);
    measure(criterion, "conv2d_binary", "64x8x8", Planes::<Binary>::new);
}
