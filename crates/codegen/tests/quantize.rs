//! Networks in whole numbers from the floats of a trainer: the numbers that bullet writes, and what is refused.

use nnue_codegen::plan_text;
use nnue_format::{Header, Tensors, write};
use nnue_spec::plan::Plan;
use nnue_spec::reference::{Board, evaluate, evaluate_real};
use nnue_spec::{NetDesc, TensorRef};
use nnue_testkit::board;
use nnue_testkit::games::suite_fens;
use nnue_testkit::random::Random;
use nnue_tools::quantize::{
    Factoriser, FloatTensor, QuantizeError, Quantized, Recipe, Rounding, factors, named, quantize,
    split,
};

const H: usize = 32;

const BUCKETS: &str = "
    /// As `progression/2_output_buckets` of the trainer: output weights are transposed on save.
    pub struct Buckets = (768 -> 32)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count { format raw };
";

const KINGS: &str = "
    /// As `progression/3_input_buckets`, with four king buckets.
    pub struct Kings {
        inputs = Chess768[buckets: [0 x 4, 1 x 4, 2 x 8, 3 x 16], mirrored];
        acc = accumulate(inputs, 32 @ 255) x 2;
        output affine(screlu(acc), 1: i16 @ 64);
        value output * 400;
        format raw
    }
";

const DEEP: &str = "
    /// Layers of 8-bit weights, PSQT outputs, neurons that go straight to the output.
    pub struct Deep {
        acc = accumulate(Chess768[..], 64) x 2, psqt 2;
        stacks 2 by (piece_count - 1) / 16 {
            let h1 = affine(crelu(acc), 8);
            let h2 = affine(concat(sqr_crelu(h1[..7]), crelu(h1[..7])), 8);
            output affine(crelu(h2), 1) + h1[7] * 9600 / 8128;
        }
    }
";

const BINARY: &str = "
    /// Signs of accumulators, then of sums.
    pub struct Binary = Chess768[..] -> 64x2 -> 20 binary -> 3 @ 32 binary -> 1 { format raw };
";

const BLOCKS: &str = "
    /// Each input reaches one block of outputs.
    pub struct Blocks = Chess768[..] -> 64 -> 48 blocks 1 of 16 -> 1 { format raw };
";

/// The network that `source` declares. Tests end before it has to be freed.
fn net(source: &str) -> &'static NetDesc<'static> {
    let plan: &'static Plan = Box::leak(Box::new(
        plan_text(source)
            .unwrap_or_else(|errors| panic!("{}", errors[0]))
            .remove(0),
    ));
    let tables = Box::leak(Box::new(plan.tables()));
    Box::leak(Box::new(tables.descriptor()))
}

/// Numbers from `-limit` to `limit`.
fn floats(seed: u64, count: usize, limit: f32) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| (random.below(2_000_001) as f32 / 1e6 - 1.0) * limit)
        .collect()
}

fn tensor(name: &str, values: Vec<f32>) -> FloatTensor {
    FloatTensor {
        name: name.into(),
        shape: Vec::new(),
        values,
    }
}

/// The floats of [`BUCKETS`].
fn buckets() -> Vec<FloatTensor> {
    vec![
        tensor("l0b", floats(1, H, 1.9)),
        tensor("l0w", floats(2, 768 * H, 1.9)),
        tensor("l1b", floats(3, 8, 1.9)),
        tensor("l1w", floats(4, 2 * H * 8, 1.9)),
    ]
}

/// Tensors as bullet's `weights.bin` has them.
fn named_file(tensors: &[FloatTensor]) -> Vec<u8> {
    let mut file = Vec::new();
    for tensor in tensors {
        file.extend_from_slice(format!("{}\n", tensor.name).as_bytes());
        file.extend_from_slice(&(tensor.values.len() as u64).to_le_bytes());
        file.extend(tensor.values.iter().flat_map(|value| value.to_le_bytes()));
    }
    file
}

fn file(net: &NetDesc<'_>, quantized: &Quantized) -> Vec<u8> {
    let mut file = Vec::new();
    write(
        net,
        &Header::new(net, ""),
        &quantized.tensors.refs(),
        &mut file,
    )
    .expect("a vector takes everything");
    file
}

