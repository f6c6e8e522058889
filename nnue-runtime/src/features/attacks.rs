//! Attacks of pieces: from tables and, for sliders, by subtraction on a line.
//!
//! ```text
//!   occupied & line      0 1 0 0 . 0 1 1       a slider stands on the dot
//!   minus 2 * slider     borrows through the empty squares up to the first piece on one side
//!   the same mirrored    borrows on the other side
//! ```

pub(crate) const KNIGHT: [u64; 64] = leaps(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
pub(crate) const KING: [u64; 64] = leaps(&[
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
]);
/// The squares that a pawn attacks, by colour; none from the first and the last rank.
pub(crate) const PAWN: [[u64; 64]; 2] = [pawns(&[(1, 1), (-1, 1)]), pawns(&[(1, -1), (-1, -1)])];
/// The square ahead of a pawn, by colour; none from the first and the last rank.
pub(crate) const PUSH: [[u64; 64]; 2] = [pawns(&[(0, 1)]), pawns(&[(0, -1)])];
/// The squares from which a pawn attacks a square, by its colour.
pub(crate) const PAWN_ATTACKERS: [[u64; 64]; 2] = [transposed(&PAWN[0]), transposed(&PAWN[1])];
/// The squares from which a pawn would step to a square, by its colour.
pub(crate) const PUSHERS: [[u64; 64]; 2] = [transposed(&PUSH[0]), transposed(&PUSH[1])];

/// The lines through a square, without the square itself.
const DIAGONAL: [u64; 64] = lines(1, 1);
const ANTIDIAGONAL: [u64; 64] = lines(1, -1);
const FILE: [u64; 64] = lines(0, 1);

/// Attacks along a rank, by the slider's file and the six inner squares of the rank.
const RANK: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (file, occupied) = (index / 64, (index % 64) << 1);
        let (mut attacked, mut at) = (0_u8, file);
        while at < 7 {
            at += 1;
            attacked |= 1 << at;
            if occupied >> at & 1 == 1 {
                break;
            }
        }
        at = file;
        while at > 0 {
            at -= 1;
            attacked |= 1 << at;
            if occupied >> at & 1 == 1 {
                break;
            }
        }
        table[file][index % 64] = attacked;
        index += 1;
    }
    table
};

/// The square `square + (x, y)`, or `None` beyond the edge.
const fn step(square: usize, (x, y): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + x, square as i32 / 8 + y);
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        None
    } else {
        Some((8 * rank + file) as usize)
    }
}

const fn leaps_from(square: usize, steps: &[(i32, i32)]) -> u64 {
    let (mut set, mut at) = (0, 0);
    while at < steps.len() {
        if let Some(to) = step(square, steps[at]) {
            set |= 1 << to;
        }
        at += 1;
    }
    set
}

const fn leaps(steps: &[(i32, i32)]) -> [u64; 64] {
    let (mut table, mut square) = ([0; 64], 0);
    while square < 64 {
        table[square] = leaps_from(square, steps);
        square += 1;
    }
    table
}

const fn pawns(steps: &[(i32, i32)]) -> [u64; 64] {
    let (mut table, mut square) = ([0; 64], 8);
    while square < 56 {
        table[square] = leaps_from(square, steps);
        square += 1;
    }
    table
}

const fn transposed(table: &[u64; 64]) -> [u64; 64] {
    let (mut result, mut index) = ([0; 64], 0);
    while index < 64 * 64 {
        let (from, to) = (index / 64, index % 64);
        if table[from] >> to & 1 == 1 {
            result[to] |= 1 << from;
        }
        index += 1;
    }
    result
}

const fn ray(from: usize, x: i32, y: i32) -> u64 {
    let (mut set, mut square) = (0, from);
    while let Some(to) = step(square, (x, y)) {
        set |= 1 << to;
        square = to;
    }
    set
}

