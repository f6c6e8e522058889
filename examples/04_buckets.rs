//! 04: buckets.
//!
//! Shows: layer stacks that the number of pieces chooses, PSQT outputs beside them, and the rows of the feature transformer that a
//! king chooses.
//!
//! Run: `cargo run --example 04_buckets`
//!
//! ```text
//! HalfKAv2_hm[22528] -> 32x2, psqt 4 -> (8 -> 1)x4
//!  2 pieces: bucket 0, value   0; all buckets: [0, 1, 2, 3]
//!  8 pieces: bucket 0, value 240; all buckets: [240, 181, 122, 63]
//!  9 pieces: bucket 1, value 211; all buckets: [280, 211, 142, 73]
//! 16 pieces: bucket 1, value 421; all buckets: [560, 421, 282, 143]
//! 17 pieces: bucket 2, value 302; all buckets: [600, 451, 302, 153]
//! 32 pieces: bucket 3, value 303; all buckets: [1200, 901, 602, 303]
//! king e1, knight f3: row 21973
//! king d1, knight c3: row 21973
//! king e2, knight f3: row 19157
//! ```

use nnue::{
    Color, FeatureSet, HalfKaV2Hm, Model, Network, Parameters, Piece, PieceKind, Position, Square,
    nnue,
};

nnue! {
    /// Four stacks of two layers: 1 to 8 pieces, 9 to 16, 17 to 24, 25 to 32.
    pub struct Bucketed = HalfKAv2_hm[..] -> 32x2, psqt 4 -> (8 -> 1)x4 by (piece_count - 1) / 8;
}

/// Two kings and `pawns` white pawns.
struct Pawns(u32);

impl Position for Pawns {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        match (color, kind) {
            (Color::White, PieceKind::King) => 1 << 4,
            (Color::Black, PieceKind::King) => 1 << 60,
            (Color::White, PieceKind::Pawn) => (1 << (8 + self.0)) - (1 << 8),
            _ => 0,
        }
    }

    fn side_to_move(&self) -> Color {
        Color::White
    }
}

fn main() {
    // The PSQT outputs count pieces, one output per bucket: the fewer are left, the more each is worth. The layers add the bias of the
    // last layer, which shows the stack that was used. All numbers are in sixteenths.
    let mut params = BucketedParams::zeroed();
    for (row, psqt) in params.ft.psqt.iter_mut().enumerate() {
        let sign = if row / 64 % 11 % 2 == 0 { 16 } else { -16 };
        *psqt = [40, 30, 20, 10].map(|worth| sign * worth);
    }
    for stack in 0..4 {
        params.fc1.bias[stack][0] = 16 * stack as i32;
    }
    let network: Network<Bucketed> = Network::from_params(params);

    println!("{}", Bucketed::SPEC.notation);
    for pawns in [0, 6, 7, 14, 15, 30] {
        let evaluation = network.evaluate_fresh(&Pawns(pawns));
        let all = network.trace(&Pawns(pawns)).buckets;
        println!(
            "{:>2} pieces: bucket {}, value {:>3}; all buckets: {:?}",
            pawns + 2,
            evaluation.bucket,
            evaluation.value,
            all.iter().map(|bucket| bucket.value).collect::<Vec<_>>()
        );
    }

    // The own king's square chooses a block of rows; the board is mirrored so that the king is on files e to h.
    let knight = Piece::new(Color::White, PieceKind::Knight);
    let (d1, e1, e2, c3, f3) = (
        Square::at(3, 0),
        Square::at(4, 0),
        Square::at(4, 1),
        Square::at(2, 2),
        Square::at(5, 2),
    );
    for (king, square) in [(e1, f3), (d1, c3), (e2, f3)] {
        let row = HalfKaV2Hm::row(HalfKaV2Hm::view(Color::White, king), knight, square);
        println!(
            "king {king:?}, knight {square:?}: row {}",
            row.expect("a knight is a feature")
        );
    }
}
