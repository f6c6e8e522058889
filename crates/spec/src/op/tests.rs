//! Properties of all definitions.

use alloc::vec;
use alloc::vec::Vec;

use super::*;

/// All integer formulas, with the scales of their operands.
fn formulas() -> impl Iterator<Item = (Activation, Formula, i64, u32)> {
    Activation::ALL.into_iter().flat_map(|activation| {
        let operation = activation.operation().expect("the language names it");
        let products = [(127, 7), (181, 8), (255, 9)];
        let bytes = operation.accumulators.into_iter().flat_map(move |formula| {
            let scales = products.map(|(one, shift)| {
                (
                    one,
                    if matches!(formula.shift, Shift::None) {
                        0
                    } else {
                        shift
                    },
                )
            });
            scales.map(|(one, shift)| (formula, one, shift))
        });
        let whole = operation
            .whole
            .into_iter()
            .flat_map(move |formula| products.map(|(one, _)| (formula, one, 0)));
        let sums = operation.sums.into_iter().flat_map(|formula| {
            let Shift::Sum { default, .. } = formula.shift else {
                panic!("sums are shifted")
            };
            [64, 128].map(|scale| (formula, 127, default(scale)))
        });
        let defined = bytes.chain(whole).chain(sums);
        let possible = defined
            .filter(|(formula, one, _)| formula.only_one.is_none_or(|only| only == *one as u64));
        possible.map(move |(formula, one, shift)| (activation, formula, one, shift))
    })
}

const SAMPLES: [i64; 17] = [
    -2_147_483_648,
    -32_768,
    -8192,
    -4097,
    -129,
    -65,
    -1,
    0,
    1,
    63,
    126,
    127,
    255,
    4096,
    8128,
    32_767,
    2_147_483_647,
];

#[test]
fn results_are_within_the_declared_range_and_reach_its_end() {
    for (activation, formula, one, shift) in formulas() {
        let results = SAMPLES.into_iter().flat_map(|x| SAMPLES.map(|y| (x, y)));
        let pairs = activation
            .operation()
            .is_some_and(|operation| operation.pairs.is_some());
        let results = results.map(|(x, y)| {
            (formula.value)(Operands {
                x,
                y: if pairs { y } else { x },
                one,
                shift,
            })
        });
        let (least, greatest) = results.fold((0, 0), |(least, greatest), x| {
            (x.min(least), x.max(greatest))
        });
        assert_eq!(
            (least, greatest),
            (0, (formula.greatest)(one, shift)),
            "{activation:?} at {one} >> {shift}"
        );
    }
}

#[test]
fn real_results_differ_by_less_than_the_roundings() {
    for (activation, formula, one, shift) in formulas() {
        for x in SAMPLES {
            let exact = (formula.value)(Operands {
                x,
                y: x,
                one,
                shift,
            }) as f64;
            let real = (formula.real.value)(Operands {
                x: x as f64,
                y: x as f64,
                one: one as f64,
                shift,
            });
            // One shift rounds the operand, another the result.
            assert!(
                (exact - real).abs() < 2.0,
                "{activation:?} of {x}: {exact}, {real}"
            );
        }
    }
}

#[test]
fn floats_are_rounded_formulas_of_real_numbers() {
    for activation in Activation::ALL {
        let Some(floats) = activation
            .operation()
            .and_then(|operation| operation.floats)
        else {
            continue;
        };
        let pairs = activation
            .operation()
            .is_some_and(|operation| operation.pairs.is_some());
        for (x, y) in (-40..40).flat_map(|x| [-3.5, 0.25, 7.0].map(|y| (x as f32 / 8.0, y))) {
            let y = if pairs { y } else { x };
            let real = (floats.real.value)(Operands::floats(x.into(), y.into()));
            let rounded = (floats.value)(x, y);
            assert!(
                (f64::from(rounded) - real).abs() <= 1e-5,
                "{activation:?} of {x}, {y}: {rounded}, {real}"
            );
        }
    }
}

#[test]
fn pairs_are_combined_and_others_stand_alone() {
    let of = |pairs| super::pairs::operands(pairs, &[1, 2, 3, 4]).collect::<Vec<_>>();
    assert_eq!(of(Some(Pairs::Halves)), [(1, 3), (2, 4)]);
    assert_eq!(of(Some(Pairs::Neighbours)), [(1, 2), (3, 4)]);
    assert_eq!(of(None), [(1, 1), (2, 2), (3, 3), (4, 4)]);
    assert_eq!(
        (
            Activation::Pairwise.values(64),
            Activation::Custom(0).values(64)
        ),
        (32, 64)
    );
}

