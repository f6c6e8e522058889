//! The axes of a tensor in a file: the brackets say each axis once, whole or in parts.
//!
//! ```text
//!   [input / 8][..][input / 2 % 4][..][input % 2]      parts are digits: 2 * 4 = 8, each begins where one ends
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::{Axis, ElementType, Part, TensorRole};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::Tensor;
use crate::loc::{Loc, Located};
use crate::model::{PartSpec, RawSpec, RawTensorSpec};

/// Greatest number of whose multiple a row of weights ends.
pub(super) const MAX_PADDING: u64 = 4096;

/// The brackets of one axis.
struct Brackets<'a> {
    tensor: &'a Tensor,
    axis: Axis,
    parts: Vec<&'a Located<PartSpec>>,
}

/// Axes of length 1 may be left out; so may the axis `stack` of a tensor in `stacks [..]`.
pub(super) fn check_axes(raw: &RawSpec, tensor: &Tensor, said: &RawTensorSpec, sink: &mut Sink) {
    let Some(axes) = &said.axes else { return };
    let in_stacks = raw.is_in_stacks(&tensor.name);
    if let Some(to) = said.padded()
        && let Err(wrong) = check_padded(tensor, axes, to)
    {
        return sink.push(wrong);
    }
    for axis in Axis::ALL {
        let parts = axes.value.iter().filter(|part| part.value.axis == axis);
        let brackets = Brackets {
            tensor,
            axis,
            parts: parts.collect(),
        };
        if axis == Axis::Copy && in_stacks && brackets.parts.is_empty() {
            continue;
        }
        if let Err(wrong) = brackets.check(axes.loc) {
            return sink.push(wrong);
        }
    }
}

/// Only rows of 8-bit weights of layers are padded, as wholes.
fn check_padded(
    tensor: &Tensor,
    axes: &Located<Vec<Located<PartSpec>>>,
    to: Located<u64>,
) -> Result<(), Diagnostic> {
    let name = &tensor.name;
    let of_bytes =
        matches!(tensor.role, TensorRole::LayerWeight(_)) && tensor.element == ElementType::I8;
    let is_split =
        |part: &Located<PartSpec>| part.value.axis == Axis::Column && !part.value.part().is_whole();
    let is_elsewhere =
        |part: &Located<PartSpec>| part.value.to.is_some() && part.value.axis != Axis::Column;
    let (message, help) = if !of_bytes || axes.value.iter().any(is_elsewhere) {
        let message = format!("`{name}` is not filled up along this axis");
        (
            message,
            "leave `to` out; rows of 8-bit weights of layers may be filled up: `[output][input to 32]`",
        )
    } else if !(2..=MAX_PADDING).contains(&to.value) {
        let message = format!(
            "rows end at a multiple of 2 to {MAX_PADDING}, not of {}",
            to.value
        );
        (
            message,
            "write the multiple that the file has, for example `to 32`",
        )
    } else if axes.value.iter().any(is_split) {
        let message = format!("the rows of `{name}` are filled up, and so not in parts");
        (message, "write `[input to 32]` for the whole axis")
    } else {
        return Ok(());
    };
    Err(wrong(to.loc, message, help.into()))
}