fn boards() -> impl Iterator<Item = Board> {
    suite_fens().into_iter().step_by(9).map(|fen| {
        let seen = board::Board::from_fen(&fen);
        Board::new(seen.iter(), seen.black_to_move())
    })
}

/// `SavedFormat` of the trainer's example, in plain loops: l0w, l0b, l1w transposed, l1b, all i16, then padding.
fn saved_by_the_trainer(tensors: &[FloatTensor], whole: impl Fn(f64) -> f64) -> Vec<u8> {
    let [l0b, l0w, l1b, l1w] = [0, 1, 2, 3].map(|index| &tensors[index].values);
    let transposed: Vec<f32> = (0..8)
        .flat_map(|output| (0..2 * H).map(move |input| l1w[input * 8 + output]))
        .collect();
    let mut file = Vec::new();
    for (values, factor) in [
        (l0w, 255.0),
        (l0b, 255.0),
        (&transposed, 64.0),
        (l1b, 255.0 * 64.0),
    ] {
        let whole = values
            .iter()
            .map(|&value| whole(factor * f64::from(value)) as i16);
        file.extend(whole.flat_map(i16::to_le_bytes));
    }
    let padding = file.len().next_multiple_of(64) - file.len();
    file.extend(b"bullet".iter().cycle().take(padding));
    file
}

#[test]
fn the_file_is_what_the_trainer_saves() {
    for (rounding, whole) in [
        (Rounding::Truncate, f64::trunc as fn(f64) -> f64),
        (Rounding::HalfAwayFromZero, f64::round),
    ] {
        let sources = named(&named_file(&buckets())).expect("it is right");
        assert_eq!(sources, buckets());
        let recipe = Recipe {
            rounding,
            ..Recipe::new(net(BUCKETS))
        };
        let quantized = quantize(net(BUCKETS), sources, &recipe).expect("all weights fit");
        assert!(
            file(net(BUCKETS), &quantized) == saved_by_the_trainer(&buckets(), whole),
            "{rounding:?}"
        );
        let limit = if rounding == Rounding::Truncate {
            1.0
        } else {
            0.5
        };
        for (name, rounded) in &quantized.reports {
            assert!(
                rounded.worst <= limit && rounded.worst > 0.5 * limit && rounded.saturated == 0,
                "{name} {rounded:?}"
            );
            assert!(
                (rounded.mean - limit / 2.0).abs() < 0.25,
                "{name} {rounded:?}"
            );
        }
    }
}

#[test]
fn files_without_names_have_the_order_of_the_declaration() {
    let [l0b, l0w, l1b, l1w] = buckets().try_into().expect("four tensors");
    let raw: Vec<u8> = [&l0w, &l0b, &l1w, &l1b]
        .iter()
        .flat_map(|t| t.values.iter().flat_map(|v| v.to_le_bytes()))
        .collect();
    let sources = split(net(BUCKETS), &raw, &Factoriser::None).expect("the size is right");
    assert_eq!(sources, [l0w, l0b, l1w, l1b]);
    let error = split(net(BUCKETS), &raw[4..], &Factoriser::None)
        .expect_err("one is missing")
        .to_string();
    assert_eq!(
        error,
        "the file has 25127 floats, the declaration 25128: another number of neurons, king buckets or output buckets, or another order of tensors"
    );
    assert!(split(net(BUCKETS), &raw[1..], &Factoriser::None).is_err());
}

#[test]
fn tensors_with_shapes_are_turned() {
    let transposed = |tensor: &FloatTensor, rows: usize| {
        let columns = tensor.values.len() / rows;
        let values = (0..columns)
            .flat_map(|c| (0..rows).map(move |r| tensor.values[r * columns + c]))
            .collect();
        FloatTensor {
            name: tensor.name.clone(),
            shape: vec![columns, rows],
            values,
        }
    };
    let recipe = Recipe::new(net(BUCKETS));
    let plain = quantize(net(BUCKETS), buckets(), &recipe).expect("all weights fit");
    let mut shaped = buckets();
    shaped[1] = transposed(&shaped[1], 768);
    shaped[3] = transposed(&shaped[3], 2 * H);
    shaped[2].shape = vec![8];
    let turned = quantize(net(BUCKETS), shaped.clone(), &recipe).expect("the shapes say how");
    assert_eq!(turned.tensors, plain.tensors);
    shaped[1].shape = vec![16, 1536];
    let error = quantize(net(BUCKETS), shaped, &recipe)
        .expect_err("no such matrix")
        .to_string();
    assert_eq!(
        error,
        "`l0w` is to be `ft_weight`, which has 768 rows of 32 floats, but has the shape [16, 1536]"
    );
}

