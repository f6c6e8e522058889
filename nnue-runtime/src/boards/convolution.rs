//! 3 x 3 convolutions.

use alloc::vec::Vec;
use core::fmt;

use super::table::{LINE, Table, in_lines, zeros};
use crate::kernel::product::Product;
use crate::kernel::winograd::{Back, Forth, PARTS, SQUARES, TILES};
use crate::memory::Line;
use crate::simd::{AvailableLevel, dispatch_family};

/// The operation after a convolution.
#[derive(Clone, Copy, Debug)]
pub enum After<'a> {
    /// none
    Nothing,
    /// clamps negative values to 0
    Relu,
    /// adds these boards, then clamps negative values to 0
    AddRelu(&'a Table),
}

/// Scratch memory of convolutions, one per thread; it grows to the size that the largest one needs.
#[derive(Clone, Default)]
pub struct Scratch {
    transformed: Vec<Line>,
    products: Vec<Line>,
}

impl Scratch {
    /// Empty scratch memory.
    pub const fn new() -> Self {
        Self {
            transformed: Vec::new(),
            products: Vec::new(),
        }
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = size_of::<Line>() * (self.transformed.capacity() + self.products.capacity());
        f.debug_struct("Scratch").field("bytes", &bytes).finish()
    }
}

/// A 3 x 3 convolution over boards with a margin of zeros, by Winograd's transforms of 4 x 4
/// squares: a quarter of the products.
///
/// Results differ from direct sums in their last bits: for random weights and inputs up to 1, by
/// less than 1e-6 of the sum of the magnitudes of the weights. All levels give the same bits.
pub struct Convolution {
    channels: usize,
    outputs: usize,
    /// `[part][line of outputs][channel]`
    weights: Vec<Line>,
    bias: Vec<Line>,
    /// the start values of the sums of parts
    start: Vec<Line>,
}

impl Convolution {
    /// A convolution with weights `[output][channel][row][column]` and a bias for each output.
    ///
    /// # Panics
    ///
    /// If there are no channels or outputs, or more or fewer weights than 9 for each channel and output.
    pub fn new(channels: usize, weights: &[f32], bias: &[f32]) -> Self {
        let outputs = bias.len();
        assert!(
            channels > 0 && outputs > 0 && weights.len() == 9 * channels * outputs,
            "9 weights for each pair"
        );
        let lines = outputs.div_ceil(LINE);
        let mut prepared = zeros(PARTS * lines * channels);
        let floats: &mut [f32] = bytemuck::cast_slice_mut(&mut prepared);
        let (windows, _) = weights.as_chunks::<9>();
        for (at, window) in windows.iter().enumerate() {
            let (output, channel) = (at / channels, at % channels);
            for (part, weight) in transformed(window).into_iter().enumerate() {
                let line = (part * lines + output / LINE) * channels + channel;
                floats[line * LINE + output % LINE] = weight;
            }
        }
        Self {
            channels,
            outputs,
            weights: prepared,
            bias: in_lines(bias),
            start: zeros(lines),
        }
    }

    /// The number of channels of the result.
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// Writes the convolution of the boards in `x` to `y`.
    ///
    /// # Panics
    ///
    /// If `x` has another number of channels, or if the boards to add do not have the size of the
    /// result.
    pub fn run(
        &self,
        level: AvailableLevel,
        x: &Table,
        after: After<'_>,
        y: &mut Table,
        scratch: &mut Scratch,
    ) {
        assert_eq!(x.columns(), self.channels, "channels of the convolution");
        let (boards, lines, lines_of_y) = (x.rows() / SQUARES, x.lines_of_row(), self.bias.len());
        y.resize(boards * SQUARES, self.outputs);
        let tiles = boards * TILES;
        // One extra line, so that parts do not start at the same offset of a page: caches hold only
        // a few such lines.
        let (part, part_of_y) = (tiles * lines + 1, tiles * lines_of_y + 1);
        let Scratch {
            transformed,
            products,
        } = scratch;
        transformed.resize(PARTS * part, bytemuck::Zeroable::zeroed());
        products.resize(PARTS * part_of_y, bytemuck::Zeroable::zeroed());
        dispatch_family(
            level,
            Forth {
                x: &x.lines,
                lines,
                y: transformed,
                part,
            },
        );
        for (at, weights) in self
            .weights
            .chunks_exact(lines_of_y * self.channels)
            .enumerate()
        {
            let x = bytemuck::cast_slice(&transformed[at * part..][..tiles * lines]);
            let y = &mut products[at * part_of_y..][..tiles * lines_of_y];
            let product = Product {
                x,
                row: lines * LINE,
                inputs: self.channels,
                weights,
                start: &self.start,
                y,
            };
            dispatch_family(level, product);
        }
        let (skip, relu) = match after {
            After::Nothing => (&[][..], false),
            After::Relu => (&[][..], true),
            After::AddRelu(table) => (&table.lines[..], true),
        };
        assert!(
            skip.is_empty() || skip.len() == y.lines.len(),
            "boards of the size of the result"
        );
        dispatch_family(
            level,
            Back {
                x: products,
                part: part_of_y,
                bias: &self.bias,
                skip,
                relu,
                y: &mut y.lines,
            },
        );
    }
}

/// `G g G^T` of a window, computed in 64-bit floats, then rounded.
fn transformed(window: &[f32; 9]) -> [f32; PARTS] {
    const G: [[f64; 3]; 6] = [
        [1.0 / 4.0, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    core::array::from_fn(|part| {
        let (rows, columns) = (G[part / 6], G[part % 6]);
        let mut sum = 0.0;
        for (at, &weight) in window.iter().enumerate() {
            sum += rows[at / 3] * columns[at % 3] * f64::from(weight);
        }
        sum as f32
    })
}
