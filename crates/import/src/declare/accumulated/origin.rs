//! Origin of a declared network: its rows, the inputs of the graph, and guesses.

use std::collections::BTreeSet;

use super::order::ROWS_GUESS;
use super::positions::Given;
use super::views::{SIGNS, of_accumulator};
use super::writer::{Psqt, View, Writer};
use crate::declare::words::activation;
use crate::error::ImportError;
use crate::graph::ValueId;
use crate::name::shown;
use crate::recognise::piece::{Affine, Piece, PieceId, Segment};
use crate::recognise::{Head, Selector};

impl<'a> Writer<'a> {
    /// The feature transformer that both perspectives share, or that of each.
    pub(super) fn transformers(&self) -> Result<Vec<&'a Affine>, ImportError> {
        let own = |view: &View| {
            self.pieces.affine(Segment {
                piece: view.piece,
                start: 0,
                len: self.pieces.0[view.piece].shape[0],
            })
        };
        if let (None, [first, second]) = (&self.psqt, self.perspectives.as_slice())
            && let (Some(first), Some(second)) = (own(first), own(second))
            && (first.weight != second.weight || first.bias != second.bias)
        {
            return Ok(vec![first, second]);
        }
        self.transformer().map(|shared| vec![shared])
    }

    /// The feature transformer, if all perspectives share it.
    fn transformer(&self) -> Result<&'a Affine, ImportError> {
        let mut found: Option<&Affine> = None;
        for view in &self.perspectives {
            let whole = |piece: PieceId| Segment {
                piece,
                start: 0,
                len: self.pieces.0[piece].shape[0],
            };
            let sides = match *self.pieces.of(whole(view.piece)) {
                Piece::Turned { a, b, .. } => vec![a, b],
                _ => vec![whole(view.piece)],
            };
            for affine in sides
                .into_iter()
                .filter_map(|side| self.pieces.affine(side))
            {
                let first = *found.get_or_insert(affine);
                if first.weight != affine.weight || first.bias != affine.bias {
                    return Err(self.refuse(view.piece, "both perspectives have the same weights"));
                }
            }
        }
        found.ok_or_else(|| {
            ImportError::Inputs(
                "no layer reads rows of features: without --features, the input is a dense one"
                    .into(),
            )
        })
    }

    /// Refuses PSQT outputs over other rows than those of the accumulators.
    pub(super) fn check_psqt(&self) -> Result<(), ImportError> {
        let Some(psqt) = &self.psqt else {
            return Ok(());
        };
        let inputs: Vec<usize> = self
            .perspectives
            .iter()
            .flat_map(|view| view.inputs.iter().copied())
            .collect();
        let same = match (inputs.as_slice(), psqt.us) {
            (&[white, black, us, ..], Some(side)) => psqt.inputs == [white, black] && us == side,
            (&[first, second], None) => psqt.inputs == [first, second],
            _ => false,
        };
        match same {
            true => Ok(()),
            false => Err(ImportError::Inputs(
                "PSQT outputs and accumulators have the rows of both sides in the same order"
                    .into(),
            )),
        }
    }

    /// Tensors (by prefix) whose values are not those of the graph, and their factors.
    pub(super) fn stretched(&self) -> Vec<(String, f32)> {
        let stretch = |piece: &PieceId| self.stretched.get(piece).copied();
        let layers = self.written.iter().enumerate();
        let layers =
            layers.filter_map(|(number, piece)| Some((format!("fc{number}"), stretch(piece)?)));
        let psqt =
            Some(self.stretch_of_skips()).filter(|stretch| self.psqt.is_some() && *stretch != 1.0);
        layers
            .chain(psqt.map(|stretch| ("ft_psqt".to_owned(), stretch)))
            .collect()
    }

    /// Layers (by prefix) of an integer network whose sums the graph rounds: all but those of the output.
    pub(super) fn rounded(&self) -> Vec<String> {
        let reads = |piece: &PieceId| {
            self.pieces
                .operands(*piece)
                .into_iter()
                .map(|x| x.piece)
                .collect::<Vec<_>>()
        };
        let activated: BTreeSet<PieceId> = self.recognised.rounded.keys().flat_map(reads).collect();
        let hidden = |(_, piece): &(usize, &PieceId)| {
            self.names.contains_key(*piece) && activated.contains(*piece)
        };
        let layers = self
            .written
            .iter()
            .enumerate()
            .filter(hidden)
            .map(|(number, _)| format!("fc{number}"));
        if self.whole.is_some() {
            layers.collect()
        } else {
            Vec::new()
        }
    }

    /// Values of the graph by name, for comparisons: `acc` and `second` for the sums of both perspectives, or
    /// `white` and `black` where the graph chooses between them; `fc0` for the sums of the first layer; `a1`
    /// for the first pooled value.
    pub(super) fn layers(&self) -> Vec<(String, ValueId)> {
        let first = self
            .perspectives
            .first()
            .map(|view| &self.pieces.0[view.piece].piece);
        let accumulators: Vec<(&str, PieceId)> = match first {
            Some(Piece::Turned { a, b, .. }) => vec![("white", a.piece), ("black", b.piece)],
            _ => ["acc", "second"]
                .into_iter()
                .zip(self.perspectives.iter().map(|view| view.piece))
                .collect(),
        };
        let accumulators = accumulators
            .into_iter()
            .map(|(name, piece)| (name.to_owned(), piece));
        let layers = self
            .written
            .iter()
            .enumerate()
            .map(|(number, &piece)| (format!("fc{number}"), piece));
        let values = self
            .values
            .iter()
            .map(|(&piece, name)| (name.clone(), piece));
        let value = |(name, piece)| Some((name, self.recognised.value_of(piece)?));
        accumulators
            .chain(layers)
            .chain(values)
            .filter_map(value)
            .collect()
    }

    /// The meaning of each input of the graph.
    pub(super) fn inputs(&self) -> Vec<Given> {
        let mut inputs = vec![Given::Nothing; self.folded.graph.inputs.len()];
        for (at, view) in self.perspectives.iter().enumerate() {
            match *view.inputs.as_slice() {
                [rows] => inputs[rows] = Given::Rows { second: at == 1 },
                [white, black, us] if at == 0 => {
                    inputs[white] = Given::Color { black: false };
                    inputs[black] = Given::Color { black: true };
                    inputs[us] = Given::WhiteMoves;
                }
                _ => {}
            }
        }
        if let Some(Psqt {
            us: Some(us),
            inputs: [white, black],
            ..
        }) = self.psqt
        {
            inputs[white] = Given::Color { black: false };
            inputs[black] = Given::Color { black: true };
            inputs[us] = Given::WhiteMoves;
        }
        if let Some((_, by)) = &self.stacks {
            let given = if *by == Selector::Given {
                Given::Stack
            } else {
                Given::Pieces
            };
            self.recognised
                .counts(self.folded)
                .iter()
                .for_each(|&input| inputs[input] = given.clone());
        }
        inputs
    }

    /// Facts that the graph does not say.
    pub(super) fn guesses(&self) -> Vec<String> {
        let mut guesses = vec![ROWS_GUESS.to_owned()];
        let name =
            |input: usize| shown(&self.folded.graph.values[self.folded.graph.inputs[input]].name);
        match self.perspectives.as_slice() {
            [first, second] if first.inputs.len() == 1 => guesses.push(format!(
                "that `{}` has the rows of the side to move, and `{}` those of the other side",
                name(first.inputs[0]),
                name(second.inputs[0])
            )),
            [first, ..] if first.inputs.len() == 3 => guesses.push(format!(
                "that `{}` is 1 where `{}` has the rows of the side to move",
                name(first.inputs[2]),
                name(first.inputs[0])
            )),
            _ => {}
        }
        if self
            .stacks
            .as_ref()
            .is_some_and(|(_, by)| *by == Selector::Given)
        {
            guesses.push("how stacks are chosen: the graph reads their number".to_owned());
        }
        match self.recognised.head {
            Head::Plain if self.psqt.is_some() => {
                guesses.push("types and scales of Stockfish, in which 1.0 of the output is a value of 600 (508 without a neuron that is added)".into());
                return guesses;
            }
            Head::Plain if self.sigmoid => guesses.push("`value sigmoid(output) * 1000`".into()),
            Head::Plain if self.whole.is_some() => {
                guesses.push("the value: the output in whole numbers, divided by 16".into());
                return guesses;
            }
            Head::Plain => guesses.push("`value output * 400`".into()),
            Head::Softmax => guesses.push(
                "that the outputs are loss, draw and win, in this order, and `value wdl * 1000`"
                    .into(),
            ),
        }
        guesses.push("the scale of the accumulator, `@ 255`".into());
        if !self.recognised.rounded.is_empty() {
            guesses
                .push("that activations need not be rounded as the graph rounds them: layers of floats do not".into());
        }
        guesses
    }

    /// The part of a piece in the declaration.
    pub(super) fn clause(&self, mut id: PieceId) -> Option<String> {
        let name = |id: &PieceId| {
            self.names
                .get(id)
                .or_else(|| self.values.get(id))
                .or_else(|| self.averages.get(id))
        };
        // Factors belong to the reader of the value.
        while let (None, Piece::Scale { x, .. }) = (name(&id), &self.pieces.0[id].piece) {
            id = x.piece;
        }
        if self.perspectives.iter().any(|view| view.piece == id) {
            return Some("acc".into());
        }
        if let Some(name) = name(&id) {
            return Some(name.clone());
        }
        if let Piece::Activate { x, function } = self.pieces.0[id].piece
            && let Some(layer) = self.names.get(&x.piece)
        {
            let word = activation(self.pieces, x, function).ok()?;
            return Some(format!("{}({layer})", word.name));
        }
        let shape = &self.pieces.0[id].shape;
        let (word, view) = self.accumulator(Segment {
            piece: id,
            start: 0,
            len: shape[0],
        })?;
        let text = if word == SIGNS {
            "acc".to_owned()
        } else {
            of_accumulator(word)
        };
        self.perspectives
            .iter()
            .any(|known| known.piece == view)
            .then_some(text)
    }
}
