//! The axes of a tensor in a file: which index stands outside which, whole or in parts.
//!
//! ```text
//!   [stack][output][input]                       memory: the inputs of an output follow each other
//!   [stack][input / 4][output][input % 4]        four inputs of each output follow each other
//!   [input / 64][63 - input % 64][output]        in each 64 rows, the last comes first
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::{TensorDesc, TensorRole};

/// An axis of a tensor in memory: `[copy][row][column]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// one per layer stack
    Copy,
    /// outputs of a layer, features of the feature transformer
    Row,
    /// inputs of a layer, neurons of the feature transformer
    Column,
}

impl Axis {
    /// The axes, outermost first.
    pub const ALL: [Self; 3] = [Self::Copy, Self::Row, Self::Column];

    /// The name as written in a declaration: rows of the feature transformer are inputs, rows of layers are
    /// outputs, and a bias is one row of outputs.
    pub const fn name(self, role: TensorRole) -> &'static str {
        match (self, matches!(role, TensorRole::LayerWeight(_))) {
            (Self::Copy, _) => "stack",
            (Self::Row, true) | (Self::Column, false) => "output",
            (Self::Row, false) | (Self::Column, true) => "input",
        }
    }
}

/// An axis, or a part of one: `index / over % modulo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// the axis
    pub axis: Axis,
    /// divisor of the index, at least 1
    pub over: usize,
    /// length of the part; `None`: up to the end of the axis
    pub modulo: Option<usize>,
    /// whether its last element comes first
    pub reversed: bool,
}

impl Part {
    /// A whole axis.
    pub const fn whole(axis: Axis) -> Self {
        Self {
            axis,
            over: 1,
            modulo: None,
            reversed: false,
        }
    }

    /// Whether it is a whole axis, in either direction.
    pub const fn is_whole(self) -> bool {
        self.over == 1 && self.modulo.is_none()
    }

    /// Elements along the part, for an axis of `length` elements.
    pub const fn length(self, length: usize) -> usize {
        match self.modulo {
            Some(modulo) => modulo,
            None => length / self.over,
        }
    }

    /// The place along the part of element `index` of an axis of `length` elements.
    pub const fn place(self, length: usize, index: usize) -> usize {
        let length = self.length(length);
        let place = index / self.over % length;
        if self.reversed {
            length - 1 - place
        } else {
            place
        }
    }

    /// The part as written in a declaration, for an axis of `length` elements: `63 - input % 64`.
    pub fn text(self, role: TensorRole, length: usize) -> String {
        let mut text = String::new();
        if self.reversed {
            text += &format!("{} - ", self.length(length) - 1);
        }
        text += self.axis.name(role);
        if self.over > 1 {
            text += &format!(" / {}", self.over);
        }
        if let Some(modulo) = self.modulo {
            text += &format!(" % {modulo}");
        }
        text
    }
}

/// The axes of a tensor in a file, outermost first. Each element has a place of its own: the parts of an axis
/// are digits of its index.
pub type Axes<'a> = &'a [Part];

/// The order in memory; files in this order are read without permutation.
pub const HELD: Axes<'static> = &[
    Part::whole(Axis::Copy),
    Part::whole(Axis::Row),
    Part::whole(Axis::Column),
];

impl TensorDesc<'_> {
    /// Elements along an axis.
    pub const fn length(&self, axis: Axis) -> usize {
        match axis {
            Axis::Copy => self.copies,
            Axis::Row => self.rows,
            Axis::Column => self.cols,
        }
    }

    /// Elements along a part of an axis.
    pub const fn part_length(&self, part: Part) -> usize {
        part.length(self.length(part.axis))
    }

    /// The axes and parts with more than one element; the others do not affect the file.
    pub fn long_axes(&self, axes: Axes<'_>) -> Vec<Part> {
        let is_long = |part: &Part| self.part_length(*part) > 1;
        axes.iter().copied().filter(is_long).collect()
    }

    /// A part as written in a declaration: `input % 4`.
    pub fn part_text(&self, part: Part) -> String {
        part.text(self.role, self.length(part.axis))
    }

    /// The axes as written in a declaration: `[stack][input]`.
    pub fn axes_text(&self, axes: Axes<'_>) -> String {
        self.long_axes(axes)
            .into_iter()
            .map(|part| format!("[{}]", self.part_text(part)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_of_one_element_are_not_written() {
        let role = TensorRole::LayerWeight(0);
        let element = crate::ElementType::I16;
        let tensor = TensorDesc {
            name: "fc0_weight",
            role,
            element,
            rows: 1,
            cols: 128,
            copies: 8,
        };
        let [copy, row, column] = Axis::ALL.map(Part::whole);
        assert_eq!(tensor.long_axes(HELD), [copy, column]);
        assert_eq!(tensor.axes_text(&[column, row, copy]), "[input][stack]");
        let [by_four, of_four] = [(4, None), (1, Some(4))].map(|(over, modulo)| Part {
            over,
            modulo,
            ..column
        });
        let turned = Part {
            reversed: true,
            ..of_four
        };
        assert_eq!(
            tensor.axes_text(&[copy, by_four, row, turned]),
            "[stack][input / 4][3 - input % 4]"
        );
    }

    #[test]
    fn biases_are_rows_of_outputs() {
        let element = crate::ElementType::I32;
        let role = TensorRole::LayerBias(1);
        let tensor = TensorDesc {
            name: "fc1_bias",
            role,
            element,
            rows: 1,
            cols: 32,
            copies: 8,
        };
        assert_eq!(tensor.axes_text(HELD), "[stack][output]");
        let tensor = TensorDesc {
            name: "ft_bias",
            role: TensorRole::TransformerBias,
            copies: 1,
            ..tensor
        };
        assert_eq!(tensor.axes_text(HELD), "[output]");
    }
}
