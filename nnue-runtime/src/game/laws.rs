//! The law of feature sets, tried out.

use super::{ChangedRows, Inputs, Rows};
use crate::board::Color;

/// Checks the law of [`Inputs`] for one change, for both sides and the views that they have before and after it; for the tests of a
/// feature set, which call it along random games.
///
/// # Panics
///
/// With the rows that are missing or superfluous.
#[track_caller]
pub fn check_change<I: Inputs>(before: &I::Position, change: &I::Change, after: &I::Position) {
    for side in Color::ALL {
        for (when, seen) in [("before", before), ("after", after)] {
            let view = I::view(seen, side);
            let mut expected = Rows::new::<I>();
            I::active(after, side, view, &mut expected);
            let mut changed = ChangedRows::new::<I>();
            // What is active before and not removed, and what is added, less what is expected, is nothing.
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
