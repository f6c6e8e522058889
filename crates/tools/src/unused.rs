//! Rows that no legal position has: pawns on the first and last ranks, pieces on the square of the own king, kings beside it.
//!
//! Weights of such rows are never added. As zeros they compress better, and values of legal positions stay as they are.

use nnue_spec::{FeatureSetId, NetDesc, PiecePlanes, PlaneSquare, TensorMut, TensorRole};

const PAWN: usize = 0;
const KING: usize = 5;

/// What [`zero`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zeroed {
    /// rows that no legal position has
    pub rows: usize,
    /// rows of the sets that were looked at
    pub of: usize,
    /// numbers that were not zero before
    pub numbers: usize,
}

/// Sets the weights of rows that no legal position has to zero: those of sets of single pieces. Rows of other sets stay as they
/// are: this crate does not know their features, or legal positions have all of them. `tensors` are those of `net`, in its order.
pub fn zero(net: &NetDesc<'_>, tensors: &mut [TensorMut<'_>]) -> Zeroed {
    let mut zeroed = Zeroed::default();
    for (index, feature) in net.features.iter().enumerate() {
        let Some(used) = used(feature.set) else {
            continue;
        };
        zeroed.of += used.len();
        zeroed.rows += used.iter().filter(|used| !**used).count();
        for (desc, tensor) in net.tensors.iter().zip(&mut *tensors) {
            if is_of_set(desc.role, index) {
                let unused = (0..used.len()).filter(|&row| !used[row]);
                let ranges = unused.map(|row| row * desc.cols..(row + 1) * desc.cols);
                zeroed.numbers += ranges.map(|range| clear(tensor, range)).sum::<usize>();
            }
        }
    }
    zeroed
}

/// Whether a tensor has a row for each of those of a feature set.
fn is_of_set(role: TensorRole, set: usize) -> bool {
    match role {
        TensorRole::TransformerWeight | TensorRole::TransformerPsqt | TensorRole::SecondWeight => {
            set == 0
        }
        TensorRole::ExtraWeight(of)
        | TensorRole::ExtraPsqt(of)
        | TensorRole::SecondExtraWeight(of) => of == set,
        _ => false,
    }
}

/// Sets numbers to zero. Returns how many were not.
fn clear(tensor: &mut TensorMut<'_>, range: std::ops::Range<usize>) -> usize {
    fn fill<T: Copy + Default + PartialEq>(numbers: &mut [T]) -> usize {
        let zero = T::default();
        let changed = numbers.iter().filter(|&&number| number != zero).count();
        numbers.fill(zero);
        changed
    }
    match tensor {
        TensorMut::I8(numbers) => fill(&mut numbers[range]),
        TensorMut::I16(numbers) => fill(&mut numbers[range]),
        TensorMut::I32(numbers) => fill(&mut numbers[range]),
        TensorMut::F32(numbers) => fill(&mut numbers[range]),
    }
}

/// Which rows of a set legal positions have; `None` for a set that is not one of single pieces.
fn used(set: FeatureSetId) -> Option<Vec<bool>> {
    let planes = set.pieces()?;
    let mut used = vec![false; planes.rows()];
    for king in 0..64 {
        for (enemy, kinds) in planes.planes.iter().enumerate() {
            for (kind, plane) in kinds.iter().enumerate() {
                let Some(plane) = *plane else { continue };
                let squares = (0..64).filter(|&square| can_stand(king, enemy == 1, kind, square));
                squares.for_each(|square| {
                    for standing in 0..planes.standings {
                        let place = place(&planes, king, square);
                        let plane = plane.into();
                        used[planes.row(PlaneSquare {
                            standing,
                            plane,
                            ..place
                        })] = true;
                    }
                });
            }
        }
    }
    Some(used)
}

/// Where a piece on `square` has its row while the own king is on `king`, both as the side sees them.
const fn place(planes: &PiecePlanes, king: usize, square: usize) -> PlaneSquare {
    PlaneSquare {
        bucket: planes.buckets[king] as usize,
        standing: 0,
        plane: 0,
        square: if planes.half.mirrors(king) {
            square ^ 7
        } else {
            square
        },
    }
}

/// Whether a legal position has this piece on a square while the own king is on `king`.
const fn can_stand(king: usize, enemy: bool, kind: usize, square: usize) -> bool {
    match (enemy, kind) {
        (false, KING) => square == king,
        (true, KING) => (square / 8).abs_diff(king / 8) > 1 || (square % 8).abs_diff(king % 8) > 1,
        (_, PAWN) => square != king && square >= 8 && square < 56,
        _ => square != king,
    }
}
