//! Checks the law of feature sets.

use super::{ChangedRows, Inputs, Rows};
use crate::board::Color;

/// Checks the law of [`Inputs`] for one change, for both sides and the views that they have before
/// and after it. Call it along random games in the tests of a feature set.
///
/// # Panics
///
/// With the missing or superfluous rows.
#[track_caller]
pub fn check_change<I: Inputs>(before: &I::Position, change: &I::Change, after: &I::Position) {
    for side in Color::ALL {
        for (when, seen) in [("before", before), ("after", after)] {
            let view = I::view(seen, side);
            let mut expected = Rows::new::<I>();
            I::active(after, side, view, &mut expected);
            let mut changed = ChangedRows::new::<I>();
            // Active rows before, minus removed, plus added, minus expected rows must be nothing.
            I::active(before, side, view, &mut changed.added);
            I::changed(change, side, view, &mut changed);
            expected
                .as_slice()
                .iter()
                .for_each(|&row| changed.remove(row));
            changed.cancel();
            assert!(
                changed.is_empty(),
                "{side:?} with its view {when} the change: the rows {:?} are active afterwards or removed twice, and nobody added \
                 them; the rows {:?} were active or added, and are not active afterwards",
                changed.removed(),
                changed.added(),
            );
        }
    }
}
