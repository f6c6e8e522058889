//! Finds all attacks around a square at once: each of the eight lines from the square is a lane of
//! a vector.
//!
//! ```text
//!   lane      0 N   1 NE   2 E   3 NW      square numbers ascend: the nearest piece is the lowest bit
//!             4 S   5 SW   6 W   7 SE      square numbers descend: the nearest piece is the highest bit
//!
//!   lines & occupied ── nearest ──► seen         at most one piece in each lane
//!   jumps & occupied ─────────────► jumps        the same for knight's moves
//!   halves of `seen` swapped ─────► behind       the piece that is seen from there through the square
//! ```
//!
//! The attacks are composed in all lanes; a mask says which lanes hold one, and only these are
//! kept. No branch depends on the board.

use super::attack::{Attack, AttackList};
use super::squares::Squares;
use super::table::Table;
use crate::board::{PieceKind, Square};
use crate::features::attacks;
use crate::features::row_change::RowChange;
use crate::memory::lanes_mut;
use crate::simd::Simd;

/// The squares on the lines from each square, by lane.
static LINES: [[u64; 8]; 64] = attacks::by_step(
    [
        (0, 1),
        (1, 1),
        (1, 0),
        (-1, 1),
        (0, -1),
        (-1, -1),
        (-1, 0),
        (1, -1),
    ],
    true,
);
/// The square of each knight's move from each square, by lane.
static JUMPS: [[u64; 8]; 64] = attacks::by_step(
    [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ],
    false,
);

/// `straight` in lanes 0, 2, 4 and 6, `diagonal` in lanes 1, 3, 5 and 7.
#[inline(always)]
fn by_line<S: Simd>(simd: S, straight: u64, diagonal: u64) -> S::I32 {
    const STRAIGHT: [u64; 8] = [!0, 0, !0, 0, !0, 0, !0, 0];
    let difference = simd.and_i32(load(simd, &STRAIGHT), simd.splat_u64(straight ^ diagonal));
    simd.xor_i32(simd.splat_u64(diagonal), difference)
}

#[inline(always)]
fn load<S: Simd>(simd: S, lanes: &[u64; 8]) -> S::I32 {
    let mut vector = simd.zero_i32();
    lanes_mut(&mut vector).copy_from_slice(lanes);
    vector
}

/// Lists the threats by, on and through the piece on `square`; [`change`](super::change) explains
/// the three kinds.
#[inline(always)]
pub(super) fn around<S: Simd>(
    simd: S,
    table: &Table,
    [here, there]: [&Squares<'_>; 2],
    changed: u64,
    square: Square,
    change: RowChange,
    attacks: &mut AttackList,
) {
    let (board, at, stayed) = (here.board, square.index(), !changed);
    let lines = load(simd, &LINES[at]);
    let seen = simd.nearest_u64(simd.and_i32(lines, simd.splat_u64(board.occupied())));
    let jumps = simd.and_i32(load(simd, &JUMPS[at]), simd.splat_u64(board.occupied()));

    let placed = here.placed(square);
    let reach = simd.splat_u64(table.attacked_from(here, placed));
    let attacked = simd.meet_u64(seen, reach) | simd.meet_u64(jumps, reach) << 8;

    let queens = board.both(PieceKind::Queen);
    let straight = (queens | board.both(PieceKind::Rook)) & stayed;
    let diagonal = (queens | board.both(PieceKind::Bishop)) & stayed;
    let sliders = simd.meet_u64(seen, by_line(simd, straight, diagonal));
    let neighbours = simd.splat_u64(table.neighbours(board, placed) & stayed);
    let knights = simd.splat_u64(board.both(PieceKind::Knight) & stayed);
    let attackers = sliders | simd.meet_u64(seen, neighbours) | simd.meet_u64(jumps, knights) << 8;

    let numbers = simd.numbers_u64(seen, jumps);
    let pieces = simd.gather_u8(&here.by_square, numbers);
    let attacked_there = simd.or_i32(numbers, simd.shl_i32(pieces, Attack::ATTACKED));
    let attacker_there = simd.or_i32(
        simd.shl_i32(numbers, Attack::FROM),
        simd.shl_i32(pieces, Attack::ATTACKER),
    );
    let own = simd.splat_i32(Attack::by(change, placed));
    attacks.append(simd, simd.or_i32(attacked_there, own), attacked);
    let own = simd.splat_i32(Attack::on(change, placed));
    attacks.append(simd, simd.or_i32(attacker_there, own), attackers);

    // The slider must be seen on both boards: otherwise another changed square lies between.
    let seen_there = simd.nearest_u64(simd.and_i32(lines, simd.splat_u64(there.board.occupied())));
    let is_other = simd.meet_u64(simd.xor_i32(seen, seen_there), simd.splat_u64(!0));
    let behind = simd.swap_halves(seen_there);
    let is_empty = there.board.occupied() & square.bit() == 0;
    let through = sliders
        & !is_other
        & simd.meet_u64(behind, simd.splat_u64(if is_empty { stayed } else { 0 }));
    let numbers = simd.numbers_u64(behind, behind);
    let pieces = simd.gather_u8(&there.by_square, numbers);
    let on_behind = simd.or_i32(numbers, simd.shl_i32(pieces, Attack::ATTACKED));
    let becomes = simd.splat_i32(Attack::becomes(change.other()));
    attacks.append(
        simd,
        simd.or_i32(simd.or_i32(attacker_there, on_behind), becomes),
        through,
    );
}