#[test]
fn quantmoid4_has_the_published_values() {
    let operation = Activation::Quantmoid4
        .operation()
        .expect("the language names it");
    let of = |formula: Option<Formula>, x, shift| {
        (formula.expect("defined").value)(Operands {
            x,
            y: x,
            one: 127,
            shift,
        })
    };
    let accumulators = [
        -32_768, -127, -112, -111, -1, 0, 1, 64, 111, 112, 127, 32_767,
    ];
    assert_eq!(
        accumulators.map(|a| of(operation.accumulators, a, 0)),
        [0, 0, 0, 1, 62, 63, 64, 111, 125, 126, 126, 126]
    );
    // -1 >> 6 is -1: sums are rounded down before the absolute value is taken.
    let sums = [i64::from(i32::MIN), -64, -1, 0, 63, 64, i64::from(i32::MAX)];
    assert_eq!(
        sums.map(|y| of(operation.sums, y, 6)),
        [0, 62, 62, 63, 63, 64, 126]
    );
}

/// All formulas in real numbers, with the constants of their operands.
fn real_formulas() -> impl Iterator<Item = (Activation, RealFormula, Constants<f64>)> {
    let pairs =
        |activation: Activation| activation.operation().and_then(|operation| operation.pairs);
    let whole = formulas().map(move |(activation, formula, one, shift)| {
        (
            activation,
            formula.real,
            Constants {
                pairs: pairs(activation),
                one: one as f64,
                shift,
            },
        )
    });
    let floats = Activation::ALL.into_iter().filter_map(move |activation| {
        let floats = activation.operation()?.floats?;
        Some((
            activation,
            floats.real,
            Constants {
                pairs: pairs(activation),
                one: 1.0,
                shift: 0,
            },
        ))
    });
    whole.chain(floats)
}

/// Operands on both sides of every kink, as fractions of [`end`], but none on a kink.
fn shares() -> impl Iterator<Item = f64> {
    (-75..75).map(|i| f64::from(i) / 50.0 + 0.0037)
}

/// About the operand where results stop growing; 4 if they do not.
fn end(formula: RealFormula, Constants { one, shift, .. }: Constants<f64>) -> f64 {
    let value = |x| [0.0, one].map(|y| (formula.value)(Operands { x, y, one, shift }));
    (0..200)
        .map(|i| 1.3_f64.powi(i))
        .find(|&x| value(2.0 * x) == value(x))
        .unwrap_or(4.0)
}

#[test]
fn derivatives_are_finite_differences() {
    for (activation, formula, constants) in real_formulas() {
        let Constants { pairs, one, shift } = constants;
        let end = end(formula, constants);
        for (x, y) in shares().flat_map(|x| [-0.6, 0.3, 0.8, 1.2].map(|y| (end * x, end * y))) {
            let y = if pairs.is_some() { y } else { x };
            let operands = |x, y| Operands { x, y, one, shift };
            let value = |dx: f64, dy: f64| (formula.value)(operands(x + dx, y + dy));
            let h = end * 1e-6;
            let differences = [
                value(h, 0.0) - value(-h, 0.0),
                value(0.0, h) - value(0.0, -h),
            ]
            .map(|d| d / (2.0 * h));
            let slopes = (formula.slopes)(operands(x, y));
            let greatest = one.max(1.0) / end;
            for (slope, difference) in slopes.into_iter().zip(differences) {
                // Training replaces the two parabolas by the sigmoid.
                let error = if activation == Activation::Quantmoid4 {
                    0.2
                } else {
                    1e-6
                };
                let context = (activation, constants, x, y);
                assert!(
                    (slope - difference).abs() <= error * greatest,
                    "{context:?}: {slope}, {difference}"
                );
            }
        }
    }
}

#[test]
fn quantmoid4_has_the_slope_of_the_sigmoid() {
    let operation = Activation::Quantmoid4
        .operation()
        .expect("the language names it");
    let formula = operation.sums.expect("it is defined for sums");
    let sigmoid = |y: f64| 126.0 / (1.0 + (-4.0 * y / 64.0 / 127.0).exp());
    for y in (-300..300).map(|y| f64::from(y) * 53.0) {
        let [slope, _] = (formula.real.slopes)(Operands {
            x: y,
            y,
            one: 127.0,
            shift: 6,
        });
        let difference = (sigmoid(y + 0.01) - sigmoid(y - 0.01)) / 0.02;
        assert!(
            (slope - difference).abs() < 1e-8,
            "{y}: {slope}, {difference}"
        );
    }
}

