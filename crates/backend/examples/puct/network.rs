//! The network of example 19 as the backend `nnue`: a value and a policy of one body.

use std::sync::Arc;

use nnue::{Evaluation, Network, nnue};
use nnue_backend::nnue::{NnuePolicy, Outlook, THREADS};
use nnue_backend::options::{Opt, Text};
use nnue_backend::{Attributes, Batched, Chess, Entry, Error, expected_score};
use nnue_data::{Move, MoveKind, Piece, Position, Square};
use nnue_runtime::PieceKind;
use nnue_runtime::policy::{MoveSquares, PolicyMove};

nnue! {
    /// Trained for a minute: it is there to be searched with, not to play well.
    pub(crate) struct Trained {
        acc = accumulate(Chess768[mirrored], 128 @ 255) x 2;
        let x = pairwise(acc);
        let h = affine(x, 16);
        output value = affine(screlu(h), 1: f32);
        output policy = rows(x, 1880);
        format raw;
    }
}

/// Where its file is, unless the option `net` names another one.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nets/tree.bin");

const NET: Text = Text {
    name: "net",
    about: "the file; without it `examples/nets/tree.bin`",
};

/// What its outputs mean.
struct Mirrored;

impl Outlook<Chess, Trained> for Mirrored {
    type Heads = ();

    fn attributes(&self) -> Attributes {
        Attributes {
            has_policy: true,
            ..Attributes::VALUE
        }
    }

    fn answer(&self, evaluation: &Evaluation, (): &()) -> [f32; 3] {
        [expected_score(evaluation.value, 400.0), 0.0, 0.0]
    }

    /// The network has the own king on files a to d, and so have its moves.
    fn row(&self, position: &Position, mv: &Move) -> Option<usize> {
        let us = position.side_to_move();
        let square = |square: Square| nnue_runtime::Square::wrapping(square as u32);
        let kind = |piece: Piece| PieceKind::ALL[piece as usize];
        let promotion = if let MoveKind::Promotion(piece) = mv.kind {
            Some(kind(piece))
        } else {
            None
        };
        let squares = MoveSquares::new(square(mv.from), square(mv.to), promotion);
        let seen = match mv.kind {
            MoveKind::Castling => PolicyMove::castling(squares.from, squares.to),
            _ => PolicyMove::new(kind(position.piece_on(mv.from)?), squares),
        };
        let mover = [nnue_runtime::Color::White, nnue_runtime::Color::Black][us as usize];
        let seen = seen.seen_by(mover);
        let seen = if position.king(us) as usize % 8 >= 4 {
            seen.mirrored()
        } else {
            seen
        };
        seen.squares.index_1880()
    }
}

/// The kind of backend `nnue` of this program, which becomes the default.
pub(crate) fn entry() -> Entry<Chess> {
    Entry::new(
        "nnue",
        100,
        "the network of example 19",
        vec![NET.help(), THREADS.help()],
        |builder| {
            let file = builder.get(&NET)?.unwrap_or_else(|| FILE.into());
            let wrong = |error| Error::failed(builder.path(), format!("{file}: {error}"));
            let network = Network::<Trained>::open(&file).map_err(wrong)?;
            let policy =
                NnuePolicy::new(Arc::new(network), builder.get(&THREADS)? as usize, Mirrored);
            Ok(Arc::new(Batched::new(builder.path(), policy)))
        },
    )
}
