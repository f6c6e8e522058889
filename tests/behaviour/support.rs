//! Random weights, positions, and boards for the reference interpreter.

use nnue::spec::{LayerDesc, LayerKind, NetDesc, TensorMut, TensorRole, reference};
use nnue::{Architecture, Color, Network, Parameters, PieceKind, Position};
use nnue_testkit::games::{position, suite_fens};
use nnue_testkit::random::Random;
use shakmaty::Chess;

/// The kind of random weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    /// like those of trained networks: activations between the limits
    Tame,
    /// all values of the types: sums wrap, and products that saturate are found
    Wild,
}

/// A network with random weights.
pub(crate) fn network<A: Architecture>(seed: u64, weights: Weights) -> Network<A> {
    let mut params = A::Params::zeroed();
    randomize(params.tensors_mut(), &A::SPEC, seed, weights);
    Network::from_params(params)
}

/// Random numbers for all tensors.
fn randomize(tensors: Vec<TensorMut<'_>>, spec: &NetDesc<'_>, seed: u64, weights: Weights) {
    let mut random = Random::new(seed);
    for (tensor, desc) in tensors.into_iter().zip(spec.tensors) {
        let limit = match (weights, desc.role) {
            (Weights::Wild, TensorRole::LayerBias(_)) => 100_000,
            (Weights::Wild, _) => i32::MAX,
            (_, TensorRole::TransformerBias | TensorRole::SecondBias) => 60,
            (
                _,
                TensorRole::TransformerWeight
                | TensorRole::SecondWeight
                | TensorRole::ExtraWeight(_)
                | TensorRole::SecondExtraWeight(_),
            ) => 40,
            (_, TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_)) => 20_000,
            (_, TensorRole::LayerBias(_)) => 6_000,
            (_, TensorRole::LayerWeight(_)) => 50,
            (_, TensorRole::LayerScale(_)) => 1_500,
        };
        let tensor = fill(tensor, &mut random, limit);
        if let (TensorMut::I8(weights), TensorRole::LayerWeight(layer)) = (tensor, desc.role) {
            thin(weights, desc.cols, &spec.layers[layer], &mut random);
        }
    }
}

/// Leaves each input of a block-sparse layer weights for as many blocks of outputs as it reaches, those after a random one.
fn thin(weights: &mut [i8], columns: usize, layer: &LayerDesc<'_>, random: &mut Random) {
    let LayerKind::BlockSparse { reached } = layer.kind else {
        return;
    };
    let blocks = layer.outputs / 16;
    for weights in weights.chunks_mut(columns * layer.outputs) {
        for input in 0..columns {
            let first = random.below(blocks);
            for (output, row) in weights.chunks_mut(columns).enumerate() {
                if (output / 16 + blocks - first) % blocks >= reached {
                    row[input] = 0;
                }
            }
        }
    }
}

/// Numbers from `-limit` to `limit`, or of the whole range of the type. In both cases a few are the extremes of the type.
fn fill<'t>(mut tensor: TensorMut<'t>, random: &mut Random, limit: i32) -> TensorMut<'t> {
    let mut next = |min: i32, max: i32| {
        if limit == i32::MAX {
            return match random.below(8) {
                0 => min,
                1 => max,
                _ => (random.next() as i32) >> (max.leading_zeros() - 1),
            };
        }
        let limit = limit.min(max);
        random.below(2 * limit as usize + 1) as i32 - limit
    };
    match &mut tensor {
        TensorMut::I8(out) => out
            .iter_mut()
            .for_each(|x| *x = next(i8::MIN.into(), i8::MAX.into()) as i8),
        TensorMut::I16(out) => out
            .iter_mut()
            .for_each(|x| *x = next(i16::MIN.into(), i16::MAX.into()) as i16),
        TensorMut::I32(out) => out.iter_mut().for_each(|x| *x = next(i32::MIN, i32::MAX)),
        TensorMut::F32(out) => out
            .iter_mut()
            .for_each(|x| *x = next(-64, 64) as f32 / 64.0),
    }
    tensor
}

/// Every `step`-th position of the suite that is legal for shakmaty.
pub(crate) fn positions(step: usize) -> Vec<Chess> {
    suite_fens()
        .iter()
        .step_by(step)
        .map(|fen| position(fen))
        .collect()
}

/// The position for the reference interpreter.
pub(crate) fn reference_board(position: &impl Position) -> reference::Board {
    let pieces = Color::ALL
        .into_iter()
        .flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
    let pieces = pieces.flat_map(|(color, kind)| {
        let set = position.pieces(color, kind);
        let squares = (0..64).filter(move |square| set >> square & 1 == 1);
        squares.map(move |square| (color == Color::Black, kind.index(), square))
    });
    reference::Board::new(pieces, position.side_to_move() == Color::Black)
}

/// A board of the test kit, as networks see it.
pub(crate) struct Seen(pub(crate) nnue_testkit::board::Board);

impl Position for Seen {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.0.pieces(color == Color::Black, kind.index())
    }

    fn side_to_move(&self) -> Color {
        if self.0.black_to_move() {
            Color::Black
        } else {
            Color::White
        }
    }
}
