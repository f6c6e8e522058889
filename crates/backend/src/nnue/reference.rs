//! `reference`: the network evaluated by the reference interpreter.

use std::sync::Arc;

use nnue_runtime::{Architecture, Network};
use nnue_spec::reference::{self, Board as Plain};
use nnue_spec::{NetDesc, Selector};

use super::board::{Board, key_of_position};
use super::evaluator::answer;
use super::identity::{Described, digest_of_values, identity};
use super::scale::SCALE;
use crate::answers::Answers;
use crate::backend::Attributes;
use crate::chess::Chess;
use crate::error::Error;
use crate::evaluator::{Batched, Evaluator};
use crate::game::{Sample, Wanted};
use crate::options::Opt;
use crate::registry::Entry;

/// A chess network evaluated from its descriptor, without kernels; the reference for [`Nnue`](super::Nnue),
/// thousands of times slower. The network may be declared at run time, because no compiled code is needed.
pub struct Reference<N> {
    network: Arc<N>,
    identity: u128,
    scale: f32,
}

impl<N: Described> Reference<N> {
    /// `scale` is the value with an expected score of 73 %.
    ///
    /// # Errors
    ///
    /// If the network has custom code, which the interpreter cannot run: a feature set, the choice of the
    /// layer stack, an activation.
    pub fn new(network: Arc<N>, scale: f32) -> Result<Self, Error> {
        if network.description().has_listed_rows() {
            return Err(Error::Unlike {
                backend: "reference".into(),
                what: "positions of the network are lists of rows, not of chess".into(),
            });
        }
        if let Some(what) = code_of_program(network.description()) {
            let what = format!(
                "{what} is code of a program, which the reference interpreter does not have"
            );
            return Err(Error::Unlike {
                backend: "reference".into(),
                what,
            });
        }
        let identity = identity(Described::description(&*network), &network.weights());
        Ok(Self {
            network,
            identity,
            scale,
        })
    }
}

/// The custom code of a network, if there is any.
fn code_of_program(net: &NetDesc<'_>) -> Option<&'static str> {
    match (net.stacks.selector, net.custom_activation()) {
        _ if net.has_custom_set() => Some("its feature set"),
        (Selector::Custom, _) => Some("the choice of its layer stack"),
        (_, Some(_)) => Some("one of its activations"),
        _ => None,
    }
}

/// The pieces one by one.
fn plain(Board(position): &Board) -> Plain {
    let is_black = |color| color == nnue_data::Color::Black;
    let pieces = position.occupied().into_iter().filter_map(|square| {
        let (piece, color) = (position.piece_on(square)?, position.color_on(square)?);
        Some((is_black(color), piece as usize, square as usize))
    });
    Plain::new(pieces, is_black(position.side_to_move()))
}

impl<N: Described> Evaluator<Chess> for Reference<N> {
    type Input = Plain;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_score: true,
            ..Attributes::VALUE
        }
    }

    /// The same as for the backend on the kernels: both give the same answers.
    fn digest(&self) -> u128 {
        digest_of_values(self.identity, self.scale)
    }

    fn key(&self, sample: &Sample<'_, Chess>) -> u128 {
        key_of_position(sample)
    }

    fn read(&self, sample: &Sample<'_, Chess>, _: Wanted) -> Result<Plain, Error> {
        Ok(plain(&Board(sample.history[sample.history.len() - 1])))
    }

    fn evaluate(&self, boards: &[Plain], answers: &mut Answers) -> Result<(), Error> {
        let (net, tensors) = (self.network.description(), self.network.weights());
        for board in boards {
            let parts = reference::evaluate_parts(net, &tensors, board);
            let positional = parts.output.positional(net.value);
            let value = net.value_of(parts.psqt, positional, board.black_to_move);
            answers.push(&answer(value, self.scale));
        }
        Ok(())
    }
}

/// The backend kind `reference` for this network.
pub fn reference_entry<A: Architecture>(network: Arc<Network<A>>) -> Entry<Chess> {
    let about = "the same network by the reference interpreter, slowly";
    Entry::new("reference", 10, about, vec![SCALE.help()], move |builder| {
        let evaluator = Reference::new(Arc::clone(&network), builder.get(&SCALE)? as f32)?;
        Ok(Arc::new(Batched::new(builder.path(), evaluator)))
    })
}
