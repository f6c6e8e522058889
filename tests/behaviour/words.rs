//! Layers that read accumulators in 16 bits, against the interpreter, on every level: with weights of 8 and of 16 bits, of which some need
//! sums of more than 32 bits.

use nnue::{LoadErrorKind, Network, Parameters, WriteError, nnue};

use crate::outputs::{batches_agree, rows_agree};
use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network};

nnue! {
    /// whole products, 16-bit weights, then floats
    pub struct Floats {
        acc = accumulate(Chess768[mirrored] as i8, 160 @ 128);
        let h1 = affine(pairwise(acc) as i16, 16: i16 @ 1024);
        let h2 = affine(screlu(h1), 24: f32);
        output affine(screlu(h2), 1: f32);
        format raw;
    }

    /// shifted products, rows of bytes
    pub struct Policy {
        acc = accumulate(Chess768[..] as i8, 192 @ 128);
        output policy = rows(pairwise(acc) >> 2 as i16, 77: i8 @ 128);
        format raw;
    }

    /// whole squares, clipped values and shifted squares of the same accumulators; rows of 16 bits
    pub struct Several {
        acc = accumulate(HalfKAv2_hm[..] as i8, 96 @ 181) x 2, psqt 2;
        let x = screlu(acc) as i16;
        stacks 2 {
            let h1 = affine(x, 21: i16 @ 100);
            let h2 = affine(crelu(h1) >> 14, 9);
            output policy = rows(crelu(acc) as i16, 50: i16 @ 128);
            output value = affine(crelu(h2), 1) + h1[3] * 3 / 70000;
            output shifted = affine(sqr_crelu(acc) >> 1 as i16, 3: i8 @ 32);
        }
        format raw;
    }

    /// clipped values beyond a byte in a chain
    pub struct Clipped = (768 -> 64)x2 @ 700 crelu as i16 -> 12: i16 @ 64 crelu >> 10 -> 1 { format raw };

    /// one output, and products that fill 16 bits
    pub struct Single = Chess768[..] -> 64x2 @ 362 pairwise >> 2 as i16 -> 1x4: i16 @ 256 by (piece_count - 1) / 8 {
        value output * 400;
        format raw
    };

    /// the shape of policies of tree searches: pieces told apart by attacks, long rows of bytes
    pub struct AttackedPolicy {
        acc = accumulate(Chess768[mirrored, attacks] as i8, 2048 @ 128);
        output policy = rows(pairwise(acc) >> 2 as i16, 50: i8 @ 128);
        format raw;
    }

    /// the shape of their values: threats of one perspective, three outputs
    pub struct ThreatValue {
        acc = accumulate(Chess768[mirrored] as i8 + FullThreats[79856], 64 @ 128);
        let h1 = affine(pairwise(acc) as i16, 16: i16 @ 1024);
        let h2 = affine(screlu(h1), 24: f32);
        output affine(screlu(h2), 3: f32);
        value wdl * 1000;
        format raw;
    }

    /// parts of products, of both sides and of two activations; rows of parts
    pub struct Parts {
        acc = accumulate(Chess768[mirrored] as i8, 128 @ 128) x 2;
        let x = pairwise(acc) as i16;
        let y = sqr_crelu(acc) as i16;
        let h1 = affine(x[3..99], 16: i16 @ 1024);
        let h2 = affine(concat(y[200..], x[..40]), 8: i8 @ 64);
        let h3 = affine(concat(crelu(h1) >> 20, crelu(h2) >> 16), 8);
        output policy = rows(concat(x[64..], y[1..17]), 60: i8 @ 128);
        output value = affine(crelu(h3), 1) + h1[3] * 3 / 70000 - h2[5] * 3 / 7000;
        format raw;
    }

    /// biases of all types, in units of the weights
    pub struct Biases {
        acc = accumulate(Chess768[..] as i8, 64 @ 128);
        let h1 = affine(pairwise(acc) as i16, 16: i16 @ 1024);
        output policy = rows(pairwise(acc) >> 2 as i16, 40: i8 @ 128);
        output value = affine(screlu(h1), 1: f32);
        format raw { ft_bias: i8, fc0_bias: i16 @ 1024, fc2_bias: i8 @ 128, padding: none }
    }

    /// a bias of 32 bits whose greatest numbers do not fit
    pub struct WideBias = Chess768[..] -> 32 -> 8: i8 @ 64 -> 1 { format raw { fc0_bias: i32 @ 127 } };

    /// weights of 8 bits in 16 bits
    pub struct WideWeights = (Chess768[..] -> 32)x2 -> 16 -> 1 { format raw { fc0_weight: i16, fc1_weight: i8, padding: none } };

    /// different weights for each perspective
    pub struct SeparateWords = (768 as i8 -> 96)x2 @ 255 sqr_crelu >> 1 as i16 separate -> 32: i8 @ 64 crelu >> 18 -> 1 { format raw };
}

#[test]
fn floats_after_whole_products_agree() {
    agrees_with_the_reference::<Floats>();
}

#[test]
fn several_activations_agree() {
    agrees_with_the_reference::<Several>();
}