#[test]
fn both_forms_of_a_factoriser_are_merged() {
    let spec = net(KINGS);
    let (weights, shared) = (floats(5, 4 * 768 * H, 0.9), floats(6, 768 * H, 0.9));
    let others = || {
        [
            tensor("l0b", floats(1, H, 1.9)),
            tensor("l1b", floats(3, 1, 1.9)),
            tensor("l1w", floats(4, 2 * H, 1.9)),
        ]
    };
    let with = |tensors: Vec<FloatTensor>, factoriser| {
        quantize(
            spec,
            tensors.into_iter().chain(others()).collect(),
            &Recipe {
                factoriser,
                ..Recipe::new(spec)
            },
        )
    };
    let apart = vec![
        tensor("l0w", weights.clone()),
        tensor("l0f", shared.clone()),
    ];
    let merged =
        with(apart.clone(), Factoriser::Tensor("l0f".into())).expect("a factoriser is merged");
    let expected =
        |at: usize| (255.0 * f64::from(weights[at] + shared[at % (768 * H)])).trunc() as i16;
    let TensorRef::I16(found) = merged.tensors.refs()[0] else {
        panic!("feature weights are of 16 bits")
    };
    assert!(
        found
            .iter()
            .enumerate()
            .all(|(at, &found)| found == expected(at))
    );

    let joined = vec![tensor("l0w", [&shared[..], &weights].concat())];
    let first = with(joined.clone(), Factoriser::First).expect("a factoriser is merged");
    assert_eq!(first.tensors, merged.tensors);

    let error = |tensors, factoriser| {
        with(tensors, factoriser)
            .expect_err("it does not fit")
            .to_string()
    };
    assert!(
        error(apart, Factoriser::None)
            .starts_with("`l0f` belongs to no tensor of the declaration; a factoriser")
    );
    assert_eq!(
        error(joined, Factoriser::None),
        "`l0w` is to be `ft_weight`, which has 3072 rows of 32 floats; more rows before them are a factoriser, which comes first, \
         but has 122880 floats"
    );
    let odd = vec![
        tensor("l0w", weights.clone()),
        tensor("l0f", floats(6, 700 * H, 0.9)),
    ];
    assert_eq!(
        error(odd, Factoriser::Tensor("l0f".into())),
        "a factoriser of 700 rows is not repeated over 3072 rows of weights a whole number of times"
    );
    assert!(
        error(
            vec![tensor("l0w", weights)],
            Factoriser::Tensor("l0f".into())
        )
        .starts_with("the factoriser is not there")
    );
}

#[test]
fn a_raw_file_with_a_factoriser_in_front_is_told() {
    let floats = (4 + 1) * 768 * H + H + 2 * H + 1;
    let raw = vec![0; 4 * floats];
    let error = split(net(KINGS), &raw, &Factoriser::None)
        .expect_err("too long")
        .to_string();
    assert!(
        error.ends_with(
            "the difference is 768 rows of the feature transformer, a factoriser that stands first"
        ),
        "{error}"
    );
    let sources = split(net(KINGS), &raw, &Factoriser::First).expect("it is asked for");
    assert_eq!(sources[0].values.len(), 5 * 768 * H);
}

