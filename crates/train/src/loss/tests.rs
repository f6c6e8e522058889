//! Losses have the published values, and their gradients match finite differences.

use super::*;

const CURVES: [WinRate; 2] = [
    WinRate::Sigmoid { scale: 400.0 },
    WinRate::Outcomes {
        offset: 270.0,
        scale: 340.0,
    },
];

const ERRORS: [Error; 4] = [
    Error::SQUARED,
    Error::Power {
        exponent: 2.5,
        asymmetry: 0.0,
    },
    Error::Power {
        exponent: 2.435,
        asymmetry: 0.23,
    },
    Error::CrossEntropy,
];

fn losses() -> impl Iterator<Item = Loss> {
    CURVES.into_iter().flat_map(|output| {
        ERRORS.into_iter().flat_map(move |error| {
            [
                (Blend::Targets, 0.3),
                (Blend::Losses, 0.3),
                (Blend::Targets, 1.0),
            ]
            .map(|(blend, share)| Loss {
                score: WinRate::Outcomes {
                    offset: 270.0,
                    scale: 380.0,
                },
                output,
                error,
                share,
                blend,
                weight: Weight::Equal,
            })
        })
    })
}

#[test]
fn gradients_are_finite_differences() {
    let heads = [
        (
            Head::Value { scale: 400.0 },
            [[-900.0, 0.0, 0.0], [35.0, 0.0, 0.0], [1400.0, 0.0, 0.0]],
        ),
        (
            Head::Sigmoid { scale: 100.0 },
            [[-3.0, 0.0, 0.0], [0.1, 0.0, 0.0], [5.0, 0.0, 0.0]],
        ),
        (
            Head::Wdl { scale: 1000.0 },
            [[0.3, -1.0, 0.2], [2.0, 2.5, -3.0], [-4.0, 0.0, 3.0]],
        ),
    ];
    for loss in losses() {
        for (head, outputs) in heads
            .iter()
            .flat_map(|(head, all)| all.map(|outputs| (*head, outputs)))
        {
            for (score, result) in [(-700.0, 0.5), (12.0, 1.0), (300.0, 0.0)] {
                let example = Example { score, result };
                let (_, gradient) = loss.of(head, outputs, example);
                for (output, found) in gradient.into_iter().enumerate() {
                    let h = 1e-4
                        * if matches!(head, Head::Value { .. }) {
                            400.0
                        } else {
                            1.0
                        };
                    let [right, left] = [h, -h].map(|h| {
                        let mut outputs = outputs;
                        outputs[output] += h;
                        loss.of(head, outputs, example).0
                    });
                    let quotient = (right - left) / (2.0 * h);
                    let context = (loss, head, outputs, example);
                    assert!(
                        (found - quotient).abs() < 1e-6 * (1e-3 / h + found.abs()),
                        "{context:?}: {found}, {quotient}"
                    );
                }
            }
        }
    }
}

/// The squared error of both numbers as they are, in units of the scale.
#[test]
fn linear_losses_are_differences() {
    let head = Head::Value { scale: 1.0 };
    for (value, score) in [(-250.0, 300.0), (12.0, 12.0), (1e6, -1e6)] {
        let example = Example { score, result: 0.5 };
        let (loss, gradient) = Loss::linear(100.0).of(head, [value, 0.0, 0.0], example);
        let difference = (value - score) / 100.0;
        assert!((loss - difference * difference).abs() <= 1e-12 * loss);
        let expected = 2.0 * difference / 100.0;
        assert!((gradient[0] - expected).abs() <= 1e-12 * expected.abs());
        let absolute = Loss {
            error: Error::Power {
                exponent: 1.0,
                asymmetry: 0.0,
            },
            ..Loss::linear(100.0)
        };
        assert!((absolute.of(head, [value, 0.0, 0.0], example).0 - difference.abs()).abs() < 1e-9);
    }
}

#[test]
fn curves_are_the_published_formulas() {
    let s = |x: f64| 1.0 / (1.0 + (-x).exp());
    for x in (-40..=40).map(|x| f64::from(x) * 100.0) {
        let [sigmoid, outcomes] = CURVES.map(|curve| curve.expected(x));
        assert!((sigmoid.points - s(x / 400.0)).abs() < 1e-15);
        let expected = 0.5 * (1.0 + s((x - 270.0) / 340.0) - s((-x - 270.0) / 340.0));
        assert!(
            (outcomes.points - expected).abs() < 1e-15
                && (outcomes.points + outcomes.rest - 1.0).abs() < 1e-15
        );
        for curve in CURVES {
            let [loss, draw, win] = curve.outcomes(x);
            assert!(
                (win + draw / 2.0 - curve.expected(x).points).abs() < 1e-15
                    && (loss + draw + win - 1.0).abs() < 1e-15
            );
            let difference =
                (curve.expected(x + 0.01).points - curve.expected(x - 0.01).points) / 0.02;
            assert!((curve.expected(x).slope - difference).abs() < 1e-9);
        }
    }
}

