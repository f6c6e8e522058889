//! Finds the order of rows by golden values.

use std::sync::Arc;

use nnue_spec::NetDesc;
use nnue_spec::reference::{Board, Position};

use super::{Order, ROWS_GUESS};
use crate::declare::accumulated::Accumulated;
use crate::error::ImportError;
use crate::evaluate::evaluate;
use crate::fold::Folded;
use crate::tensor::Tensor;

/// Relative tolerance for another order of summation.
const ROUNDING: f32 = 1e-5;

/// A known output of the trainer in a position.
#[derive(Clone, Debug)]
pub struct Golden {
    /// the position
    pub board: Board,
    /// output of the Python program
    pub value: f32,
    /// tolerance: half of the last printed digit
    pub within: f32,
}

impl Accumulated {
    /// Whether the graph reproduces all values if its rows have this order. Of the candidates
    /// ([`Order::all`]) only one should.
    ///
    /// # Errors
    ///
    /// [`ImportError::Inputs`]: a position has more rows than fit in the lists, or the output is not a single
    /// number.
    pub fn fits(
        &self,
        folded: &Folded,
        net: &NetDesc<'_>,
        goldens: &[Golden],
        order: Order,
    ) -> Result<bool, ImportError> {
        for golden in goldens {
            let value = self.output_in(folded, net, &golden.board, order)?;
            if (value - golden.value).abs() > golden.within + ROUNDING * golden.value.abs() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The output in a position, if the rows have this order.
    ///
    /// # Errors
    ///
    /// As [`Self::fits`].
    pub fn output_in(
        &self,
        folded: &Folded,
        net: &NetDesc<'_>,
        board: &Board,
        order: Order,
    ) -> Result<f32, ImportError> {
        let boards = vec![board as &dyn Position; folded.rows];
        let inputs: Vec<Arc<Tensor>> =
            self.inputs_by(folded, net, &boards, order).ok_or_else(|| {
                ImportError::Inputs(
                    "a position has other numbers of rows than the lists of the graph".into(),
                )
            })?;
        let numbers = evaluate(&folded.graph, &inputs)?;
        let output = numbers[folded.graph.outputs[0]]
            .as_ref()
            .map_or(Vec::new(), |tensor| tensor.to_floats());
        match output.len() == folded.rows {
            true => Ok(output[0]),
            false => Err(ImportError::Inputs(
                "golden values are those of graphs that give one number".into(),
            )),
        }
    }

    /// Reorders the rows of the network from `order` to the declared one.
    #[must_use]
    pub fn ordered(mut self, order: Order) -> Self {
        self.order = order;
        self.guesses.retain(|guess| guess != ROWS_GUESS);
        for tensor in self
            .declared
            .tensors
            .iter_mut()
            .filter(|tensor| tensor.name.starts_with("ft_"))
        {
            if let &[outputs, rows] = tensor.shape.as_slice() {
                let place = |at: usize| at / rows * rows + order.of(at % rows);
                tensor.values = (0..outputs * rows)
                    .map(|at| tensor.values[place(at)])
                    .collect();
            }
        }
        self
    }
}
