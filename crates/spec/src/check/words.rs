//! 16-bit values: which activations of accumulators make them, their range, and their readers.

use alloc::format;

use super::MAX_ONE;
use super::facts::LayerFacts;
use super::quant::check_factor;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Affine, Graph};
use crate::loc::{Loc, Located};
use crate::model::{Function, NetSpec};
use crate::op::{Formula, Operation, Shift, WORD_MAX};

/// The shift of activated accumulators with 16-bit results, 0 by default. `as_words` is the location of
/// `as i16`.
pub(super) fn of_accumulators(
    spec: &NetSpec,
    function: &Located<Function>,
    shift: Option<Located<u64>>,
    as_words: Loc,
    sink: &mut Sink,
) -> Option<u32> {
    let one = spec.accumulator.one;
    if !(1..=MAX_ONE).contains(&one.value) {
        return None; // reported already
    }
    let name = function.value.name();
    let known = match &function.value {
        Function::Known(activation) => activation.operation(),
        Function::Custom(_) => None,
    };
    let Some((operation, formula)) =
        known.and_then(|operation| Some((operation, operation.words()?)))
    else {
        let message = format!("`{name}` is not kept in 16 bits");
        let help = "leave `as i16` out, or write `crelu`, `screlu`, `sqr_crelu` or `pairwise`";
        sink.push(
            Diagnostic::new(Code::SixteenBits, as_words, message)
                .help(help)
                .related(function.loc, "the activation"),
        );
        return None;
    };
    check_factor(function, Some(formula), one, sink)?;
    match shift {
        Some(shift) if !matches!(formula.shift, Shift::Product) => {
            let message = format!(
                "`{name}` of an accumulator has no shift, found `>> {}`",
                shift.value
            );
            let help = "remove the shift, or take a product: `sqr_crelu` or `pairwise`";
            sink.push(Diagnostic::new(Code::MisplacedShift, shift.loc, message).help(help));
            None
        }
        _ => check_range(operation, &formula, one, (shift, as_words), sink),
    }
}

/// The greatest value must be between 1 and 32767.
fn check_range(
    operation: &Operation,
    formula: &Formula,
    one: Located<u64>,
    (shift, as_words): (Option<Located<u64>>, Loc),
    sink: &mut Sink,
) -> Option<u32> {
    let (name, bits) = (operation.name, shift.map_or(0, |shift| shift.value));
    let greatest = |bits: u64| (formula.greatest)(one.value as i64, bits as u32) as u64;
    if bits > 16 || greatest(bits) == 0 {
        let loc = shift.map_or(as_words, |shift| shift.loc);
        let message = match bits {
            17.. => format!("`{name}` shifts by at most 16 bits, not by {bits}"),
            _ => format!(
                "`{name}` is always 0: its greatest value is {0} * {0} >> {bits}",
                one.value
            ),
        };
        sink.push(
            Diagnostic::new(Code::ShiftRange, loc, message)
                .help("leave the shift out to keep products whole"),
        );
        return None;
    }
    if greatest(bits) <= WORD_MAX {
        return Some(bits as u32);
    }
    let message = format!(
        "`{name}` of an accumulator @ {} reaches {}, 16-bit values {WORD_MAX}",
        one.value,
        greatest(bits)
    );
    let help = match (bits..=16).find(|&bits| greatest(bits) <= WORD_MAX) {
        Some(least) if matches!(formula.shift, Shift::Product) => {
            format!("`{name}(..) >> {least}` is the smallest shift that fits")
        }
        _ => "write `sqr_crelu` with a shift, or train with `@ 181` at most, of which whole squares fit".into(),
    };
    let loc = shift.map_or(as_words, |shift| shift.loc);
    sink.push(
        Diagnostic::new(Code::SixteenBits, loc, message)
            .help(help)
            .related(one.loc, "the scale"),
    );
    None
}

/// Only header-less files have layers that read 16-bit values or 32-bit integers.
pub(super) fn check_file(spec: &NetSpec, graph: &Graph, facts: &[LayerFacts], sink: &mut Sink) {
    if spec.format.raw.is_some() {
        return;
    }
    let first = |suits: &dyn Fn(&Affine) -> bool| {
        let mut layers = graph.layers().zip(facts);
        layers
            .find(|((_, layer), _)| suits(layer))
            .map(|(_, facts)| facts.input)
    };
    let refused = [
        (
            Code::SixteenBits,
            first(&|layer| layer.reads_words(&graph.nodes)),
            "the Stockfish container has no layers that read 16-bit values",
        ),
        (
            Code::Arithmetic,
            first(&|layer| layer.is_integer(&graph.nodes)),
            "the Stockfish container has no layers that read 32-bit integers",
        ),
    ];
    for (code, loc, message) in refused {
        if let Some(loc) = loc {
            let help = "declare a header-less file: `{ format raw }`";
            sink.push(Diagnostic::new(code, loc, message).help(help));
        }
    }
}