const fn lines(x: i32, y: i32) -> [u64; 64] {
    let (mut table, mut square) = ([0; 64], 0);
    while square < 64 {
        table[square] = ray(square, x, y) | ray(square, -x, -y);
        square += 1;
    }
    table
}

/// Attacks along a file or a diagonal. The line is mirrored by swapping bytes: no two of its
/// squares share one.
#[inline(always)]
const fn along(square: usize, occupied: u64, line: u64) -> u64 {
    let (slider, occupied) = (1_u64 << square, occupied & line);
    let forward = occupied.wrapping_sub(slider << 1);
    let backward = occupied
        .swap_bytes()
        .wrapping_sub(slider.swap_bytes() << 1)
        .swap_bytes();
    (forward ^ backward) & line
}

/// The squares that a queen on `square`, below 64, attacks along its diagonal, antidiagonal, file and rank.
#[inline(always)]
pub(crate) const fn lines_from(square: usize, occupied: u64) -> [u64; 4] {
    let rank = square & 56;
    let in_rank = RANK[square % 8][(occupied >> (rank + 1) & 63) as usize];
    [
        along(square, occupied, DIAGONAL[square]),
        along(square, occupied, ANTIDIAGONAL[square]),
        along(square, occupied, FILE[square]),
        (in_rank as u64) << rank,
    ]
}

/// The squares that a bishop on `square`, below 64, attacks.
#[inline(always)]
pub(crate) const fn bishop(square: usize, occupied: u64) -> u64 {
    let [diagonal, antidiagonal, ..] = lines_from(square, occupied);
    diagonal | antidiagonal
}

/// The squares that a rook on `square`, below 64, attacks.
#[inline(always)]
pub(crate) const fn rook(square: usize, occupied: u64) -> u64 {
    let [_, _, file, rank] = lines_from(square, occupied);
    file | rank
}

/// For each square and each of `steps`, the square one step away, or with `repeated` all squares in
/// that direction.
pub(crate) const fn by_step(steps: [(i32, i32); 8], repeated: bool) -> [[u64; 8]; 64] {
    let (mut table, mut index) = ([[0; 8]; 64], 0);
    while index < 8 * 64 {
        let (square, at) = (index / 8, index % 8);
        let (x, y) = steps[at];
        table[square][at] = if repeated {
            ray(square, x, y)
        } else {
            leaps_from(square, &[(x, y)])
        };
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference: walks square by square.
    fn walk(square: usize, occupied: u64, directions: &[(i32, i32)]) -> u64 {
        let mut set = 0;
        for &direction in directions {
            let mut at = square;
            while let Some(to) = step(at, direction) {
                set |= 1 << to;
                at = to;
                if occupied >> to & 1 == 1 {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        let mut occupied = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..2000 {
            occupied = occupied
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            let sparse = occupied
                & occupied.rotate_left(17)
                & if round % 2 == 0 {
                    !0
                } else {
                    occupied.rotate_left(41)
                };
            for square in 0..64 {
                let diagonals = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
                assert_eq!(
                    bishop(square, sparse),
                    walk(square, sparse, &diagonals),
                    "{square} {sparse:#x}"
                );
                let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                assert_eq!(
                    rook(square, sparse),
                    walk(square, sparse, &straight),
                    "{square} {sparse:#x}"
                );
            }
        }
    }

    #[test]
    fn pawns_attack_forward_and_are_found_backward() {
        assert_eq!(PAWN[0][12], 1 << 19 | 1 << 21);
        assert_eq!(PAWN[1][48], 1 << 41);
        assert_eq!((PAWN[0][4], PAWN[1][60], PUSH[0][52]), (0, 0, 1 << 60));
        assert_eq!(PAWN_ATTACKERS[0][19], 1 << 12 | 1 << 10);
        assert_eq!(PUSHERS[1][0], 1 << 8);
        assert_eq!(
            PAWN_ATTACKERS[0][9], 0,
            "pawns on the first rank attack nothing"
        );
    }
}
