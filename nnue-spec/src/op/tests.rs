//! What every definition must satisfy.

use super::*;

/// All formulas of whole numbers, with the scales of their operands.
fn formulas() -> impl Iterator<Item = (Activation, Formula, i64, u32)> {
    Activation::ALL.into_iter().flat_map(|activation| {
        let operation = activation.operation().expect("the language names it");
        let products = [(127, 7), (181, 8), (255, 9)];
        let bytes = operation.accumulators.into_iter().flat_map(move |formula| {
            let scales =
                products.map(|(one, shift)| (one, if matches!(formula.shift, Shift::None) { 0 } else { shift }));
            scales.map(|(one, shift)| (formula, one, shift))
        });
        let whole = operation.whole.into_iter().flat_map(move |formula| products.map(|(one, _)| (formula, one, 0)));
        let sums = operation.sums.into_iter().flat_map(|formula| {
            let Shift::Sum { default, .. } = formula.shift else { panic!("sums are shifted") };
            [64, 128].map(|scale| (formula, 127, default(scale)))
        });
        let defined = bytes.chain(whole).chain(sums);
        let possible = defined.filter(|(formula, one, _)| formula.only_one.is_none_or(|only| only == *one as u64));
        possible.map(move |(formula, one, shift)| (activation, formula, one, shift))
    })
}

const SAMPLES: [i64; 17] =
    [-2_147_483_648, -32_768, -8192, -4097, -129, -65, -1, 0, 1, 63, 126, 127, 255, 4096, 8128, 32_767, 2_147_483_647];

#[test]
fn results_are_within_the_declared_range_and_reach_its_end() {
    for (activation, formula, one, shift) in formulas() {
        let results = SAMPLES.into_iter().flat_map(|x| SAMPLES.map(|y| (x, y)));
        let halves = activation.operation().is_some_and(|operation| operation.halves);
        let results = results.map(|(x, y)| (formula.value)(Operands { x, y: if halves { y } else { x }, one, shift }));
        let (least, greatest) = results.fold((0, 0), |(least, greatest), x| (x.min(least), x.max(greatest)));
        assert_eq!((least, greatest), (0, (formula.greatest)(one, shift)), "{activation:?} at {one} >> {shift}");
    }
}

#[test]
fn real_results_differ_by_less_than_the_roundings() {
    for (activation, formula, one, shift) in formulas() {
        for x in SAMPLES {
            let exact = (formula.value)(Operands { x, y: x, one, shift }) as f64;
            let real = (formula.real)(Operands { x: x as f64, y: x as f64, one: one as f64, shift });
            // A shift rounds the operand, and another the result.
            assert!((exact - real).abs() < 2.0, "{activation:?} of {x}: {exact}, {real}");
        }
    }
}

#[test]
fn floats_are_rounded_formulas_of_real_numbers() {
    for activation in Activation::ALL {
        let Some(floats) = activation.operation().and_then(|operation| operation.floats) else { continue };
        for (x, y) in (-40..40).flat_map(|x| [-3.5, 0.25, 7.0].map(|y| (x as f32 / 8.0, y))) {
            let (rounded, real) = ((floats.value)(x, y), (floats.real)(x.into(), y.into()));
            assert!((f64::from(rounded) - real).abs() <= 1e-5, "{activation:?} of {x}, {y}: {rounded}, {real}");
        }
    }
}

#[test]
fn halves_are_combined_and_others_stand_alone() {
    let of = |halves| pairs(halves, &[1, 2, 3, 4]).collect::<alloc::vec::Vec<_>>();
    assert_eq!(of(true), [(1, 3), (2, 4)]);
    assert_eq!(of(false), [(1, 1), (2, 2), (3, 3), (4, 4)]);
    assert_eq!((Activation::Pairwise.values(64), Activation::Custom(0).values(64)), (32, 64));
}

#[test]
fn quantmoid4_has_the_published_values() {
    let operation = Activation::Quantmoid4.operation().expect("the language names it");
    let of =
        |formula: Option<Formula>, x, shift| (formula.expect("defined").value)(Operands { x, y: x, one: 127, shift });
    let accumulators = [-32_768, -127, -112, -111, -1, 0, 1, 64, 111, 112, 127, 32_767];
    assert_eq!(
        accumulators.map(|a| of(operation.accumulators, a, 0)),
        [0, 0, 0, 1, 62, 63, 64, 111, 125, 126, 126, 126]
    );
    // -1 >> 6 is -1: sums are rounded down before their size is taken.
    let sums = [i64::from(i32::MIN), -64, -1, 0, 63, 64, i64::from(i32::MAX)];
    assert_eq!(sums.map(|y| of(operation.sums, y, 6)), [0, 62, 62, 63, 63, 64, 126]);
}