#[test]
fn what_does_not_fit_its_type_is_refused_or_counted() {
    let mut sources = buckets();
    sources[2].values[5] = -2.5;
    sources[2].values[6] = 2.1;
    let recipe = Recipe::new(net(BUCKETS));
    let error =
        quantize(net(BUCKETS), sources.clone(), &recipe).expect_err("16320 * 2.5 is too much");
    assert_eq!(
        error.to_string(),
        "`fc0_bias` (`l1b`): 2 weights do not fit in i16, -32768 to 32767; the worst is number 5, -2.5 * 16320 = -40800.0"
    );
    let saturated = quantize(
        net(BUCKETS),
        sources.clone(),
        &Recipe {
            saturate: true,
            ..recipe.clone()
        },
    );
    let saturated = saturated.expect("clamped");
    let (name, rounded) = &saturated.reports[3];
    assert_eq!(
        (name.as_str(), rounded.saturated, rounded.excess),
        ("l1b", 2, 8032.0)
    );
    assert_eq!(
        (
            saturated.tensors.refs()[3].get(5),
            saturated.tensors.refs()[3].get(6)
        ),
        (-32768, 32767)
    );
    sources[2].values[5] = f32::NAN;
    assert_eq!(
        quantize(net(BUCKETS), sources, &recipe)
            .expect_err("it is no number")
            .to_string(),
        "`fc0_bias` (`l1b`): weight 5 is NaN, the training has failed"
    );
}

#[test]
fn missing_and_hostile_tensors_are_told() {
    let recipe = Recipe::new(net(BUCKETS));
    let missing = quantize(net(BUCKETS), buckets().split_off(1), &recipe)
        .expect_err("l0b is missing")
        .to_string();
    assert_eq!(
        missing,
        "ft_bias is not there: no tensor is called `l0b` or `ft_bias`; left are `l1b`, `l1w`"
    );
    let good = named_file(&buckets());
    // the first tensor ends there, and is a file of its own
    for end in (1..200).filter(|&end| end != 4 + 8 + 4 * H) {
        assert!(
            matches!(named(&good[..end]), Err(QuantizeError::File { .. })),
            "{end}"
        );
    }
    let error = |file: &[u8]| named(file).expect_err("it is no such file").to_string();
    assert_eq!(
        error(b"l0w\n\xff\xff\xff\xff\xff\xff\xff\xff1234"),
        "`l0w` is to have 18446744073709551615 floats, 4 bytes are left (at byte 12)"
    );
    assert_eq!(
        error(&[b'x'; 5000]),
        "expected the name of a tensor and a line feed (at byte 0)"
    );
    assert_eq!(
        error(b"\n\0\0\0\0\0\0\0\0"),
        "expected the name of a tensor and a line feed (at byte 0)"
    );
}

#[test]
fn factors_follow_from_the_declaration() {
    assert_eq!(factors(net(BUCKETS)), [255.0, 255.0, 64.0, 16320.0]);
    // ft bias, weight, psqt; fc0, fc1, fc2, each bias and weight; the output is worth 9600 where h1 is worth 127 * 64
    let expected = [
        127.0,
        127.0,
        9600.0,
        8128.0,
        64.0,
        8128.0,
        64.0,
        9600.0,
        9600.0 / 127.0,
    ];
    let found = factors(net(DEEP));
    assert_eq!(found.len(), expected.len());
    assert!(
        found
            .iter()
            .zip(expected)
            .all(|(found, right)| (found - right).abs() < 1e-9),
        "{found:?}"
    );
}

/// Whole numbers divided by their factors, so that rounding to the nearest finds them again.
fn as_floats(net: &NetDesc<'_>, tensors: &Tensors) -> Vec<FloatTensor> {
    let parts = net.tensors.iter().zip(tensors.refs()).zip(factors(net));
    parts
        .map(|((desc, tensor), factor)| {
            let values = (0..tensor.len())
                .map(|index| (f64::from(tensor.get(index)) / factor) as f32)
                .collect();
            FloatTensor {
                name: desc.name.into(),
                shape: vec![desc.copies, desc.rows, desc.cols],
                values,
            }
        })
        .collect()
}