impl Brackets<'_> {
    fn length(&self) -> usize {
        length(self.tensor, self.axis)
    }

    fn name(&self) -> &'static str {
        self.axis.name(self.tensor.role)
    }

    fn text(&self, part: Part) -> String {
        part.text(self.tensor.role, self.length())
    }

    /// `all` is the place of all brackets of the tensor.
    fn check(&self, all: Loc) -> Result<(), Diagnostic> {
        if self.parts.is_empty() && self.length() > 1 {
            let (name, length, axis) = (&self.tensor.name, self.length(), self.name());
            let message = format!("`{name}` has {length} times the axis `{axis}`");
            return Err(wrong(all, message, all_axes(self.tensor)));
        }
        for part in &self.parts {
            self.check_numbers(&part.value)?;
        }
        self.check_whole(all)?;
        self.check_digits()
    }

    /// Divisors are at least 1 and divide the axis.
    fn check_numbers(&self, part: &PartSpec) -> Result<(), Diagnostic> {
        for (sign, number) in [("/", part.over), ("%", part.modulo)] {
            let Some(number) = number.filter(|number| !(1..=1 << 30).contains(&number.value))
            else {
                continue;
            };
            let message = format!("`{sign} {}` is no part of an axis", number.value);
            return Err(wrong(number.loc, message, "write for example `/ 4`".into()));
        }
        let Some(over) = part.over else { return Ok(()) };
        if self.length().is_multiple_of(over.value as usize) {
            return Ok(());
        }
        let (name, length, axis) = (&self.tensor.name, self.length(), self.name());
        let message = format!(
            "`{name}` has {length} times the axis `{axis}`, which is no multiple of {}",
            over.value
        );
        Err(wrong(
            over.loc,
            message,
            format!("write a divisor of {length}"),
        ))
    }

    /// A whole axis has no other brackets.
    fn check_whole(&self, all: Loc) -> Result<(), Diagnostic> {
        let is_whole = |part: &&Located<PartSpec>| part.value.part().is_whole();
        if self.parts.len() < 2 || !self.parts.iter().any(is_whole) {
            return Ok(());
        }
        let message = format!("`{}` has the axis `{}` once", self.tensor.name, self.name());
        Err(wrong(all, message, all_axes(self.tensor)))
    }

    /// Each part begins where another ends, the first with single elements; the last ends with the axis.
    fn check_digits(&self) -> Result<(), Diagnostic> {
        let mut parts: Vec<(Part, &Located<PartSpec>)> = self
            .parts
            .iter()
            .map(|part| (part.value.part(), *part))
            .collect();
        parts.sort_by_key(|(part, _)| part.over);
        let (mut end, mut before) = (1, None);
        for &(part, written) in &parts {
            if part.over != end {
                return Err(self.gap(written.loc, part, before.unwrap_or(1), end));
            }
            let length = part.length(self.length());
            before = Some(part.over);
            end = end.saturating_mul(length);
            self.check_reversed(part, &written.value)?;
        }
        match parts.last() {
            Some(&(last, written)) if end != self.length() => {
                let (text, length) = (self.text(last), self.length());
                let message = format!(
                    "`{text}` ends after {end} of {length} times the axis `{}`",
                    self.name()
                );
                let rest = Part {
                    modulo: None,
                    reversed: false,
                    over: last.over,
                    ..last
                };
                let help = match end < length {
                    true => format!("write `[{}]` too", self.text(Part { over: end, ..rest })),
                    false => format!("write `[{}]`", self.text(rest)),
                };
                Err(wrong(written.loc, message, help))
            }
            _ => Ok(()),
        }
    }

    /// The error for a part that does not begin at `end`, where the part that begins at `before` ends.
    fn gap(&self, loc: Loc, part: Part, before: usize, end: usize) -> Diagnostic {
        let text = self.text(part);
        if part.over > end && part.over.is_multiple_of(end) {
            let rest = Part {
                over: end,
                modulo: Some(part.over / end),
                reversed: false,
                ..part
            };
            let rest = self.text(rest);
            let message = format!("`{text}` leaves `{rest}` out");
            return wrong(loc, message, format!("write `[{rest}]` too"));
        }
        let previous = Part {
            over: before,
            modulo: Some(end / before),
            reversed: false,
            ..part
        };
        let message = format!(
            "`{text}` does not begin where `{}` ends",
            self.text(previous)
        );
        let help = format!("write `{} / {end}`", self.name());
        wrong(loc, message, help)
    }

    /// A part that is counted down begins with its last element.
    fn check_reversed(&self, part: Part, written: &PartSpec) -> Result<(), Diagnostic> {
        let last = part.length(self.length()) as u64 - 1;
        match written.from.filter(|from| from.value != last) {
            None => Ok(()),
            Some(from) => {
                let forward = Part {
                    reversed: false,
                    ..part
                };
                let message = format!("`{}` counts up to {last}", self.text(forward));
                let help = format!("write `{last}`, from which it counts down");
                Err(wrong(from.loc, message, help))
            }
        }
    }
}

fn length(tensor: &Tensor, axis: Axis) -> usize {
    [tensor.copies, tensor.rows, tensor.cols][axis as usize]
}

fn all_axes(tensor: &Tensor) -> String {
    let long = Axis::ALL
        .into_iter()
        .filter(|&axis| length(tensor, axis) > 1);
    let all: String = long
        .map(|axis| format!("[{}]", axis.name(tensor.role)))
        .collect();
    format!(
        "write all axes, the outermost first, for example `{}: {all}`",
        tensor.name
    )
}

fn wrong(loc: Loc, message: String, help: String) -> Diagnostic {
    Diagnostic::new(Code::TensorAxes, loc, message).help(help)
}