#[test]
fn loops_apply_the_formulas() {
    for (activation, formula, constants) in real_formulas() {
        let Constants { pairs, one, shift } = constants;
        let end = end(formula, constants);
        let operands: Vec<f64> = shares().map(|x| end * x).collect();
        let of_results: Vec<f64> = (0..activation.values(operands.len()))
            .map(|i| i as f64 - 9.0)
            .collect();
        let (mut results, mut of_operands) =
            (vec![0.0; of_results.len()], vec![1.0; operands.len()]);
        (f64::loops(&formula).values)(constants, &operands, &mut results);
        (f64::loops(&formula).gradients)(constants, &operands, &of_results, &mut of_operands);
        let mut expected = vec![1.0; operands.len()];
        for (index, (x, y)) in super::pairs::operands(pairs, &operands).enumerate() {
            let operands = Operands { x, y, one, shift };
            assert_eq!(results[index], (formula.value)(operands));
            let (operand, partner) = match pairs {
                None => (index, index),
                Some(Pairs::Halves) => (index, index + of_results.len()),
                Some(Pairs::Neighbours) => (2 * index, 2 * index + 1),
            };
            let [by_x, by_y] = (formula.slopes)(operands);
            expected[operand] += of_results[index] * by_x;
            expected[partner] += of_results[index] * by_y;
        }
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
        assert!(
            of_operands.iter().zip(&expected).all(close),
            "{activation:?}: {of_operands:?}, {expected:?}"
        );
        assert_singles_are_close(&formula, constants, &operands, &results);
    }
}

#[test]
fn degrees_say_what_greater_operands_give() {
    let formulas =
        |operation: &Operation| [operation.accumulators, operation.whole, operation.sums];
    let operations = Activation::ALL
        .into_iter()
        .filter_map(Activation::operation);
    for formula in operations.flat_map(formulas).flatten() {
        // With an infinite `one`, nothing is clipped.
        let value = |k: f64, x: f64| {
            (formula.real.value)(Operands {
                x: k * x,
                y: 3.0 * k * x.abs(),
                one: f64::INFINITY,
                shift: 2,
            })
        };
        let holds = |degree: i32| {
            [-7.0, 5.0, 90.0]
                .into_iter()
                .all(|x| value(4.0, x) == 4.0_f64.powi(degree) * value(1.0, x))
        };
        match formula.degree {
            Some(degree) => assert!(holds(degree as i32), "{formula:?}"),
            None => assert!(![1, 2, 3].into_iter().any(holds), "{formula:?}"),
        }
    }
}

/// Checks that the loops over 32-bit floats give nearly the same.
fn assert_singles_are_close(
    formula: &RealFormula,
    constants: Constants<f64>,
    operands: &[f64],
    expected: &[f64],
) {
    let singles: Vec<f32> = operands.iter().map(|&x| x as f32).collect();
    let constants = Constants {
        pairs: constants.pairs,
        one: constants.one as f32,
        shift: constants.shift,
    };
    let mut results = vec![0.0; expected.len()];
    (f32::loops(formula).values)(constants, &singles, &mut results);
    for (single, double) in results.into_iter().zip(expected) {
        let greatest = f64::from(constants.one) * f64::from(constants.one);
        assert!(
            (f64::from(single) - double).abs() <= 1e-5 * greatest.max(4.0),
            "{single}, {double}"
        );
    }
}

#[test]
fn sigmoids_are_those_of_the_library() {
    let of = |activation: Activation, y: f32| {
        let floats = activation
            .operation()
            .and_then(|operation| operation.floats)
            .expect("defined for floats");
        f64::from((floats.value)(y, y))
    };
    for y in (-12_000..=12_000).map(|y| y as f32 / 100.0) {
        let exact = f64::from(y);
        let sigmoid = 1.0 / (1.0 + (-exact).exp());
        assert!((of(Activation::Sigmoid, y) - sigmoid).abs() < 2e-7, "{y}");
        assert!((of(Activation::Tanh, y) - exact.tanh()).abs() < 4e-7, "{y}");
        assert!(
            (of(Activation::Silu, y) - exact * sigmoid).abs() < 2e-7 * exact.abs().max(1.0),
            "{y}"
        );
        if y.abs() < 87.0 {
            assert!(
                (of(Activation::Sigmoid, y) / sigmoid - 1.0).abs() < 1e-6,
                "{y}"
            );
        }
    }
    assert_eq!(
        (of(Activation::Sigmoid, 0.0), of(Activation::Tanh, 0.0)),
        (0.5, 0.0)
    );
    assert_eq!(
        (
            of(Activation::Sigmoid, f32::INFINITY),
            of(Activation::Tanh, f32::NEG_INFINITY)
        ),
        (1.0, -1.0)
    );
}

