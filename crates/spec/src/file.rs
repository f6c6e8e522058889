//! Header-less files. See `docs/file-formats.md`, "Files without a header".
//!
//! ```text
//!   skipped bytes | tensors in the order of the declaration, little endian | padding to a multiple of 64 bytes
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::{
    ElementType, LayerKind, MapDesc, NetDesc, Segment, TensorDesc, TensorRole,
};

/// The layout of a header-less file. The order of its tensors is that of
/// [`NetDesc::tensors`](crate::NetDesc::tensors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawDesc<'a> {
    /// number of ignored bytes before the first tensor
    pub skip: usize,
    /// what may follow the last tensor
    pub padding: Padding,
    /// axes of each tensor, in the order of the tensors
    pub axes: &'a [Axes],
    /// tensors with another element type or scale in the file than in memory
    pub stored: &'a [Stored],
    /// whether the inputs of layers that read two perspectives alternate between them; otherwise the second
    /// perspective follows the first
    pub interleaved: bool,
    /// whether the rows of the enemy's pieces come before those of the own
    pub enemy_first: bool,
}

/// A tensor with another element type or scale in the file than in memory: `held = number * times / over`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// index of the tensor
    pub tensor: usize,
    /// element type in the file: i8, i16 or i32
    pub element: ElementType,
    /// factor of integers, at least 1; 1 if memory has floats
    pub times: i64,
    /// scale of the numbers in the file, if memory has floats; otherwise 1
    pub over: i64,
}

impl Stored {
    /// The number in the file for the integer `held`; `None` if no number stands for it.
    ///
    /// ```
    /// use nnue_spec::{ElementType, Stored};
    /// let bias = Stored { tensor: 0, element: ElementType::I8, times: 4096, over: 1 };
    /// assert_eq!([8192, 4097, 128 * 4096].map(|held| bias.of_whole(held)), [Some(2), None, None]);
    /// ```
    pub const fn of_whole(&self, held: i64) -> Option<i64> {
        let (least, greatest) = self.element.range();
        let number = held / self.times;
        if number * self.times == held && least <= number && number <= greatest {
            Some(number)
        } else {
            None
        }
    }

    /// The number in the file for the float `held`; `None` if no number stands for it.
    pub fn of_float(&self, held: f32) -> Option<i64> {
        let (least, greatest) = self.element.range();
        let number = (f64::from(held) * self.over as f64) as i64;
        let is_it = least <= number && number <= greatest && self.float(number) == Some(held);
        is_it.then_some(number)
    }

    /// The integer in memory for a number in the file; `None` on overflow of 64 bits.
    pub const fn whole(&self, number: i64) -> Option<i64> {
        number.checked_mul(self.times)
    }

    /// The float in memory for a number in the file; `None` if it has more than 24 bits.
    pub fn float(&self, number: i64) -> Option<f32> {
        (number.unsigned_abs() <= 1 << 24).then(|| number as f32 / self.over as f32)
    }
}

/// The order of the elements of a tensor in a header-less file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileOrder {
    /// the axes, outermost first
    pub axes: Axes,
    /// whether the columns of the two perspectives alternate
    pub interleaved: bool,
    /// whether in each 768 rows, those of the pieces of both sides, the second half comes first
    pub enemy_first: bool,
}

/// Rows of the pieces of both sides: six kinds on 64 squares each.
const ROWS_OF_BOTH: usize = 768;

impl FileOrder {
    /// The order in memory.
    pub const HELD: Self = Self {
        axes: HELD,
        interleaved: false,
        enemy_first: false,
    };

    /// The index in the file of element `[copy][row][column]` of a tensor of shape `[copies, rows, columns]`.
    ///
    /// ```text
    ///   held:         a0 a1 a2 .. b0 b1 b2 ..        interleaved:  a0 b0 a1 b1 a2 b2 ..
    /// ```
    pub const fn place(self, shape: [usize; 3], [copy, row, column]: [usize; 3]) -> usize {
        let half = shape[2] / 2;
        let column = if self.interleaved {
            column % half * 2 + column / half
        } else {
            column
        };
        let row = match self.enemy_first {
            true if row % ROWS_OF_BOTH < ROWS_OF_BOTH / 2 => row + ROWS_OF_BOTH / 2,
            true => row - ROWS_OF_BOTH / 2,
            false => row,
        };
        place_in_file(self.axes, shape, [copy, row, column])
    }
}

impl RawDesc<'_> {
    /// The conversion of tensor `index`, if the file has another element type or scale.
    pub fn stored(&self, index: usize) -> Option<&Stored> {
        self.stored.iter().find(|stored| stored.tensor == index)
    }

    /// The element type of tensor `index` of `net` in the file.
    ///
    /// # Panics
    ///
    /// If there is no such tensor.
    pub fn element(&self, net: &NetDesc<'_>, index: usize) -> ElementType {
        self.stored(index)
            .map_or(net.tensors[index].element, |stored| stored.element)
    }

    /// Size of tensor `index` of `net` in the file, in bytes.
    ///
    /// # Panics
    ///
    /// If there is no such tensor.
    pub fn bytes(&self, net: &NetDesc<'_>, index: usize) -> usize {
        net.tensors[index].len() * self.element(net, index).bytes()
    }

    /// The order of the elements of tensor `index` of `net` in the file.
    ///
    /// # Panics
    ///
    /// If there is no such tensor.
    pub fn order(&self, net: &NetDesc<'_>, index: usize) -> FileOrder {
        let reads_both = match net.tensors[index].role {
            TensorRole::LayerWeight(layer) => {
                net.accumulator.perspectives == 2 && net.reads_accumulators(layer)
            }
            _ => false,
        };
        FileOrder {
            axes: self.axes[index],
            interleaved: self.interleaved && reads_both,
            enemy_first: self.enemy_first
                && matches!(
                    net.tensors[index].role,
                    TensorRole::TransformerWeight
                        | TensorRole::SecondWeight
                        | TensorRole::TransformerPsqt
                ),
        }
    }
}

