//! The tower: from planes through residual blocks.

use nnue_runtime::boards::{self, After, Convolution, Matrix, Scratch, Table};
use nnue_runtime::spec::Activation;
use nnue_runtime::{AvailableLevel, Choice};

use super::super::planes::{PLANES, Planes};
use super::super::weights::{Block, Squeeze, Weights};
use super::heads::{self, Heads};
use super::prepare::{convolution, of_rows};
use super::{Network, Outputs, Question};

/// A network on the kernels of this CPU.
pub(in crate::lc0) struct Tower {
    level: AvailableLevel,
    input: Convolution,
    blocks: Vec<Residual>,
    heads: Heads,
}

struct Residual {
    conv1: Convolution,
    conv2: Convolution,
    squeeze: Option<Excitation>,
}

struct Excitation {
    down: Matrix,
    gate: Matrix,
    shift: Matrix,
}

/// Scratch memory.
#[derive(Default)]
pub(in crate::lc0) struct Memory {
    scratch: Scratch,
    planes: Table,
    /// channels of the tower: before, inside and after a block
    x: Table,
    inside: Table,
    y: Table,
    /// one row per board
    means: Table,
    down: Table,
    gate: Table,
    shift: Table,
    heads: heads::Memory,
}

impl Network for Tower {
    type Memory = Memory;

    const NAME: &'static str = "lc0";

    fn new(weights: Weights) -> Self {
        Self {
            level: Choice::now().level,
            input: convolution(&weights.input),
            blocks: weights.blocks.iter().map(Residual::new).collect(),
            heads: Heads::new(&weights),
        }
    }

    fn answer(&self, questions: &[Question], memory: &mut Memory) -> Vec<Outputs> {
        fill(questions, &mut memory.planes);
        self.input.run(
            self.level,
            &memory.planes,
            After::Relu,
            &mut memory.x,
            &mut memory.scratch,
        );
        self.blocks
            .iter()
            .for_each(|block| block.run(self.level, memory));
        let Memory {
            scratch, x, heads, ..
        } = memory;
        self.heads.run(self.level, questions, (x, scratch), heads)
    }
}

impl Residual {
    fn new(block: &Block) -> Self {
        let excitation = |Squeeze { down, gate, shift }: &Squeeze| Excitation {
            down: of_rows(down),
            gate: of_rows(gate),
            shift: of_rows(shift),
        };
        let squeeze = block.squeeze.as_ref().map(excitation);
        Self {
            conv1: convolution(&block.conv1),
            conv2: convolution(&block.conv2),
            squeeze,
        }
    }

    /// Applies the block to the channels in `x`.
    fn run(&self, level: AvailableLevel, memory: &mut Memory) {
        let Memory {
            scratch,
            x,
            inside,
            y,
            ..
        } = memory;
        self.conv1.run(level, x, After::Relu, inside, scratch);
        match &self.squeeze {
            None => self.conv2.run(level, inside, After::AddRelu(x), y, scratch),
            Some(squeeze) => {
                self.conv2.run(level, inside, After::Nothing, y, scratch);
                squeeze.run(level, memory);
            }
        }
        std::mem::swap(&mut memory.x, &mut memory.y);
    }
}

impl Excitation {
    /// Applies squeeze and excitation to `y` by its means, and adds `x`.
    fn run(&self, level: AvailableLevel, memory: &mut Memory) {
        let Memory {
            x,
            y,
            means,
            down,
            gate,
            shift,
            ..
        } = memory;
        boards::means(level, y, means);
        self.down.run(level, means, Some(Activation::Relu), down);
        self.gate.run(level, down, Some(Activation::Sigmoid), gate);
        self.shift.run(level, down, None, shift);
        boards::excite(level, gate, shift, x, y);
    }
}

/// Writes the planes of all questions to a table.
fn fill(questions: &[Question], table: &mut Table) {
    table.resize(64 * questions.len(), PLANES);
    let stride = table.stride();
    let numbers = table.floats_mut();
    numbers.fill(0.0);
    for (question, board) in questions.iter().zip(numbers.chunks_exact_mut(64 * stride)) {
        let Planes { masks, values, .. } = &*question.planes;
        for (plane, (&mask, &value)) in masks.iter().zip(values).enumerate() {
            let mut squares = mask;
            while squares != 0 {
                board[squares.trailing_zeros() as usize * stride + plane] = value;
                squares &= squares - 1;
            }
        }
    }
}