#[test]
fn what_is_no_number_is_taken_as_the_least() {
    let of = |activation: Activation, y: f32| {
        let floats = activation
            .operation()
            .and_then(|operation| operation.floats)
            .expect("defined for floats");
        (floats.value)(y, y)
    };
    use Activation::*;
    for activation in [Relu, Relu6, LeakyRelu] {
        assert_eq!(of(activation, f32::NAN).to_bits(), 0, "{activation:?}");
    }
    for activation in [Sigmoid, Tanh, Silu] {
        assert_eq!(
            of(activation, f32::NAN),
            of(activation, f32::NEG_INFINITY),
            "{activation:?}"
        );
    }
    assert_eq!(
        [Relu, Relu6, LeakyRelu].map(|activation| of(activation, -300.0)),
        [0.0, 0.0, -3.0]
    );
    assert_eq!(
        [Relu, Relu6, LeakyRelu].map(|activation| of(activation, 7.5)),
        [7.5, 6.0, 7.5]
    );
}

/// Bytes around the ends and the middle of their range.
const BYTES: [u8; 9] = [0, 1, 2, 63, 64, 65, 125, 126, 127];

#[test]
fn pools_of_bytes_are_rounded_and_stay_bytes() {
    for (x, y) in BYTES.into_iter().flat_map(|x| BYTES.map(|y| (x, y))) {
        let exact = [
            u32::from(x) + u32::from(y),
            (u32::from(x) + u32::from(y)).div_ceil(2),
            x.max(y).into(),
        ];
        let [sum, average, maximum] = exact;
        let product = u32::from(x) * u32::from(y) / 128;
        assert_eq!(
            Pool::ALL.map(|pool| u32::from(pool.of_bytes(x, y))),
            [sum.min(127), average, maximum, product]
        );
        for pool in Pool::ALL {
            let (one, shift) = pool::Definition::constants(false);
            let real = (pool.definition().real.one.value)(Operands {
                x: x.into(),
                y: y.into(),
                one,
                shift,
            });
            assert!(
                (real - f64::from(pool.of_bytes(x, y))).abs() < 1.0,
                "{pool:?} of {x}, {y}: {real}"
            );
        }
    }
}

#[test]
fn pools_of_floats_are_their_formulas_in_real_numbers() {
    for (x, y) in [(1.5, -2.25), (0.1, 0.2), (-3.0, 1e6), (2.0, 2.0)] {
        for pool in Pool::ALL {
            let (one, shift) = pool::Definition::constants(true);
            let real = (pool.definition().real.one.value)(Operands {
                x: x.into(),
                y: y.into(),
                one,
                shift,
            });
            assert_eq!(
                (pool.definition().floats)(x, y),
                real as f32,
                "{pool:?} of {x}, {y}"
            );
        }
    }
    assert!([f32::NAN, 1.0].map(|x| (Pool::Maximum.definition().floats)(x, 2.0)) == [2.0, 2.0]);
}

#[test]
fn derivatives_of_pools_are_finite_differences() {
    for (pool, is_float) in Pool::ALL
        .into_iter()
        .flat_map(|pool| [false, true].map(|is_float| (pool, is_float)))
    {
        let (definition, constants) = (pool.definition(), pool::Definition::constants(is_float));
        let values: Vec<f64> = (0..24).map(|i| f64::from(i * 37 % 101) + 0.25).collect();
        let of_results: Vec<f64> = (0..11).map(|j| f64::from(j) - 4.5).collect();
        for places in [
            Pairs::Halves.places(24),
            Pairs::Neighbours.places(24),
            Strided {
                starts: [9, 2],
                stride: 1,
            },
        ] {
            let loss = |values: &[f64]| {
                let mut results = [0.0; 11];
                (definition.loops().values)(constants, places, values, &mut results);
                results
                    .iter()
                    .zip(&of_results)
                    .map(|(result, weight)| result * weight)
                    .sum::<f64>()
            };
            let mut gradient = vec![0.0; 24];
            (definition.loops().gradients)(constants, places, &values, &of_results, &mut gradient);
            for at in 0..24 {
                let moved = |by: f64| {
                    let mut values = values.clone();
                    values[at] += by;
                    loss(&values)
                };
                let difference = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                assert!(
                    (gradient[at] - difference).abs() < 1e-6,
                    "{pool:?} {places:?}: {at}"
                );
            }
        }
    }
}