impl NetDesc<'_> {
    /// Whether layer `layer` reads the accumulators: activated in a buffer, by an expression, or directly.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn reads_accumulators(&self, layer: usize) -> bool {
        let of_accumulators = |segment: &Segment| {
            let map = self.map_of(segment.buffer);
            self.origin(segment.buffer).is_accumulator()
                || map.is_some_and(MapDesc::reads_accumulators)
        };
        let layer = &self.layers[layer];
        layer.kind == LayerKind::Direct || layer.segments.iter().any(of_accumulators)
    }
}

/// The bytes after the last tensor, up to a multiple of [`Padding::ALIGNMENT`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Padding {
    /// nothing
    None,
    /// zeros
    Zeros,
    /// `bulletbullet..`, from its first letter
    Text,
    /// any of these; written as [`Self::Text`], as bullet does
    Any,
}

impl Padding {
    /// File sizes are padded to a multiple of this many bytes.
    pub const ALIGNMENT: usize = 64;

    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zeros => "zeros",
            Self::Text => "bullet",
            Self::Any => "any",
        }
    }

    /// Byte `index` of the padding. [`Self::None`] has no padding.
    pub const fn byte(self, index: usize) -> u8 {
        match self {
            Self::None | Self::Zeros => 0,
            Self::Text | Self::Any => b"bullet"[index % 6],
        }
    }
}

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

/// The axes of a tensor in a file, outermost first.
pub type Axes = [Axis; 3];

/// The order in memory; files in this order are read without permutation.
pub const HELD: Axes = [Axis::Copy, Axis::Row, Axis::Column];

/// The index in a file of element `[copy][row][column]` of a tensor of shape `[copies, rows, columns]`.
pub const fn place_in_file(axes: Axes, shape: [usize; 3], element: [usize; 3]) -> usize {
    let (mut place, mut at) = (0, 0);
    while at < 3 {
        let axis = axes[at] as usize;
        place = place * shape[axis] + element[axis];
        at += 1;
    }
    place
}

impl TensorDesc<'_> {
    /// Elements along an axis.
    pub const fn length(&self, axis: Axis) -> usize {
        match axis {
            Axis::Copy => self.copies,
            Axis::Row => self.rows,
            Axis::Column => self.cols,
        }
    }

    /// The axes with more than one element; the others do not affect the file.
    pub fn long_axes(&self, axes: Axes) -> Vec<Axis> {
        axes.into_iter()
            .filter(|&axis| self.length(axis) > 1)
            .collect()
    }

    /// The axes as written in a declaration: `[stack][input]`.
    pub fn axes_text(&self, axes: Axes) -> String {
        self.long_axes(axes)
            .iter()
            .map(|axis| format!("[{}]", axis.name(self.role)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stand_where_the_axes_say() {
        let shape = [8, 2, 5];
        assert_eq!(place_in_file(HELD, shape, [1, 0, 2]), 12);
        // input-major: [input][stack][output]
        let untransposed = [Axis::Column, Axis::Copy, Axis::Row];
        assert_eq!(place_in_file(untransposed, shape, [1, 0, 2]), 2 * 16 + 2);
        assert_eq!(place_in_file(untransposed, shape, [7, 1, 4]), 79);
    }

    #[test]
    fn columns_of_two_perspectives_alternate() {
        let order = FileOrder {
            interleaved: true,
            ..FileOrder::HELD
        };
        let places = |shape| {
            (0..6)
                .map(|column| order.place(shape, [0, 0, column]))
                .collect::<Vec<_>>()
        };
        assert_eq!(places([1, 1, 6]), [0, 2, 4, 1, 3, 5]);
        let by_input = FileOrder {
            axes: [Axis::Column, Axis::Copy, Axis::Row],
            interleaved: true,
            enemy_first: false,
        };
        assert_eq!(by_input.place([8, 2, 6], [3, 1, 4]), 3 * 16 + 3 * 2 + 1);
    }

    #[test]
    fn rows_of_the_enemy_come_first() {
        let order = FileOrder {
            enemy_first: true,
            ..FileOrder::HELD
        };
        let places =
            [0, 383, 384, 767, 768, 1152].map(|row| order.place([1, 1536, 1], [0, row, 0]));
        assert_eq!(places, [384, 767, 0, 383, 1152, 768]);
    }

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
        assert_eq!(tensor.long_axes(HELD), [Axis::Copy, Axis::Column]);
        assert_eq!(
            tensor.axes_text([Axis::Column, Axis::Row, Axis::Copy]),
            "[input][stack]"
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

    #[test]
    fn the_text_starts_with_its_first_letter() {
        let text: alloc::vec::Vec<u8> = (0..8).map(|index| Padding::Text.byte(index)).collect();
        assert_eq!(text, b"bulletbu");
    }
}