#[test]
fn whole_numbers_come_back_and_the_network_in_floats_says_the_same() {
    let limits = [
        60.0, 40.0, 20_000.0, 5000.0, 60.0, 5000.0, 60.0, 5000.0, 60.0,
    ];
    let recipe = Recipe {
        rounding: Rounding::HalfAwayFromZero,
        ..Recipe::new(net(DEEP))
    };
    let first: Vec<FloatTensor> = net(DEEP)
        .tensors
        .iter()
        .zip(limits)
        .zip(factors(net(DEEP)))
        .map(|((desc, limit), factor)| {
            let inputs = if desc.role.is_of_layer() && desc.cols == 32 && desc.rows > 1 {
                14
            } else {
                desc.cols
            };
            let inputs = if desc.name == "fc2_weight" { 8 } else { inputs };
            let values = floats(8, desc.copies * desc.rows * inputs, (limit / factor) as f32);
            let is_bias = desc.name.ends_with("bias");
            let shape = if is_bias {
                vec![values.len()]
            } else {
                vec![desc.copies, desc.rows, inputs]
            };
            FloatTensor {
                name: desc.name.into(),
                shape,
                values,
            }
        })
        .collect();
    let made = quantize(net(DEEP), first, &recipe).expect("all weights fit");
    let tensors = made.tensors.refs();
    // An activation of 14 is cut off by less than 1, which weights of at most 60 make 14 * 60 of, 14 units of the next layer; those of 8
    // neurons, times 60, are 6720 in the output, and 420 in the value. That is the worst that can be; on average much cancels out.
    let (mut different, mut total) = (std::collections::HashSet::new(), 0.0);
    for board in boards() {
        let real = evaluate_real(net(DEEP), &made.scaled, &board);
        let whole = evaluate(net(DEEP), &tensors, &board).value;
        assert!((real - f64::from(whole)).abs() < 430.0, "{real} {whole}");
        total += (real - f64::from(whole)).abs();
        different.insert(whole);
    }
    assert!(total / (boards().count() as f64) < 50.0, "{total}");
    assert!(different.len() > 20);
}

#[test]
fn single_outputs_come_back_exactly_and_differ_by_the_divisions_only() {
    let recipe = Recipe {
        rounding: Rounding::HalfAwayFromZero,
        ..Recipe::new(net(BUCKETS))
    };
    let made = quantize(net(BUCKETS), buckets(), &recipe).expect("all weights fit");
    let again = quantize(
        net(BUCKETS),
        as_floats(net(BUCKETS), &made.tensors),
        &recipe,
    )
    .expect("all weights fit");
    assert_eq!(again.tensors, made.tensors);
    assert!(
        again
            .reports
            .iter()
            .all(|(_, rounded)| rounded.worst < 0.01),
        "{:?}",
        again.reports
    );
    for board in boards() {
        let (real, whole) = (
            evaluate_real(net(BUCKETS), &again.scaled, &board),
            evaluate(net(BUCKETS), &again.tensors.refs(), &board).value,
        );
        assert!((real - f64::from(whole)).abs() < 1.5, "{real} {whole}");
    }
}

