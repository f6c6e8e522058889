//! The shapes, with random weights.

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::spec::{TensorMut, TensorRole};
use nnue::{Color, Model, Network, Parameters, nnue};
use nnue_testkit::random::Random;

use crate::positions::Sample;

nnue! {
    /// 3072 x i8 -> 16384, products >> 2, 7840 rows
    pub(crate) struct Policy {
        acc = accumulate(self::Drawn3072[3072, active 32] as i8, 16384 @ 128);
        output policy = rows(pairwise(acc) >> 2 as i16, 7840: i8 @ 128);
        format raw
    }

    /// 80624 x i8 -> 8192, whole products, 16 -> 128 -> 3
    pub(crate) struct Value {
        acc = accumulate(self::Drawn80624[80624, active 102] as i8, 8192 @ 128);
        let h1 = affine(pairwise(acc) as i16, 16: i16 @ 1024);
        let h2 = affine(screlu(h1), 128: f32);
        output affine(screlu(h2), 3: f32);
        value wdl * 1000;
        format raw
    }
}

nnue! {
    /// 768 -> 8 for each square that a move leaves and each that it goes to
    pub(crate) struct FromTo {
        from = subnets(self::Drawn768[768, active 32], 64 x 8: f32);
        to = subnets(self::Drawn768[768, active 32], 64 x 8: f32);
        output policy = dot(relu(from), relu(to)) + terms[1];
    }
}

/// Rows that a sample lists.
macro_rules! drawn {
    ($($name:ident: $rows:literal)*) => { $(
        pub(crate) struct $name;

        impl Inputs for $name {
            type Position = Sample;
            type Change = ();
            type View = ();
            const ROWS: usize = $rows;

            fn side_to_move(_: &Sample) -> Color {
                Color::White
            }

            fn view(_: &Sample, _: Color) {}

            fn active(sample: &Sample, _: Color, (): (), rows: &mut Rows) {
                sample.rows.iter().for_each(|&row| rows.add(row));
            }

            fn changed((): &(), _: Color, (): (), _: &mut ChangedRows) {}
        }
    )* };
}

drawn! { Drawn768: 768 Drawn3072: 3072 Drawn80624: 80624 }

/// Random weights with which about half of the neurons are active and no sum leaves i32.
pub(crate) fn random<A: Model>(seed: u64) -> Network<A> {
    let mut params = A::Params::zeroed();
    let mut random = Random::new(seed);
    let mut next = |limit: i32| random.below(2 * limit as usize + 1) as i32 - limit;
    for (tensor, desc) in params.tensors_mut().into_iter().zip(A::SPEC.tensors) {
        let limit = match desc.role {
            TensorRole::LayerWeight(_) => 127,
            _ => 20,
        };
        match tensor {
            TensorMut::I8(out) => out.iter_mut().for_each(|x| *x = next(limit) as i8),
            TensorMut::I16(out) => out.iter_mut().for_each(|x| *x = next(limit) as i16),
            TensorMut::I32(out) => out.iter_mut().for_each(|x| *x = next(limit)),
            TensorMut::F32(out) => out.iter_mut().for_each(|x| *x = next(100) as f32 / 200.0),
        }
    }
    Network::from_params(params)
}
