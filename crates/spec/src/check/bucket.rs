//! Layer stacks and the selector that chooses among them.

use alloc::format;
use alloc::string::String;

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::Loc;
use crate::model::{NetSpec, SelectorSpec};
use crate::quant::{MAX_PIECES, default_selector, material_count};
use crate::text::selector;

/// Smallest number of pieces: two kings.
const MIN_PIECES: u64 = 2;

/// Greatest number of stacks that a function or rows choose from.
const MAX_STACKS: u64 = 1 << 16;

/// The greatest number of stacks that can be chosen.
pub(super) fn most_stacks(spec: &NetSpec) -> u64 {
    match spec.stacks.by.map(|by| by.value) {
        Some(SelectorSpec::Custom | SelectorSpec::Rows(_)) => MAX_STACKS,
        _ => MAX_PIECES,
    }
}

pub(super) fn check_count(spec: &NetSpec, sink: &mut Sink) {
    let count = spec.stacks.count;
    let most = most_stacks(spec);
    if !(1..=most).contains(&count.value) {
        let message = format!(
            "a network has 1 to {most} layer stacks, not {}",
            count.value
        );
        let wrong =
            Diagnostic::new(Code::StackCount, count.loc, message).help("most networks have 1 or 8");
        sink.push(match most {
            MAX_PIECES => wrong.note(
                "these stacks are chosen by the number of pieces, which is at most 32; a function of the program, \
                 `by self::rule`, chooses one of more",
            ),
            _ => wrong,
        });
    }
}

pub(super) fn check_selector(spec: &NetSpec, sink: &mut Sink) {
    let Some(by) = spec.stacks.by else { return };
    let SelectorSpec::PieceCount { minus, divide } = by.value else {
        return;
    };
    if divide == 0 {
        let help = fits(spec.stacks.count.value, minus);
        let message = format!("`{}` divides by 0", selector(minus, divide));
        sink.push(Diagnostic::new(Code::SelectorDivisor, by.loc, message).help(help));
    }
    if minus > MIN_PIECES {
        let help = fits(spec.stacks.count.value, 1);
        let message = format!(
            "`piece_count - {minus}` goes below zero: there are {MIN_PIECES} pieces or more"
        );
        sink.push(Diagnostic::new(Code::SelectorMinus, by.loc, message).help(help));
    }
}

/// The number of pieces in another game is unknown, so it cannot select a stack.
pub(super) fn check_custom(spec: &NetSpec, sink: &mut Sink) {
    let Some(own) = spec.inputs.iter().find(|input| input.set.value.is_custom()) else {
        return;
    };
    let by = spec.stacks.by;
    let by_rows =
        |by: SelectorSpec| own.set.value.is_listed() && matches!(by, SelectorSpec::Rows(_));
    let is_known = |by: SelectorSpec| by == SelectorSpec::Custom || by_rows(by);
    if spec.stacks.count.value == 1 || by.is_some_and(|by| is_known(by.value)) {
        return;
    }
    let loc = by.map_or(spec.stacks.count.loc, |by| by.loc);
    let (message, help) = if own.set.value.is_listed() {
        (
            "`rows` have no number of pieces, so active rows or a function must choose the layer stacks".into(),
            "write for example `by row_count / 8`, or `by my_function`, where `fn my_function(rows: &nnue::rows::RowSets) -> usize`",
        )
    } else {
        (
            format!(
                "`{}` is a feature set of your own, so a function must choose the layer stacks",
                own.name()
            ),
            "write `by my_function`, where `fn my_function(position: &MyPosition) -> usize`",
        )
    };
    sink.push(
        Diagnostic::new(Code::CustomStacks, loc, message)
            .help(help)
            .related(own.set.loc, "the feature set"),
    );
}

