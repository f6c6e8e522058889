//! The rows of listed attacks.

use super::attack::Attack;
use super::table::Table;
use crate::features::changed_rows::ChangedRows;
use crate::features::pair_view::PairView;
use crate::features::row_change::RowChange;
use crate::memory::lanes_mut;
use crate::simd::Simd;

impl ChangedRows {
    /// Adds the rows of all listed attacks, as each of `views` sees them. `first` is the number of
    /// the set's first row.
    #[inline(always)]
    pub(super) fn number<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        table: &Table,
        views: [PairView; N],
        first: u32,
    ) {
        let len = self.attacks.len;
        if !S::GATHERS {
            for at in 0..len {
                let attack = Attack(self.attacks.attacks[at]);
                for view in views {
                    let row = table.row(attack.seen(view));
                    let list = self.list(attack.change(), view.perspective);
                    list.push_if(row.is_some(), first + row.unwrap_or(0));
                }
            }
            return;
        }
        self.attacks.attacks[len..][..16].fill(Attack::NOTHING);
        for at in (0..len).step_by(S::BYTES / 4) {
            let mut attacks = simd.zero_i32();
            lanes_mut(&mut attacks).copy_from_slice(&self.attacks.attacks[at..][..S::BYTES / 4]);
            let added = simd.negative_i32(attacks);
            for view in views {
                let seen = simd.xor_i32(attacks, simd.splat_i32(Attack::difference(view)));
                let (numbers, dropped) = table.rows(simd, seen);
                let numbers = simd.add_i32(numbers, simd.splat_i32(first.cast_signed()));
                let kept = !simd.negative_i32(dropped) & u32::MAX >> (32 - S::BYTES / 4);
                for (change, keep) in RowChange::ALL
                    .into_iter()
                    .zip([kept & !added, kept & added])
                {
                    let list = self.list(change, view.perspective);
                    list.append(simd.compress_i32(numbers, keep), keep.count_ones() as usize);
                }
            }
        }
    }
}