/// Signs and mean magnitudes become whole numbers that evaluate like the real ones.
#[test]
fn binary_layers_are_signs_and_mean_magnitudes() {
    let net = net(BINARY);
    let shaped = |name: &str, shape: &[usize], values: Vec<f32>| FloatTensor {
        name: name.into(),
        shape: shape.into(),
        values,
    };
    let mut weights = floats(5, 20 * 128, 0.2);
    weights[..4].copy_from_slice(&[0.0, -0.0, 1e-30, -1e-30]);
    let tensors = vec![
        tensor("ft_weight", floats(1, 768 * 64, 0.3)),
        tensor("ft_bias", floats(2, 64, 0.5)),
        shaped("fc0_weight", &[20, 128], weights.clone()),
        tensor("fc0_bias", floats(3, 20, 0.5)),
        shaped("fc1_weight", &[3, 20], floats(6, 3 * 20, 0.3)),
        tensor("fc1_bias", floats(7, 3, 0.5)),
        shaped("fc2_weight", &[1, 3], floats(8, 3, 1.0)),
        tensor("fc2_bias", floats(9, 1, 0.1)),
    ];
    let recipe = Recipe {
        rounding: Rounding::HalfAwayFromZero,
        ..Recipe::new(net)
    };
    let quantized = quantize(net, tensors.clone(), &recipe).expect("all tensors fit");
    let index = |name: &str| {
        net.tensors
            .iter()
            .position(|tensor| tensor.name == name)
            .expect("it is declared")
    };
    let tensor = |name: &str| quantized.tensors.refs()[index(name)];
    let TensorRef::I8(signs) = tensor("fc0_weight") else {
        panic!("signs are bytes")
    };
    for (at, &weight) in weights.iter().enumerate() {
        assert_eq!(
            signs[at / 8] >> (at % 8) & 1 == 1,
            weight > 0.0,
            "weight {at} is {weight}"
        );
    }
    let magnitudes = weights[..128]
        .iter()
        .map(|weight| f64::from(weight.abs()))
        .sum::<f64>();
    assert_eq!(
        f64::from(tensor("fc0_scale").get(0)),
        (magnitudes / 128.0 * 127.0 * 64.0).round()
    );
    assert_eq!(
        tensor("fc1_weight").len(),
        3 * 3,
        "20 signs are three bytes"
    );

    // What is rounded away is little but where the sum of a neuron is about 0, whose sign may then be another.
    let (mut near, mut all) = (0, 0);
    for board in boards() {
        let exact = evaluate_real(net, &quantized.scaled, &board);
        let value = f64::from(evaluate(net, &quantized.tensors.refs(), &board).value);
        near += u32::from((exact - value).abs() < 3.0);
        all += 1;
    }
    assert!(
        2 * near > all,
        "{near} of {all} values are near the real ones"
    );

    // Scales of the source's own are taken; so are files without names, which have none.
    let mut own = tensors.clone();
    own.push(FloatTensor {
        name: "fc0_scale".into(),
        shape: Vec::new(),
        values: vec![0.125; 20],
    });
    let quantized = quantize(net, own, &recipe).expect("all tensors fit");
    assert_eq!(
        quantized.tensors.refs()[index("fc0_scale")].get(7),
        127 * 64 / 8
    );
    let nameless: Vec<u8> = tensors
        .iter()
        .flat_map(|tensor| &tensor.values)
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert_eq!(
        split(net, &nameless, &Factoriser::None)
            .expect("as many floats")
            .len(),
        net.tensors.len() - 2
    );
}

/// Weights of other blocks are zero, or are rounded to it.
#[test]
fn inputs_of_block_sparse_layers_reach_as_many_blocks_as_declared() {
    let net = net(BLOCKS);
    let mut weights = vec![0.0; 48 * 64];
    for input in 0..64 {
        (0..16).for_each(|output| {
            weights[(input % 3 * 16 + output) * 64 + input] = 0.01 * (output as f32 + 1.0)
        });
    }
    weights[20 * 64] = 0.4 / 64.0;
    let quantized = |weights: &[f32]| {
        let tensors = vec![
            tensor("ft_weight", floats(1, 768 * 64, 0.3)),
            tensor("ft_bias", floats(2, 64, 0.5)),
            FloatTensor {
                name: "fc0_weight".into(),
                shape: vec![48, 64],
                values: weights.to_vec(),
            },
            tensor("fc0_bias", floats(3, 48, 0.5)),
            FloatTensor {
                name: "fc1_weight".into(),
                shape: vec![1, 48],
                values: floats(4, 48, 1.0),
            },
            tensor("fc1_bias", floats(5, 1, 0.1)),
        ];
        quantize(
            net,
            tensors,
            &Recipe {
                rounding: Rounding::HalfAwayFromZero,
                ..Recipe::new(net)
            },
        )
    };
    quantized(&weights).expect("0.4 is rounded to 0");
    weights[20 * 64] = 0.6 / 64.0;
    weights[47 * 64] = -1.0;
    let error = quantized(&weights).expect_err("input 0 reaches three blocks");
    let (tensor, source) = ("fc0_weight".to_owned(), "fc0_weight".to_owned());
    assert_eq!(
        error,
        QuantizeError::Blocks {
            tensor,
            source,
            input: 0,
            reached: 1,
            found: 3
        }
    );
    assert!(
        error
            .to_string()
            .contains("input 0 has weights in 3 blocks of 16 outputs, `blocks 1 of 16` allows 1"),
        "{error}"
    );
}