#[test]
fn errors_are_the_published_formulas() {
    let head = Head::Value { scale: 1.0 };
    let loss = Loss {
        share: 0.4,
        ..Loss::nnue_pytorch()
    };
    let example = Example {
        score: 100.0,
        result: 1.0,
    };
    let (p, q) = (
        loss.score.expected(100.0).points,
        loss.output.expected(-50.0).points,
    );
    let target = 0.4 * p + 0.6;
    assert!((loss.of(head, [-50.0, 0.0, 0.0], example).0 - (target - q).powf(2.5)).abs() < 1e-15);
    let after = Loss {
        blend: Blend::Losses,
        ..loss
    };
    let expected = 0.4 * (p - q).powf(2.5) + 0.6 * (1.0 - q).powf(2.5);
    assert!((after.of(head, [-50.0, 0.0, 0.0], example).0 - expected).abs() < 1e-15);
    // Too high expectations cost more.
    let uneven = Loss {
        error: Error::Power {
            exponent: 2.5,
            asymmetry: 0.5,
        },
        share: 1.0,
        ..loss
    };
    let even = Loss { share: 1.0, ..loss };
    for (value, factor) in [(900.0, 1.5), (-900.0, 1.0)] {
        let [uneven, even] = [uneven, even].map(|loss| loss.of(head, [value, 0.0, 0.0], example).0);
        assert!((uneven - factor * even).abs() < 1e-15);
    }
}

#[test]
fn cross_entropies_do_not_vanish_where_outputs_are_wrong_and_certain() {
    let loss = Loss {
        error: Error::CrossEntropy,
        share: 0.0,
        ..Loss::bullet(400.0)
    };
    let lost = Example {
        score: 0.0,
        result: 0.0,
    };
    let (_, gradient) = loss.of(Head::Sigmoid { scale: 1.0 }, [60.0, 0.0, 0.0], lost);
    assert!((gradient[0] - 1.0).abs() < 1e-12, "{gradient:?}");
    let (_, gradient) = loss.of(Head::Wdl { scale: 1.0 }, [-60.0, -60.0, 60.0], lost);
    assert!(
        (gradient[2] - 1.0).abs() < 1e-12 && (gradient[0] + 1.0).abs() < 1e-12,
        "{gradient:?}"
    );
}

#[test]
fn results_of_games_are_outcomes() {
    let loss = Loss {
        error: Error::CrossEntropy,
        share: 0.0,
        ..Loss::bullet(400.0)
    };
    for (result, outcome) in [(0.0, 0), (0.5, 1), (1.0, 2)] {
        let mut outputs = [0.0; 3];
        outputs[outcome] = 40.0;
        let (right, _) = loss.of(
            Head::Wdl { scale: 1.0 },
            outputs,
            Example { score: 0.0, result },
        );
        assert!(right < 1e-12, "{right}");
    }
}

#[test]
fn contested_positions_count_more() {
    let weight = Weight::Contested {
        gain: 2.0,
        exponent: 0.5,
    };
    let loss = Loss {
        weight,
        ..Loss::nnue_pytorch()
    };
    let of = |score| loss.weight_of(Example { score, result: 0.5 });
    assert!((of(0.0) - 1.0).abs() < 1e-12);
    let p: f64 = loss.score.expected(250.0).points;
    assert!((of(250.0) - (1.0 + 3.0 * ((p - 0.5).powi(2) * p * (1.0 - p)).sqrt())).abs() < 1e-12);
    assert!(of(250.0) > of(30.0) && of(250.0) > of(3000.0));
}

#[test]
fn mates_are_resolved() {
    assert_eq!(
        [0.0, -31_754.0, 32_000.0, -32_000.0].map(resolve_mate),
        [0.0, -31_754.0, 8000.0, -8000.0]
    );
    assert!(
        (resolve_mate(31_999.0) - 7400.0).abs() < 1e-9
            && (resolve_mate(-31_755.0) + 4000.0).abs() < 1e-9
    );
}