pub(super) fn check_range(spec: &NetSpec, sink: &mut Sink) {
    let count = spec.stacks.count.value;
    let (minus, divide) = match spec.stacks.by.map(|by| by.value) {
        None => default_selector(count),
        Some(SelectorSpec::PieceCount { minus, divide }) => (minus, divide),
        Some(SelectorSpec::MaterialCount) => material_count(count),
        Some(SelectorSpec::Table(table)) => return check_table(spec, &table, sink),
        Some(SelectorSpec::Rows(by)) => {
            let loc = spec.stacks.by.map_or(spec.stacks.count.loc, |by| by.loc);
            return super::row_rule::check_row_rule(spec, by, loc, sink);
        }
        Some(SelectorSpec::Custom) => return, // held to the stacks that there are while the program runs
    };
    if spec.inputs.iter().any(|input| input.set.value.is_custom()) {
        return; // without a function, which was reported
    }
    let may_leave_unused = spec
        .stacks
        .by
        .is_some_and(|by| by.value == SelectorSpec::MaterialCount);
    let alone = count == 1 && spec.stacks.by.is_none();
    if alone || divide == 0 || minus > MIN_PIECES || !(1..=MAX_PIECES).contains(&count) {
        return; // nothing to choose, or reported already
    }
    let last = (MAX_PIECES - minus) / divide;
    let loc = spec.stacks.by.map_or(spec.stacks.count.loc, |by| by.loc);
    if last >= count {
        sink.push(out_of_range(spec, last, loc, (minus, divide)));
    } else if last + 1 < count && !may_leave_unused {
        let unused = if last + 2 == count {
            format!("stack {} is", last + 1)
        } else {
            format!("stacks {} to {} are", last + 1, count - 1)
        };
        let message = format!(
            "{unused} never used: `{}` is at most {last}",
            selector(minus, divide)
        );
        let help = format!(
            "declare {} stacks, or another rule, for example `by {}`",
            last + 1,
            fitting(count, minus)
        );
        sink.push(
            Diagnostic::new(Code::UnusedStacks, loc, message)
                .help(help)
                .related(spec.stacks.count.loc, "the number of stacks"),
        );
    }
}

/// Every number of pieces must have a valid stack; a table may leave stacks unused.
fn check_table(spec: &NetSpec, table: &[Option<u16>; 33], sink: &mut Sink) {
    let (Some(by), count) = (spec.stacks.by, spec.stacks.count) else {
        return;
    };
    let counts = (MIN_PIECES as usize..).zip(&table[MIN_PIECES as usize..]);
    let mut wrong =
        counts.filter(|(_, stack)| stack.is_none_or(|stack| u64::from(stack) >= count.value));
    let Some((pieces, stack)) = wrong.next() else {
        return;
    };
    let message = match stack {
        Some(stack) => format!(
            "{pieces} pieces choose stack {stack} of {} (the first is 0)",
            count.value
        ),
        None => format!(
            "{pieces} pieces choose no stack: the number is below 0, far above or divided by 0"
        ),
    };
    sink.push(
        Diagnostic::new(Code::SelectorRange, by.loc, message)
            .help(format!(
                "every number of pieces from {MIN_PIECES} to {MAX_PIECES} chooses one of 0 to {}",
                count.value - 1
            ))
            .related(count.loc, "the number of stacks"),
    );
}

fn out_of_range(spec: &NetSpec, last: u64, loc: Loc, (minus, divide): (u64, u64)) -> Diagnostic {
    let count = spec.stacks.count;
    let message = format!(
        "{MAX_PIECES} pieces choose stack {last} of {} (the first is 0)",
        count.value
    );
    let diagnostic = Diagnostic::new(Code::SelectorRange, loc, message);
    if spec.stacks.by.is_some() {
        diagnostic
            .help(fits(count.value, minus))
            .related(count.loc, "the number of stacks")
    } else {
        let note = format!(
            "without `by`, stacks are chosen by `{}`",
            selector(minus, divide)
        );
        diagnostic
            .help(format!(
                "add the rule of the network, for example `by {}`",
                fitting(count.value, minus)
            ))
            .note(note)
    }
}

/// Advice; it does not claim what the network does, which only its author knows.
fn fits(count: u64, minus: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!(
        "write the rule of the network; `{}` fits {count} stack{plural}",
        fitting(count, minus)
    )
}

/// A selector that uses exactly `count` stacks and subtracts `minus` if possible.
fn fitting(count: u64, minus: u64) -> String {
    let minus = minus.min(MIN_PIECES);
    let fits = |&(minus, divide): &(u64, u64)| (MAX_PIECES - minus) / divide + 1 == count;
    let tried = [minus, 1, 2, 0]
        .into_iter()
        .flat_map(|minus| (1..=MAX_PIECES).map(move |divide| (minus, divide)));
    match tried.into_iter().find(fits) {
        Some((minus, divide)) => selector(minus, divide),
        None => format!("(piece_count - 1) * {count} / {MAX_PIECES}"),
    }
}