#[test]
fn clipped_values_agree() {
    agrees_with_the_reference::<Clipped>();
}

#[test]
fn parts_agree() {
    agrees_with_the_reference::<Parts>();
}

#[test]
fn values_of_threats_of_one_perspective_agree() {
    agrees_with_the_reference::<ThreatValue>();
}

#[test]
fn single_outputs_agree() {
    agrees_with_the_reference::<Single>();
}

#[test]
fn separate_weights_agree() {
    agrees_with_the_reference::<SeparateWords>();
}

#[test]
fn rows_of_16_bit_values_are_those_of_all() {
    rows_agree::<Policy>();
    rows_agree::<Several>();
    rows_agree::<Parts>();
    rows_agree::<AttackedPolicy>();
    batches_agree::<Policy, ()>();
    batches_agree::<AttackedPolicy, ()>();
    batches_agree::<Several, SeveralShifted>();
}

/// A network whose biases are numbers of the file.
fn of_whole_biases() -> Network<Biases> {
    let mut params = network::<Biases>(21, Weights::Tame).into_params();
    for (row, bias) in params.fc2.bias[0].iter_mut().enumerate() {
        *bias = 4096 * (row as i32 * 6 - 128);
    }
    Network::from_params(params)
}

#[test]
fn biases_have_the_types_and_scales_of_the_file() {
    let network = of_whole_biases();
    let file = network
        .to_bytes()
        .expect("all biases are numbers of the file");
    let [rows, bias] = [768 * 64, 64];
    assert_eq!(
        file.len(),
        rows + bias + 2 * (16 * 32 + 16) + (40 * 32 + 40) + 4 * (16 + 1)
    );
    let again = Network::<Biases>::from_bytes(&file).expect("the file is whole");
    assert_eq!(again.params().tensors(), network.params().tensors());
    assert_eq!(again.to_bytes().expect("the same numbers"), file);
    // i16 @ 1024, after the weights of its layer
    let at = rows + bias + 2 * 16 * 32;
    let stored = i16::from_le_bytes([file[at], file[at + 1]]);
    assert_eq!(f32::from(stored) / 1024.0, network.params().fc0.bias[0][0]);
}

#[test]
fn biases_that_the_file_cannot_say_are_not_written() {
    let written = |change: fn(&mut BiasesParams)| {
        let mut params = of_whole_biases().into_params();
        change(&mut params);
        match Network::<Biases>::from_params(params).to_bytes() {
            Err(WriteError::Number { tensor, element }) => Some((tensor, element)),
            _ => None,
        }
    };
    assert_eq!(
        written(|params| params.fc2.bias[0][3] += 1),
        Some(("fc2_bias".into(), 3))
    );
    assert_eq!(
        written(|params| params.fc2.bias[0][39] = 4096 * 128),
        Some(("fc2_bias".into(), 39))
    );
    assert_eq!(
        written(|params| params.fc0.bias[0][15] = 1.0 / 2048.0),
        Some(("fc0_bias".into(), 15))
    );
    assert_eq!(
        written(|params| params.fc0.bias[0][1] = f32::NAN),
        Some(("fc0_bias".into(), 1))
    );
    assert_eq!(
        written(|params| params.ft.bias[0][63] = 128),
        Some(("ft_bias".into(), 63))
    );
    assert_eq!(written(|params| params.ft.bias[0][63] = -128), None);
}

#[test]
fn biases_that_do_not_fit_are_refused() {
    let network = network::<WideBias>(22, Weights::Tame);
    let mut params = network.into_params();
    params.fc0.bias[0] = [64; 8];
    let mut file = Network::<WideBias>::from_params(params)
        .to_bytes()
        .expect("64 is 1 @ 127");
    let at = 2 * (768 * 32 + 32) + 8 * 32 + 4 * 5;
    assert_eq!(file[at..][..4], [1, 0, 0, 0]);
    file[at + 3] = 0x7F;
    let error =
        Network::<WideBias>::from_bytes(&file).expect_err("64 times 2^30 has more than 32 bits");
    assert_eq!(
        (error.kind(), error.tensor(), error.element()),
        (LoadErrorKind::ValueRange, Some("fc0_bias"), Some(5))
    );
}

#[test]
fn weights_may_be_wider_in_the_file() {
    let network = network::<WideWeights>(23, Weights::Wild);
    let mut file = network.to_bytes().expect("a vector takes everything");
    let at = 2 * (768 * 32 + 32);
    assert_eq!(file.len(), at + 2 * 16 * 64 + 4 * 16 + 16 + 4);
    let again = Network::<WideWeights>::from_bytes(&file).expect("the file is whole");
    assert_eq!(again.params().tensors(), network.params().tensors());
    file[at + 2 * 7..][..2].copy_from_slice(&300_i16.to_le_bytes());
    let error = Network::<WideWeights>::from_bytes(&file).expect_err("300 has more than 8 bits");
    assert_eq!(
        (error.kind(), error.tensor(), error.element()),
        (LoadErrorKind::ValueRange, Some("fc0_weight"), Some(7))
    );
    assert!(
        error.to_string().contains("300 does not fit in i8"),
        "{error}"
    );
}
