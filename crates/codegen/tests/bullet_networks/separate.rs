//! Perspectives with weights of their own: where their tensors stand in a file, what is told about files that do not fit, what is
//! proved, and how they are made of a trainer's floats.

use std::io::Cursor;

use nnue_format::{Padding, Tensors};
use nnue_spec::{NetDesc, TensorMut, TensorRef, TensorRole};
use nnue_tools::bounds::prove;
use nnue_tools::quantize::{Factoriser, FloatTensor, QuantizeError, Recipe, quantize, split};

use crate::files::{error, golden_error, random_file, random_tensors};

const PLAIN: &str = "struct N = (768 -> 32)x2 @ 255 screlu separate -> 1x2: i16 by material_count { format raw; GOLDEN };";

/// All of one perspective, then all of the other.
const ROWS: usize = 768 * 32;
const LENGTHS: [usize; 6] = [ROWS, 32, ROWS, 32, 2 * 64, 2];

fn with<R>(source: &str, test: impl FnOnce(&NetDesc<'_>) -> R) -> R {
    let plans = nnue_codegen::plan_text(&source.replace("GOLDEN", ""))
        .unwrap_or_else(|e| panic!("{}", e[0]));
    let tables = plans[0].tables();
    test(&tables.descriptor())
}

fn tensor_mut<'a>(net: &NetDesc<'_>, tensors: &'a mut Tensors, role: TensorRole) -> &'a mut [i16] {
    let place = net
        .tensors
        .iter()
        .position(|tensor| tensor.role == role)
        .expect("it is declared");
    match tensors.muts().swap_remove(place) {
        TensorMut::I16(values) => values,
        other => panic!("feature weights are of 16 bits, not {other:?}"),
    }
}

#[test]
fn all_of_one_perspective_stands_in_front_of_the_other() {
    with(PLAIN, |net| {
        let names: Vec<_> = net
            .tensors
            .iter()
            .map(|tensor| (tensor.name, tensor.len()))
            .collect();
        let expected = [
            "ft_weight",
            "ft_bias",
            "ft_second_weight",
            "ft_second_bias",
            "fc0_weight",
            "fc0_bias",
        ];
        assert_eq!(names, expected.into_iter().zip(LENGTHS).collect::<Vec<_>>());
        let file = random_file(net, Padding::None);
        let numbers = file
            .chunks_exact(2)
            .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]));
        let tensors = random_tensors(net);
        let all = tensors.refs().into_iter().flat_map(|tensor| match tensor {
            TensorRef::I16(values) => values.to_vec(),
            other => panic!("all tensors are of 16 bits, not {other:?}"),
        });
        assert!(numbers.eq(all));
    });
}

/// The file of `written`, declared as `read`.
fn told(written: &str, read: &str) -> String {
    let file = with(written, |net| random_file(net, Padding::None));
    with(read, |net| error(net, &file))
}

#[test]
fn what_would_fit_is_told() {
    let wider = told(&PLAIN.replace("-> 32", "-> 64"), PLAIN);
    assert!(
        wider.contains("it fits with accumulators of 64 neurons, declared are 32"),
        "{wider}"
    );
    let kings = PLAIN.replace("768 ->", "Chess768[buckets: [0 x 16, 1 x 16, 2 x 32]] ->");
    let kings = told(&kings, PLAIN);
    assert!(
        kings.contains("it fits with king buckets 3, declared are 1"),
        "{kings}"
    );
    let buckets = told(&PLAIN.replace("1x2", "1x8"), PLAIN);
    assert!(
        buckets.contains("this file has 8 output buckets, 2 are declared"),
        "{buckets}"
    );
    let file = with(PLAIN, |net| random_file(net, Padding::None));
    let cut = with(PLAIN, |net| {
        let error = nnue_tools::read(net, Cursor::new(&file[..2 * (ROWS + 32 + ROWS / 2)]))
            .expect_err("half of the rows are missing");
        assert_eq!(error.tensor(), Some("ft_second_weight"));
        error.to_string()
    });
    assert!(cut.contains("it is cut off"), "{cut}");
}

