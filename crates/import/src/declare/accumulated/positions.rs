//! Inputs of an imported graph for positions.

use std::sync::Arc;

use nnue_spec::NetDesc;
use nnue_spec::reference::{Features, Position};

use super::Accumulated;
use super::order::Order;
use crate::fold::Folded;
use crate::tensor::{Data, Element, Tensor};

/// Meaning of an input of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// the active rows of the side to move or of the other side
    Rows {
        /// of the side not to move
        second: bool,
    },
    /// the active rows of White or of Black
    Color {
        /// of Black
        black: bool,
    },
    /// 1 if White is to move, else 0
    WhiteMoves,
    /// the number of pieces
    Pieces,
    /// the index of the stack
    Stack,
    /// the output does not depend on it
    Nothing,
}

impl Accumulated {
    /// The inputs of the graph for a batch of positions; nothing if a position has more rows than fit in the
    /// lists.
    ///
    /// # Panics
    ///
    /// If the number of positions is not the rows of the graph, or one is no position of the network
    /// ([`Position::features`]).
    pub fn inputs_in(
        &self,
        folded: &Folded,
        net: &NetDesc<'_>,
        positions: &[&dyn Position],
    ) -> Option<Vec<Arc<Tensor>>> {
        self.inputs_by(folded, net, positions, self.order)
    }

    /// As [`Self::inputs_in`], for another order of rows.
    pub(super) fn inputs_by(
        &self,
        folded: &Folded,
        net: &NetDesc<'_>,
        positions: &[&dyn Position],
        order: Order,
    ) -> Option<Vec<Arc<Tensor>>> {
        assert_eq!(positions.len(), folded.rows, "a position for each row");
        let positions: Vec<Features> = positions.iter().map(|one| one.features(net)).collect();
        let graph = &folded.graph;
        let input = |(&id, given): (&usize, &Given)| {
            let shape = folded.shapes[id].clone();
            let (size, is_list) = (
                shape[1..].iter().product(),
                graph.values[id].element == Some(Element::I64),
            );
            let rows = positions
                .iter()
                .map(|features| self.row(net, given, features, order, (size, is_list)));
            let numbers = rows.collect::<Option<Vec<_>>>()?.concat();
            let data = match is_list {
                true => Data::I64(numbers),
                false => Data::F32(numbers.into_iter().map(|number| number as f32).collect()),
            };
            Tensor::new(shape, data).ok().map(Arc::new)
        };
        graph.inputs.iter().zip(&self.inputs).map(input).collect()
    }

    /// The `size` elements of an input for one position.
    fn row(
        &self,
        net: &NetDesc<'_>,
        given: &Given,
        features: &Features,
        order: Order,
        (size, is_list): (usize, bool),
    ) -> Option<Vec<i64>> {
        let listed = |black: bool| {
            let rows = features.of_side(net, black);
            let rows: Vec<usize> = rows.iter().map(|&row| order.of(row)).collect();
            if is_list {
                filled(&rows, size, self.padding)
            } else {
                ones(&rows, size)
            }
        };
        match given {
            Given::Rows { second } => listed(features.black_to_move != *second),
            Given::Color { black } => listed(*black),
            Given::WhiteMoves => Some(vec![i64::from(!features.black_to_move); size]),
            Given::Pieces => Some(vec![features.pieces as i64; size]),
            Given::Stack => Some(vec![features.stack as i64; size]),
            Given::Nothing => Some(vec![0; size]),
        }
    }
}

/// A list of rows with padding.
fn filled(rows: &[usize], size: usize, padding: Option<i64>) -> Option<Vec<i64>> {
    let mut list: Vec<i64> = rows.iter().map(|&row| row as i64).collect();
    match padding {
        Some(padding) if list.len() <= size => list.resize(size, padding),
        _ if list.len() == size => {}
        _ => return None,
    }
    Some(list)
}

/// Rows as a multi-hot vector.
fn ones(rows: &[usize], size: usize) -> Option<Vec<i64>> {
    let mut ones = vec![0; size];
    rows.iter()
        .try_for_each(|&row| ones.get_mut(row).map(|one| *one = 1))?;
    Some(ones)
}
