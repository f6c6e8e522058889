//! In which order a trainer numbers its rows.
//!
//! ```text
//!   declared   384 * (their piece) + 64 * (P N B R Q K) + (a1 b1 .. h8)
//!   trainers   own or their pieces first,  K Q R B N P,  squares from a8 or turned,  and any of the three outermost
//! ```
//!
//! A wrong order gives a network that plays nonsense and says nothing. A value that the trainer gave in one position tells which it is.

use std::sync::Arc;

use nnue_spec::NetDesc;
use nnue_spec::reference::Board;

use super::Accumulated;
use crate::error::ImportError;
use crate::evaluate::evaluate;
use crate::fold::Folded;
use crate::tensor::Tensor;

/// What no graph says, and a golden value tells.
pub(super) const ROWS_GUESS: &str =
    "what the rows of the input mean: give a value of the trainer (`--golden`), or compare one (`nnue golden`)";

/// Rows of a set that an order is about: two colours, six kinds, 64 squares.
const PLANES: usize = 768;

/// How far sums in another order may be, in parts of the value.
const ROUNDING: f32 = 1e-5;

/// An order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// which of colour (0), kind (1) and square (2) is outermost, next, innermost
    axes: [usize; 3],
    their_pieces_first: bool,
    kings_first: bool,
    /// what squares are xored with
    squares: usize,
}

impl Order {
    /// That of the declared sets.
    pub const DECLARED: Self = Self { axes: [0, 1, 2], their_pieces_first: false, kings_first: false, squares: 0 };

    /// All that are tried, the declared one first.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for axes in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]] {
            for squares in [0, 56, 7, 63] {
                for their_pieces_first in [false, true] {
                    for kings_first in [false, true] {
                        all.push(Self { axes, their_pieces_first, kings_first, squares });
                    }
                }
            }
        }
        all
    }

    /// The trainer's number of a declared row.
    pub fn of(self, row: usize) -> usize {
        let (bucket, plane) = (row / PLANES, row % PLANES);
        let (colour, kind, square) = (plane / 384, plane / 64 % 6, plane % 64);
        let parts = [
            if self.their_pieces_first { 1 - colour } else { colour },
            if self.kings_first { 5 - kind } else { kind },
            square ^ self.squares,
        ];
        let number = self.axes.iter().fold(0, |number, &axis| number * [2, 6, 64][axis] + parts[axis]);
        bucket * PLANES + number
    }

    /// The order in words.
    pub fn words(self) -> String {
        let names = ["colour", "kind", "square"];
        let mut words = vec![format!("by {}", self.axes.map(|axis| names[axis]).join(", "))];
        words.push(if self.their_pieces_first { "their pieces first" } else { "own pieces first" }.into());
        words.push(if self.kings_first { "K Q R B N P" } else { "P N B R Q K" }.into());
        let first = ["a1", "h1", "a8", "h8"][self.squares % 2 + 2 * (self.squares / 8 % 2)];
        words.push(format!("squares from {first}"));
        words.join("; ")
    }
}

/// A value of the graph's output that the trainer gave in a position.
#[derive(Clone, Debug)]
pub struct Golden {
    /// the position
    pub board: Board,
    /// what the program in Python said
    pub value: f32,
    /// how far from that a value may be: half of the last digit that was printed
    pub within: f32,
}

impl Accumulated {
    /// The orders of rows with which the graph gives all values, of those that [`Order::all`] has; of sets of other rows than colours, kinds and
    /// squares only the declared one is tried.
    ///
    /// # Errors
    ///
    /// [`ImportError::Inputs`]: a position has more rows than the lists of the graph, or the graph gives several numbers.
    pub fn orders(&self, folded: &Folded, net: &NetDesc<'_>, goldens: &[Golden]) -> Result<Vec<Order>, ImportError> {
        let permutable = self.rows.is_multiple_of(PLANES) && net.features.len() == 1;
        let candidates = if permutable { Order::all() } else { vec![Order::DECLARED] };
        let mut found = Vec::new();
        for order in candidates {
            if self.fits(folded, net, goldens, order)? {
                found.push(order);
            }
        }
        Ok(found)
    }

    /// Whether the graph gives all values with an order of rows.
    fn fits(&self, folded: &Folded, net: &NetDesc<'_>, goldens: &[Golden], order: Order) -> Result<bool, ImportError> {
        for golden in goldens {
            let value = self.output_in(folded, net, &golden.board, order)?;
            if (value - golden.value).abs() > golden.within + ROUNDING * golden.value.abs() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the graph gives in a position, if its rows have this order.
    ///
    /// # Errors
    ///
    /// As [`Self::orders`].
    pub fn output_in(
        &self,
        folded: &Folded,
        net: &NetDesc<'_>,
        board: &Board,
        order: Order,
    ) -> Result<f32, ImportError> {
        let boards = vec![board; folded.rows];
        let inputs: Vec<Arc<Tensor>> = self.inputs_by(folded, net, &boards, order).ok_or_else(|| {
            ImportError::Inputs("a position has other numbers of rows than the lists of the graph".into())
        })?;
        let numbers = evaluate(&folded.graph, &inputs)?;
        let output = numbers[folded.graph.outputs[0]].as_ref().map_or(Vec::new(), |tensor| tensor.to_floats());
        match output.len() == folded.rows {
            true => Ok(output[0]),
            false => Err(ImportError::Inputs("golden values are those of graphs that give one number".into())),
        }
    }

    /// The network with rows in the order of the declaration, where the graph has them in another.
    #[must_use]
    pub fn ordered(mut self, order: Order) -> Self {
        self.order = order;
        self.guesses.retain(|guess| guess != ROWS_GUESS);
        for tensor in self.declared.tensors.iter_mut().filter(|tensor| tensor.name.starts_with("ft_")) {
            if let &[outputs, rows] = tensor.shape.as_slice() {
                let place = |at: usize| at / rows * rows + order.of(at % rows);
                tensor.values = (0..outputs * rows).map(|at| tensor.values[place(at)]).collect();
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_permutations() {
        for (index, order) in Order::all().into_iter().enumerate() {
            let mut numbers: Vec<usize> = (0..2 * PLANES).map(|row| order.of(row)).collect();
            assert_eq!(index == 0, numbers.is_sorted(), "{}", order.words());
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..2 * PLANES), "{}", order.words());
        }
        assert_eq!(Order::DECLARED.words(), "by colour, kind, square; own pieces first; P N B R Q K; squares from a1");
    }
}