#[test]
fn golden_values_tell_which_perspective_is_in_front() {
    let second =
        "order: [ft_second_weight, ft_second_bias, ft_weight, ft_bias, fc0_weight, fc0_bias]";
    let exchanged = golden_error(
        &PLAIN.replace("raw;", &format!("raw {{ {second} }};")),
        PLAIN,
    );
    assert!(
        exchanged.contains(&format!("it fits with `{second}`")),
        "{exchanged}"
    );
    let white = golden_error(&PLAIN.replace("separate", "separate white_first"), PLAIN);
    assert!(white.contains("it fits with `white_first`"), "{white}");
}

#[test]
fn each_perspective_is_proved() {
    with(PLAIN, |net| {
        let mut tensors = Tensors::zeroed(net);
        tensor_mut(net, &mut tensors, TensorRole::TransformerBias)[3] = 700;
        tensor_mut(net, &mut tensors, TensorRole::SecondBias)[5] = 32_700;
        let bounds = prove(net, &tensors.refs());
        let second = bounds.second.as_ref().expect("it has weights of its own");
        assert_eq!(
            [bounds.accumulator.range.max, second.range.max],
            [700, 32_700]
        );
        assert!(
            bounds.nothing_wraps() && bounds.to_string().contains("second accumulator"),
            "{bounds}"
        );
        tensor_mut(net, &mut tensors, TensorRole::SecondWeight)[40 * 32 + 5] = 68;
        let error = prove(net, &tensors.refs())
            .require_no_wrapping()
            .expect_err("32768 is more than 32767");
        assert_eq!(error.tensor(), Some("ft_second_weight"));
        assert!(
            error.to_string().contains("accumulator neuron 5 can reach"),
            "{error}"
        );
    });
}

#[test]
fn floats_of_both_perspectives_become_whole() {
    with(PLAIN, |net| {
        let names = ["l0w", "l0b", "l0nw", "l0nb", "l1w", "l1b"];
        let value = |tensor: usize, at: usize| ((7 * at + 31 * tensor) % 101) as f32 / 64.0 - 0.7;
        let values = |tensor: usize| {
            (0..LENGTHS[tensor])
                .map(|at| value(tensor, at))
                .collect::<Vec<_>>()
        };
        let named = |tensor: usize| FloatTensor {
            name: names[tensor].into(),
            shape: Vec::new(),
            values: values(tensor),
        };
        let quantized = quantize(net, (0..6).map(named).collect(), &Recipe::new(net))
            .expect("every tensor is there");
        for (tensor, found) in quantized.tensors.refs().into_iter().take(4).enumerate() {
            let expected = values(tensor)
                .into_iter()
                .map(|weight| (255.0 * f64::from(weight)) as i16);
            let TensorRef::I16(found) = found else {
                panic!("feature weights are of 16 bits")
            };
            assert!(found.iter().copied().eq(expected), "{}", names[tensor]);
        }
        let file: Vec<u8> = (0..6).flat_map(values).flat_map(f32::to_le_bytes).collect();
        let unnamed = split(net, &file, &Factoriser::None).expect("it has as many floats");
        assert_eq!(
            quantize(net, unnamed, &Recipe::new(net))
                .expect("likewise")
                .tensors,
            quantized.tensors
        );
        let recipe = Recipe {
            factoriser: Factoriser::Tensor("l0f".into()),
            ..Recipe::new(net)
        };
        let error = quantize(net, (0..6).map(named).collect(), &recipe)
            .expect_err("whose factoriser is it?");
        assert_eq!(error, QuantizeError::SeparateFactorisers);
        assert_eq!(
            split(net, &file, &Factoriser::First),
            Err(QuantizeError::SeparateFactorisers)
        );
    });
}
