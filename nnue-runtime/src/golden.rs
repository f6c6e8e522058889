//! Golden values of networks that functions of the program take part in. Loaders, which know no such function, compare all others.

use nnue_format::{LoadError, check_golden};
use nnue_spec::{Fen, TensorRef};

use crate::architecture::{Architecture, Parameters};
use crate::board::{Bitboards, Color, Piece, PieceKind, Position};
use crate::network::Network;

/// Compares the golden values with what the program says; compiles to nothing where the loader has done so.
pub(crate) fn check<A: Architecture>(network: &Network<A>) -> Result<(), LoadError> {
    if const { A::SPEC.goldens.is_empty() || !A::SPEC.has_own_functions() } {
        return Ok(());
    }
    let value = |fen: &Fen| network.evaluate_fresh(&Board::new(fen)).value;
    let value_with =
        |tensors: &[TensorRef<'_>], fen: &Fen| of_tensors::<A>(tensors).evaluate_fresh(&Board::new(fen)).value;
    check_golden(&A::SPEC, &network.params().tensors(), &value, &value_with)
}

/// A network with these weights.
fn of_tensors<A: Architecture>(tensors: &[TensorRef<'_>]) -> Network<A> {
    let mut params = A::Params::zeroed();
    params.tensors_mut().iter_mut().zip(tensors).for_each(|(to, from)| to.copy_from(*from));
    Network::from_params(params)
}

/// The position of a FEN.
struct Board {
    pieces: Bitboards,
    side_to_move: Color,
}

impl Board {
    fn new(fen: &Fen) -> Self {
        let color = |black: bool| Color::ALL[usize::from(black)];
        let mut pieces = Bitboards::default();
        for &(black, kind, square) in &fen.pieces {
            pieces[Piece::new(color(black), PieceKind::ALL[kind]).index()] |= 1 << square;
        }
        Self { pieces, side_to_move: color(fen.black_to_move) }
    }
}

impl Position for Board {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.pieces[Piece::new(color, kind).index()]
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}
